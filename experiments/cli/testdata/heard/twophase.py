"""Two-phase commit without failures."""
from bullring import Node, run


class TwoPhase(Node):
    def on_start(self, source, m):
        self.votes = {}
        if self.name == self.names[0]:
            self.tell("vote_req")
            self.say("vote", yes=self.input == 1)
            self.count(self.name, self.input == 1)

    def tell(self, kind):
        for q in self.neighbors:
            if self.votes.get(q, True):
                self.send(q, kind)

    def on_vote_req(self, source, m):
        self.say("vote", yes=self.input == 1)
        if self.input != 1:
            self.say("abort")
        self.send(source, "yes" if self.input == 1 else "no")

    def on_yes(self, source, m):
        self.count(source, m["type"] == "yes")

    on_no = on_yes

    def count(self, voter, yes):
        self.votes[voter] = yes
        if len(self.votes) == len(self.names):
            decision = "commit" if all(self.votes.values()) else "abort"
            self.say(decision)
            self.tell(decision)

    def on_commit(self, source, m):
        self.say(m["type"])

    on_abort = on_commit


run(TwoPhase)
