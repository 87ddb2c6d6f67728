package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
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
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := shell(t, root)
	for node, text := range counting {
		t.Run(node, func(t *testing.T) {
			program, file, _ := strings.Cut(node, " ")
			if file == "" {
				buildCounting(t, root, dir, text)
			} else if _, err := exec.LookPath(program); err != nil {
				if *allLanguages {
					t.Fatal(err)
				}
				t.Skip("NOT RUN:", err)
			} else if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
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
}

// buildCounting builds the program in Go beside its library, where only the build sees it.
func buildCounting(t *testing.T, root, dir, text string) {
	t.Helper()
	source, overlay := filepath.Join(dir, "counting.go"), filepath.Join(dir, "overlay.json")
	replaced, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(root, "docs/nodes/go/counting/main.go"): source}})
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{source: []byte(text), overlay: replaced} {
		if err := os.WriteFile(name, content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "build", "-C", filepath.Join(root, "docs/nodes/go"), "-overlay", overlay, "-o", filepath.Join(dir, "counting"), "./counting")
	build.Env = append(os.Environ(), "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}
