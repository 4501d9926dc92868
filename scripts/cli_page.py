"""Writes `docs/cli.md` from the commands themselves; a test compares, so that the page can't drift."""

from pathlib import Path

from affidavit.surfaces.cli.reference import page

TARGET = Path(__file__).resolve().parents[1] / "docs" / "cli.md"

if __name__ == "__main__":
    TARGET.write_text(page(), encoding="utf-8")
    print(f"wrote {TARGET.name}")
