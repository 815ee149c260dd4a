"""`python -m dissolution_fleet`: the command `dissolve`, where no script of that name is at hand."""

from dissolution_fleet.start import main

if __name__ == "__main__":
    main()
