"""LoCoMo conversations as our import JSON lines, one file a conversation.

    python bench/locomo_jsonl.py locomo10.json FOLDER

A line is `{"role", "content", "at", "session", "name"}`. Every speaker has the role `user` and a name; an image is
told by its caption, as the data set's own readers do. Prints each file with its number of lines.
"""

import argparse
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any


def conversations(path: Path) -> Iterator[tuple[str, list[dict[str, str]]]]:
    """The name and the messages of each conversation of a LoCoMo file."""
    for sample in json.loads(path.read_text(encoding="utf-8")):
        yield sample["sample_id"], list(messages(sample["conversation"]))


def messages(conversation: dict[str, Any]) -> Iterator[dict[str, str]]:
    """The turns of one conversation in order, as messages."""
    number = 1
    while f"session_{number}_date_time" in conversation or f"session_{number}" in conversation:
        at = _when(conversation.get(f"session_{number}_date_time"))
        for turn in conversation.get(f"session_{number}") or []:
            message = {
                "role": "user",
                "content": _content(turn),
                "session": f"session-{number}",
                "name": turn["speaker"],
            }
            yield message | ({"at": at} if at else {})
        number += 1


def _content(turn: dict[str, Any]) -> str:
    caption = turn.get("blip_caption")
    text: str = turn["text"]
    return text + (f" [shares an image: {caption}]" if caption else "")


def _when(text: str | None) -> str | None:
    if not text:
        return None
    return datetime.strptime(text, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC).isoformat()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path, help="locomo10.json")
    parser.add_argument("folder", type=Path, help="where the .jsonl files go")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for name, lines in conversations(arguments.file):
        target = arguments.folder / f"{name}.jsonl"
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        target.write_text(text, encoding="utf-8")
        print(f"{target}  {len(lines)} messages")


if __name__ == "__main__":
    main()
