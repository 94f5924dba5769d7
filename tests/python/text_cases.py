"""Texts, tokenizers and chat templates for the tests of tessera.text: trained here and small, so that the packages of the field say what is right."""

import io
import json
import random

WORDS = ("the quick brown fox jumps over lazy dogs while naïve café owners in Zürich order 12 or 3456 crêpes at 7:30, don't they? "
         "I'll say: “yes” – maybe. Привет мир, как дела? こんにちは世界 你好，世界 안녕하세요 مرحبا بالعالم שלום עולם "
         "def main(argc: int) -> None:\n\treturn x[0] + 1.5e-3 // 2\n\n    if (a != b) { c += \"d\"; }\r\n")

ADVERSARIAL = [
    "", " ", "  ", "   a", "a   ", "\n", "\n\n\n", "\t\t", " \n \n ", "\r\n\r", "a\u00a0b", "\u3000\u3000x", "a\u200bb\u200d", "\ufeffx",
    "👍", "👍🏽", "👨‍👩‍👧‍👦", "🇩🇪🇫🇷", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "é", "e\u0301", "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘!", "ﬁ ﬂ ①②③ ㎏ Å Å", "مرحبا", "\u202eabc\u202c", "שָׁלוֹם", "नमस्ते",
    "한국어", "각", "ｆｕｌｌｗｉｄｔｈ", "\x00", "a\x00b", "\x01\x02\x7f\x80\x9f", "\ufffd", "\ufffe\uffff", "\U0010ffff", "\ue000", "ß ẞ İ ı ſ", "1234567890123",
    "1,234.56", "don't DON'T we'll I'M", "snake_case camelCase PascalCase", "a" * 300, "ab" * 200, " " * 200, "\n" * 100, "!" * 200, "a b " * 60, "▁▁a▁b", "▁",
    "<s>", "</s><s>", "<unk>", "[CLS] [SEP]", "<0x0A>", "<|im_start|>user\n", "hello<s>world", "\\n \\\" {}[]()<>", "https://example.com/a?b=c&d=%20#e", "x=1;y='2'",
]


def texts(count=150, seed=11):
    """The adversarial texts, and random mixtures of words, characters of all planes and spaces."""
    draw = random.Random(seed)
    words = WORDS.split(" ")
    planes = [(0x20, 0x7e), (0xa0, 0x24f), (0x300, 0x36f), (0x370, 0x5ff), (0x600, 0x6ff), (0x900, 0x97f), (0x1100, 0x11ff), (0x2000, 0x206f), (0x3040, 0x30ff), (0x4e00, 0x9fff),
              (0xac00, 0xd7a3), (0xe000, 0xe0ff), (0xfe00, 0xfe0f), (0x1f300, 0x1faff), (0x20000, 0x2a6df)]
    made = list(ADVERSARIAL)
    for _ in range(count):
        parts = []
        for _ in range(draw.randrange(1, 12)):
            kind = draw.randrange(4)
            if kind == 0:
                parts.append("".join(chr(draw.randint(*draw.choice(planes))) for _ in range(draw.randrange(1, 6))))
            elif kind == 1:
                parts.append(draw.choice([" ", "  ", "\n", "\t", " \n", ""]))
            else:
                parts.append(draw.choice(words) + draw.choice(["", " "]))
        made.append("".join(parts))
    return made


def corpus():
    draw = random.Random(5)
    words = WORDS.split(" ")
    return [" ".join(draw.choice(words) for _ in range(draw.randrange(3, 20))) for _ in range(150)]


# ---- Tokenizers of the package tokenizers ----

def tokenizer_files():
    """The tokenizer.json of each family, by name."""
    from tokenizers import (AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers)

    out = {}

    def trained(name, tokenizer, trainer):
        tokenizer.train_from_iterator(corpus(), trainer)
        out[name] = tokenizer

    specials = ["<unk>", "<s>", "</s>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    t = Tokenizer(models.BPE())
    t.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    t.decoder = decoders.ByteLevel()
    trained("gpt2", t, trainers.BpeTrainer(vocab_size=400, special_tokens=["<|endoftext|>"], initial_alphabet=alphabet, show_progress=False))
    t = Tokenizer(models.BPE(ignore_merges=True))
    pattern = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    t.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(pattern), "isolated"), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    t.normalizer = normalizers.NFC()
    t.decoder = decoders.ByteLevel()
    trained("llama3", t, trainers.BpeTrainer(vocab_size=380, special_tokens=["<s>", "<|im_start|>"], initial_alphabet=alphabet, show_progress=False))
    t.add_tokens([AddedToken("hello", normalized=False)])
    t.post_processor = processors.Sequence([processors.ByteLevel(trim_offsets=True), processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", t.token_to_id("<s>"))])])
    t = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    t.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    t.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)])
    bytes_ = [f"<0x{b:02X}>" for b in range(256)]
    trained("llama2", t, trainers.BpeTrainer(vocab_size=560, special_tokens=specials + bytes_, show_progress=False, limit_alphabet=120))
    t = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    t.normalizer = normalizers.BertNormalizer()
    t.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    t.decoder = decoders.WordPiece()
    trained("bert", t, trainers.WordPieceTrainer(vocab_size=300, special_tokens=["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"], show_progress=False))
    t.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    t.enable_truncation(8)
    t.enable_padding(length=8, pad_token="[PAD]")
    t = Tokenizer(models.Unigram())
    t.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")])
    t.pre_tokenizer = pre_tokenizers.Metaspace()
    t.decoder = decoders.Metaspace()
    trained("unigram", t, trainers.UnigramTrainer(vocab_size=300, special_tokens=specials, unk_token="<unk>", show_progress=False))
    files = {name: t.to_str() for name, t in out.items()}
    llama2 = json.loads(files["llama2"])  # bytes are tokens like others
    llama2["added_tokens"] = [t for t in llama2["added_tokens"] if not t["content"].startswith("<0x")]
    files["llama2"] = json.dumps(llama2)
    return files


def reference(text):
    """The tokenizer of the package tokenizers, without the truncation and padding that a file may have."""
    from tokenizers import Tokenizer

    t = Tokenizer.from_str(text)
    t.no_truncation()
    t.no_padding()
    return t


# ---- Models of sentencepiece as vocabularies of GGUF files ----

def sentencepiece_model(kind, **options):
    import sentencepiece as spm

    model = io.BytesIO()
    defaults = dict(vocab_size=420, character_coverage=0.98, minloglevel=2, num_threads=1, hard_vocab_limit=False)
    spm.SentencePieceTrainer.train(sentence_iterator=iter(corpus()), model_writer=model, model_type=kind, **{**defaults, **options})
    return spm.SentencePieceProcessor(model_proto=model.getvalue())


def vocabulary_of(processor, model, **more):
    """The arguments of tokenizer_json for a SentencePiece model, as converters to GGUF write them."""
    n = processor.get_piece_size()

    def kind(i):
        return (2 if processor.is_unknown(i) else 3 if processor.is_control(i) else 5 if processor.is_unused(i) else
                6 if processor.is_byte(i) else 4 if i in user else 1)

    user = set(more.pop("user_defined", ()))
    return dict(model=model, tokens=[processor.id_to_piece(i) for i in range(n)], scores=[processor.get_score(i) for i in range(n)],
                token_type=[kind(i) for i in range(n)], **more)


def charsmap_of(processor):
    """The normalizer's precompiled_charsmap of a SentencePiece model: field 3, and there field 2, of its protocol buffer."""
    def fields(data):
        at = 0

        def number():
            nonlocal at
            value = shift = 0
            while True:
                byte = data[at]
                at += 1
                value |= (byte & 127) << shift
                shift += 7
                if byte < 128:
                    return value

        while at < len(data):
            key = number()
            if key & 7 == 2:
                size = number()
                yield key >> 3, data[at:at + size]
                at += size
            elif key & 7 == 0:
                number()
            else:
                at += 8 if key & 7 == 1 else 4

    for field, value in fields(processor.serialized_model_proto()):
        if field == 3:
            for inner, text in fields(value):
                if inner == 2:
                    return text
    return b""


# ---- Chat templates ----

def jinja(source):
    """The template as Hugging Face's apply_chat_template compiles it."""
    from datetime import datetime

    import jinja2.ext
    from jinja2 import nodes
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    class Generation(jinja2.ext.Extension):
        tags = {"generation"}

        def parse(self, parser):
            line = next(parser.stream).lineno
            body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
            return nodes.CallBlock(self.call_method("_inside"), [], [], body).set_lineno(line)

        def _inside(self, caller):
            return caller()

    def raise_exception(message):
        raise jinja2.exceptions.TemplateError(message)

    def tojson(x, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
        return json.dumps(x, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)

    env = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[Generation, jinja2.ext.loopcontrols])
    env.filters["tojson"] = tojson
    env.globals["raise_exception"] = raise_exception
    env.globals["strftime_now"] = lambda format: datetime.now().strftime(format)
    return env.from_string(source)


SYSTEM = {"role": "system", "content": "  Be brief.\nBe kind. "}
CHAT = [{"role": "user", "content": "Hi, what is 2 + 2?"}, {"role": "assistant", "content": " 4 \n"}, {"role": "user", "content": "Größer? \"ja\" <b> & 'c' 👍"}]
CALL = [{"role": "user", "content": "Weather in Zürich?"},
        {"role": "assistant", "content": None, "tool_calls": [
            {"id": "call00001", "type": "function", "function": {"name": "weather", "arguments": {"city": "Zürich", "days": 2, "exact": True, "scale": 1.5e-7, "more": None}}}]},
        {"role": "tool", "tool_call_id": "call00001", "name": "weather", "content": "{\"t\": -3.5}"}]
TOOLS = [{"type": "function", "function": {"name": "weather", "description": "The weather <now> & 'later'", "parameters": {
    "type": "object", "properties": {"city": {"type": "string", "enum": ["Zürich", "Köln"]}, "days": {"type": "integer", "default": 1}}, "required": ["city"]}}}]
THOUGHT = [{"role": "user", "content": "Think"}, {"role": "assistant", "content": "<think>\nhm\n</think>\n\nDone."}, {"role": "user", "content": "Again"}]
PARTS = [{"role": "user", "content": [{"type": "text", "text": " one "}, {"type": "image"}, {"type": "text", "text": "two"}]}]
WRONG = [{"role": "assistant", "content": "first"}, {"role": "assistant", "content": "second"}]
CHATS = [[SYSTEM] + CHAT, CHAT, CALL, [SYSTEM] + CALL, THOUGHT, PARTS, WRONG, [], [{"role": "user", "content": ""}], [{"role": "tool", "content": "x"}]]

TEMPLATES = {
    "llama3": """{{- bos_token }}
{%- if custom_tools is defined %}{%- set tools = custom_tools %}{%- endif %}
{%- if not date_string is defined %}{%- set date_string = "26 Jul 2024" %}{%- endif %}
{%- if messages and messages[0]['role'] == 'system' %}
    {%- set system_message = messages[0]['content'] | trim %}
    {%- set messages = messages[1:] %}
{%- else %}
    {%- set system_message = "" %}
{%- endif %}
<|start_header_id|>system<|end_header_id|>

{% if tools is not none %}Environment: tools
{% endif %}
Date: {{ date_string }}
{%- if tools is not none and tools %}

Functions:
    {%- for t in tools %}
{{ t | tojson(indent=4) }}
    {%- endfor %}
{%- endif %}
{{ system_message }}<|eot_id|>
{%- for message in messages %}
    {%- if not (message.role == 'tool' or 'tool_calls' in message) %}
        {{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\\n\\n' + (message['content'] | trim if message['content'] is string else message['content'] | string) + '<|eot_id|>' }}
    {%- elif 'tool_calls' in message %}
        {%- if not message.tool_calls | length == 1 %}{{- raise_exception("one tool call at a time") }}{%- endif %}
        {%- set call = message.tool_calls[0].function %}
        {{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n{"name": "' + call.name + '", "parameters": ' }}{{- call.arguments | tojson }}{{- "}" + '<|eot_id|>' }}
    {%- else %}
        {{- "<|start_header_id|>ipython<|end_header_id|>\\n\\n" }}
        {%- if message.content is mapping or (message.content is iterable and message.content is not string) %}{{- message.content | tojson }}{%- else %}{{- message.content }}{%- endif %}
        {{- "<|eot_id|>" }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}{%- endif %}
""",
    "mistral": """{%- if messages and messages[0]["role"] == "system" %}{%- set system = messages[0]["content"] %}{%- set turns = messages[1:] %}{%- else %}{%- set turns = messages %}{%- endif %}
{%- set users = turns | selectattr("role", "equalto", "user") | list %}
{%- set ns = namespace(index=0, last=none) %}
{%- for m in turns %}
    {%- if not (m.role == "tool" or (m.tool_calls is defined and m.tool_calls is not none)) %}
        {%- if (m["role"] == "user") != (ns.index % 2 == 0) %}
            {{- raise_exception("roles must alternate: user, assistant, user, ...; got " ~ m["role"] ~ " at " ~ ns.index) }}
        {%- endif %}
        {%- set ns.index = ns.index + 1 %}
    {%- endif %}
{%- endfor %}
{{- bos_token }}
{%- for m in turns %}
    {%- if m["role"] == "user" %}
        {%- if tools is not none and users and m == users[-1] %}
            {{- "[AVAILABLE_TOOLS] [" }}
            {%- for tool in tools %}
                {%- set tool = tool.function %}
                {{- '{"type": "function", "function": {' }}
                {%- for key, val in tool.items() if key != "return" %}
                    {%- if val is string %}{{- '"' + key + '": "' + val + '"' }}{%- else %}{{- '"' + key + '": ' + val | tojson }}{%- endif %}
                    {%- if not loop.last %}{{- ", " }}{%- endif %}
                {%- endfor %}
                {{- "}}" }}{%- if not loop.last %}{{- ", " }}{%- else %}{{- "]" }}{%- endif %}
            {%- endfor %}
            {{- "[/AVAILABLE_TOOLS]" }}
        {%- endif %}
        {%- if loop.last and system is defined %}{{- "[INST] " + system + "\\n\\n" + m["content"] + "[/INST]" }}{%- else %}{{- "[INST] " ~ m["content"] ~ "[/INST]" }}{%- endif %}
    {%- elif m.tool_calls is defined and m.tool_calls is not none %}
        {{- "[TOOL_CALLS] [" }}
        {%- for call in m.tool_calls %}
            {%- set out = call.function | tojson %}
            {{- out[:-1] }}
            {%- if not call.id is defined or call.id | length != 9 %}{{- raise_exception("ids have 9 characters") }}{%- endif %}
            {{- ', "id": "' + call.id + '"}' }}{%- if not loop.last %}{{- ", " }}{%- else %}{{- "]" + eos_token }}{%- endif %}
        {%- endfor %}
    {%- elif m["role"] == "assistant" %}{{- " " + m["content"] | trim + eos_token }}
    {%- elif m["role"] == "tool" %}
        {%- if m.content is defined and m.content.content is defined %}{%- set content = m.content.content %}{%- else %}{%- set content = m.content %}{%- endif %}
        {{- '[TOOL_RESULTS] {"content": ' + content | string + "}[/TOOL_RESULTS]" }}
    {%- else %}{{- raise_exception("Only user and assistant roles are supported, not " + m["role"] + "!") }}
    {%- endif %}
{%- endfor %}
""",
    "qwen3": """{%- if tools %}
    {{- '<|im_start|>system\\n' }}
    {%- if messages[0].role == 'system' %}{{- messages[0].content + '\\n\\n' }}{%- endif %}
    {{- "# Tools\\n<tools>" }}
    {%- for tool in tools %}{{- "\\n" }}{{- tool | tojson }}{%- endfor %}
    {{- "\\n</tools><|im_end|>\\n" }}
{%- elif messages and messages[0].role == 'system' %}{{- '<|im_start|>system\\n' + messages[0].content + '<|im_end|>\\n' }}
{%- endif %}
{%- set ns = namespace(multi_step_tool=true, last_query_index=messages|length - 1) %}
{%- for message in messages[::-1] %}
    {%- set index = (messages|length - 1) - loop.index0 %}
    {%- if ns.multi_step_tool and message.role == "user" and message.content is string and not(message.content.startswith('<tool_response>') and message.content.endswith('</tool_response>')) %}
        {%- set ns.multi_step_tool = false %}{%- set ns.last_query_index = index %}
    {%- endif %}
{%- endfor %}
{%- for message in messages %}
    {%- if message.content is string %}{%- set content = message.content %}{%- else %}{%- set content = '' %}{%- endif %}
    {%- if (message.role == "user") or (message.role == "system" and not loop.first) %}
        {{- '<|im_start|>' + message.role + '\\n' + content + '<|im_end|>' + '\\n' }}
    {%- elif message.role == "assistant" %}
        {%- set reasoning = '' %}
        {%- if '</think>' in content %}
            {%- set reasoning = content.split('</think>')[0].rstrip('\\n').split('<think>')[-1].lstrip('\\n') %}
            {%- set content = content.split('</think>')[-1].lstrip('\\n') %}
        {%- endif %}
        {%- if loop.index0 > ns.last_query_index and (loop.last or reasoning) %}
            {{- '<|im_start|>assistant\\n<think>\\n' + reasoning.strip('\\n') + '\\n</think>\\n\\n' + content.lstrip('\\n') }}
        {%- else %}{{- '<|im_start|>' + message.role + '\\n' + content }}
        {%- endif %}
        {%- if message.tool_calls %}
            {%- for tool_call in message.tool_calls %}
                {%- if (loop.first and content) or (not loop.first) %}{{- '\\n' }}{%- endif %}
                {%- if tool_call.function %}{%- set tool_call = tool_call.function %}{%- endif %}
                {{- '<tool_call>\\n{"name": "' }}{{- tool_call.name }}{{- '", "arguments": ' }}
                {%- if tool_call.arguments is string %}{{- tool_call.arguments }}{%- else %}{{- tool_call.arguments | tojson }}{%- endif %}
                {{- '}\\n</tool_call>' }}
            {%- endfor %}
        {%- endif %}
        {{- '<|im_end|>\\n' }}
    {%- elif message.role == "tool" %}
        {%- if loop.first or (messages[loop.index0 - 1].role != "tool") %}{{- '<|im_start|>user' }}{%- endif %}
        {{- '\\n<tool_response>\\n' + content + '\\n</tool_response>' }}
        {%- if loop.last or (messages[loop.index0 + 1].role != "tool") %}{{- '<|im_end|>\\n' }}{%- endif %}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' }}
    {%- if enable_thinking is defined and enable_thinking is false %}{{- '<think>\\n\\n</think>\\n\\n' }}{%- endif %}
{%- endif %}""",
    "gemma": """{{ bos_token }}{% if messages and messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}
{% for message in messages %}
    {% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}
        {{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}
    {% endif %}
    {% if (message['role'] == 'assistant') %}{% set role = 'model' %}{% else %}{% set role = message['role'] %}{% endif %}
    {{ '<start_of_turn>' + role + '\\n' }}
    {% if message['content'] is string %}
        {{ message['content'] | trim }}
    {% elif message['content'] is iterable %}
        {% for item in message['content'] %}
            {% if item['type'] == 'image' %}<image>{% elif item['type'] == 'text' %}{{ item['text'] | trim }}{% endif %}
        {% endfor %}
    {% else %}
        {{ raise_exception('Invalid content type') }}
    {% endif %}
    <end_of_turn>
{% endfor %}
{% if add_generation_prompt %}
    {{ '<start_of_turn>model\\n' }}
{% endif %}
""",
    "phi": """{% for message in messages %}{% if message['role'] == 'system' and 'tools' in message and message['tools'] is not none %}{{ '<|system|>' + message['content'] + '<|tool|>' + message['tools'] + '<|/tool|><|end|>' }}{% elif message['content'] is not none %}{{ '<|' + message['role'] + '|>\n' ~ message['content'] ~ '<|end|>\n' }}{% endif %}{% endfor %}{% if add_generation_prompt %}{{ '<|assistant|>\n' }}{% else %}{{ eos_token }}{% endif %}""",
    "gpt-oss": """{%- macro render_type(spec, required) -%}
    {%- if spec.type == "array" -%}{{ render_type(spec['items'], true) }}[]
    {%- elif spec.enum is defined and spec.enum -%}{{ '"' + spec.enum | join('" | "') + '"' }}
    {%- elif spec.type in ["integer", "number"] -%}number
    {%- else -%}{{ spec.type | default("any") }}
    {%- endif -%}
    {%- if not required %} | null{% endif -%}
{%- endmacro -%}
{%- macro render_tools(tools) -%}
    {{- "## functions\\n\\nnamespace functions {\\n\\n" }}
    {%- for tool in tools %}{%- set tool = tool.function %}
        {{- "// " + tool.description + "\\n" }}{{- "type " + tool.name + " = (_: {\\n" }}
        {%- for name, spec in tool.parameters.properties.items() %}
            {{- name + ("" if name in (tool.parameters.required or []) else "?") + ": " + render_type(spec, name in tool.parameters.required) }}
            {%- if spec.default is defined %}{{- ", // default: " ~ spec.default }}{%- endif %}
            {{- ",\\n" if not loop.last else "\\n" }}
        {%- endfor %}
        {{- "}) => any;\\n\\n" }}
    {%- endfor %}
    {{- "} // namespace functions" }}
{%- endmacro -%}
{{- "<|start|>system<|message|>Reasoning: " + (reasoning_effort if reasoning_effort is defined else "medium") + "\\n\\n" }}
{%- if tools -%}{{- render_tools(tools) }}{%- endif %}{{- "<|end|>" }}
{%- for message in messages -%}
    {%- if message.role == "assistant" -%}
        {%- if "tool_calls" in message %}
            {{- "<|start|>assistant to=functions." ~ message.tool_calls[0].function.name ~ "<|channel|>commentary json<|message|>" + message.tool_calls[0].function.arguments | tojson + "<|call|>" }}
        {%- elif loop.last and not add_generation_prompt %}{{- "<|start|>assistant<|channel|>final<|message|>" + message.content + "<|return|>" }}
        {%- else %}{{- "<|start|>assistant<|channel|>final<|message|>" ~ message.content ~ "<|end|>" }}
        {%- endif %}
    {%- elif message.role == "tool" -%}{{- "<|start|>functions." + (message.name | default("unknown")) + " to=assistant<|message|>" + message.content | tojson + "<|end|>" }}
    {%- elif message.role == "user" -%}{{- "<|start|>user<|message|>" ~ message.content ~ "<|end|>" }}
    {%- else -%}{{- "<|start|>developer<|message|>" + message.content + "<|end|>" }}
    {%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}<|start|>assistant{%- endif -%}
""",
    "generation": """{% for m in messages %}
  {% if m.role == 'assistant' %}
    {% generation %}{% set inside = 1 %}
    {{ m.content }}{{ eos_token }}
    {%- endgeneration -%}
    {{ inside is defined }}
  {% elif m.role == 'user' %}
{{ loop.index }}/{{ loop.length }} {{ m.content }}
  {% else %}
    {% continue %}
  {% endif %}
  {% if loop.index > 3 %}{% break %}{% endif %}
{% endfor %}
""",
    "values": """{{ [1, 'a', none, true, 2.5, {'k': 'v'}] }} {{ none }} {{ true }} {{ 1.0 }} {{ 7 // 2 }} {{ 7 / 2 }} {{ 7 % 3 }} {{ 2 ** 3 }} {{ -7 // 2 }} {{ missing }}|{{ 'x' ~ 1 ~ true ~ none }}
{{ messages | map(attribute='role') | join(', ') }} {{ messages | map(attribute='role') | list | unique | list }} {{ 'A,b,,c'.split(',') }} {{ 'a b  c'.split() }}
{{ 'abc'[::2] }} {{ 'abc'[-1] }} {{ 'abc'[1:] }} {{ 'Straße'.upper() }} {{ 'hELLO wORLD'.title() }} {{ 'hELLO'.capitalize() }} {{ '  x '.strip() }}| {{ 'aXbX'.replace('X', '-') }} {{ 'a-b-c'.split('-', 1) }}
{{ {'a': 1, 'b': [1, 2]} | tojson }} {{ {'b': 1, 'a': {'x': []}} | tojson(indent=2) }} {{ {'b': 1, 'a': 'é\\n"'} | tojson(ensure_ascii=true, sort_keys=true, separators=(',', ':')) }} {{ [] | tojson(indent=1) }}
{{ {'a': 1}.get('b', 'none') }} {{ {'a': 1}.items() | list }} {{ {'z': 1, 'a': 2} | dictsort }} {{ range(3) | list }} {{ 'b' in {'b': 1} }} {{ 'lo' in 'hello' }} {{ [3, 1, 2] | sort }} {{ [3, 1, 2] | first }} {{ [3, 1, 2] | last }} {{ 'x' if false }}|
{{ 'a\\nb' | indent(2) }} {{ '%s-%d' | format('a', 3) }} {{ 3.7 | int }} {{ '3' | int + 1 }} {{ 3.14159 | round(2) }} {{ 'abc' | length }} {{ '<b>' | e }} {{ 'a' * 3 }} {{ [1] + [2] }} {{ (1, 2) }} {{ 'abc'.find('c') }} {{ 'abc'.startswith('a') }} {{ 'x'.isdigit() }} {{ 'hello'.removeprefix('he') }}
{%- set ns = namespace(found=false) %}{% for i in range(3) %}{% if i == 1 %}{% set ns.found = true %}{% endif %}{% endfor %} {{ ns.found }} {{ 1e16 }} {{ 1e-5 }} {{ 123456789012345678 }} {{ 'a' is string }} {{ 1 is number }} {{ {} is mapping }} {{ none is none }} {{ [] is sequence }}
{%- filter upper %} filtered {% endfilter %}{% with a = 1 %}{{ a }}{% endwith %}{% raw %}{{ raw }}{% endraw %}{# a comment #}
{%- for k, v in {'a': 1, 'b': 2}.items() %} {{ loop.index0 }}{{ k }}={{ v }}{{ ',' if not loop.last }}{% else %}none{% endfor %} {{ messages | selectattr('role', 'equalto', 'user') | list | length }} {{ messages | rejectattr('role', 'in', ['user']) | list | length }}
{%- set block %} kept {{ 1 + 1 }} {% endset %}[{{ block }}] {{ messages[0].content if messages else 'empty' }} {{ (messages | last).role if messages }} {{ messages[-1]['role'] if messages }} {{ '{:>5}'.format(3) }}
""",
}


def template_cases():
    """(name, template, messages, options) of every template and chat."""
    for name, source in TEMPLATES.items():
        for messages in CHATS:
            for tools in (None, TOOLS):
                for prompt in (False, True):
                    yield name, source, messages, dict(tools=tools, add_generation_prompt=prompt)
            yield name, source, messages, dict(tools=None, add_generation_prompt=True, enable_thinking=False, reasoning_effort="high", date_string="1 Jan 2025")
