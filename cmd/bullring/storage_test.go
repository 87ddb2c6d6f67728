package main

import (
	"strings"
	"testing"
)

// counting are programs that store how often they have begun, and say it.
var counting = map[string]string{
	"python3 counting.py": `
import sys
sys.path.insert(0, "docs/nodes")
from bullring import Node, run
class Counting(Node):
    def on_init(self, source, m):
        super().on_init(source, m)
        begun = self.stored.get("begun", 0) + 1
        self.store(begun=begun)
        self.say("begun", times=begun)
    def on_start(self, source, m):
        pass
run(Counting)
`,
	"node counting.mjs": `
import { Node, run } from './docs/nodes/bullring.mjs'
class Counting extends Node {
  on_init(source, m) {
    super.on_init(source, m)
    const begun = (this.stored.begun ?? 0) + 1
    this.store({ begun })
    this.say('begun', { times: begun })
  }
  on_start() {}
}
run(Counting)
`,
	"java -cp java Counting": `
import java.util.Map;
class Counting extends Bullring {
	@Override protected void on_init(String source, Map<String, Object> m) {
		super.on_init(source, m);
		long begun = (Long) stored.getOrDefault("begun", 0L) + 1;
		store("begun", begun);
		say("begun", "times", begun);
	}
	void on_start(String source, Map<String, Object> m) {}
	public static void main(String[] args) { run(Counting::new); }
}
`,
	"./counting": `package main
import bullring "example.org/nodes"
func main() {
	bullring.Run(func(n *bullring.Node) bullring.Handlers {
		begun := int64(1)
		if stored, ok := n.Init["stored"].(map[string]any); ok {
			begun += bullring.Body(stored).Int("begun")
		}
		n.Store(bullring.Body{"begun": begun})
		n.Say(bullring.Body{"type": "begun", "times": begun})
		return bullring.Handlers{"start": func(string, bullring.Body) {}}
	})
}
`,
}

// What a program stores it is told after a restart, in each language.
func TestStorage(t *testing.T) {
	inEachLanguage(t, counting, func(t *testing.T, dir, node string) {
		out := run(t, dir, "bullring run --node '"+node+"' --n 2 --fault 'at 1ms crash 1; at 2ms restart 1; at 3ms crash 1; at 4ms restart 1' --trace")
		out = strings.Join(strings.Fields(strings.ReplaceAll(out, `"type":"begun"`, "")), " ")
		out = strings.NewReplacer("{,", "{", ",}", "}").Replace(out)
		for _, says := range []string{`0s boot 0 | says {"times":1}`, `2ms restart 1 | says {"times":2}`, `4ms restart 1 | says {"times":3}`} {
			if !strings.Contains(out, says) {
				t.Errorf("no %q in\n%s", says, out)
			}
		}
	})
}
