from bullring import Node, run

best = 0  # is not the process's own: explore sets one program to the states of all processes


class Global(Node):
    def on_start(self, source, m):
        global best
        best = self.rank
        self.send(self.neighbors[0], "probe", rank=self.rank)

    def on_probe(self, source, m):
        global best
        if m["rank"] == self.rank:
            self.decide(self.rank, elected=True)
        elif m["rank"] > best:
            best = m["rank"]
            self.send(self.neighbors[0], "probe", rank=m["rank"])


run(Global)
