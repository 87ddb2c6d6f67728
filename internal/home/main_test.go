package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// shell runs a script in a directory, and returns what it prints and whether it succeeds.
func shell(t *testing.T, dir, script string) (printed string, ok bool) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-e", "-c", script)
	cmd.Dir = dir
	// With -trimpath what is compiled of a copy is found by the next one.
	cmd.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -buildvcs=false -trimpath")
	out, err := cmd.CombinedOutput()
	return string(out), err == nil
}

// does fails the test if a script fails.
func does(t *testing.T, dir, script string) string {
	t.Helper()
	out, ok := shell(t, dir, script)
	if !ok {
		t.Fatalf("%s\n%s", script, out)
	}
	return out
}

// copied is the repository in a folder of its own, committed. The test itself reads the files: so
// its result is not taken from the cache when one of them has changed.
func copied(t *testing.T) (dir string) {
	t.Helper()
	const root = "../.."
	dir = filepath.Join(t.TempDir(), "copy")
	for name := range strings.SplitSeq(strings.Trim(does(t, root, "git ls-files -z --cached --others --exclude-standard"), "\x00"), "\x00") {
		from, to := filepath.Join(root, name), filepath.Join(dir, name)
		info, err := os.Stat(from)
		if errors.Is(err, os.ErrNotExist) { // removed, and not committed
			continue
		}
		var text []byte
		if err == nil {
			text, err = os.ReadFile(from)
		}
		if err == nil {
			err = os.MkdirAll(filepath.Dir(to), 0o755)
		}
		if err == nil {
			err = os.WriteFile(to, text, info.Mode())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	// A housekeeper of git in the background would still write when the test removes the directory.
	does(t, dir, `git init -q . && git config maintenance.auto false && git add -A && git -c user.name=test -c user.email=test@example.org commit -qm copy`)
	return dir
}

func TestHome(t *testing.T) {
	const home, next = "example.org/you/bullring", "example.net/b"
	dir := copied(t)
	for _, refused := range []struct{ module, why string }{
		{"", "begins with a host"},
		{"bullring", "begins with a host"},
		{"https://example.org/you/bullring", "begins with a host"},
		{"example.org/you/bullring/v2", "major version"},
		{"example.org/your bullring", "invalid char"},
	} {
		if out, ok := shell(t, dir, "make home MODULE='"+refused.module+"'"); ok || !strings.Contains(out, refused.why) {
			t.Errorf("make home MODULE=%q: %s", refused.module, out)
		}
	}
	does(t, dir, "echo >> README.md; echo // >> des/queue_test.go") // the first is not to be rewritten
	if out, ok := shell(t, dir, "make home MODULE="+home); ok || !strings.Contains(out, "des/queue_test.go is not committed") {
		t.Errorf("what is not committed is rewritten: %s", out)
	}
	does(t, dir, "git checkout -q des && git diff --exit-code -- '*.go' '*.md' ':!README.md'")

	does(t, dir, "make home MODULE="+home)
	does(t, dir, "test -z \"$(gofmt -l .)\" && ! git grep -n '[\"= ]bullring/[a-z]' && cp -r . ../first")
	// All packages find what they import, and the tests of imports and pages pass.
	does(t, dir, `go list -deps -test ./... >imported && grep -q '^`+home+`/experiments/cli$' imported && ! grep '^bullring' imported; rm imported`)
	does(t, dir, "cd docs/example && go list -deps ./... | grep -q '^"+home+"/experiments/cli$'")
	does(t, dir, "go test ./internal/house -run 'Import|Design|Denials|Claims|Links' && go build ./protocols/election/lcr")
	if !testing.Short() { // and all is as before, to the last number of a page
		does(t, dir, "go vet ./... && cd docs/example && go vet ./...")
		does(t, dir, "go test ./internal/house ./experiments/cli ./experiments/catalog -short -run 'Exports|Panic|StatesHaveNames'")
		does(t, dir, "go test ./cmd/bullring -short && cd docs/example && go test .")
	}

	// Another home is as easy, and nothing is lost on the way.
	does(t, dir, "git add -A && git -c user.name=test -c user.email=test@example.org commit -qm home && make home MODULE="+next)
	does(t, dir, "git add -A && git -c user.name=test -c user.email=test@example.org commit -qm next && make home MODULE="+home)
	does(t, dir, "diff -r --exclude=.git . ../first")
}
