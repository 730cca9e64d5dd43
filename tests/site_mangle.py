#!/usr/bin/env python3
"""Mangles the logs of a folder as jobs, terminals and full disks do: site_mangle.py FROM TO HOW SEED.

HOW is one of the names below. Those of HARMLESS leave all figures what they are; the others damage a log, so that a figure may be
missing, but not wrong."""
import os
import random
import sys

NOISE = ("slurmstepd: error: *** STEP 4711.0 ON n017 CANCELLED AT 2026-11-24T03:20:11 DUE TO TIME LIMIT ***", "real\t0m12.003s",
         "srun: Job 4711 step creation temporarily disabled, retrying (Requested nodes are busy)", "  1) gcc/13.2.0   2) ucx/1.16",
         "WARNING: There was an error initializing an OpenFabrics device.", "[n017:4711] 127 more processes have sent help message",
         "--------------------------------------------------------------------------", "Lmod Warning: MODULEPATH is undefined. 2 hidden")


def is_row(line):
    return line.split() and line.split()[0].isdigit()


def crlf(text, draw):
    return text.replace("\n", "\r\n")


def tabs(text, draw):
    return "\n".join("\t".join(line.split()) if is_row(line) else line for line in text.split("\n"))


def ranks(text, draw):
    front = draw.choice(("[1,0]<stdout>:", "[prterun-n017-9@1,0]<stdout>: ", "0: ", "2026-11-24T03:22:27.123456789Z "))
    return "".join(front + line + "\n" for line in text.split("\n")[:-1])


def noise(text, draw):
    return "".join(line + "\n" + (draw.choice(NOISE) + "\n" if draw.random() < 0.2 else "") for line in text.split("\n")[:-1])


def doubled(text, draw):
    return "".join((line + "\n") * (2 if is_row(line) else 1) for line in text.split("\n")[:-1])


def cut(text, draw):
    return text[:draw.randrange(len(text))]


def hole(text, draw):
    at = draw.randrange(len(text))
    return text[:at] + text[at + draw.randrange(1, 400):]


def nul(text, draw):
    at = draw.randrange(len(text))
    return text[:at] + "\0" * draw.randrange(1, 64) + text[at:]


def bits(text, draw):
    for _ in range(draw.randrange(1, 6)):
        at = draw.randrange(len(text))
        text = text[:at] + chr(draw.randrange(1, 256)) + text[at + 1:]
    return text


def swapped(text, draw):
    lines = text.split("\n")
    a, b = draw.randrange(len(lines)), draw.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]
    return "\n".join(lines)


HARMLESS = {"crlf": crlf, "tabs": tabs, "ranks": ranks, "noise": noise, "doubled": doubled}
HARMFUL = {"cut": cut, "hole": hole, "nul": nul, "bits": bits, "swapped": swapped}

if __name__ == "__main__":
    source, folder, how, seed = sys.argv[1:]
    rng = random.Random(int(seed))
    os.makedirs(folder, exist_ok=True)
    for name in sorted(os.listdir(source)):
        with open(os.path.join(source, name), encoding="latin-1", newline="") as file:
            whole = file.read()
        if how in HARMLESS or rng.random() < 0.4:
            whole = {**HARMLESS, **HARMFUL}[how](whole, rng)
        with open(os.path.join(folder, name), "w", encoding="latin-1", newline="") as file:
            file.write(whole)
