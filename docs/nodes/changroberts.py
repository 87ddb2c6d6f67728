"""Chang and Roberts: ELECTION collects the best identity, ELECTED tells all who leads."""
from bullring import Node, run


class ChangRoberts(Node):
    participant = False

    def on_start(self, source, m):
        if not self.participant:
            self.elect(self.rank)

    def on_election(self, source, m):
        if m["rank"] == self.rank:
            self.conclude(self.rank)
        elif m["rank"] > self.rank:
            self.elect(m["rank"])
        elif not self.participant:
            self.elect(self.rank)

    def on_elected(self, source, m):
        if m["rank"] != self.rank:
            self.conclude(m["rank"])

    def elect(self, best):
        self.participant = True
        self.send(self.neighbors[0], "election", rank=best)

    def conclude(self, leader):
        self.participant = False
        self.decide(leader, elected=leader == self.rank)
        self.send(self.neighbors[0], "elected", rank=leader)


run(ChangRoberts)
