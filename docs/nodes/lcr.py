"""LCR: the largest identity survives the ring."""
from bullring import Node, run


class LCR(Node):
    def on_start(self, source, m):
        self.send(self.neighbors[0], "probe", rank=self.rank)

    def on_probe(self, source, m):
        if m["rank"] > self.rank:
            self.send(self.neighbors[0], **m)
        elif m["rank"] == self.rank:
            self.decide(self.rank, elected=True)


run(LCR)
