"""Le Lann: every initiator sends a token round the ring. When its own is back it has seen those of all others."""
from bullring import Node, run


class LeLann(Node):
    role = "asleep"

    def on_start(self, source, m):
        if self.role == "asleep":
            self.role, self.best = "candidate", self.rank
            self.send(self.neighbors[0], "token", rank=self.rank)

    def on_token(self, source, m):
        if self.role == "asleep":
            self.role = "relay"
        if self.role == "candidate":
            if m["rank"] == self.rank:
                return self.decide(self.best, elected=self.best == self.rank)
            self.best = max(self.best, m["rank"])
        self.send(self.neighbors[0], **m)


run(LeLann)
