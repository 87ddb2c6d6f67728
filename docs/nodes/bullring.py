"""A process in Python, for `bullring run --node` and for Maelstrom. See docs/nodes.md.

A process is a class with a method on_TYPE(source, message) for each type of message that it
takes. on_start makes it an initiator, and on_timeout tells that a timer has expired.
"""
import itertools, json, sys

kept = []  # lines for later: they came while a handler waited for an answer
numbers = itertools.count(1)


class Node:
    def on_init(self, source, message):
        self.name, self.names = message["node_id"], message["node_ids"]
        here = self.names.index(self.name)
        self.neighbors = message.get("neighbors", self.names[here + 1:] + self.names[:here])
        self.rank = message.get("rank", here + 1)
        self.restarted, self.stored = message.get("restarted", False), message.get("stored", {})
        self.input, self.f, self.bound, self.params = map(message.get, ("input", "f", "bound", "params"))
        self.send(source, "init_ok", in_reply_to=message["msg_id"], reusable=True)

    def send(self, dest, type, **fields):
        print(json.dumps({"src": self.name, "dest": dest, "body": {"type": type, **fields}}))

    def set_timer(self, label, after):  # an integer from 0 on; a text such as "1.5ms"
        self.send("timer", "set", label=label, after=after)

    def stop_timer(self, label):
        self.send("timer", "stop", label=label)

    def store(self, **fields):  # what self.stored is after a restart
        self.send("storage", "write", value=fields)

    def intn(self, n):  # a random number from 0 to n-1
        return self._ask("random", "intn", n=n)["value"]

    def suspects(self, name):  # whether the failure detector takes that node for dead
        return self._ask("detector", "suspects", node=name)["suspects"]

    def say(self, word, **fields):  # tells the judge: say("decide", value=1)
        self.send("c0", word, **fields)

    def decide(self, leader, elected):  # the leader's rank; whether this process is the leader
        self.say("decide", leader=leader, elected=elected)

    def _ask(self, service, type, **fields):
        number = next(numbers)
        self.send(service, type, msg_id=number, **fields)
        while True:
            line = read()
            if line["body"].get("in_reply_to") == number:
                return line["body"]
            self._refuse(line) or kept.append(line)

    def _refuse(self, line):  # answers a request of an unknown type
        body = line["body"]
        if "msg_id" not in body or hasattr(self, "on_" + body["type"]):
            return False
        self.send(line["src"], "error", in_reply_to=body["msg_id"], code=10, text="not supported")
        return True


def read():
    sys.stdout.flush()
    return json.loads(sys.stdin.readline() or sys.exit())


def run(kind):
    """Runs processes of a class, a new one at each init."""
    while True:
        line = kept.pop(0) if kept else read()
        if line["body"]["type"] == "init":
            node = kind()
        if not node._refuse(line):
            getattr(node, "on_" + line["body"]["type"])(line["src"], line["body"])
