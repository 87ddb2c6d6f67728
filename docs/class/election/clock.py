from bullring import Node, run


class Clock(Node):  # takes for granted that each message takes 1ms
    def on_start(self, source, m):
        self.best = self.rank
        self.send(self.neighbors[0], "probe", rank=self.rank)
        self.set_timer(0, f"{len(self.names)}.5ms")

    def on_probe(self, source, m):
        if m["rank"] > self.best:
            self.best = m["rank"]
            self.send(self.neighbors[0], "probe", rank=m["rank"])

    def on_timeout(self, source, m):
        if self.best == self.rank:
            self.decide(self.rank, elected=True)


run(Clock)
