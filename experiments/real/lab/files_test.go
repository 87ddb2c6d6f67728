package lab

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bullring/experiments/catalog"
)

// TestHostsOpenNoFiles: a setting that comes from another machine names files and programs of this
// one. It opens none, starts none, and its error has nothing of what is in them.
func TestHostsOpenNoFiles(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("hunter2 is a password\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	build := Build(catalog.New())
	for _, s := range []map[string]any{
		{"topology": "file:" + secret}, {"n": 3, "link": "delay trace " + secret}, {"n": 3, "link": "delay 1ms 1ms distribution table " + secret},
		{"n": 3, "fault": "at 1ms link 0->1 delay trace " + secret}, {"n": 3, "node": "cat " + secret},
	} {
		s["algorithm"], s["outside_model"] = "echo", true
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		_, err = build(text, nil)
		if err == nil || strings.Contains(err.Error(), "hunter") || !strings.Contains(err.Error(), "did not come with the run") && s["node"] == nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	text := `{"algorithm":"echo","topology":"file:` + secret + `"}`
	c, err := build(json.RawMessage(text), map[string][]byte{secret: []byte("0 1\n1 2\n2 0\n")})
	if err != nil || c.Topology.Len() != 3 {
		t.Errorf("a file that came with the run: %v", err)
	}
}
