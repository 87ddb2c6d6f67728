"""Chandy and Lamport: a marker on each channel divides the payments before the snapshot from those after it."""
from bullring import Node, run

PAY, BEGIN = 0, 2 ** 30  # timers


class ChandyLamport(Node):
    def on_init(self, source, m):
        super().on_init(source, m)
        self.balance, self.paid, self.recorded = self.params["balance"], 0, False
        self.content = {}  # of each open channel: the amounts since the process recorded its state
        self.pause()

    def pause(self):
        if self.paid < self.params["transfers"]:
            self.set_timer(PAY, self.params["pause"])

    def on_start(self, source, m):
        self.set_timer(BEGIN, self.params["after"])

    def on_timeout(self, source, m):
        if m["label"] == BEGIN:
            return self.recorded or self.record()
        most = min(self.params["most"], self.balance)
        if most > 0:
            to = self.neighbors[self.intn(len(self.neighbors))]
            amount = 1 + self.intn(most)
            self.balance -= amount
            self.send(to, "transfer", amount=amount)
        self.paid += 1
        self.pause()

    def record(self):
        self.recorded = True
        self.say("record", value=self.balance)
        self.content = {q: [] for q in self.neighbors}
        for q in self.neighbors:
            self.send(q, "marker")

    def on_marker(self, source, m):
        if not self.recorded:
            self.record()
        amounts = self.content.pop(source)
        self.say("channel", **{"from": source}, messages=len(amounts), value=sum(amounts))

    def on_transfer(self, source, m):
        self.balance += m["amount"]
        if source in self.content:
            self.content[source].append(m["amount"])


run(ChandyLamport)
