"""VariableSpeeds: the token of identity v takes 2^v rounds a hop, and a process drops all but the smallest that it
has seen. A round lasts as long as a message may take."""
from bullring import Node, run

DUE, WOKEN = 0, 1  # the timers: it is time to pass the token on; a token has come in this instant


class VariableSpeeds(Node):
    least = None  # the smallest token that it has seen

    def on_start(self, source, m):
        if self.least is None:
            self.tokens, self.leads = [], False
            self.keep(self.rank)

    def keep(self, token):
        self.least, self.keeps = token, True
        self.set_timer(DUE, (2 ** min(max(token, 1), 15) - 1) * self.bound)  # "1ms1ms" is 2ms

    def on_token(self, source, m):
        if self.least is not None and not self.leads:
            self.tokens.append(m["rank"])
            self.set_timer(WOKEN, "0s")

    def on_timeout(self, source, m):
        tokens, self.tokens = self.tokens, []
        due = m["label"] == DUE
        if due:
            self.stop_timer(WOKEN)
        for token in tokens:
            if token == self.rank:
                self.leads = True
                self.stop_timer(DUE)
                return self.decide(self.rank, elected=True)
            if token < self.least:
                due = False
                self.keep(token)
        if due:
            self.keeps = False
            self.send(self.neighbors[0], "token", rank=self.least)


run(VariableSpeeds)
