"""A real small model behind a real server; `tests/support_llama.py` says where they come from."""

import json

import pytest

from tests.support_llama import QWEN, NotHereError, Weights, answer_of, path_of

SCHEMA = {
    "type": "object",
    "properties": {"places": {"type": "array", "maxItems": 2, "items": {"type": "string", "maxLength": 20}}},
    "required": ["places"],
    "additionalProperties": False,
}


@pytest.mark.slow
def test_it_answers_over_http_and_is_held_to_a_schema(small_model):
    told = [{"role": "user", "content": "I live in Lisbon and I hate cilantro."}]
    assert list(json.loads(answer_of(small_model, told, schema=SCHEMA, max_tokens=80))) == ["places"]


def test_a_file_with_other_bytes_is_not_used(tmp_path, monkeypatch):
    pytest.importorskip("xllamacpp", reason="`make models` installs it")
    monkeypatch.setenv("TESTS_MODELS", str(tmp_path))
    wanted = Weights(name="some model", file="some.gguf", sha256=QWEN.sha256)
    with pytest.raises(NotHereError, match=r"put some\.gguf into the folder"):
        path_of(wanted)
    (tmp_path / "some.gguf").write_bytes(b"GGUF and whatever else")
    with pytest.raises(NotHereError, match="is not the pinned file"):
        path_of(wanted)
