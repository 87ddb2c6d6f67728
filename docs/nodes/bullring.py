"""A process in Python, for `bullring run --node` and for Maelstrom. See docs/nodes.md.

A process is a class with a method on_TYPE(source, message) for each type of message that it
takes. on_start makes it an initiator, and on_timeout tells that a timer has expired.
"""
import collections, itertools, json, sys

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

    def now(self):  # what the clock of the process shows, in nanoseconds
        return self._ask("clock", "now")["now"]

    def near(self):  # the names of those to which there is a link now
        return self._ask("links", "neighbors")["neighbors"]

    def broadcast(self, type, **fields):  # one message to all of them
        self.send("links", "broadcast", message={"type": type, **fields})

    def on_link_up(self, source, message):  # the link to message["node"] has come up
        pass

    def on_link_down(self, source, message):
        pass

    def say(self, word, **fields):  # tells the judge: say("decide", value=1)
        self.send("c0", word, **fields)

    def log(self, *words):  # a line in the trace, as print writes it
        self.say("log", text=" ".join(map(str, words)))

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

    def get_state(self):  # what the process is, as JSON: for explore
        return {field: plain(value, field) for field, value in vars(self).items()}

    def set_state(self, state):  # becomes what get_state has told; it is a new object of the class
        vars(self).update({field: whole(value) for field, value in state.items()})

    def _refuse(self, line):  # answers a request of an unknown type
        body = line["body"]
        if "msg_id" not in body or hasattr(self, "on_" + body["type"]):
            return False
        self.send(line["src"], "error", in_reply_to=body["msg_id"], code=10, text="not supported")
        return True


KINDS = {"set": set, "frozenset": frozenset, "tuple": tuple, "deque": collections.deque, "dict": dict}


def plain(value, field):  # as JSON; what JSON does not have is an object {kind: [items]}
    kind = type(value).__name__
    if value is None or type(value) in (bool, int, float, str):
        return value
    if type(value) is dict and all(type(key) is str for key in value) and not KINDS.keys() & value.keys():
        return {key: plain(item, field) for key, item in value.items()}
    if type(value) is list:
        return [plain(item, field) for item in value]
    if type(value) is not KINDS.get(kind):
        raise TypeError(f"get_state does not know the {kind} in self.{field}: numbers, texts, lists, dicts, sets, tuples, deques")
    items = [plain(item, field) for item in (value.items() if kind == "dict" else value)]
    return {kind: sorted(items, key=json.dumps) if kind.endswith("set") else items}


def whole(value):  # what plain has made plain
    if isinstance(value, list):
        return [whole(item) for item in value]
    if not isinstance(value, dict):
        return value
    kind, items = next(iter(value.items()), ("", None))
    if len(value) == 1 and kind in KINDS:
        return KINDS[kind](map(whole, items))
    return {key: whole(item) for key, item in value.items()}


def read():
    sys.stdout.flush()
    return json.loads(sys.stdin.readline() or sys.exit())


def run(kind):
    """Runs processes of a class, a new one at each init."""
    while True:
        line = kept.pop(0) if kept else read()
        body = line["body"]
        asked = line["src"], body["type"]
        if body["type"] == "init" or asked == ("c0", "load"):
            node = kind()
        if asked == ("c0", "load"):
            node.name = line["dest"]
            node.set_state(body["state"])
            node.send("c0", "load_ok", in_reply_to=body["msg_id"])
        elif asked == ("c0", "state"):
            state = dict(sorted(node.get_state().items()))
            node.send("c0", "state_ok", in_reply_to=body["msg_id"], state=state)
        elif not node._refuse(line):
            getattr(node, "on_" + body["type"])(line["src"], body)
