"""Balances the cart pole by deep Q-learning (double DQN): python dqn.py [--steps N] [--seed N].

The twin of `tessera train dqn`. Its last line: mean return of 20 episodes: 500.0 of 500, solved after 12000 steps (about; at least 475. Q-learning is
not stable: with some seeds the task is not solved)."""

import argparse
import copy
import pathlib

import numpy as np
import tessera as ts
import tessera.nn.functional as F
from tessera import nn, optim

MOST_STEPS = 500  # of an episode
SOLVED = 475      # the mean return that counts as solved
EPISODES = 20     # of an evaluation
FIRST = 1000      # transitions before the first update
EXPLORING = 0.5   # the part of the steps in which random actions become fewer


class CartPoles:
    """Carts on tracks that are pushed left (0) or right (1) to balance their poles: the equations of Barto, Sutton and Anderson (1983) with the
    constants of Gymnasium's CartPole-v1."""

    LIMITS = np.array([2.4, 2, np.radians(12), 2], np.float32)  # the track, and the lean; for speeds, about how large they are

    def __init__(self, count, rng):
        self.rng, self.x, self.steps = rng, np.zeros((count, 4)), np.zeros(count, int)
        self.reset(np.arange(count))

    def reset(self, which):
        """New episodes, almost upright."""
        self.x[which], self.steps[which] = self.rng.uniform(-0.05, 0.05, (len(which), 4)), 0

    def step(self, which, actions):
        position, speed, angle, turn = self.x[which].T
        sine, cosine = np.sin(angle), np.cos(angle)
        pushed = (np.where(actions == 1, 10, -10) + 0.05 * turn ** 2 * sine) / 1.1
        turn_rate = (9.8 * sine - cosine * pushed) / (0.5 * (4 / 3 - 0.1 * cosine ** 2 / 1.1))
        speed_rate = pushed - 0.05 * turn_rate * cosine / 1.1
        self.x[which] += 0.02 * np.stack([speed, speed_rate, turn, turn_rate], axis=1)
        self.steps[which] += 1

    @property
    def states(self):
        return self.x.astype(np.float32) / self.LIMITS

    @property
    def fallen(self):
        return (np.abs(self.states[:, ::2]) > 1).any(axis=1)

    @property
    def over(self):
        return self.fallen | (self.steps >= MOST_STEPS)


class ReplayBuffer:
    """The latest transitions. `fallen`: 1 if there is no future; the limit of steps does not count."""

    def __init__(self, most):
        self.most, self.added = most, 0
        self.arrays = {"state": np.zeros((most, 4), np.float32), "action": np.zeros((most, 1), np.int32),
                       "next": np.zeros((most, 4), np.float32), "fallen": np.zeros((most, 1), np.float32)}

    def __len__(self):
        return min(self.added, self.most)

    def add(self, **transitions):
        rows = (self.added + np.arange(len(transitions["state"]))) % self.most
        for name, values in transitions.items():
            self.arrays[name][rows] = values.reshape(len(rows), -1)
        self.added += len(rows)

    def draw(self, count, rng):
        rows = rng.integers(0, len(self), count)
        return {name: ts.array(values[rows]) for name, values in self.arrays.items()}


def play(policy, episodes, seed):
    """The mean return of episodes without random actions."""
    carts = CartPoles(episodes, np.random.default_rng(seed))
    while len(going := np.flatnonzero(~carts.over)):
        carts.step(going, policy(carts.states)[going])
    return carts.steps.mean()


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=60000, help="of all carts, at most; the run ends when the task is solved")
    parser.add_argument("--carts", type=int, default=8, help="that gather experience")
    parser.add_argument("--updates", type=int, default=8, help="of the network after a step of all carts")
    parser.add_argument("--batch", type=int, default=128, help="transitions of an update")
    parser.add_argument("--hidden", type=int, default=256, help="size of the hidden layers")
    parser.add_argument("--memory", type=int, default=50000, help="transitions of the replay buffer")
    parser.add_argument("--target-rate", type=float, default=0.005, help="how far an update moves the target network to the other one")
    parser.add_argument("--evaluate-every", type=int, default=2000, help="steps between evaluations")
    parser.add_argument("--lr", type=float, default=5e-4, help="of Adam at the beginning; falls to 0")
    parser.add_argument("--discount", type=float, default=0.99, help="of future rewards")
    parser.add_argument("--explore", type=float, default=0.04, help="the last part of random actions")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=pathlib.Path, help="a folder for model.safetensors")
    o = parser.parse_args(arguments)

    ts.random.seed(o.seed)
    rng = np.random.default_rng(o.seed)
    online = nn.Sequential(nn.Linear(4, o.hidden), nn.ReLU(), nn.Linear(o.hidden, o.hidden), nn.ReLU(), nn.Linear(o.hidden, 2))
    target = copy.deepcopy(online)
    optimizer = optim.Adam(online, lr=optim.linear(o.lr, 0, o.steps // o.carts * o.updates))

    @ts.compile(state=[online, target, optimizer])
    def update(batch):
        # Double DQN: the online network chooses the next action, and the target network says what it is worth.
        best = ts.argmax(online(batch["next"]), axis=1, keepdims=True)
        future = ts.take_along_axis(target(batch["next"]), best, axis=1)
        value = 1 + o.discount * (1 - batch["fallen"]) * future

        def loss_of():
            return F.smooth_l1_loss(ts.take_along_axis(online(batch["state"]), batch["action"], axis=1), value)

        loss, gradients = ts.value_and_grad(online, loss_of)()
        gradients, _ = optim.clip_grad_norm(gradients, 10)
        optimizer.update(online, gradients)
        new = online.parameters()
        target.update({name: t + o.target_rate * (new[name] - t) for name, t in target.parameters().items()})
        return loss

    best = ts.compile(lambda states: ts.argmax(online(states), axis=1), state=[online])

    def policy(states):
        return np.asarray(best(ts.array(states)))

    print(f"{o.carts} carts, {online.parameter_count()} parameters")
    memory, carts, every_cart = ReplayBuffer(o.memory), CartPoles(o.carts, rng), np.arange(o.carts)
    steps, loss = 0, ts.array(0.0)
    while steps < o.steps:
        explore = 1 + min(steps / (EXPLORING * o.steps), 1) * (o.explore - 1)
        before = carts.states
        actions = np.where(rng.random(o.carts) < explore, rng.integers(0, 2, o.carts), policy(before))
        carts.step(every_cart, actions)
        memory.add(state=before, action=actions, next=carts.states, fallen=carts.fallen)
        carts.reset(np.flatnonzero(carts.over))
        steps += o.carts
        if len(memory) >= min(FIRST, o.memory):
            for _ in range(o.updates):
                loss = update(memory.draw(o.batch, rng))
        if steps % o.evaluate_every < o.carts or steps >= o.steps:
            mean_return = play(policy, EPISODES, o.seed + 1)  # the same episodes each time, which the training does not see
            print(f"step {steps}: mean return {mean_return:.1f} of {MOST_STEPS}, loss {loss.item():.4f}, {explore:.0%} random actions", flush=True)
            if mean_return >= SOLVED:
                break

    if o.out:
        o.out.mkdir(parents=True, exist_ok=True)
        ts.save(o.out / "model.safetensors", online.state_dict())
        print(f"saved: {o.out / 'model.safetensors'}")
    print(f"mean return of 100 other episodes: {play(policy, 100, o.seed + 2):.1f}")
    solved = "solved" if mean_return >= SOLVED else "not solved"
    print(f"mean return of {EPISODES} episodes: {mean_return:.1f} of {MOST_STEPS}, {solved} after {steps} steps")


if __name__ == "__main__":
    main()
