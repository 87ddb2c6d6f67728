"""The improved program of Peterson's paper: in an odd round, of ONE, a rank goes on if it beats that of the next
active process, and in an even round, of TWO, if it beats that of the one before."""
from bullring import Node, run


class PetersonImproved(Node):
    role = "asleep"
    leader = None

    def on_start(self, source, m):
        if self.role == "asleep":
            self.stand(self.rank)

    def stand(self, rank):
        self.role, self.held = "active", rank
        self.send(self.neighbors[0], "one", rank=rank)

    def on_one(self, source, m):
        if not self.compares(m):
            return
        if m["rank"] > self.held:
            self.held = m["rank"]
            self.send(self.neighbors[0], "two", rank=self.held)
        else:
            self.role = "relay"

    def on_two(self, source, m):
        if not self.compares(m):
            return
        if m["rank"] < self.held:
            self.stand(self.held)
        else:
            self.role = "relay"

    def compares(self, m):  # whether it is active, and not the only one
        self.on_start(None, m)
        if self.role == "relay":
            self.send(self.neighbors[0], **m)
            return False
        if m["rank"] == self.held:
            self.learn(m["rank"])
            return False
        return True

    def on_winner(self, source, m):
        self.on_start(source, m)
        self.learn(m["rank"])

    def learn(self, leader):
        if self.leader is None:
            self.leader = leader
            self.decide(leader, elected=leader == self.rank)
            self.send(self.neighbors[0], "winner", rank=leader)


run(PetersonImproved)
