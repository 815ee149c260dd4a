"""The command `python -m fleet.loopback`: the door to the loopback provider of the development tools.

The tools (`devtools/`) are part of the repository and of no installed package, so they are looked for when it runs.
"""


def main() -> None:
    """Run the provider's command line. Exits with what to do where the tools are not at hand."""
    try:
        from devtools.loopback import main as serve
    except ModuleNotFoundError as error:
        if error.name not in {"devtools", "devtools.loopback"}:
            raise
        message = "the loopback provider is one of the development tools: run it from a clone of the repository"
        raise SystemExit(message) from error
    serve()


if __name__ == "__main__":
    main()
