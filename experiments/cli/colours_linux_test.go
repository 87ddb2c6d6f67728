package cli

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jonboulle/clockwork"
	"golang.org/x/sys/unix"

	"bullring/experiments/catalog"
)

// pseudoTerminal returns the two ends of a terminal with so many columns.
func pseudoTerminal(t *testing.T, columns uint16) (master, terminal *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("there are no terminals here: %v", err)
	}
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Skip(err)
	}
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	if err := unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { master.Close(); terminal.Close() })
	return master, terminal
}

// onTerminal is what a command shows on a terminal, up to a text.
func onTerminal(t *testing.T, columns uint16, until string, args ...string) string {
	t.Helper()
	master, terminal := pseudoTerminal(t, columns)
	shown := make(chan string)
	go func() {
		text, part := "", make([]byte, 4096)
		for !strings.Contains(text, until) {
			n, err := master.Read(part)
			if err != nil {
				break
			}
			text = strings.ReplaceAll(text+string(part[:n]), "\r\n", "\n")
		}
		shown <- text
	}()
	root := newCommand(catalog.New(), clockwork.NewRealClock())
	root.SetArgs(args)
	root.SetOut(terminal)
	root.SetErr(t.Output())
	execute(t.Context(), root)
	select {
	case text := <-shown:
		return text
	case <-time.After(10 * time.Second):
		t.Fatalf("%q does not show %q", args, until)
		return ""
	}
}

// A terminal has lines of its own width and a violation in red, unless the environment says
// otherwise. Nothing else is coloured.
func TestColours(t *testing.T) {
	wrong := []string{"run", "bully", "--n", "3", "--initiators", "0", "--fault", "partition {0 1 | 2}", "--outside-model"}
	const red, end = "\x1b[31m", "\x1b[0m"
	t.Setenv("COLUMNS", "")
	for _, c := range []struct {
		noColour, term string
		coloured       bool
	}{{"", "xterm", true}, {"1", "xterm", false}, {"", "dumb", false}} {
		t.Setenv("NO_COLOR", c.noColour)
		t.Setenv("TERM", c.term)
		got := onTerminal(t, 60, "--seed 1\n", wrong...)
		violated := "violated"
		if c.coloured {
			violated = red + violated + end
		}
		if strings.Count(got, "  "+violated+"  ") != 2 || c.coloured != strings.Contains(got, "\x1b") {
			t.Errorf("NO_COLOR=%s TERM=%s: %q", c.noColour, c.term, got)
		}
		plain := strings.NewReplacer(red, "", end, "").Replace(got)
		for line := range strings.Lines(plain) {
			if len(line) > 61 {
				t.Errorf("%d columns: %s", len(line)-1, line)
			}
		}
		if strings.Contains(plain, "\x1b") {
			t.Errorf("%q", plain)
		}
	}
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "xterm")
	if got := onTerminal(t, 60, "\n}\n", append(wrong, "--json")...); strings.Contains(got, "\x1b") {
		t.Errorf("JSON has colours: %q", got)
	}
	if got := bullring(t, wrong...).out; strings.Contains(got, "\x1b") || !strings.Contains(got, "violated") {
		t.Errorf("a file has colours: %q", got)
	}
}
