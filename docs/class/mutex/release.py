from bullring import Node, run


class Release(Node):  # right, but tells all others when it leaves
    def on_init(self, source, m):
        super().on_init(source, m)
        self.here, self.done, self.clock = self.names.index(self.name), 0, 0
        self.mine, self.missing, self.deferred = None, [], []

    def on_start(self, source, m):
        self.ask()

    def ask(self):
        self.say("ask")
        self.clock += 1
        self.mine, self.missing = (self.clock, self.here), list(self.neighbors)
        for q in self.neighbors:
            self.send(q, "request", number=self.clock)
        self.look()

    def on_request(self, source, m):
        self.clock = max(self.clock, m["number"])
        if self.mine and self.mine < (m["number"], self.names.index(source)):
            self.deferred.append(source)
        else:
            self.send(source, "reply")

    def on_reply(self, source, m):
        self.missing.remove(source)
        self.look()

    def on_release(self, source, m):
        pass

    def look(self):
        if not self.missing:
            self.say("enter")
            self.set_timer(0, self.params["cs"])

    def on_timeout(self, source, m):
        self.say("leave")
        self.done, self.mine = self.done + 1, None
        for q in self.neighbors:
            if q in self.deferred:
                self.send(q, "reply")
        self.deferred = []
        for q in self.neighbors:
            self.send(q, "release")
        if self.done < self.params["requests"]:
            self.ask()


run(Release)
