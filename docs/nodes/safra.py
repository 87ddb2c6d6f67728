"""Safra's token: how many work messages are under way, by those who have not received one since.

The first process is the leader, and has to be an initiator. Each process sends up to two work messages in all.
"""
from bullring import Node, run


class Safra(Node):
    def on_init(self, source, m):
        super().on_init(source, m)
        self.left, self.count, self.black = 2, 0, False
        self.leads, here = self.name == self.names[0], self.names.index(self.name)
        self.before = self.names[here - 1]
        self.token = {"sum": 0, "black": True} if self.leads else None

    def on_start(self, source, m):
        self.work()

    def on_work(self, source, m):
        self.count, self.black = self.count - 1, True
        self.work()

    def on_token(self, source, m):
        self.token = m
        self.hand_on()

    def work(self):
        sends = self.intn(self.left + 1) if self.left else 0
        for q in [self.neighbors[self.intn(len(self.neighbors))] for _ in range(sends)]:
            self.left, self.count = self.left - 1, self.count + 1
            self.send(q, "work")
        self.say("passive")
        self.hand_on()

    def hand_on(self):
        if self.token is None:
            return
        total, black = self.token["sum"] + self.count, self.token["black"] or self.black
        if self.leads and total == 0 and not black:
            self.token = None
            return self.say("announce")
        if self.leads:
            total, black = 0, False
        self.token, self.black = None, False
        self.send(self.before, "token", sum=total, black=black)


run(Safra)
