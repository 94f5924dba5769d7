"""Trains a diffusion model (DDPM) that draws the digit one asks for: python diffusion.py [--data DIR] [--guidance X] [--out DIR].

The twin of `tessera train diffusion`. Digits are drawn by the program; --data reads IDX files instead (tools/fetch_data.sh mnist). With --out it
writes samples.png. Its last line: samples read as the digit asked for: 1.000 (about; at least 0.9)."""

import argparse
import math
import pathlib

import numpy as np
import tessera as ts
import tessera.nn.functional as F
from digits import as_floats, digits_of, save_sheet
from mnist import ConvNet
from tessera import nn, optim, train
from tessera.data import DataLoader, from_arrays

GROUPS = 8  # of GroupNorm
WAVES = 32  # sines and cosines of a level


class ResidualBlock(nn.Module):
    """GroupNorm, SiLU and a 3 x 3 convolution, twice, around a residual; the embedding of level and label is added between."""

    def __init__(self, inputs, outputs, embedding):
        self.norm1, self.conv1 = nn.GroupNorm(GROUPS, inputs), nn.Conv2d(inputs, outputs, 3, padding=1)
        self.embedding = nn.Linear(embedding, outputs)
        self.norm2, self.conv2 = nn.GroupNorm(GROUPS, outputs), nn.Conv2d(outputs, outputs, 3, padding=1)
        self.skip = nn.Identity() if inputs == outputs else nn.Conv2d(inputs, outputs, 1)

    def forward(self, x, e):
        h = self.conv1(F.silu(self.norm1(x))) + self.embedding(e)[:, :, None, None]
        return self.conv2(F.silu(self.norm2(h))) + self.skip(x)


class UNet(nn.Module):
    """Predicts the noise in images [N, 1, H, W] at levels [N] with labels [N]; the label `classes` stands for none. Three resolutions, with skips
    between: H and W are multiples of 4."""

    def __init__(self, channels, classes):
        c, e = channels, 4 * channels
        self.classes = classes
        self.level = nn.Sequential(nn.Linear(2 * WAVES, e), nn.SiLU(), nn.Linear(e, e))
        self.label = nn.Embedding(classes + 1, e)
        self.stem, self.block1 = nn.Conv2d(1, c, 3, padding=1), ResidualBlock(c, c, e)
        self.down1, self.block2 = nn.Conv2d(c, 2 * c, 3, stride=2, padding=1), ResidualBlock(2 * c, 2 * c, e)
        self.down2, self.middle = nn.Conv2d(2 * c, 2 * c, 3, stride=2, padding=1), ResidualBlock(2 * c, 2 * c, e)
        self.up2, self.up1 = ResidualBlock(4 * c, 2 * c, e), ResidualBlock(3 * c, c, e)
        self.norm, self.out = nn.GroupNorm(GROUPS, c), nn.Conv2d(c, 1, 3, padding=1)

    def forward(self, x, levels, labels):
        angles = levels.astype(ts.float32)[:, None] * ts.exp(ts.arange(WAVES, dtype=ts.float32) * (-math.log(1000) / WAVES))
        e = F.silu(self.level(ts.concat([ts.sin(angles), ts.cos(angles)], axis=1)) + self.label(labels))
        h1 = self.block1(self.stem(x), e)
        h2 = self.block2(self.down1(h1), e)
        h3 = self.middle(self.down2(h2), e)
        u2 = self.up2(ts.concat([F.interpolate(h3, scale_factor=2), h2], axis=1), e)
        u1 = self.up1(ts.concat([F.interpolate(u2, scale_factor=2), h1], axis=1), e)
        return self.out(F.silu(self.norm(u1)))


def cosine_schedule(levels):
    """How much of an image is left at each level t: x_t = sqrt(kept[t]) x + sqrt(1 - kept[t]) noise (Nichol and Dhariwal, 2021)."""
    f = np.cos((np.arange(levels + 1) / levels + 0.008) / 1.008 * np.pi / 2) ** 2
    return np.cumprod(1 - np.minimum(1 - f[1:] / f[:-1], 0.999))


def draw_samples(model, labels, height, width, levels, guidance):
    """Images float32 [N, H, W] from 0 to 1 for labels [N]: from noise through all levels, with classifier-free guidance."""
    kept = cosine_schedule(levels)
    before = np.append(1, kept[:-1])
    alpha = kept / before
    # x_{t-1} = a[t] * image + b[t] * x_t + deviation[t] * noise, the posterior given the predicted image.
    a, b = np.sqrt(before) * (1 - alpha) / (1 - kept), np.sqrt(alpha) * (1 - before) / (1 - kept)
    deviation = np.sqrt((1 - before) / (1 - kept) * (1 - alpha))
    tables = [ts.array(table.astype(np.float32)) for table in (kept, a, b, deviation)]

    @ts.compile(state=[model])
    def denoise(x, t):
        kept, a, b, deviation = (ts.take(table, t, axis=0) for table in tables)
        at = ts.broadcast_to(t, labels.shape)
        noise = model(x, at, labels)
        if guidance > 0:
            noise = (1 + guidance) * noise - guidance * model(x, at, ts.full_like(labels, model.classes))
        image = ts.clip((x - ts.sqrt(1 - kept) * noise) / ts.sqrt(kept), -1, 1)
        return a * image + b * x + deviation * ts.random.normal(x.shape)

    model.eval()
    x = ts.random.normal((len(labels), 1, height, width))
    for t in reversed(range(levels)):
        x = denoise(x, ts.array([t]))
    model.train()
    return x[:, 0] * 0.5 + 0.5


def fit_reader(images, labels, seed):
    """The classifier of mnist.py, trained on some real images."""
    model = ConvNet(images, int(labels.max()) + 1)
    loader = DataLoader(from_arrays((images, labels.astype(np.int32))), batch_size=min(50, len(images)), shuffle=True, drop_last=True, seed=seed)
    optimizer = optim.AdamW(model, lr=optim.one_cycle(1e-2, 2 * len(loader)), no_decay=optim.vectors_of(model))
    train.Trainer(model, optimizer, lambda batch: F.cross_entropy(model(batch[0]), batch[1]), epochs=2).fit(loader)
    return model.eval()


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=pathlib.Path, help="a folder with four IDX files in MNIST's names; default: drawn digits")
    parser.add_argument("--images", type=int, default=8000, help="to draw for the training")
    parser.add_argument("--channels", type=int, default=16, help="of the U-Net at the full resolution")
    parser.add_argument("--levels", type=int, default=100, help="of noise, the steps of a sample")
    parser.add_argument("--drop-label", type=float, default=0.1, help="the part of the images that are shown without labels")
    parser.add_argument("--guidance", type=float, default=1, help="of samples towards their labels; 0: none")
    parser.add_argument("--samples", type=int, default=20, help="of each digit")
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--lr", type=float, default=3e-3, help="the highest rate")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=pathlib.Path, help="a folder for checkpoints, logs and the picture; a run that is there continues")
    o = parser.parse_args(arguments)

    train_x, train_y, test_x, test_y = digits_of(o.data, o.images, o.seed)
    (count, height, width), classes, white = train_x.shape, int(train_y.max()) + 1, max(train_x.max(), 1)

    def loader(x, y, **options):
        images = as_floats(x, white)[:, None] * 2 - 1
        return DataLoader(from_arrays({"image": images, "label": y.astype(np.int32)}), batch_size=o.batch, seed=o.seed, **options)

    ts.random.seed(o.seed)
    training, held_out = loader(train_x, train_y, shuffle=True, drop_last=True), loader(test_x, test_y)
    model = UNet(o.channels, classes)
    optimizer = optim.AdamW(model, lr=optim.one_cycle(o.lr, o.epochs * len(training), start=0.1), no_decay=optim.vectors_of(model))
    kept = ts.array(cosine_schedule(o.levels).astype(np.float32))

    def loss(batch):
        x = batch["image"]
        t, noise = ts.random.randint(x.shape[0], 0, o.levels), ts.random.normal(x.shape)
        left = ts.take(kept, t, axis=0)[:, None, None, None]
        labels = ts.where(ts.random.bernoulli(x.shape[0], o.drop_label), model.classes, batch["label"])
        return F.mse_loss(model(ts.sqrt(left) * x + ts.sqrt(1 - left) * noise, t, labels), noise)

    trainer = train.Trainer(model, optimizer, loss, epochs=o.epochs, clip_norm=1, out=o.out)
    print(f"{count} images of {height} x {width} and {len(test_x)} for the test, {model.parameter_count()} parameters")
    trainer.fit(training, held_out)
    print(f"held-out loss: {trainer.evaluate(held_out)['loss']:.4f}")

    labels = np.repeat(np.arange(classes, dtype=np.int32), o.samples)
    samples = draw_samples(model, ts.array(labels), height, width, o.levels, o.guidance)
    if o.out:
        shown = min(8, o.samples)
        save_sheet(o.out / "samples.png", samples.reshape(-1, o.samples, height, width)[:, :shown].reshape(-1, height, width), shown)
        print(f"saved: {o.out / 'samples.png'}")
    print("A classifier that reads the samples:")
    reader = fit_reader(train_x[:2000], train_y[:2000], o.seed)
    read = ts.argmax(reader(ts.round(ts.clip(samples, 0, 1) * float(white)).astype(ts.uint8)), axis=1)
    print(f"samples read as the digit asked for: {(np.asarray(read) == labels).mean():.3f}")


if __name__ == "__main__":
    main()
