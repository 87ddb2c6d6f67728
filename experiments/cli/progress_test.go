package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/jonboulle/clockwork"

	"bullring/experiments/campaign/sweep"
)

// lines hands on what is written, write by write.
type lines chan string

func (l lines) Write(p []byte) (int, error) {
	l <- string(p)
	return len(p), nil
}

func TestProgressLines(t *testing.T) {
	clock, out := clockwork.NewFakeClock(), make(lines)
	p := newProgress(out, clock, &watch{mode: progressAuto}) // no terminal
	if err := clock.BlockUntilContext(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	p.update(sweep.Progress{Done: 300, Trials: 1200, Fixed: true, Stored: 250, Cells: 4, CellsDone: 1, Outcomes: []sweep.Count{{Name: "elected", Times: 299}}, Failed: 1})
	clock.Advance(lineEvery)
	if got, want := <-out, "300 of 1,200 trials (25%), 10/s, 1m30s left; elected 299, VIOLATED 1\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	p.update(sweep.Progress{Done: 1200, Trials: 1200, Fixed: true, Stored: 250, Cells: 4, CellsDone: 4})
	go p.close()
	if got, want := <-out, "1,200 of 1,200 trials (100%), 190/s, took 5s\n"; got != want {
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
	p.update(sweep.Progress{Done: 50, Trials: 100, Fixed: true, Cells: 2, CellsDone: 1})
	clock.Advance(barEvery)
	if got, want := <-out, "\r[#########---------] 50 of 100 trials (50%), 250/s, 0s left\x1b[K"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	p.update(sweep.Progress{Done: 100, Trials: 100, Fixed: true, Cells: 2, CellsDone: 2})
	go p.close()
	if got := <-out + <-out; !strings.HasPrefix(got, "\r[####") || !strings.HasSuffix(got, "\n") {
		t.Errorf("%q", got)
	}
}

// Nothing is said of what never began, or by who is to be quiet.
func TestProgressSilent(t *testing.T) {
	clock := clockwork.NewFakeClock()
	var out bytes.Buffer
	newProgress(&out, clock, &watch{mode: progressPlain}).close()
	p := newProgress(&out, clock, &watch{mode: progressOff})
	p.update(sweep.Progress{Done: 1, Trials: 2, Fixed: true})
	p.close()
	if out.Len() > 0 {
		t.Errorf("%q", &out)
	}
	if terminal(io.Discard) != nil {
		t.Error("what is no file is no terminal")
	}
}

// For machines, every state is an object of JSON on a line.
func TestProgressJSON(t *testing.T) {
	clock := clockwork.NewFakeClock()
	var out bytes.Buffer
	p := newProgress(&out, clock, &watch{mode: progressAuto, json: true})
	p.update(sweep.Progress{Done: 30, Trials: 40, Fixed: true, Cells: 4, Outcomes: []sweep.Count{{Name: "elected", Times: 29}}, Failed: 1})
	clock.Advance(time.Second)
	p.close()
	var got map[string]any
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatalf("%v: %q", err, &out)
	}
	if got["msg"] != "progress" || got["done"] != 30. || got["violated"] != 1. || got["left_s"] == nil || got["outcomes"].(map[string]any)["elected"] != 29. {
		t.Errorf("%v", got)
	}
}
