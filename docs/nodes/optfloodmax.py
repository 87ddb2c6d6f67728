"""OptFloodMax: as FloodMax, but a process tells each rank once.

A round lasts as long as a message may take. The diameter is that of a ring, unless a parameter gives another.
"""
from bullring import Node, run


class OptFloodMax(Node):
    rounds = None  # that are over

    def on_start(self, source, m):
        if self.rounds is None:
            self.rounds, self.best, self.inbox, self.news = 0, self.rank, [], True
            self.round()

    def round(self):
        if self.rounds == (self.params["diameter"] or len(self.names) - 1):
            self.inbox = []
            return self.decide(self.best, elected=self.best == self.rank)
        if self.news:
            for q in self.neighbors:
                self.send(q, "max", round=self.rounds + 1, rank=self.best)
        self.news = False
        self.set_timer(0, self.bound)

    def on_max(self, source, m):  # of this round, or of the next: the sender's clock strikes first
        if self.rounds is not None and self.rounds < m["round"]:
            self.inbox = sorted(self.inbox + [[m["round"], source, m["rank"]]])

    def on_timeout(self, source, m):
        self.rounds += 1
        before, self.best = self.best, max([self.best] + [rank for round, _, rank in self.inbox if round == self.rounds])
        self.news = self.best > before
        self.inbox = [sent for sent in self.inbox if sent[0] > self.rounds]
        self.round()


run(OptFloodMax)
