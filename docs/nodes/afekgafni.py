"""Afek and Gafni on a complete graph: a candidate captures one process after another. A captured process sends a
stronger claim to its owner, who gives up."""
from bullring import Node, run


class AfekGafni(Node):
    def on_init(self, source, m):
        super().on_init(source, m)
        self.level, self.running = 0, False  # as a candidate: how many it has captured
        self.owner = self.claim = self.contender = None  # as a captured process

    def on_start(self, source, m):
        if self.owner is None:
            self.running, self.owner, self.claim = True, self.name, self.own()
            self.advance()

    def own(self):
        return [self.level, self.rank]

    def beats(self, claim, other):  # by its level, and by its rank on ties
        return claim > other

    def advance(self):
        if self.level < len(self.neighbors):
            self.send(self.neighbors[self.level], "capture", claim=self.own())
        else:
            self.decide(self.rank, elected=True)
            for q in self.neighbors:
                self.send(q, "leader", rank=self.rank)

    def on_leader(self, source, m):
        self.decide(m["rank"], elected=False)

    def on_capture(self, source, m):
        if self.owner is not None and not self.beats(m["claim"], self.claim):
            return
        self.claim, self.contender = m["claim"], source
        if self.owner == self.name:
            self.running = False
            self.fall()
        elif self.owner is None:
            self.fall()
        else:
            self.send(self.owner, "contest", claim=self.claim)

    def fall(self):
        self.owner, self.contender = self.contender, None
        self.send(self.owner, "accept", claim=self.claim)

    def on_contest(self, source, m):
        if self.beats(m["claim"], self.own()):
            self.running = False
            self.send(source, "yield", claim=m["claim"])

    def on_yield(self, source, m):
        if m["claim"] == self.claim and source == self.owner and self.contender is not None:
            self.fall()

    def on_accept(self, source, m):
        if self.running and m["claim"] == self.own():
            self.level += 1
            self.claim = self.own()
            self.advance()


run(AfekGafni)
