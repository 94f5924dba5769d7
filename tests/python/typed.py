"""Code as people write it, for the type checker: mypy must understand all of it, and the wrong lines at its end must be wrong."""

import tessera as ts
import tessera.nn.functional as F
from tessera import data, nn, optim, train

x: ts.Tensor = ts.array([[1.0, 2.0], [3.0, 4.0]])
y: ts.Tensor = ts.softmax(x @ x.T + 1, axis=-1)
z: ts.Tensor = F.relu(F.linear(x, ts.eye(2)))
shape: tuple[int, ...] = y.shape
number: float = float(y.sum().item())
kind: ts.DType = y.dtype
values, indices = ts.topk(y, 1)
w: ts.Tensor = values
parts: list[ts.Tensor] = ts.split(y, 2)
q = ts.linalg.qr(x)
same: bool = ts.allclose(x, y)
e: ts.Tensor = ts.einsum("ij,jk->ik", x, y)
t: ts.Tensor = x.transpose(1, 0).transpose((1, 0)).reshape(2, 2).permute(0, 1).flatten(0, 1)
made: ts.Tensor = ts.transpose(ts.zeros(2, 3), (1, 0)) + ts.pad(ts.ones((3, 2), ts.float32), 0)
loss: ts.Tensor = F.cross_entropy(x, ts.array([0, 1]), ignore_index=-100, label_smoothing=0.1)
seen: ts.Tensor = F.scaled_dot_product_attention(x, x, x, is_causal=True)
for row in x:
    r: ts.Tensor = row[0]


class Net(nn.Module):
    def __init__(self, n: int) -> None:
        self.up = nn.Linear(n, 4 * n)
        self.parts = [nn.LayerNorm(4 * n), nn.Linear(4 * n, n, bias=False)]

    def forward(self, x: ts.Tensor) -> ts.Tensor:
        return self.parts[1](self.parts[0](F.gelu(self.up(x))))


net = Net(2).train()
weight: ts.Tensor = net.up.weight
named: dict[str, ts.Tensor] = net.eval().state_dict()
missing: list[str] = net.load_state_dict(named, strict=False).missing
optimizer = optim.AdamW(net, lr=optim.cosine(1e-3, 100), no_decay=["*.bias"], groups={"up.*": {"lr": 1e-2}})
value, gradients = ts.value_and_grad(net, lambda a: net(a).sum())(x)
optimizer.update(net, optim.clip_grad_norm(gradients, 1.0)[0])
step = ts.compile(lambda a: net(a), state=[net, optimizer])
last: float = optimizer.learning_rate.item()

language = ts.llm.load("model.gguf", dtype=ts.float16)
answer: str = language.generate("Hello", max_tokens=5, stop=["."]).text
for piece in language.stream([1, 2, 3], top_p=0.9):
    said: str = piece.text
chat = language.context()
tokens: list[int] = language.chat(chat, [{"role": "user", "content": "Hi"}], on_token=lambda t: print(t.id)).tokens
logits: ts.Tensor = ts.llm.Model.load("model.gguf")(x, last=True)
width: int = language.config.width

loader = data.DataLoader(data.split(data.from_arrays({"x": [[1.0], [2.0]]}), [1.0])[0], batch_size=2, shuffle=True, workers=0)
position: dict[str, int] = loader.state_dict()
accuracy = train.Accuracy(ignore_index=-1)


class Watch(train.Callback):
    def on_step(self, trainer: train.Trainer, step: int, loss: ts.Tensor) -> None:
        trainer.stop()


trainer = train.Trainer(net, optimizer, lambda batch: net(batch["x"]).mean(), epochs=3, autocast=ts.bfloat16, out="runs/a")
trainer.metric("accuracy", accuracy)
trainer.callback(Watch())
result: train.Result = trainer.fit(loader, loader)
best: float | None = result.best
final: dict[str, float] = trainer.evaluate(loader)
curve: str = train.plot({"loss": [line.values["loss"] for line in train.read_log("runs/a")]}, log_y=True)
cropped: ts.Tensor = data.random_crop(x, 2, 2, padding=1)

nn.Linear(2, out=3)  # type: ignore[call-arg]
optim.Adam(net, rate=3)  # type: ignore[call-arg]
F.huber_loss(x, x, delt=2.0)  # type: ignore[call-arg]
F.pad(x, (1, 1), mode=3)  # type: ignore[arg-type]
ts.softmax(x, axis="a")  # type: ignore[arg-type]
ts.no_such_function(x)  # type: ignore[attr-defined]
ts.conv2d(x, x, strid=2)  # type: ignore[call-arg]
language.generate("Hello", temperatur=1.0)  # type: ignore[call-arg]
data.DataLoader(x, batch=3)  # type: ignore[call-arg]
train.Trainer(net, optimizer, len, epoch=3)  # type: ignore[call-arg, arg-type]
train.F1("macro")  # type: ignore[arg-type]
