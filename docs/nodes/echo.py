"""The echo election: every initiator begins a wave, and a process leaves its wave for a better one. The wave of the
best initiator comes home."""
from bullring import Node, run


class Echo(Node):
    wave = None  # the initiator of the best wave that it has met
    leader = None

    def on_init(self, source, m):
        super().on_init(source, m)
        self.near = sorted(set(self.neighbors) - {self.name}, key=self.names.index)

    def on_start(self, source, m):
        if self.wave is None:
            self.join(self.rank, self.name)
            self.echo()

    def on_token(self, source, m):
        if self.wave is None or m["rank"] > self.wave:
            self.join(m["rank"], source)
        if m["rank"] == self.wave:
            self.received += 1
            self.echo()

    def join(self, wave, father):
        self.wave, self.father, self.received = wave, father, 0
        for q in self.near:
            if q != father:
                self.send(q, "token", rank=wave)

    def echo(self):
        if self.received != len(self.near):
            return
        if self.wave == self.rank:
            self.conclude(self.rank)
        else:
            self.send(self.father, "token", rank=self.wave)

    def conclude(self, leader):
        if self.leader is None:
            self.leader = leader
            self.decide(leader, elected=leader == self.rank)
            for q in self.near:
                self.send(q, "leader", rank=leader)

    def on_leader(self, source, m):
        self.conclude(m["rank"])


run(Echo)
