"""The modified ring: COORDINATOR collects the living again, so that the initiator sees whether the winner lived to
hear of it. Who has handled a message watches, and begins anew if the leader is dead or none comes."""
from bullring import Node, run

WATCHDOG = 0  # its timer; from 1 on one for each poll


class ModifiedRing(Node):
    def on_init(self, source, m):
        super().on_init(source, m)
        self.ahead = self.neighbors + [self.name]
        self.polls = []  # the port and the message, or None
        self.round = self.stored.get("round", 0)  # of its own elections
        self.repeats = 0  # those that it began anew
        self.seen = {}  # by initiator: the last round, and whether COORDINATOR has come
        self.leader = None

    def on_start(self, source, m):
        self.repeats = 0
        self.begin()

    def begin(self):
        self.round += 1
        self.store(round=self.round)
        self.pass_on({"type": "election", "initiator": self.name, "round": self.round, "list": [self.me()]}, 0)
        self.watch(0)

    def repeat(self):  # more elections cannot have failed by a crash
        if self.repeats < len(self.neighbors):
            self.repeats += 1
            self.begin()

    def me(self):
        return [self.rank, self.name]

    def on_election(self, source, m):
        if not self.is_new(m):
            return
        if m["initiator"] != self.name:
            return self.forward(m)
        self.pass_on({**m, "type": "coordinator", "list": [self.me()], "winner": max(m["list"])}, 0)
        self.watch(0)

    def on_coordinator(self, source, m):
        if not self.is_new(m):
            return
        if m["initiator"] != self.name:
            self.follow(m["winner"])
            self.forward(m)
        elif m["winner"] in m["list"]:
            self.follow(m["winner"])
            self.watch(len(self.names))
        else:
            self.repeat()

    def is_new(self, m):  # a message goes by once
        now = [m["round"], m["type"] == "coordinator"]
        if m["initiator"] == self.name and m["round"] != self.round or now <= self.seen.get(m["initiator"], []):
            return False
        self.seen[m["initiator"]] = now
        return True

    def forward(self, m):
        self.pass_on({**m, "list": m["list"] + [self.me()]}, 0)
        self.watch((self.names.index(self.name) - self.names.index(m["initiator"])) % len(self.names))

    def follow(self, winner):  # but not from a leader to a dead one
        if self.leader is None or not self.suspects(winner[1]):
            self.leader = winner[1]
            self.decide(winner[0], elected=winner[1] == self.name)

    def watch(self, distance):  # the nearer to the initiator, the earlier
        self.set_timer(WATCHDOG, 2 * (len(self.names) + distance) * self.bound)  # "1ms1ms" is 2ms

    def pass_on(self, m, port):
        self.send(self.ahead[port], **m)
        if self.ahead[port] == self.name:
            return
        i = self.polls.index(None) if None in self.polls else len(self.polls)
        self.polls[i:i + 1] = [[port, m]]
        self.set_timer(1 + i, 2 * self.bound)

    def on_timeout(self, source, m):
        if m["label"] == WATCHDOG:
            if self.leader is None or self.suspects(self.leader):
                self.repeat()
            return
        port, message = self.polls[m["label"] - 1]
        self.polls[m["label"] - 1] = None
        while self.polls and self.polls[-1] is None:
            self.polls.pop()
        if self.suspects(self.ahead[port]):
            self.pass_on(message, port + 1)


run(ModifiedRing)
