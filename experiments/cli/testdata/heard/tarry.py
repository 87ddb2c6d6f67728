"""Tarry's traversal."""
from bullring import Node, run


class Tarry(Node):
    father, visited = None, False

    def on_start(self, source, m):
        self.say("root")
        self.visit()
        self.forward()

    def visit(self):
        self.visited, self.open = True, [q for q in self.neighbors if q != self.father]

    def on_token(self, source, m):
        if not self.visited:
            self.father = source
            self.say("child", of=source)
            self.visit()
        self.forward()

    def forward(self):
        if self.open:
            self.send(self.open.pop(0), "token")
        elif self.father:
            self.send(self.father, "token")
        else:
            self.say("decide")


run(Tarry)
