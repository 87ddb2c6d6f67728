"""FloodMax: for as many rounds as the diameter everybody tells its neighbours the best rank that it has heard of.

A round lasts as long as a message may take. The diameter is that of a ring, unless a parameter gives another.
"""
from bullring import Node, run


class FloodMax(Node):
    rounds = None  # that are over

    def on_start(self, source, m):
        if self.rounds is None:
            self.rounds, self.best, self.inbox = 0, self.rank, []
            self.round()

    def round(self):
        if self.rounds == (self.params["diameter"] or len(self.names) - 1):
            self.inbox = []
            return self.decide(self.best, elected=self.best == self.rank)
        for q in self.neighbors:
            self.send(q, "max", round=self.rounds + 1, rank=self.best)
        self.set_timer(0, self.bound)

    def on_max(self, source, m):  # of this round, or of the next: the sender's clock strikes first
        if self.rounds is not None and self.rounds < m["round"]:
            self.inbox = sorted(self.inbox + [[m["round"], source, m["rank"]]])

    def on_timeout(self, source, m):
        self.rounds += 1
        self.best = max([self.best] + [rank for round, _, rank in self.inbox if round == self.rounds])
        self.inbox = [sent for sent in self.inbox if sent[0] > self.rounds]
        self.round()


run(FloodMax)
