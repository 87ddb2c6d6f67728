package cli

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/jonboulle/clockwork"
)

// lines hands on what is written, write by write.
type lines chan string

func (l lines) Write(p []byte) (int, error) {
	l <- string(p)
	return len(p), nil
}

func TestProgressLines(t *testing.T) {
	clock, out := clockwork.NewFakeClock(), make(lines)
	p := newProgress(out, clock, progressAuto) // no terminal
	if err := clock.BlockUntilContext(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	p.update(300, 1200)
	clock.Advance(30 * time.Second)
	if got, want := <-out, "300 of 1,200 trials (25%), 10/s, 1m30s left\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	p.update(1200, 1200)
	go p.close()
	if got, want := <-out, "1,200 of 1,200 trials (100%), 40/s, took 30s\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestProgressBar(t *testing.T) {
	clock, out := clockwork.NewFakeClock(), make(lines)
	p := &progress{meter: &meter{w: out, clock: clock, bar: func() int { return 60 }}}
	p.begin(p.trials)
	if err := clock.BlockUntilContext(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	p.update(50, 100)
	clock.Advance(barEvery)
	if got, want := <-out, "\r[#########---------] 50 of 100 trials (50%), 250/s, 0s left\x1b[K"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	p.update(100, 100)
	go p.close()
	if got := <-out + <-out; !strings.HasPrefix(got, "\r[####") || !strings.HasSuffix(got, "\n") {
		t.Errorf("%q", got)
	}
}

// Nothing is said of what never began, or by who is to be quiet.
func TestProgressSilent(t *testing.T) {
	clock := clockwork.NewFakeClock()
	var out bytes.Buffer
	newProgress(&out, clock, progressPlain).close()
	p := newProgress(&out, clock, progressOff)
	p.update(1, 2)
	p.close()
	if out.Len() > 0 {
		t.Errorf("%q", &out)
	}
	if terminal(io.Discard) != nil {
		t.Error("what is no file is no terminal")
	}
}

func TestProgressText(t *testing.T) {
	for _, c := range []struct {
		done, total int
		elapsed     time.Duration
		want        string
	}{
		{0, 10, 90 * time.Second, "0 of 10 trials (0%), 1m30s"},
		{1, 1000, 100 * time.Second, "1 of 1,000 trials (0%), 0.01/s, 27h45m0s left"},
		{999, 1000, time.Second, "999 of 1,000 trials (99%), 999/s, 0s left"},
		{5, 5, 0, "5 of 5 trials (100%), 5,000/s, took 0s"},
		{1_000_000_000, 1_500_000_000, 1000 * time.Second, "1,000,000,000 of 1,500,000,000 trials (66%), 1,000,000/s, 8m20s left"},
	} {
		if got := progressText(c.done, c.total, c.elapsed); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// A bar never reaches the last column, however narrow the terminal.
func TestBarText(t *testing.T) {
	const text = "50 of 100 trials (50%)"
	for width := range 200 {
		for _, share := range []float64{-1, 0, 0.5, 1} {
			if got := barText(share, text, width); len(got) > max(0, width-1) {
				t.Errorf("width %d, share %v: %q", width, share, got)
			}
		}
	}
	if got, want := barText(0.5, text, 36), "[#####-----] "+text; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
