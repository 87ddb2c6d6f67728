"""The wireless election: a tree grows from the initiator, each subtree reports its best rank, and the root announces
the best of all. Who waits asks whether those it waits for are dead; then the election begins anew."""
from bullring import Node, run

WATCH = 0


class ElectionTree(Node):
    def on_init(self, source, m):
        super().on_init(source, m)
        self.near = sorted(set(self.neighbors) - {self.name}, key=self.names.index)
        self.index = [0, 0]  # of its latest election: a round and the initiator
        self.open = self.broken = False
        self.parent, self.best, self.waiting, self.children = None, 0, [], []

    def on_start(self, source, m):
        if not self.open:
            self.begin()

    def begin(self):
        self.join([self.index[0] + 1, self.rank], None)

    def join(self, index, parent):
        self.index, self.parent, self.open, self.broken = index, parent, True, False
        self.best, self.waiting, self.children = self.rank, [], []
        for q in self.near:
            if q != parent and not self.suspects(q):
                self.waiting.append(q)
                self.send(q, "election", index=index)
        self.set_timer(WATCH, 2 * self.bound)  # "1ms1ms" is 2ms
        self.report()

    def on_election(self, source, m):
        if m["index"] > self.index:
            self.join(m["index"], source)
        elif m["index"] == self.index:
            self.send(source, "ack", index=m["index"])

    def on_ack(self, source, m):
        if m["index"] != self.index or source not in self.waiting:
            return
        self.waiting.remove(source)
        if "best" in m:
            self.children.append(source)
            self.best = max(self.best, m["best"])
            self.broken = self.broken or m["broken"]
        self.report()

    def report(self):
        if self.waiting:
            return
        if self.parent is not None:
            self.send(self.parent, "ack", index=self.index, best=self.best, broken=self.broken)
        elif self.broken:  # somebody died in the tree
            self.begin()
        else:
            self.conclude(self.best)

    def on_leader(self, source, m):
        if m["index"] == self.index and self.open:
            self.conclude(m["leader"])

    def conclude(self, leader):
        self.stop_timer(WATCH)
        self.open = False
        self.decide(leader, elected=leader == self.rank)
        for q in self.children:
            self.send(q, "leader", index=self.index, leader=leader)

    def on_timeout(self, source, m):
        self.set_timer(WATCH, 2 * self.bound)
        if self.parent is not None and self.suspects(self.parent):
            return self.begin()
        alive = [q for q in self.waiting if not self.suspects(q)]
        if len(alive) < len(self.waiting):
            self.waiting, self.broken = alive, True
            self.report()


run(ElectionTree)
