"""What several groups of commands share: streams, exit codes, options, names, tables."""
