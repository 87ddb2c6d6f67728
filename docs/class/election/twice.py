from bullring import Node, run


class Twice(Node):  # right, but sends each probe twice
    def on_start(self, source, m):
        self.done = False
        self.tell(self.rank)

    def tell(self, rank):
        self.send(self.neighbors[0], "probe", rank=rank)
        self.send(self.neighbors[0], "probe", rank=rank)

    def on_probe(self, source, m):
        if m["rank"] > self.rank:
            self.send(self.neighbors[0], "probe", rank=m["rank"])
        elif m["rank"] == self.rank and not self.done:
            self.done = True
            self.decide(self.rank, elected=True)


run(Twice)
