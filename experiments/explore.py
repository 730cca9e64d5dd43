#!/usr/bin/env python3
"""Prints the table of docs/EXPLORE.md: the CPU seconds that maps of `collsim explore` take, the first one and those that
follow while a slider moves. Each of these has an alpha 8 % lower than the one before. It takes a minute. The maps take more
seconds if other programs run at the same time.

  COLLSIM=build/collsim experiments/explore.py
"""
import glob, json, math, os, re, subprocess, urllib.parse, urllib.request

FLAT = dict(machine='generic-100g', k=0, most=1024, detail=3)
LUMI = dict(machine='lumi', k=48, most=3072)
MAPS = [('allreduce, ranks not on nodes, fine', dict(FLAT, c='allreduce')),
        ('bcast', dict(FLAT, c='bcast')), ('alltoall', dict(FLAT, c='alltoall')), ('allgather', dict(FLAT, c='allgather')),
        ('allreduce on up to 64 nodes of 48 ranks of LUMI, whose NICs are shared, coarse', dict(LUMI, c='allreduce', detail=1)),
        ('allreduce there, usual', dict(LUMI, c='allreduce', detail=2)),
        ('bcast there, usual', dict(LUMI, c='bcast', detail=2)), ('allgather there, usual', dict(LUMI, c='allgather', detail=2))]
DRAGS = 5


def cpu_s(server):
    """Returns the CPU seconds of the server, of the processes that it has started, and of those that have ended."""
    fields = {}
    for name in glob.glob('/proc/[0-9]*/stat'):
        try:
            pid, rest = open(name).read().split(' (', 1)
        except OSError:
            continue
        fields[int(pid)] = rest.rsplit(') ', 1)[1].split()
    def is_own(pid):
        return pid == server or (pid in fields and int(fields[pid][1]) > 1 and is_own(int(fields[pid][1])))
    return sum(sum(map(int, of[11:15])) for pid, of in fields.items() if is_own(pid)) / os.sysconf('SC_CLK_TCK')


def number(text):
    return int(text.rstrip('KMG')) << 10 * ('KMG'.find(text[-1]) + 1)


def values(line, option):
    """Returns how many values an option of the command has, such as -p 2..1K:x2,3..1K:x2."""
    n = 0
    for part in re.search(f' {option} ([^ ]+)', line)[1].split(','):
        bounds = re.fullmatch(r'(\w+)\.\.(\w+):x(\d+)', part)
        n += 1 if not bounds else 1 + int(math.log(number(bounds[2]) / number(bounds[1]), int(bounds[3])) + 1e-9)
    return n


def ask(server, address, state):
    """Returns the CPU seconds of a map and its answer."""
    before = cpu_s(server)
    with urllib.request.urlopen(f'{address}map?{urllib.parse.urlencode(state)}') as answer:
        return cpu_s(server) - before, json.load(answer)


def measure(name, state):
    # A server of its own, so that its first map has nothing from those before.
    with subprocess.Popen([os.environ.get('COLLSIM', 'build/collsim'), 'explore', '--no-browser'],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        address = next(word for line in server.stdout for word in line.split() if word.startswith('http://'))
        alpha = 'x.alpha.far' if state['k'] else 'x.alpha'
        state = dict(state, p=state['most'], m=65536, a='bruck' if state['c'] == 'alltoall' else 'bine')
        try:
            first_s, answer = ask(server.pid, address, state)
            drag_s = [ask(server.pid, address, dict(state, **{alpha: f'{0.92 ** i:.4f}'}))[0] for i in range(1, DRAGS + 1)]
        finally:
            server.terminate()
    places = values(answer['line'], '-p') * values(answer['line'], '-m')
    print(f'| {name} | {places} | {first_s:.2f} s | {sorted(drag_s)[DRAGS // 2]:.2f} s |', flush=True)


if __name__ == '__main__':
    print('| map | places | first | while one drags |\n| --- | --- | --- | --- |')
    for name, state in MAPS:
        measure(name, state)
