"""Ricart and Agrawala: a process enters when all others permit it, and defers the permission that
it owes to a later request until it leaves.

It asks as often as the workload says, stays for its time, and pauses as long as it says.
"""
from bullring import Node, run

HOLD, PAUSE = 2 ** 30, 0  # the timers of the time inside and of the time to the next request


class RicartAgrawala(Node):
    def on_init(self, source, m):
        super().on_init(source, m)
        self.here, self.left = self.names.index(self.name), 0
        self.mine = None  # its own request: number and address
        self.highest, self.missing, self.deferred = 0, set(), set()

    def on_start(self, source, m):
        if self.left == 0 and self.mine is None:
            self.ask()

    def pause(self):
        if self.params["think"] == "0s":
            self.ask()
        else:
            self.set_timer(PAUSE, self.params["think"])

    def ask(self):
        self.say("ask")
        self.highest += 1
        self.mine, self.missing = (self.highest, self.here), set(self.neighbors)
        for q in self.neighbors:
            self.send(q, "request", number=self.highest)
        self.enter_if_permitted()

    def on_request(self, source, m):
        self.highest = max(self.highest, m["number"])
        if self.mine is not None and self.mine < (m["number"], self.names.index(source)):
            self.deferred.add(source)
        else:
            self.send(source, "reply")

    def on_reply(self, source, m):
        self.missing.discard(source)
        self.enter_if_permitted()

    def enter_if_permitted(self):
        if not self.missing:
            self.say("enter")
            self.set_timer(HOLD, self.params["cs"])

    def on_timeout(self, source, m):
        if m["label"] == PAUSE:
            return self.ask()
        self.say("leave")
        self.left, self.mine = self.left + 1, None
        for q in self.neighbors:
            if q in self.deferred:
                self.send(q, "reply")
        self.deferred.clear()
        if self.left < self.params["requests"]:
            self.pause()


run(RicartAgrawala)
