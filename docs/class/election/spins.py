from bullring import Node, run


class Spins(Node):  # the leader goes on round the ring for ever
    def on_start(self, source, m):
        self.send(self.neighbors[0], "probe", rank=self.rank)

    def on_probe(self, source, m):
        if m["rank"] >= self.rank:
            self.send(self.neighbors[0], "probe", rank=m["rank"])
        if m["rank"] == self.rank:
            self.decide(self.rank, elected=True)


run(Spins)
