"""The Berkeley algorithm: the first process asks what all clocks show, and tells each by how much it is off the average."""
from bullring import Node, run


class Berkeley(Node):
    def on_init(self, source, m):
        super().on_init(source, m)
        self.correction, self.round, self.polled, self.offsets = 0, 0, 0, {}

    def clock(self):
        return self.now() + self.correction

    def on_start(self, source, m):
        if self.name == self.names[0] and self.round == 0:
            self.poll()

    def on_timeout(self, source, m):
        self.poll()

    def poll(self):
        self.round += 1
        self.polled, self.offsets = self.clock(), {self.name: 0}
        for q in self.neighbors:
            self.send(q, "poll", round=self.round)
        if self.round < self.params["rounds"]:
            self.set_timer(0, "1s")
        self.average()

    def on_poll(self, source, m):
        self.send(source, "time", round=m["round"], time=self.clock())

    def on_time(self, source, m):
        there = self.polled + (self.clock() - self.polled) // 2
        self.offsets[source] = m["time"] - there
        self.average()

    def average(self):
        if len(self.offsets) < len(self.names):
            return
        average = sum(self.offsets.values()) // len(self.offsets)
        for q in self.neighbors:
            self.send(q, "adjust", by=average - self.offsets[q])
        self.adjust(average)

    def on_adjust(self, source, m):
        self.adjust(m["by"])

    def adjust(self, by):
        self.correction += by
        self.say("adjust", by=by)


run(Berkeley)
