"""Suzuki and Kasami: who wants in asks all others, and waits for the token. The token knows whose requests were
granted, and who is next.

A process asks as often as the workload says, stays for its time, and pauses as long as it says.
"""
from bullring import Node, run

HOLD, PAUSE = 2 ** 30, 0  # the timers of the time inside and of the time to the next request


class SuzukiKasami(Node):
    def on_init(self, source, m):
        super().on_init(source, m)
        self.left, self.wants = 0, False
        self.requested = {q: 0 for q in self.names}  # the largest number of a request
        self.token = {"served": {q: 0 for q in self.names}, "queue": []} if self.name == self.names[0] else None

    def on_start(self, source, m):
        if self.left == 0 and not self.wants:
            self.ask()

    def pause(self):
        if self.params["think"] == "0s":
            self.ask()
        else:
            self.set_timer(PAUSE, self.params["think"])

    def ask(self):
        self.say("ask")
        self.wants = True
        if self.token is not None:
            return self.enter()
        self.requested[self.name] += 1
        for q in self.neighbors:
            self.send(q, "request", number=self.requested[self.name])

    def enter(self):
        self.say("enter")
        self.set_timer(HOLD, self.params["cs"])

    def on_request(self, source, m):
        self.requested[source] = max(self.requested[source], m["number"])
        if self.token is not None and not self.wants and self.open(source):
            self.hand_over(source)

    def on_token(self, source, m):
        self.token = {"served": m["served"], "queue": m["queue"]}
        if self.wants:
            self.enter()

    def on_timeout(self, source, m):
        if m["label"] == PAUSE:
            return self.ask()
        self.say("leave")
        self.left, self.wants = self.left + 1, False
        self.token["served"][self.name] = self.requested[self.name]
        queue = self.token["queue"]
        queue += [q for q in self.neighbors if self.open(q) and q not in queue]
        if queue:
            self.hand_over(queue.pop(0))
        if self.left < self.params["requests"]:
            self.pause()

    def open(self, q):
        return self.requested[q] == self.token["served"][q] + 1

    def hand_over(self, q):
        token, self.token = self.token, None
        self.send(q, "token", **token)


run(SuzukiKasami)
