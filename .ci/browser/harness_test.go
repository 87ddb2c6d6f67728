// Package browser opens the pages that bullring writes in a real browser, Debian's
// chromium, uses them as a reader would, and looks at what they say and draw.
package browser

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// limit is the longest time of one step. A page that hangs must not hang the test.
const limit = 30 * time.Second

var bullring = flag.String("bullring", "../../bullring", "the program whose pages are opened")

var (
	folder   string          // where the pages of this test are written
	chromium context.Context // the browser; each page gets a tab of its own
)

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(within(m))
}

// within starts the browser, runs the tests, and ends it.
func within(m *testing.M) int {
	name, err := browserHere()
	if err != nil {
		fmt.Println("SKIPPED    browser:", err)
		return 0
	}
	if folder, err = os.MkdirTemp("", "bullring-browser-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(folder)
	if *bullring, err = filepath.Abs(*bullring); err == nil {
		_, err = os.Stat(*bullring)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "make build:", err)
		return 1
	}
	stop, err := start(name)
	if err != nil {
		fmt.Fprintln(os.Stderr, "start", name+":", err)
		return 1
	}
	defer stop()
	return m.Run()
}

// browserHere finds chromium by its names.
func browserHere() (string, error) {
	names := []string{"chromium", "chromium-headless-shell", "chromium-browser", "google-chrome"}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("none of %s is here", strings.Join(names, ", "))
}

// start starts the browser with a new, empty profile, and without what it looks up on its own.
func start(name string) (stop func(), err error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(name), chromedp.UserDataDir(filepath.Join(folder, "profile")), chromedp.WindowSize(1280, 800),
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true))
	allocated, end := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocated)
	// The browser lives as long as the context of the first call: no deadline there.
	if err := chromedp.Do(ctx); err != nil {
		cancel()
		end()
		return nil, err
	}
	chromium = ctx
	return func() { cancel(); end() }, nil
}

// run runs the program in the folder of the test and returns what it prints. Its input must be right: a
// run may violate a check or end at a limit, and a sweep be incomplete.
func run(t *testing.T, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, *bullring, args...)
	command.Dir = folder
	var complaint strings.Builder
	command.Stderr = &complaint
	out, err := command.Output()
	if status := command.ProcessState.ExitCode(); status == 2 || err != nil && status <= 0 {
		t.Fatalf("bullring %s: %v\n%s", strings.Join(args, " "), err, complaint.String())
	}
	return string(out)
}
