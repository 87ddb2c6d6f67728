from bullring import Node, run


class AllPass(Node):  # smaller identities are passed on, too
    def on_start(self, source, m):
        self.send(self.neighbors[0], "probe", rank=self.rank)

    def on_probe(self, source, m):
        if m["rank"] == self.rank:
            self.decide(self.rank, elected=True)
        else:
            self.send(self.neighbors[0], "probe", rank=m["rank"])


run(AllPass)
