"""Raft's leader election: who hears of no leader for a random time begins a term, and asks all for their votes. In a
term a process votes once; that it knows after a restart, too. A leader announces itself once."""
import re

from bullring import Node, run

UNITS = {"h": 3600 * 10 ** 9, "m": 60 * 10 ** 9, "s": 10 ** 9, "ms": 10 ** 6, "us": 1000, "µs": 1000, "ns": 1}


def nanoseconds(text):  # of a duration such as "1.5ms"; auto is ten delays of a millisecond
    parts = re.findall("([0-9.]+)([a-zµ]+)", "10ms" if text == "auto" else text)
    return sum(round(float(number) * UNITS[unit]) for number, unit in parts)


class Raft(Node):
    def on_init(self, source, m):
        super().on_init(source, m)
        self.base, self.width = nanoseconds(self.params["base"]), nanoseconds(self.params["width"])
        self.term, self.vote = self.stored.get("term", 0), self.stored.get("vote")
        self.role, self.votes, self.leader = "follower", [], None
        self.waits = self.gave_up = False
        self.said = None  # to the judge
        if self.restarted:
            self.wait()

    def on_start(self, source, m):
        if self.role == "leader":
            self.tell("appendentries")
        else:
            self.wait()

    def tell(self, kind):
        for q in self.neighbors:
            self.send(q, kind, term=self.term, rank=self.rank)

    def keep(self, term, vote):
        self.term, self.vote = term, vote
        self.store(term=term, vote=vote)

    def wait(self):  # for a leader, or for somebody to vote for
        self.rest()
        self.waits = True
        grain = max(self.width // 1_000_000, 1)
        more = grain * self.intn(self.width // grain + 1) if self.width else 0
        self.set_timer(0, f"{self.base + more}ns")

    def rest(self):
        self.waits = self.gave_up = False
        self.stop_timer(0)

    def on_timeout(self, source, m):
        self.waits, self.leader = False, None
        if 0 < self.params["terms"] <= self.term:
            self.gave_up = True
            return self.report()
        self.enter(self.term + 1)
        self.keep(self.term, self.rank)
        self.role, self.votes = "candidate", [self.name]
        self.wait()
        self.tell("requestvote")
        self.count()
        self.report()

    def enter(self, term):  # whose leader it does not know yet
        self.keep(term, None)
        self.role, self.votes, self.leader, self.gave_up = "follower", [], None, False

    def count(self):
        if 2 * len(self.votes) > len(self.names):
            self.role, self.votes = "leader", []
            self.rest()
            self.tell("appendentries")

    def handle(self, source, m):
        later = m["term"] > self.term
        if later:
            self.enter(m["term"])
        getattr(self, "take_" + m["type"])(source, m, m["term"] == self.term)
        if later and self.leader is None and not self.waits:
            self.wait()  # it led an earlier term, or followed its leader
        self.report()

    on_requestvote = on_vote = on_appendentries = on_appendreply = handle

    def take_requestvote(self, source, m, now):
        granted = now and self.vote in (None, m["rank"])
        if granted:
            self.keep(self.term, m["rank"])
            if self.role == "follower" and self.leader is None:
                self.wait()
        self.send(source, "vote", term=self.term, granted=granted)

    def take_vote(self, source, m, now):
        if now and self.role == "candidate" and m["granted"] and source not in self.votes:
            self.votes = sorted(self.votes + [source])
            self.count()

    def take_appendentries(self, source, m, now):
        if now:
            self.role, self.votes, self.leader = "follower", [], m["rank"]
            self.rest()
        self.send(source, "appendreply", term=self.term)

    def take_appendreply(self, source, m, now):
        pass

    def report(self):  # tells the judge what has changed
        says = ["withdraw", {"term": self.term} if self.gave_up else {}]
        if self.role == "leader":
            says = ["decide", {"leader": self.rank, "elected": True, "term": self.term}]
        elif self.leader is not None:
            says = ["decide", {"leader": self.leader, "elected": False, "term": self.term}]
        if says != (self.said or ["withdraw", {}]):
            self.said = says
            self.say(says[0], **says[1])


run(Raft)
