"""Itai and Rodeh: an election without identities. A process tosses a coin with n sides."""
from bullring import Node, run


class ItaiRodeh(Node):
    role = "idle"

    def on_start(self, source, m):
        if self.role == "idle":
            self.stand()

    def stand(self):
        self.role, self.draw = "active", 1 + self.intn(len(self.names))
        self.send(self.neighbors[0], "token", draw=self.draw, hop=1, unique=True)

    def on_token(self, source, m):
        home = m["hop"] == len(self.names)
        if self.role == "active" and home and m["unique"]:
            self.role, self.draw = "elected", 0
            self.decide(0, elected=True)
        elif self.role == "active" and home:
            self.stand()
        elif self.role != "active" or m["draw"] > self.draw:
            self.role, self.draw = "passive", 0
            self.send(self.neighbors[0], "token", draw=m["draw"], hop=m["hop"] + 1, unique=m["unique"])
        elif m["draw"] == self.draw:
            self.send(self.neighbors[0], "token", draw=m["draw"], hop=m["hop"] + 1, unique=False)


run(ItaiRodeh)
