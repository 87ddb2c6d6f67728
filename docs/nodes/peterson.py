"""Dolev, Klawe and Rodeh, which Lynch calls Peterson's: Franklin's rounds on a ring on which messages travel one
way. An active process stands for a rank, and learns those of the two active ones before it."""
from bullring import Node, run


class Peterson(Node):
    role = "asleep"
    leader = None

    def on_start(self, source, m):
        if self.role == "asleep":
            self.stand(self.rank)

    def stand(self, rank):
        self.role, self.held = "active", rank
        self.send(self.neighbors[0], "one", rank=rank)

    def on_one(self, source, m):
        self.on_start(source, m)
        if self.role == "relay":
            self.send(self.neighbors[0], **m)
        elif m["rank"] == self.held:  # no other is active
            self.learn(m["rank"])
        else:
            self.before = m["rank"]
            self.send(self.neighbors[0], "two", rank=m["rank"])

    def on_two(self, source, m):
        self.on_start(source, m)
        if self.role == "relay":
            self.send(self.neighbors[0], **m)
        elif self.before > self.held and self.before > m["rank"]:
            self.stand(self.before)
        else:
            self.role = "relay"

    def on_winner(self, source, m):
        self.on_start(source, m)
        self.learn(m["rank"])

    def learn(self, leader):
        if self.leader is None:
            self.leader = leader
            self.decide(leader, elected=leader == self.rank)
            self.send(self.neighbors[0], "winner", rank=leader)


run(Peterson)
