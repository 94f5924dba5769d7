"""Trains a residual network on color images, with augmentation inside of the step: python resnet.py [--data FILE.npz] [--out DIR].

The twin of `tessera train resnet`. The program draws images of ten shapes; --data reads an npz file instead, such as CIFAR-10. With --out it writes
model.safetensors and readings.png. Its last line: test accuracy: 0.9987 (about; at least 0.95)."""

import argparse
import collections
import pathlib

import numpy as np
import tessera as ts
import tessera.nn.functional as F
from shapes import load_color_images, shape_sets
from tessera import data, nn, optim, train

COLUMNS = 10      # of the picture
TEST_BATCH = 200


def conv(inputs, outputs, kernel, stride=1):
    """Without a bias, since a norm follows, and with He's initial values."""
    made = nn.Conv2d(inputs, outputs, kernel, stride=stride, padding=kernel // 2, bias=False)
    nn.init.kaiming_normal_(made.weight, mode="fan_out", nonlinearity="relu")
    return made


class BasicBlock(nn.Module):
    """Two 3 x 3 convolutions with batch normalization around which the input is added; through a 1 x 1 convolution where the shape changes."""

    def __init__(self, inputs, outputs, stride):
        self.conv1, self.bn1 = conv(inputs, outputs, 3, stride), nn.BatchNorm2d(outputs)
        self.conv2, self.bn2 = conv(outputs, outputs, 3), nn.BatchNorm2d(outputs)
        self.bn2.weight = ts.zeros(outputs)  # a block begins as its shortcut
        same = stride == 1 and inputs == outputs
        self.downsample = nn.Identity() if same else nn.Sequential(conv(inputs, outputs, 1, stride), nn.BatchNorm2d(outputs))

    def forward(self, x):
        h = self.bn2(self.conv2(F.relu(self.bn1(self.conv1(x)))))
        return F.relu(h + self.downsample(x))


class ResNet(nn.Module):
    """The residual network of He et al. (2015) for small images: uint8 [N, 3, H, W] to logits [N, classes]. Names are those of torchvision's ResNet."""

    def __init__(self, images, stages, blocks, width, classes):
        pixels = ts.array(images).astype(ts.float32)
        self.register_buffer("mean", pixels.mean(axis=(0, 2, 3)).reshape(3, 1, 1))
        self.register_buffer("deviation", pixels.std(axis=(0, 2, 3)).reshape(3, 1, 1))
        self.conv1, self.bn1 = conv(3, width, 3), nn.BatchNorm2d(width)
        self._layers = [f"layer{i + 1}" for i in range(stages)]
        for i, name in enumerate(self._layers):
            outputs = width << i
            first = BasicBlock(outputs, outputs, 1) if i == 0 else BasicBlock(outputs // 2, outputs, 2)
            setattr(self, name, nn.Sequential(first, *(BasicBlock(outputs, outputs, 1) for _ in range(blocks - 1))))
        self.fc = nn.Linear(outputs, classes)

    def forward(self, images):
        h = F.relu(self.bn1(self.conv1((images.astype(ts.float32) - self.mean) / self.deviation)))
        for name in self._layers:
            h = getattr(self, name)(h)
        return self.fc(h.mean(axis=(2, 3)))


def predictions_of(model, images):
    predict = ts.compile(lambda x: ts.argmax(model(x), axis=1), state=[model])
    return np.concatenate([np.asarray(predict(ts.array(images[at:at + TEST_BATCH]))) for at in range(0, len(images), TEST_BATCH)])


def save_readings(path, images, labels, predictions, classes):
    """One row for each class with images that are read as it: wrong ones first, in a red frame."""
    sheet = np.zeros((classes, COLUMNS, *images.shape[1:]), np.uint8)
    framed = images.copy()
    for edge in np.s_[:, :, 0], np.s_[:, :, -1], np.s_[:, :, :, 0], np.s_[:, :, :, -1]:
        framed[edge] = np.array([255, 0, 0], np.uint8)[:, None]
    for kind, row in enumerate(sheet):
        read = predictions == kind
        wrong, right = framed[read & (labels != kind)][:COLUMNS // 2], images[read & (labels == kind)]
        shown = np.concatenate([wrong, right])[:COLUMNS]
        row[:len(shown)] = shown
    times = max(64 // images.shape[3], 1)
    data.save_png(path, data.image_grid(sheet.reshape(-1, *images.shape[1:]).repeat(times, axis=2).repeat(times, axis=3), COLUMNS))


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=pathlib.Path, help="an npz file with train_images, train_labels, test_images and test_labels")
    parser.add_argument("--images", type=int, default=4000, help="to draw for the training")
    parser.add_argument("--stages", type=int, default=3, choices=range(1, 5), help="each halves the sides but the first one")
    parser.add_argument("--blocks", type=int, default=1, help="of a stage")
    parser.add_argument("--width", type=int, default=8, help="channels of the first stage; each other one has twice as many")
    parser.add_argument("--weight-decay", type=float, default=5e-4)
    parser.add_argument("--padding", type=int, default=2, help="of random crops; 0: none")
    parser.add_argument("--flip", type=float, default=0.5, help="the part of the images that are mirrored")
    parser.add_argument("--autocast", choices=("f16", "bf16"), help="default: float32")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--lr", type=float, default=0.1, help="the highest rate")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=pathlib.Path, help="a folder for checkpoints, logs and results; a run that is there continues")
    o = parser.parse_args(arguments)

    train_x, train_y, test_x, test_y, classes = load_color_images(o.data) if o.data else shape_sets(o.images, 32, o.seed)
    height, width = train_x.shape[2:]
    training = data.DataLoader(data.from_arrays((train_x, train_y)), batch_size=o.batch, shuffle=True, drop_last=True, seed=o.seed)
    test = data.DataLoader(data.from_arrays((test_x, test_y)), batch_size=TEST_BATCH)

    ts.random.seed(o.seed)
    model = ResNet(train_x, o.stages, o.blocks, o.width, len(classes))
    optimizer = optim.SGD(model, lr=optim.one_cycle(o.lr, o.epochs * len(training)), momentum=0.9, nesterov=True, weight_decay=o.weight_decay,
                          no_decay=optim.vectors_of(model))
    accuracy = train.Accuracy()

    def loss(batch):
        x, y = batch
        if model.training:
            x = data.random_flip(data.random_crop(x, height, width, o.padding), o.flip)
        logits = model(x)
        accuracy.update(logits, y)
        return F.cross_entropy(logits, y)

    trainer = train.Trainer(model, optimizer, loss, epochs=o.epochs, out=o.out, monitor="accuracy", maximize=True, unit="images",
                            autocast={None: None, "f16": ts.float16, "bf16": ts.bfloat16}[o.autocast])
    trainer.metric("accuracy", accuracy)
    print(f"ResNet-{2 * o.stages * o.blocks + 2} of width {o.width}: {model.parameter_count()} parameters")
    print(f"{len(train_x)} images of {height} x {width} in {len(classes)} classes, and {len(test_x)} for the test")
    trainer.fit(training, test)

    right = trainer.evaluate(test)["accuracy"]
    predictions = predictions_of(model.eval(), test_x)
    if o.out:
        save_readings(o.out / "readings.png", test_x, test_y, predictions, len(classes))
        ts.save(o.out / "model.safetensors", model.state_dict())
        print(f"saved: {o.out / 'model.safetensors'} and readings.png")
    confused = collections.Counter(f"{classes[y]} as {classes[p]}" for y, p in zip(test_y, predictions) if y != p)
    print("confused most often:", ", ".join(f"{pair} ({count})" for pair, count in confused.most_common(3)) or "none")
    print(f"test accuracy: {right:.4f}")


if __name__ == "__main__":
    main()
