"""TimeSlice: each identity has its time, n rounds each. The smallest is the first to break the silence, and its
token goes round. A round lasts as long as a message may take."""
from bullring import Node, run

PHASE, WOKEN = 0, 1  # the timers: its time has come; a token has come in this instant


class TimeSlice(Node):
    begun = False

    def on_start(self, source, m):
        if self.begun:
            return
        self.begun, self.tokens, self.leader = True, [], None
        if self.rank <= 1:
            self.pass_on(self.rank)
        else:
            self.set_timer(PHASE, min((self.rank - 1) * len(self.names), 2 ** 16) * self.bound)  # "1ms1ms" is 2ms

    def pass_on(self, token):
        self.send(self.neighbors[0], "token", rank=token)

    def on_token(self, source, m):
        if self.begun and self.leader != self.rank:
            self.tokens.append(m["rank"])
            self.set_timer(WOKEN, "0s")

    def on_timeout(self, source, m):
        tokens, self.tokens = self.tokens, []
        if m["label"] == PHASE:
            self.stop_timer(WOKEN)
            if self.leader is None and not tokens:
                self.pass_on(self.rank)
        for token in tokens:
            self.stop_timer(PHASE)
            self.leader = token
            self.decide(token, elected=token == self.rank)
            if token != self.rank:
                self.pass_on(token)


run(TimeSlice)
