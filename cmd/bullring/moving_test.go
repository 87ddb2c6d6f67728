package main

import (
	"strings"
	"testing"
)

// flooding are programs that give a token to each neighbour, and to each new one.
var flooding = map[string]string{
	"python3 flooding.py": `
import sys
sys.path.insert(0, "docs/nodes")
from bullring import Node, run
class Flooding(Node):
    def on_init(self, source, m):
        super().on_init(source, m)
        self.informed = False
    def on_start(self, source, m):
        self.informed = True
        self.say("informed", near=self.near())
        self.broadcast("token")
    def on_token(self, source, m):
        if not self.informed:
            self.on_start(source, m)
    def on_link_up(self, source, m):
        if self.informed:
            self.send(m["node"], "token")
run(Flooding)
`,
	"node flooding.mjs": `
import { Node, run } from './docs/nodes/bullring.mjs'
class Flooding extends Node {
  on_start() {
    this.informed = true
    this.say('informed', { near: this.near() })
    this.broadcast({ type: 'token' })
  }
  on_token() { if (!this.informed) this.on_start() }
  on_link_up(source, m) { if (this.informed) this.send(m.node, { type: 'token' }) }
}
run(Flooding)
`,
	"java -cp java Flooding": `
import java.util.Map;
class Flooding extends Bullring {
	boolean informed;
	void on_start(String source, Map<String, Object> m) {
		informed = true;
		say("informed", "near", near());
		broadcast("token");
	}
	void on_token(String source, Map<String, Object> m) { if (!informed) on_start(source, m); }
	@Override protected void on_link_up(String source, Map<String, Object> m) { if (informed) send((String) m.get("node"), "token"); }
	public static void main(String[] args) { run(Flooding::new); }
}
`,
	"./flooding": `package main
import bullring "example.org/nodes"
func main() {
	bullring.Run(func(n *bullring.Node) bullring.Handlers {
		informed := false
		start := func(string, bullring.Body) {
			informed = true
			n.Say(bullring.Body{"type": "informed", "near": n.Near()})
			n.Broadcast(bullring.Body{"type": "token"})
		}
		return bullring.Handlers{
			"start": start,
			"token": func(source string, m bullring.Body) {
				if !informed {
					start(source, m)
				}
			},
			"link_up": func(_ string, m bullring.Body) {
				if informed {
					n.Send(m["node"].(string), bullring.Body{"type": "token"})
				}
			},
		}
	})
}
`,
}

// Programs are told of links that come and go, ask who is near, and broadcast, in each language.
func TestMovingPrograms(t *testing.T) {
	inEachLanguage(t, flooding, func(t *testing.T, dir, node string) {
		out := run(t, dir, "bullring run --node '"+node+"' --n 3 --topology complete --initiators 0 --trace"+
			" --fault 'at 0.5ms down *; at 2ms up 0<->1; at 5ms up 1<->2; at 5.5ms down 1<->2; at 7ms up 0<->2'")
		out = strings.Join(strings.Fields(strings.ReplaceAll(out, `"type":"informed"`, "")), " ")
		out = strings.NewReplacer("{,", "{", ",}", "}").Replace(out)
		for _, says := range []string{
			`start 0 | sends TOKEN to 1, TOKEN to 2 | says {"near":["n1","n2"]}`, "1ms cut 0 -> 2 TOKEN",
			"linkup 0 link to 1 | sends TOKEN to 1", `3ms deliver 0 -> 1 TOKEN | sends TOKEN to 0 | says {"near":["n0"]}`,
			"linkup 1 link to 2 | sends TOKEN to 2", "5.5ms linkdown 1 link to 2", "6ms cut 1 -> 2 TOKEN",
			"linkup 0 link to 2 | sends TOKEN to 2", `8ms deliver 0 -> 2 TOKEN | sends TOKEN to 0 | says {"near":["n0"]}`,
			"messages 6 (TOKEN 6)", "fanned out 1", // three broadcasts, one of them to two, and three messages
		} {
			if !strings.Contains(out, says) {
				t.Errorf("no %q in\n%s", says, out)
			}
		}
	})
}
