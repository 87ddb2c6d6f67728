"""Ben-Or: report a value, propose what more than half report, decide for what more than f propose.

Who hears of no proposal tosses a coin. At most f of n > 2f processes crash.
"""
from bullring import Node, run

NONE = 2  # the proposal of no value


class BenOr(Node):
    def on_init(self, source, m):
        super().on_init(source, m)
        self.round, self.kind = 0, "report"  # not yet begun
        self.heard = {}  # round and kind -> {process: value}
        self.gone = {}  # processes that have decided -> their last round, and the value
        self.decided = False

    def on_start(self, source, m):
        self.enter(1, "report", self.input)
        self.advance()

    def on_report(self, source, m):
        self.heard.setdefault((m["round"], m["type"]), {}).setdefault(source, m["value"])
        self.advance()

    on_propose = on_report

    def on_decide(self, source, m):
        self.gone.setdefault(source, (m["round"], m["value"]))
        self.advance()

    def enter(self, round, kind, value):
        self.round, self.kind, self.own = round, kind, value
        for q in self.neighbors:
            self.send(q, kind, round=round, value=value)

    def advance(self):  # as long as n-f messages of a round and kind are there, its own included
        while self.round and not self.decided:
            told = self.heard.get((self.round, self.kind), {})
            sure = [v for q, (last, v) in self.gone.items() if last < self.round and q not in told]
            values = [self.own, *told.values(), *sure]
            if len(values) < len(self.names) - self.f:
                return
            most = 1 if values.count(1) > values.count(0) else 0
            votes = values.count(most)
            if sure:
                self.conclude(min(sure))
            elif self.kind == "report":
                self.enter(self.round, "propose", most if 2 * votes > len(self.names) else NONE)
            elif votes > self.f:
                self.conclude(most)
            else:
                self.enter(self.round + 1, "report", most if votes else self.intn(2))

    def conclude(self, value):
        self.decided = True
        self.say("decide", value=value, round=self.round)
        last = self.round if self.kind == "propose" else self.round - 1  # what it says in later rounds
        for q in self.neighbors:
            self.send(q, "decide", round=last, value=value)


run(BenOr)
