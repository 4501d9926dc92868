"""`python -m affidavit` is the command `affidavit`."""

from affidavit.surfaces.cli import main

if __name__ == "__main__":
    main()
