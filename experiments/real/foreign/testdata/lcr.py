# LCR as a node of Maelstrom's protocol, in one process of standard Python.
import json, sys

me, next_, rank = None, None, None


def send(dest, body):
    sys.stdout.write(json.dumps({"src": me, "dest": dest, "body": body}) + "\n")


for line in sys.stdin:
    m = json.loads(line)
    b = m["body"]
    t = b["type"]
    if t == "init":
        me, next_, rank = b["node_id"], b["neighbors"][0], b["rank"]
        send(m["src"], {"type": "init_ok", "in_reply_to": b["msg_id"], "reusable": True})
    elif t == "start":
        send(next_, {"type": "probe", "rank": rank})
    elif t == "probe":
        if b["rank"] > rank:
            send(next_, b)
        elif b["rank"] == rank:
            send("c0", {"type": "decide", "leader": rank, "elected": True})
    elif t == "state":  # this and load are for explore
        send(m["src"], {"type": "state_ok", "in_reply_to": b["msg_id"], "state": [me, next_, rank]})
    elif t == "load":
        me, next_, rank = b["state"]
        send(m["src"], {"type": "load_ok", "in_reply_to": b["msg_id"]})
    elif "msg_id" in b:
        send(m["src"], {"type": "error", "in_reply_to": b["msg_id"], "code": 10})
    sys.stdout.flush()
