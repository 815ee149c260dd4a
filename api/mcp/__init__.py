"""The MCP server: what agents may ask of this service, over stdio and HTTP."""
