"""Tanenbaum's ring: ELECTION collects the ranks of the living, and COORDINATOR tells them the best. Who has sent a
message asks after a while whether its receiver is dead, and then sends it to the next one."""
from bullring import Node, run


class RingList(Node):
    def on_init(self, source, m):
        super().on_init(source, m)
        self.ahead = self.neighbors + [self.name]
        self.polls = []  # by label of the timer: the port and the message, or None

    def on_start(self, source, m):
        self.pass_on({"type": "election", "initiator": self.name, "ranks": [self.rank]}, 0)

    def on_election(self, source, m):
        if m["initiator"] == self.name:
            winner = max(m["ranks"])
            self.decide(winner, elected=winner == self.rank)
            self.pass_on({"type": "coordinator", "initiator": self.name, "winner": winner}, 0)
        else:
            self.pass_on({**m, "ranks": m["ranks"] + [self.rank]}, 0)

    def on_coordinator(self, source, m):
        if m["initiator"] != self.name:
            self.decide(m["winner"], elected=m["winner"] == self.rank)
            self.pass_on(m, 0)

    def pass_on(self, m, port):
        self.send(self.ahead[port], **m)
        label = self.polls.index(None) if None in self.polls else len(self.polls)
        self.polls[label:label + 1] = [[port, m]]
        self.set_timer(label, 2 * self.bound)  # "1ms1ms" is 2ms

    def on_timeout(self, source, m):
        port, message = self.polls[m["label"]]
        self.polls[m["label"]] = None
        while self.polls and self.polls[-1] is None:
            self.polls.pop()
        polled = self.ahead[port]
        if self.suspects(polled) and polled != message["initiator"]:
            self.pass_on(message, port + 1)


run(RingList)
