"""Trains a small convolutional network on MNIST: python mnist.py [--data DIR] [--epochs N].

The twin of `tessera train mnist`. tools/fetch_data.sh mnist gets the data into data/mnist."""

import argparse
import pathlib

import numpy as np
import tessera as ts
import tessera.nn.functional as F
from tessera import nn, optim


def load_idx(path):
    """An IDX file of u8: two zeros, 8, the rank, big-endian sizes, the bytes."""
    data = path.read_bytes()
    if data[:3] != b"\0\0\x08":
        raise ValueError(f"'{path}' is not an IDX file of u8.")
    shape = np.frombuffer(data, ">u4", data[3], 4)
    return np.frombuffer(data, np.uint8, offset=4 + 4 * data[3]).reshape(shape)


class ConvNet(nn.Module):
    """Two 5 x 5 convolutions with batch normalization, each in front of a pooling, and a linear layer. Images are u8 [N, H, W]."""

    def __init__(self, images, classes):
        pixels = images.astype(np.float32)
        self.register_buffer("mean", ts.array([pixels.mean()]))
        self.register_buffer("deviation", ts.array([pixels.std()]))
        self.conv1, self.norm1 = nn.Conv2d(1, 16, 5, padding=2, bias=False), nn.BatchNorm2d(16)
        self.conv2, self.norm2 = nn.Conv2d(16, 32, 5, padding=2, bias=False), nn.BatchNorm2d(32)
        self.dropout = nn.Dropout(0.25)
        self.head = nn.Linear(32 * (images.shape[1] // 4) * (images.shape[2] // 4), classes)

    def forward(self, images):
        x = ts.expand_dims((images.astype(ts.float32) - self.mean) / self.deviation, axis=1)
        x = F.max_pool2d(F.relu(self.norm1(self.conv1(x))), 2)
        x = F.max_pool2d(F.relu(self.norm2(self.conv2(x))), 2)
        return self.head(self.dropout(x.reshape(x.shape[0], -1)))


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("data/mnist"))
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch", type=int, default=100)
    parser.add_argument("--lr", type=float, default=1e-2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", help="a safetensors file for the model")
    o = parser.parse_args(arguments)
    if not (o.data / "train-images-idx3-ubyte").exists():
        parser.error(f"there is no MNIST in '{o.data}'; `tools/fetch_data.sh mnist` gets it into data/mnist")
    train_x, train_y, test_x, test_y = (load_idx(o.data / f"{name}-ubyte") for name in (
        "train-images-idx3", "train-labels-idx1", "t10k-images-idx3", "t10k-labels-idx1"))

    ts.random.seed(o.seed)
    rng = np.random.default_rng(o.seed)
    model = ConvNet(train_x, int(train_y.max()) + 1)
    per_epoch = len(train_x) // o.batch
    optimizer = optim.AdamW(model, lr=optim.one_cycle(o.lr, o.epochs * per_epoch), weight_decay=1e-2, no_decay=optim.vectors_of(model))
    images, labels = ts.array(train_x), ts.array(train_y)  # stay on the device: a step takes positions

    @ts.compile(state=[model, optimizer])
    def step(rows):
        x, y = ts.take(images, rows, axis=0), ts.take(labels, rows, axis=0).astype(ts.int32)
        loss, gradients = ts.value_and_grad(model, lambda: F.cross_entropy(model(x), y))()
        optimizer.update(model, gradients)
        return loss

    predict = ts.compile(lambda x: ts.argmax(model(x), axis=1), state=[model])

    def accuracy():
        model.eval()
        right = sum(int((np.asarray(predict(ts.array(test_x[i:i + 500]))) == test_y[i:i + 500]).sum()) for i in range(0, len(test_x), 500))
        model.train()
        return right / len(test_x)

    for epoch in range(o.epochs):
        order = rng.permutation(len(train_x)).astype(np.int32)
        for i in range(per_epoch):
            loss = step(ts.array(order[i * o.batch:(i + 1) * o.batch]))
        print(f"epoch {epoch + 1}: loss {loss.item():.4f}, test accuracy {accuracy():.4f}", flush=True)
    if o.out:
        ts.save(o.out, model.state_dict())
    print(f"test accuracy: {accuracy():.4f}")


if __name__ == "__main__":
    main()
