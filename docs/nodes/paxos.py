"""Paxos for one decree: a majority promises a ballot, then a majority accepts its value. What a process
keeps it knows after a restart, too. A ballot may take 10 to 20 ms, and a message about 1."""
from bullring import Node, run


class Paxos(Node):
    def on_init(self, source, m):
        super().on_init(source, m)
        self.phase, self.ballot = "idle", 0
        self.kept = {"promised": 0, "accepted": 0, "value": self.input, "proposes": False, "decided": None}
        self.kept.update(self.stored)
        if self.restarted and self.kept["decided"] is None:
            self.keep(proposes=True)
            self.wait()
        elif self.kept["proposes"]:
            self.tell("decide", value=self.kept["decided"])

    def keep(self, **facts):
        self.kept.update(facts)
        self.store(**self.kept)

    def tell(self, kind, **fields):
        for q in self.neighbors:
            self.send(q, kind, **fields)

    def wait(self):
        self.set_timer(0, f"{10_000_000 + 10 * self.intn(1_000_001)}ns")

    def on_start(self, source, m):  # the next ballot of its own
        after = self.kept["promised"]
        self.ballot = after + 1 + (self.names.index(self.name) - after) % len(self.names)
        self.keep(promised=self.ballot, proposes=True)
        self.best, self.proposal = self.kept["accepted"], self.kept["value"]
        self.wait()
        self.ask("promise", "prepare")

    def ask(self, vote, kind, **fields):
        self.phase, self.votes = vote, set()
        self.tell(kind, ballot=self.ballot, **fields)
        self.on_promise(self.name, {"type": vote, "ballot": self.ballot, "accepted": 0})

    def on_prepare(self, source, m):
        if m["ballot"] > self.kept["promised"]:
            self.answer(source, "promise", m["ballot"])

    def on_accept(self, source, m):
        if m["ballot"] >= self.kept["promised"]:
            self.answer(source, "accepted", m["ballot"], accepted=m["ballot"], value=m["value"])

    def answer(self, source, vote, ballot, **facts):  # and give up a smaller ballot of its own
        self.keep(promised=ballot, **facts)
        self.phase = "idle" if self.ballot < ballot else self.phase
        self.send(source, vote, ballot=ballot, accepted=self.kept["accepted"], value=self.kept["value"])

    def on_promise(self, source, m):
        if (m["type"], m["ballot"]) != (self.phase, self.ballot):
            return
        if m["accepted"] > self.best:
            self.best, self.proposal = m["accepted"], m["value"]
        self.votes.add(source)
        if 2 * len(self.votes) > len(self.names) and self.phase == "promise":
            self.keep(accepted=self.ballot, value=self.proposal)
            self.ask("accepted", "accept", value=self.proposal)
        elif 2 * len(self.votes) > len(self.names):
            self.on_decide(source, {"value": self.proposal})

    on_timeout, on_accepted = on_start, on_promise

    def on_decide(self, source, m):
        if self.kept["decided"] is None:
            self.phase = "idle"
            self.keep(decided=m["value"])
            self.say("decide", value=m["value"])
            self.stop_timer(0)
            if self.kept["proposes"]:
                self.tell("decide", value=m["value"])


run(Paxos)
