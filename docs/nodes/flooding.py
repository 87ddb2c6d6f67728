"""Flooding: who has the token gives it to each neighbour, and to each new one."""
from bullring import Node, run


class Flooding(Node):
    def on_init(self, source, m):
        super().on_init(source, m)
        self.informed = False

    def on_start(self, source, m):
        self.informed = True
        self.broadcast("token")

    def on_token(self, source, m):
        if not self.informed:
            self.on_start(source, m)

    def on_link_up(self, source, m):
        if self.informed:
            self.send(m["node"], "token")


run(Flooding)
