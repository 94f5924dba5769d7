#!/usr/bin/env python3
"""Writes native.zip and native.json beside this file: the folder of checkpoints of Python's Trainer, which tests/web loads, and the numbers that
follow. The data are those of browser.json. PYTHONPATH=build/dev/python python make.py"""

import json
import shutil
import tempfile
from pathlib import Path

import numpy as np
import tessera as ts
from tessera import data, nn, optim, train

HERE = Path(__file__).resolve().parent
STEP = 12

about = json.loads((HERE / "browser.json").read_text())
x, y = np.array(about["x"], np.float32), np.array(about["y"], np.int32)
ts.random.seed(3)
model = nn.Sequential(nn.Linear(2, 8), nn.BatchNorm1d(8), nn.Tanh(), nn.Linear(8, 2))
accuracy = train.Accuracy()
losses = []


def loss(batch):
    logits = model(batch["x"])
    accuracy.update(logits, batch["y"])
    return nn.functional.cross_entropy(logits, batch["y"])


class Watch(train.Callback):
    def on_step(self, trainer, step, loss):
        losses.append(loss.item())
        if step == STEP:
            trainer.stop()


with tempfile.TemporaryDirectory() as folder:
    trainer = train.Trainer(model, optim.Adam(model, lr=0.05), loss, epochs=3, out=folder, monitor="accuracy", maximize=True, progress=False)
    trainer.metric("accuracy", accuracy)
    trainer.callback(Watch())
    batches = data.DataLoader(data.from_arrays({"x": x, "y": y}), batch_size=8)
    assert trainer.fit(batches).ending == "stopped"
    archive = shutil.make_archive(str(Path(folder) / "native"), "zip", folder, "checkpoints")
    shutil.copy(archive, HERE / "native.zip")
    model.eval()
    logits = model(ts.array(x[:8])).tolist()
    model.train()
    result = trainer.fit(batches)
about.update(step=STEP, logits=logits, losses=losses[STEP:], best=result.best)
(HERE / "native.json").write_text(json.dumps(about) + "\n")
