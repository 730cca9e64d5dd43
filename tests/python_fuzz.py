"""Calls the module collsim with absurd arguments: each call answers, or raises collsim.Error with one line. An argument
that would begin a long run is not among them. test_python.sh runs this."""

import itertools
import random

import collsim


class Bad:
    def __repr__(self):
        raise RuntimeError("no text")


class Index:
    def __index__(self):
        return 8


ABSURD = [
    None, True, -1, 0, 1, 2**31, 2**63, 2**64, 10**5000, 8.0, float("nan"), float("inf"), 1j, "", " ", "\0", "a\0b", "\ud800",
    "8\n", "x", "8x", "x8", "0x8", "2x2", "-8", "8,", "1..0", "1..9999999", "1..4:x1", "1K", "\xff", "é" * 1000, "=", "all", "ompi",
    "a=b", "/", "/nowhere", ".ini", "x" * 100000, b"8", bytearray(b"8"), [], [[]], [8, None], {}, {"a": 1}, {"alpha": None},
    {"alpha": "x0.5"}, {1: 2}, {"\0": ""}, {"segment": [1, 2]}, object(), Bad(), Index(), [Bad()], int, lambda: 8, itertools.count(1),
    itertools.repeat("8"), (i for i in ()), collsim.Platform("lumi"), collsim.Error("x"), range(3), range(0), slice(8),
]  # fmt: skip
GOOD = {"collective": "bcast", "algorithms": "binomial", "p": 4, "m": 64}
NAMES = ["platform", "set", "param", "root", "element", "per_node", "map", "counts", "displs", "model", "transfer", "only",
         "non_commutative", "han", "no_han", "full"]  # fmt: skip
DECIDE = ["root", "element", "per_node", "map", "counts", "displs", "non_commutative", "han", "no_han"]


def attempt(function, *arguments, **named):
    try:
        return function(*arguments, **named)
    except collsim.Error as error:
        message = str(error)
        assert message and "\n" not in message and "allowed" in message, (function, arguments, named, message)
        assert error.code in (collsim.INPUT, collsim.TOO_LARGE, collsim.TOO_MUCH)
        return None


def main():
    for value in ABSURD:
        for name in [*GOOD, *NAMES]:
            attempt(collsim.run, **{**GOOD, name: value})
        for name in DECIDE:
            attempt(collsim.decide, "bcast", "ompi", p=4, m=64, **{name: value})
        attempt(collsim.decide, "bcast", value, p=4, m=64)
        attempt(collsim.best, "barrier", p=4, top=value)
        attempt(collsim.Platform, value)
        attempt(collsim.Platform, "lumi", set=value)
        attempt(collsim.Platform.parse, "x", value)
        attempt(collsim.Platform.parse, value, "")
        attempt(collsim.calibrate, value, "/nowhere")
        attempt(collsim.calibrate, "hockney", value)
        attempt(collsim.calibrate, "hockney", "/nowhere", name=value)
        attempt(collsim.calibrate, "hockney", "/nowhere", base=value)
        attempt(collsim.algorithms, value)
        attempt(collsim.ask, value)
        attempt(collsim.bound, value, p=4, m=8)
        attempt(collsim.bound, "bcast", "binomial", p=value, m=8)
        attempt(collsim.bound, "bcast", "binomial", p=4, m=8, platform=value)
        attempt(collsim.show, "bcast", "binomial", p=4, param=value)
        attempt(collsim.crossover, "bcast", "binomial", "chain", p=4, best=value)
        attempt(collsim.plot, value)
        attempt(collsim.tune, "ompi-4.1", value, p=4, m=8)
    chance = random.Random(1)
    for _ in range(100):
        named = {name: chance.choice(ABSURD) for name in chance.sample(NAMES, 2)}
        attempt(chance.choice([collsim.run, collsim.rank]), "allreduce", "ring", p=4, m=64, **named)
    print("fuzzed")


main()
