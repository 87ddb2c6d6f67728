"""Total order: the first process numbers all items."""
from bullring import Node, run


class Sequencer(Node):
    def on_init(self, source, m):
        super().on_init(source, m)
        self.count, self.held = 0, {}

    def on_start(self, source, m):
        for number in range(1, self.params["items"] + 1):
            self.say("multicast")
            if self.name == self.names[0]:
                self.on_request(self.name, {"item": number})
            else:
                self.send(self.names[0], "request", item=number)

    def on_request(self, source, m):
        self.on_data(self.name, {"origin": source, "item": m["item"], "number": self.count + 1})
        for q in self.neighbors:
            self.send(q, "data", origin=source, item=m["item"], number=self.count)

    def on_data(self, source, m):
        self.held[m["number"]] = m
        while self.count + 1 in self.held:
            self.count += 1
            item = self.held[self.count]
            self.say("deliver", origin=item["origin"], number=item["item"])


run(Sequencer)
