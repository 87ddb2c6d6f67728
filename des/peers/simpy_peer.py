"""The workloads of docs/performance.md on SimPy.

    simpy_peer.py FORM WORKLOAD SIZE

prints the digest of the deliveries and the processor time of each in ns. FORM is callbacks,
or processes, which is for W2 and W3: a generator and a store for each process, as SimPy's
users write it. Random numbers are drawn before the clock starts. See peers_test.go.
"""

import math
import sys
import time

import simpy

UNIT = 10**9
MASK = 2**64 - 1
TABLE = [math.floor(-math.log(1 - (i + 0.5) / 4096) * 1e9 + 0.5) for i in range(4096)]


def numbers(count):
    x, drawn = 88172645463325252, []
    for _ in range(count):
        x ^= x >> 12
        x = (x ^ x << 25) & MASK
        x ^= x >> 27
        drawn.append(x * 2685821657736338717 & MASK)
    return iter(drawn)


def exponential():
    r = next(draws)
    return TABLE[r >> 52] + (r >> 20 & 0xFFFFF)


def uniform():
    return (next(draws) >> 32) * 2 * UNIT >> 32


def pick(n):
    return (next(draws) >> 32) * n >> 32


form, workload, size = sys.argv[1], sys.argv[2], int(sys.argv[3])
env = simpy.Environment()
digest = delivered = 0


def count(node):
    global digest, delivered
    digest = ((digest ^ node) * 0x100000001B3) & MASK
    delivered += 1


def after(delay, handler, value):
    env.timeout(delay, value).callbacks.append(handler)


def hold(event):
    count(event.value)
    after(exponential(), hold, event.value)


def hop():
    return exponential() if workload == "W3" else UNIT


def ring(event):
    node, value = event.value
    count(node)
    if value > size - node:
        after(hop(), ring, ((node + 1) % size, value))


def process(node, stores):
    while True:
        value = yield stores[node].get()
        count(node)
        if value > size - node:
            send(stores[(node + 1) % size], value)


def send(store, value):
    after(hop(), lambda event: store.put(event.value), value)


def phold(event):
    count(event.value)
    to = pick(100000)
    after(UNIT // 10 + exponential(), phold, to)


settings = [0] * 10000  # of timers: SimPy cannot cancel a timeout


def arm(node):
    settings[node] += 1
    after(150000000 + uniform() * 75 // 1000, expired, (node, settings[node]))


def expired(event):
    node, setting = event.value
    if setting == settings[node]:
        count(node)
        arm(node)


def message(event):
    count(event.value)
    arm(event.value)
    to = pick(10000)
    after(100000 + exponential() // 1000, message, to)


def begin():
    if workload == "W1":
        for i in range(size):
            after(exponential(), hold, i)
    elif workload == "W4":
        for i in range(size):
            for j in range(size):
                if i != j:
                    after(uniform(), lambda event: count(event.value), j)
    elif workload == "W5":
        for i in range(100000):
            after(exponential(), phold, i)
    elif workload == "W6":
        for i in range(10000):
            after(exponential() // 1000, message, i)
            arm(i)
    elif form == "processes":
        stores = [simpy.Store(env) for _ in range(size)]
        for i in range(size):
            env.process(process(i, stores))
            send(stores[(i + 1) % size], size - i)
    else:
        for i in range(size):
            after(hop(), ring, ((i + 1) % size, size - i))


def run(deliveries):
    while delivered < deliveries:
        env.step()


HOLDS = 1000000
draws = numbers(
    {
        "W1": 2 * size + HOLDS,
        "W2": 0,
        "W3": size * (size + 1) // 2,
        "W4": size * (size - 1),
        "W5": 100000 + 2 * size,
        "W6": 20000 + 3 * size,
    }[workload]
)
began = time.process_time()
before = 0
begin()
if workload == "W1":
    run(size)
    digest, before, began = 0, delivered, time.process_time()
    run(size + HOLDS)
elif workload in ("W5", "W6"):
    run(size)
else:
    env.run()
took = time.process_time() - began
print("%016x %f" % (digest, took * 1e9 / (delivered - before)))
