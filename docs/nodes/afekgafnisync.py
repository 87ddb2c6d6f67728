"""Afek and Gafni in rounds: a candidate asks 1, 2, 4, ... processes at a time, and each accepts the best that asks.

A round lasts as long as a message may take. Those of CAPTURE and of ACCEPT alternate.
"""
from bullring import Node, run


class AfekGafniSync(Node):
    begun = False

    def on_init(self, source, m):
        super().on_init(source, m)
        self.rounds, self.best = 0, None  # those that are over; the best that asks in this one
        self.captured, self.accepted = 0, 0

    def on_start(self, source, m):
        if not self.begun:
            self.begun = self.running = True
            self.ask()
            self.wait()

    def ask(self):
        self.asked, self.accepted = min(self.captured + 1, len(self.neighbors) - self.captured), 0
        for q in self.neighbors[self.captured:self.captured + self.asked]:
            self.send(q, "capture", rank=self.rank)
        if self.asked == 0:
            self.decide(self.rank, elected=True)
            for q in self.neighbors:
                self.send(q, "leader", rank=self.rank)

    def on_leader(self, source, m):
        self.decide(m["rank"], elected=False)

    def wait(self):
        if self.rounds < 2 * (len(self.names) - 1).bit_length():
            self.set_timer(0, self.bound)

    def on_capture(self, source, m):
        if self.best is None or m["rank"] > self.best[0]:
            self.best = [m["rank"], source]

    def on_accept(self, source, m):
        self.accepted += 1

    def on_timeout(self, source, m):
        self.rounds += 1
        if self.rounds % 2 == 1:
            self.answer()
        elif self.running:
            self.count()
        self.wait()

    def answer(self):
        if self.best and not (self.running and self.rank > self.best[0]):
            self.running = False
            self.send(self.best[1], "accept", rank=self.best[0])
        self.best = None

    def count(self):
        if self.accepted < self.asked:
            self.running = False
        else:
            self.captured += self.asked
            self.ask()


run(AfekGafniSync)
