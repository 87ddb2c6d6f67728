"""Hirschberg and Sinclair: in phase k a candidate sends its identity 2^k hops both ways, and goes on if it comes
back from both sides."""
from bullring import Node, run


class HirschbergSinclair(Node):
    reach = 0  # the hops of its probes; 0 while it is asleep
    leads = False

    def on_start(self, source, m):
        if self.reach == 0:
            self.probe(1)

    def probe(self, reach):
        self.reach, self.answers = reach, 0
        for way in (0, 1):
            self.send(self.neighbors[way], "out", way=way, rank=self.rank, hops=reach)

    def on_out(self, source, m):
        self.on_start(source, m)
        if m["rank"] == self.rank:
            self.lead()
        elif m["rank"] > self.rank:
            if m["hops"] > 1:
                self.send(self.neighbors[m["way"]], **{**m, "hops": m["hops"] - 1})
            else:
                back = 1 - m["way"]
                self.send(self.neighbors[back], "in", way=back, rank=m["rank"])

    def on_in(self, source, m):
        if m["rank"] != self.rank:
            return self.send(self.neighbors[m["way"]], **m)
        self.answers += 1
        if self.answers == 2:
            self.probe(2 * self.reach)

    def lead(self):  # once: its other OUT comes later
        if not self.leads:
            self.leads = True
            self.decide(self.rank, elected=True)


run(HirschbergSinclair)
