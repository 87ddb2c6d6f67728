"""A lock with a coordinator. When that has crashed, the process of the highest address that lives replaces it.

The new coordinator lets nobody in before all that live have told it whether they are inside.
"""
from bullring import Node, run

HOLD, LOOK = 0, 1  # timers


class Failover(Node):
    def on_init(self, source, m):
        super().on_init(source, m)
        self.coordinator, self.epoch = self.names[-1], 0
        self.queue, self.granted, self.unheard = [], None, []  # at the coordinator
        self.waits = self.inside = False
        self.left = 0

    def on_start(self, source, m):
        if self.left == 0 and not self.waits:
            self.ask()

    def ask(self):
        self.say("ask")
        self.waits = True
        self.tell(self.coordinator, "request", inside=False)
        self.set_timer(LOOK, "4ms")

    def tell(self, name, type, **fields):
        if name == self.name:
            getattr(self, "on_" + type)(name, fields)
        else:
            self.send(name, type, **fields)

    def on_request(self, source, m):
        if source in self.unheard:
            self.unheard.remove(source)
        if m["inside"]:
            self.granted = source
        elif source not in self.queue:
            self.queue.append(source)
        self.serve()

    def on_release(self, source, m):
        if source in self.unheard:
            self.unheard.remove(source)
        if source == self.granted:
            self.granted = None
        self.serve()

    def serve(self):
        lives = lambda q: q == self.name or not self.suspects(q)
        self.queue, self.unheard = list(filter(lives, self.queue)), list(filter(lives, self.unheard))
        if self.granted is not None and not lives(self.granted):
            self.granted = None
        if self.granted is None and self.queue and not self.unheard:
            self.granted = self.queue.pop(0)
            self.tell(self.granted, "grant")
        if self.queue or self.unheard:
            self.set_timer(LOOK, "4ms")

    def on_grant(self, source, m):
        if source == self.coordinator and self.waits:
            self.say("enter")
            self.waits, self.inside = False, True
            self.set_timer(HOLD, self.params["cs"])

    def on_timeout(self, source, m):
        if m["label"] == HOLD:
            self.leave()
        elif self.coordinator == self.name:
            self.serve()
        elif self.waits:
            self.set_timer(LOOK, "4ms")
            if self.suspects(self.coordinator):
                self.tell(next(q for q in reversed(self.names) if q == self.name or not self.suspects(q)), "elect")

    def on_elect(self, source, m):
        if self.coordinator == self.name:
            return
        self.coordinator, self.epoch = self.name, len(self.names) - self.names.index(self.name)
        self.say("coordinator", who=self.name, epoch=self.epoch)
        self.unheard = list(self.neighbors)
        for q in self.neighbors:
            self.send(q, "coordinator", epoch=self.epoch)
        if self.waits or self.inside:
            self.tell(self.name, "request", inside=self.inside)
        self.serve()

    def on_coordinator(self, source, m):
        if m["epoch"] > self.epoch:
            self.coordinator, self.epoch = source, m["epoch"]
            self.say("coordinator", who=source, epoch=self.epoch)
            if self.waits or self.inside:
                self.send(source, "request", inside=self.inside)
            else:
                self.send(source, "release")

    def leave(self):
        self.say("leave")
        self.inside, self.left = False, self.left + 1
        self.tell(self.coordinator, "release")
        if self.left < self.params["requests"]:
            self.ask()


run(Failover)
