#!/usr/bin/env python3
"""Writes points.json, what the packages of the field say about small tokenizers and templates: make_points.py, with tests/python/requirements.txt."""

import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "python"))
import text_cases as cases  # noqa: E402

TEXTS = [t for t in cases.ADVERSARIAL if len(t) < 80 and "\ufffe" not in t] + cases.texts(12)[len(cases.ADVERSARIAL):]


def main():
    points = {"texts": TEXTS, "tokenizers": [], "vocabularies": []}
    for name, file in cases.tokenizer_files().items():
        if name in ("gpt2", "llama2", "bert"):
            theirs = cases.reference(file)
            points["tokenizers"].append({"name": name, "json": json.loads(file), "ids": [theirs.encode(t).ids for t in TEXTS],
                                         "offsets": [theirs.encode(t).offsets for t in TEXTS[:30]], "decoded": [theirs.decode(theirs.encode(t).ids) for t in TEXTS]})
    plain = dict(byte_fallback=True, remove_extra_whitespaces=False, normalization_rule_name="identity")
    for kind, model, more in (("bpe", "llama", {}), ("unigram", "t5", {"remove_extra_whitespaces": False})):
        theirs = cases.sentencepiece_model(kind, **plain)
        vocabulary = cases.vocabulary_of(theirs, model, eos=theirs.eos_id(), bos=theirs.bos_id(), unknown=theirs.unk_id(), **more)
        ids = [None if "<" in t else theirs.encode(t) for t in TEXTS]  # names of special tokens are text for sentencepiece
        points["vocabularies"].append({"name": kind, "vocabulary": vocabulary, "ids": ids})
    (HERE / "points.json").write_text(json.dumps(points, ensure_ascii=False, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
