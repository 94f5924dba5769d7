#!/usr/bin/env python3
"""Kills and stops ranks of a training job, and checks that the job ends, and that the same command continues it to the same losses.

    check_faults.py MPIRUN TESSERA LIBRARY

One process is asked to end, one is killed and one is stopped; with TESSERA_TEST_FULL in the environment ten are killed at random moments and three are stopped, and
the last run has one rank. Exits with 77 where there is no MPI.
"""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

JOB = ["train", "lstm", "--samples", "768", "--length", "16", "--batch", "32", "--hidden", "32"]
RANKS = 2
TIMEOUT = 6  # seconds that a collective waits for a rank


def fail(text):
    print(f"FAILED: {text}")
    sys.exit(1)


class Job:
    def __init__(self, mpirun, tessera, out, epochs, ranks=RANKS):
        options = []
        if "Open MPI" in subprocess.run([mpirun, "--version"], capture_output=True, text=True).stdout:
            options = ["--oversubscribe", "--bind-to", "none"] + (["--allow-run-as-root"] if os.getuid() == 0 else [])
        self.log = tempfile.TemporaryFile("w+")
        environment = dict(os.environ, TESSERA_DEVICE="cpu", TESSERA_THREADS="1", TESSERA_DISTRIBUTED_TIMEOUT=str(TIMEOUT))
        self.process = subprocess.Popen([mpirun, *options, "-n", str(ranks), tessera, *JOB, "--epochs", str(epochs), "--out", str(out)], stdout=self.log,
                                        stderr=subprocess.STDOUT, env=environment)

    def ranks(self):
        """The processes that mpirun started."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return [int(pid) for pid in children if "tessera" in Path(f"/proc/{pid}/cmdline").read_text()]

    def wait(self, seconds):
        """The exit code, and how long it took."""
        start = time.monotonic()
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            for pid in self.ranks():
                os.kill(pid, signal.SIGKILL)
            self.process.kill()
            fail(f"the job went on for {seconds} s:\n{self.text()}")
        return code, time.monotonic() - start

    def text(self):
        self.log.seek(0)
        return self.log.read()


def epochs_of(out):
    """How many epochs the log has; its last line may be on its way."""
    log = out / "log.jsonl"
    return log.read_text().count('"kind": "epoch"') if log.exists() else 0


def steps_of(out):
    """The values of each line of the log, by kind and step."""
    lines = {}
    for line in (out / "log.jsonl").read_text().splitlines():
        entry = json.loads(line)
        if entry["kind"] in ("epoch", "validation"):
            if (entry["kind"], entry["step"]) in lines:
                fail(f"the log has {entry['kind']} of step {entry['step']} twice")
            lines[entry["kind"], entry["step"]] = (entry["loss"], entry["accuracy"])
    return lines


def main():
    mpirun, tessera, library = sys.argv[1:4]
    for what, path in (("there is no mpirun", mpirun), ("the library tessera_mpi was not built", library)):
        if not Path(path).exists():
            print(f"skipped: {what}")
            sys.exit(77)
    full = "TESSERA_TEST_FULL" in os.environ
    seed = int(os.environ.get("TESSERA_TEST_SEED", random.randrange(1 << 30)))
    print(f"TESSERA_TEST_SEED={seed}")
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        whole, out = Path(folder) / "whole", Path(folder) / "run"
        faults = [signal.SIGTERM] + [signal.SIGKILL] * (10 if full else 1) + [signal.SIGSTOP] * (3 if full else 1)
        chance.shuffle(faults)
        epochs = 4 * len(faults)
        job = Job(mpirun, tessera, whole, epochs)
        code, took = job.wait(600)
        if code != 0:
            fail(f"the undisturbed job returned {code}:\n{job.text()}")
        expected = steps_of(whole)
        for i, fault in enumerate(faults):
            job = Job(mpirun, tessera, out, epochs)
            while epochs_of(out) < 3 * i + 1:
                if job.process.poll() is not None:
                    fail(f"the job ended by itself with {job.process.poll()}:\n{job.text()}")
                time.sleep(0.005)
            time.sleep(chance.uniform(0, 0.5 * took / epochs))  # in an epoch, or at its end
            os.kill(chance.choice(job.ranks()), fault)
            code, ended = job.wait(60)
            print(f"{signal.Signals(fault).name}: the job ended after {ended:.1f} s with {code}")
            if (code == 0) != (fault == signal.SIGTERM):  # it is a wish to end, which all ranks follow
                fail(f"the job returned {code}:\n{job.text()}")
            if fault == signal.SIGSTOP and f"did not answer in {TIMEOUT} s" not in job.text():
                fail(f"nobody says that a rank did not answer:\n{job.text()}")
        job = Job(mpirun, tessera, out, epochs, 1 if full else RANKS)
        code, _ = job.wait(600)
        if code != 0:
            fail(f"the last run returned {code}:\n{job.text()}")
        got = steps_of(out)
        if got.keys() != expected.keys():
            fail(f"steps {sorted(got)} instead of {sorted(expected)}")
        for key, values in expected.items():
            for a, b in zip(got[key], values):
                if abs(a - b) > 1e-3 if full else abs(a - b) > 1e-5:  # fewer ranks round differently, and an epoch amplifies that
                    fail(f"{key} is {got[key]} instead of {values}")
    print("the continued run has the losses of the undisturbed one")


main()
