"""FloodSet: for f+1 rounds everybody tells all the values that it has heard of.

A round lasts as long as a message may take.
"""
from bullring import Node, run

DEFAULT = 0


class FloodSet(Node):
    def on_start(self, source, m):
        self.heard, self.rounds = {self.input}, 0
        self.round()

    def round(self):
        for q in self.neighbors:
            self.send(q, "values", values=sorted(self.heard))
        self.set_timer(0, self.bound)

    def on_values(self, source, m):
        self.heard |= set(m["values"])

    def on_timeout(self, source, m):
        self.rounds += 1
        if self.rounds <= self.f:
            self.round()
        else:
            self.say("decide", value=min(self.heard) if len(self.heard) == 1 else DEFAULT)


run(FloodSet)
