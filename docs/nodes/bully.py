"""The bully: a process that hears from no higher one within T is the coordinator.

A message is assumed to take at most self.bound. The order of names is that of ranks.
"""
from bullring import Node, run


class Bully(Node):
    phase = "idle"

    def on_init(self, source, m):
        super().on_init(source, m)
        self.bound = self.bound or "1ms"  # as a text, so that "1ms1ms" is twice as long
        self.rank = self.rank_of(self.name)
        self.higher = [q for q in self.neighbors if self.rank_of(q) > self.rank]
        self.lower = [q for q in self.neighbors if self.rank_of(q) < self.rank]
        if self.restarted:  # it may be the coordinator again
            self.elect(self.higher)

    def rank_of(self, name):
        return self.names.index(name) + 1

    def on_start(self, source, m):
        if self.phase not in ("idle", "settled"):
            return
        top = self.names[-1]  # the coordinator before; it may be dead
        self.elect([q for q in self.higher if q != top or not self.suspects(q)])

    def elect(self, asked):
        for q in asked:
            self.send(q, "election", rank=self.rank)
        if asked:
            self.enter("electing", 2 * self.bound)  # there and back
        else:
            self.announce()

    def on_election(self, source, m):
        self.send(source, "answer", rank=self.rank)
        if self.phase == "idle":
            self.elect(self.higher)

    def on_answer(self, source, m):
        if self.phase == "electing":
            self.enter("waiting", 4 * self.bound)

    def on_coordinator(self, source, m):
        self.settle(m["rank"])

    def on_timeout(self, source, m):
        if self.phase == "electing":
            self.announce()
        elif self.phase == "waiting":  # the one that answered is dead, too
            self.elect(self.higher)
        else:
            self.phase = "idle"

    def announce(self):
        for q in self.lower:
            self.send(q, "coordinator", rank=self.rank)
        self.settle(self.rank)

    def settle(self, leader):
        self.decide(leader, elected=leader == self.rank)
        self.enter("settled", 2 * self.bound)

    def enter(self, phase, lasting):
        self.phase = phase
        self.set_timer(0, lasting)


run(Bully)
