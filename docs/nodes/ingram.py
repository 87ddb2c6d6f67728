"""The election of Ingram et al. for links that come and go: heights lead to the leader."""
from bullring import Node, run

LEVEL, PAIR = slice(0, 3), slice(4, 6)  # of a height: tau, origin, reflected; delta; elected, leader; identity


class Ingram(Node):
    def on_init(self, source, m):
        super().on_init(source, m)
        self.height, self.clock = [0, 0, 0, 0, 0, self.rank, self.rank], 0
        self.heights = {q: None for q in sorted(self.near(), key=self.names.index)}  # None: it is forming
        self.tell()

    def on_start(self, source, m):
        pass

    def on_link_up(self, source, m):
        self.heights[m["node"]] = None
        self.send(m["node"], "update", height=self.height, clock=self.clock)

    def on_link_down(self, source, m):
        del self.heights[m["node"]]
        if not self.formed():
            self.elect_self()
            self.tell()
        elif self.sink():
            self.search()
            self.tell()

    def on_update(self, source, m):
        self.clock = max(self.clock, m["clock"])
        if source not in self.heights:
            return
        self.heights[source] = its = m["height"]
        before = self.height
        levels = [h[LEVEL] for h in self.formed()]
        if its[PAIR] != before[PAIR]:
            self.adopt(source, its)
        elif self.sink():
            if any(level != levels[0] for level in levels):
                most = max(levels)
                self.move(most, min(h[3] for h in self.formed() if h[LEVEL] == most) - 1)
            elif its[0] > 0 and not its[2]:
                self.move([its[0], its[1], 1], 0)  # the search is reflected
            elif its[0] > 0 and its[1] == self.rank:
                self.elect_self()
            else:
                self.search()
        if self.height != before:
            self.tell()

    def adopt(self, source, its):
        if its[PAIR] < self.height[PAIR]:
            self.become([*its[LEVEL], its[3] + 1, *its[PAIR]])
        else:
            self.send(source, "update", height=self.height, clock=self.clock)

    def formed(self):
        return [h for h in self.heights.values() if h]

    def sink(self):
        return self.height[5] != self.rank and all(h[PAIR] == self.height[PAIR] and h > self.height for h in self.formed())

    def search(self):
        self.clock += 1
        self.move([self.clock, self.rank, 0], 0)

    def elect_self(self):
        self.clock += 1
        self.become([0, 0, 0, 0, -self.clock, self.rank])

    def move(self, level, delta):
        self.become([*level, delta, *self.height[PAIR]])

    def become(self, height):
        self.height = [*height, self.rank]

    def tell(self):
        if self.heights:
            self.broadcast("update", height=self.height, clock=self.clock)
        self.decide(self.height[5], elected=self.height[5] == self.rank)


run(Ingram)
