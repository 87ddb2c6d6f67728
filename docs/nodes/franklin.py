"""Franklin: in each phase an active process compares its identity with those of the next active ones on both
sides. If it is not the best of the three it only relays from then on."""
from bullring import Node, run


class Franklin(Node):
    role = "asleep"

    def on_init(self, source, m):
        super().on_init(source, m)
        self.arrived = [[], []]  # by way: of this phase and the next, not yet compared

    def on_start(self, source, m):
        if self.role == "asleep":
            self.role = "active"
            self.probe()

    def probe(self):
        for way in (0, 1):
            self.send(self.neighbors[way], "probe", way=way, rank=self.rank)

    def on_probe(self, source, m):
        self.on_start(source, m)
        if self.role == "relay":
            return self.send(self.neighbors[m["way"]], **m)
        self.arrived[m["way"]].append(m["rank"])
        if self.arrived[0] and self.arrived[1]:
            self.compare(self.arrived[0].pop(0), self.arrived[1].pop(0))

    def compare(self, before, after):
        if before == self.rank or after == self.rank:
            self.decide(self.rank, elected=True)
        elif self.rank > before and self.rank > after:
            self.probe()
        else:
            self.retire()

    def retire(self):  # and pass on what has come of the next phase
        self.role = "relay"
        for way in (0, 1):
            for rank in self.arrived[way]:
                self.send(self.neighbors[way], "probe", way=way, rank=rank)
        self.arrived = [[], []]


run(Franklin)
