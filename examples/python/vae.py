"""Trains a variational autoencoder on digits: python vae.py [--data DIR] [--out DIR].

The twin of `tessera train vae`. Digits are drawn by the program; --data reads IDX files instead (tools/fetch_data.sh mnist). With --out it writes
reconstructions.png and samples.png. Its last line: held-out ELBO: -50.65 nats per image (about; at least -52)."""

import argparse
import pathlib

import tessera as ts
import tessera.nn.functional as F
from digits import as_floats, digits_of, save_sheet
from tessera import nn, optim, train
from tessera.data import DataLoader, from_arrays

COLUMNS = 10  # of pictures


class Vae(nn.Module):
    """The encoder gives the mean and the log variance of q(z | x), the decoder the logit of each pixel, which counts as a Bernoulli variable.
    Images are float32 [N, H, W] from 0 to 1."""

    def __init__(self, height, width, latent, hidden):
        pixels = height * width
        self.encoder = nn.Sequential(nn.Flatten(), nn.Linear(pixels, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU())
        self.mean, self.log_variance = nn.Linear(hidden, latent), nn.Linear(hidden, latent)
        self.decoder = nn.Sequential(nn.Linear(latent, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, pixels),
                                     nn.Unflatten(1, (height, width)))

    def terms(self, images):
        """Of each image, in nats: log p(x | z) for one z of q(z | x), and KL(q(z | x) || p(z)). The first minus the second is the evidence lower
        bound (ELBO) of log p(x)."""
        h = self.encoder(images)
        mean, log_variance = self.mean(h), self.log_variance(h)
        z = mean + ts.exp(0.5 * log_variance) * ts.random.normal(mean.shape)  # the reparameterization trick
        nats = F.binary_cross_entropy_with_logits(self.decoder(z), images, reduction="none")
        return -nats.sum(axis=(1, 2)), 0.5 * (ts.exp(log_variance) + mean ** 2 - 1 - log_variance).sum(axis=1)

    def decode(self, z):
        return ts.sigmoid(self.decoder(z))

    def forward(self, images):
        """Images by the means of q(z | x)."""
        return self.decode(self.mean(self.encoder(images)))


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=pathlib.Path, help="a folder with four IDX files in MNIST's names; default: drawn digits")
    parser.add_argument("--images", type=int, default=20000, help="to draw for the training")
    parser.add_argument("--latent", type=int, default=12, help="size of the latent vectors")
    parser.add_argument("--hidden", type=int, default=384, help="size of the hidden layers")
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--batch", type=int, default=100)
    parser.add_argument("--lr", type=float, default=2e-3, help="the highest rate")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=pathlib.Path, help="a folder for checkpoints, logs and pictures; a run that is there continues")
    o = parser.parse_args(arguments)

    train_x, _, test_x, _ = digits_of(o.data, o.images, o.seed)
    white = max(train_x.max(), 1)
    train_x, test_x = as_floats(train_x, white), as_floats(test_x, white)
    training = DataLoader(from_arrays({"image": train_x}), batch_size=o.batch, shuffle=True, drop_last=True, seed=o.seed)
    held_out = DataLoader(from_arrays({"image": test_x}), batch_size=o.batch)

    ts.random.seed(o.seed)
    model = Vae(*train_x.shape[1:], o.latent, o.hidden)
    optimizer = optim.Adam(model, lr=optim.cosine(o.lr, o.epochs * len(training), minimum=o.lr / 100))
    reconstruction, kl = train.Mean(), train.Mean()

    def loss(batch):
        likelihood, divergence = model.terms(batch["image"])
        reconstruction.update(likelihood)
        kl.update(divergence)
        return (divergence - likelihood).mean()  # the negative ELBO

    trainer = train.Trainer(model, optimizer, loss, epochs=o.epochs, out=o.out)
    trainer.metric("reconstruction", reconstruction)
    trainer.metric("kl", kl)
    print(f"{len(train_x)} images of {train_x.shape[1]} x {train_x.shape[2]} and {len(test_x)} for the test, {model.parameter_count()} parameters")
    trainer.fit(training, held_out)

    values = trainer.evaluate(held_out)
    model.eval()
    if o.out:
        rows = [ts.array(test_x[i:i + COLUMNS]) for i in range(0, min(len(test_x), 3 * COLUMNS), COLUMNS)]
        save_sheet(o.out / "reconstructions.png", ts.concat([images for row in rows for images in (row, model(row))]), COLUMNS)
        save_sheet(o.out / "samples.png", model.decode(ts.random.normal((6 * COLUMNS, o.latent))), COLUMNS)
        print(f"saved: {o.out / 'reconstructions.png'} and samples.png")
    print(f"reconstruction: {values['reconstruction']:.2f} nats per image, KL divergence: {values['kl']:.2f}")
    print(f"held-out ELBO: {-values['loss']:.2f} nats per image")


if __name__ == "__main__":
    main()
