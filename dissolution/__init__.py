"""The kernel: the words of the domain as frozen types, ports, errors, settings, policy and clock."""

__version__ = "0.1.0"
