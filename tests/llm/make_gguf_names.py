"""Writes gguf_names.json: the names that PyPI's gguf 0.19.0 gives the tensors of tests/llm/models, for convert_test.cpp.

    python make_gguf_names.py [file]

Needs gguf. Each model has the architecture of gguf and a list of names in a GGUF file: TensorNameMap of that architecture is asked for each
tensor of the folder, after the merges that llama.cpp's converter makes (experts of a layer become one tensor, gpt-oss has gate and up apart).
Names that MODEL_TENSORS does not list for the architecture are an error.
"""

import json
import pathlib
import re
import struct
import sys

import gguf

HERE = pathlib.Path(__file__).resolve().parent
ARCHITECTURES = {"mistral": "llama", "mixtral": "llama", "gemma3_text": "gemma3", "qwen3_moe": "qwen3moe", "gpt_oss": "gpt-oss"}
# Not in GGUF files: the pooler of BERT.
LEFT_OUT = re.compile(r"^(bert\.)?pooler\.")


def tensor_names(folder):
    names = []
    for file in sorted(folder.glob("model*.safetensors")):
        data = file.read_bytes()
        (size,) = struct.unpack("<Q", data[:8])
        names += [n for n in json.loads(data[8:8 + size]) if n != "__metadata__"]
    return names


def merged(name):
    """The names that the converter asks for: one for the tensors of all experts."""
    if match := re.match(r"(.*\.experts)\.\d+\.(.*)", name):
        return [f"{match[1]}.{match[2]}"]
    name = re.sub(r"_(blocks|scales)$", "", name)
    if "experts.gate_up_proj" in name:
        kind = ".bias" if name.endswith("_bias") else ".weight"
        return [name.split("gate_up_proj")[0] + part + kind for part in ("gate_proj", "up_proj")]
    if "experts.down_proj" in name:
        return [name.split("down_proj")[0] + "down_proj" + (".bias" if name.endswith("_bias") else ".weight")]
    return [name]


def main():
    everything = {}
    for folder in sorted((HERE / "models").iterdir()):
        config = json.loads((folder / "config.json").read_text())
        kind = config["model_type"]
        arch = next(a for a, n in gguf.MODEL_ARCH_NAMES.items() if n == ARCHITECTURES.get(kind, kind))
        layers = config.get("num_hidden_layers", config.get("n_layer"))
        names = gguf.get_tensor_name_map(arch, layers)
        allowed = {gguf.TENSOR_NAMES[t].replace("{bid}", "#") for t in gguf.MODEL_TENSORS[arch]}
        found, refused = set(), []
        for tensor in tensor_names(folder):
            if LEFT_OUT.match(tensor) or (tensor.startswith("lm_head") and config.get("tie_word_embeddings")):
                continue
            for name in merged(tensor):
                got = names.get_name(name, try_suffixes=(".weight", ".bias"))
                if got is None:
                    refused.append(tensor)
                    continue
                if name.endswith(".sinks"):
                    got += ".weight"
                base = re.sub(r"\.(weight|bias)$", "", re.sub(r"^blk\.\d+", "blk.#", got))
                if base not in allowed:
                    refused.append(f"{tensor} -> {got}")
                found.add(got)
        if refused:
            print(f"{folder.name}: gguf has no name for {refused}", file=sys.stderr)
        everything[folder.name] = {"architecture": gguf.MODEL_ARCH_NAMES[arch], "names": sorted(found)}
    text = json.dumps(everything, indent=1)
    (pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "gguf_names.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
