from bullring import Node, run


class Right(Node):
    def on_start(self, source, m):
        self.send(self.neighbors[0], "probe", rank=self.rank)

    def on_probe(self, source, m):
        if m["rank"] > self.rank:
            self.send(self.neighbors[0], "probe", rank=m["rank"])
        elif m["rank"] == self.rank:
            self.decide(self.rank, elected=True)


run(Right)
