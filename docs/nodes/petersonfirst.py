"""The first program of Peterson's paper: an active process passes on the better of the rank that it stands for and
the one that came. A process that receives its own rank is elected."""
from bullring import Node, run


class PetersonFirst(Node):
    role = "asleep"
    leader = None

    def on_start(self, source, m):
        if self.role == "asleep":
            self.stand(self.rank)

    def stand(self, rank):
        self.role, self.held = "active", rank
        self.send(self.neighbors[0], "one", rank=rank)

    def on_one(self, source, m):
        if self.mine(m):
            self.before = m["rank"]
            self.send(self.neighbors[0], "two", rank=max(self.held, m["rank"]))

    def on_two(self, source, m):
        if not self.mine(m):
            return
        if self.before >= self.held and self.before >= m["rank"]:
            self.stand(self.before)
        else:
            self.role = "relay"

    def mine(self, m):  # whether it is for this process as an active one
        self.on_start(None, m)
        if self.leader == self.rank:  # the rest of the last round stops here
            return False
        if m["rank"] == self.rank:
            self.learn(self.rank)
            return False
        if self.role == "relay":
            self.send(self.neighbors[0], **m)
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


run(PetersonFirst)
