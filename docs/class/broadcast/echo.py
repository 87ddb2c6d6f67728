from bullring import Node, run


class Echo(Node):  # passes on each copy up to the second
    def on_init(self, source, m):
        super().on_init(source, m)
        self.delivered = {q: 0 for q in self.names}  # how many items of each process
        self.sent = self.asked = self.reacted = 0
        self.seen, self.held, self.fresh = [], [], []

    def on_start(self, source, m):
        self.ask()
        self.look()

    def ask(self):
        if self.asked < self.params["requests"]:
            self.asked += 1
            self.broadcast()

    def broadcast(self):
        self.say("broadcast")
        after = {**self.delivered, self.name: self.sent}
        self.sent += 1
        for q in self.neighbors:
            self.send(q, "data", origin=self.name, after=after)
        self.arrive(self.name, after)

    def on_data(self, source, m):
        item = [m["origin"], m["after"][m["origin"]]]
        if self.seen.count(item) == 2 or m["origin"] == self.name:
            return
        self.seen.append(item)
        for q in self.neighbors:
            self.send(q, "data", origin=m["origin"], after=m["after"])
        if self.seen.count(item) == 1:
            self.arrive(m["origin"], m["after"])
            self.look()

    def arrive(self, origin, after):
        self.held.append([origin, after])
        while ready := [item for item in self.held if self.may_deliver(item[1])]:
            origin, after = ready[0]
            self.held.remove(ready[0])
            self.delivered[origin] += 1
            self.say("deliver", origin=origin, number=self.delivered[origin])
            self.fresh.append([origin, self.delivered[origin]])

    def may_deliver(self, after):
        return all(self.delivered[q] >= number for q, number in after.items())

    def look(self):  # the client, at what was delivered
        while self.fresh:
            origin, number = self.fresh.pop(0)
            if origin != self.name and self.reacted < self.params["reactions"]:
                self.reacted += 1
                self.broadcast()
            elif origin == self.name:
                self.ask()


run(Echo)
