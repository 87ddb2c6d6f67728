"""Itai and Rodeh in rounds: in a phase of n rounds each active process is a candidate with probability 1/m, where m
are active. The tokens of the candidates go round, and all count them: one is elected.

A round lasts as long as a message may take.
"""
from bullring import Node, run


class ItaiRodehSync(Node):
    round = None  # of the phase, from 1

    def on_start(self, source, m):
        if self.round is None:
            self.active, self.actives = True, len(self.names)
            self.odd, self.inbox, self.early = True, 0, 0
            self.phase()
            self.go()

    def phase(self):
        self.round, self.count = 1, 0
        self.candidate = self.active and self.intn(self.actives) == 0
        self.passes = self.candidate

    def go(self):
        if self.passes:
            self.send(self.neighbors[0], "token", odd=self.odd)
        self.set_timer(0, self.bound)

    def on_token(self, source, m):  # of this round, or of the next: the sender's clock strikes first
        if m["odd"] == self.odd:
            self.inbox += 1
        else:
            self.early += 1

    def on_timeout(self, source, m):
        self.passes, self.count = self.inbox > 0, self.count + self.inbox
        self.odd, self.inbox, self.early = not self.odd, self.early, 0
        if self.round < len(self.names):
            self.round += 1
        elif self.count == 1:
            return self.decide(0, elected=True) if self.candidate else None
        else:
            if self.count > 1:
                self.active, self.actives = self.candidate, self.count
            self.phase()
        self.go()


run(ItaiRodehSync)
