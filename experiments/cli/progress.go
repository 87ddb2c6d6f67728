package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jonboulle/clockwork"
	"golang.org/x/term"
)

// The ways to show progress: a bar on a terminal and lines elsewhere, lines
// everywhere, or nothing. A file or the log of a batch system is never sent a
// carriage return.
const (
	progressAuto  = "auto"
	progressPlain = "plain"
	progressOff   = "off"
)

const (
	barEvery  = 200 * time.Millisecond
	lineEvery = 30 * time.Second
)

// meter shows how far something is while it runs.
type meter struct {
	w     io.Writer
	clock clockwork.Clock
	bar   func() int // width of the terminal; nil for plain lines
	off   bool
	// say is how far it is: in words, none before it has begun, and as a share, below
	// 0 if nobody knows.
	say func(elapsed time.Duration) (text string, share float64)

	begun   time.Time
	stop    chan struct{}
	stopped sync.WaitGroup
}

// newMeter returns what shows progress on w in one of the modes, once it begins.
func newMeter(w io.Writer, clock clockwork.Clock, mode string) *meter {
	m := &meter{w: w, clock: clock, off: mode == progressOff}
	if mode == progressAuto {
		m.bar = terminal(w)
	}
	return m
}

// begin starts to show what say says.
func (m *meter) begin(say func(time.Duration) (string, float64)) {
	m.say, m.begun, m.stop = say, m.clock.Now(), make(chan struct{})
	if !m.off {
		m.stopped.Go(m.show)
	}
}

// close shows the last state and ends.
func (m *meter) close() {
	if m.off {
		return
	}
	close(m.stop)
	m.stopped.Wait()
}

func (m *meter) show() {
	every := lineEvery
	if m.bar != nil {
		every = barEvery
	}
	ticker := m.clock.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.Chan():
			m.draw()
		case <-m.stop:
			if m.draw() && m.bar != nil {
				io.WriteString(m.w, "\n")
			}
			return
		}
	}
}

// draw shows the state, and reports whether there was one.
func (m *meter) draw() bool {
	text, share := m.say(m.clock.Since(m.begun))
	switch {
	case text == "":
		return false // nothing has begun, and perhaps never will
	case m.bar == nil:
		io.WriteString(m.w, text+"\n")
	default:
		const eraseRest = "\x1b[K"
		io.WriteString(m.w, "\r"+barText(share, text, m.bar())+eraseRest)
	}
	return true
}

// terminal returns what tells the width of the terminal that w is, or nil.
func terminal(w io.Writer) func() int {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	return func() int {
		width, _, err := term.GetSize(int(f.Fd()))
		if err != nil || width <= 0 { // some have no size
			return 80
		}
		return width
	}
}

// progress shows how many trials are done.
type progress struct {
	*meter
	done, total atomic.Int64
}

// newProgress starts to show progress on w in one of the modes.
func newProgress(w io.Writer, clock clockwork.Clock, mode string) *progress {
	p := &progress{meter: newMeter(w, clock, mode)}
	p.begin(p.trials)
	return p
}

// update tells how many trials of how many are done. It may be called by
// several goroutines.
func (p *progress) update(done, total int) {
	p.total.Store(int64(total))
	p.done.Store(int64(done))
}

func (p *progress) trials(elapsed time.Duration) (text string, share float64) {
	done, total := int(p.done.Load()), int(p.total.Load())
	if total == 0 {
		return "", 0
	}
	return progressText(done, total, elapsed), float64(done) / float64(total)
}

// progressText is the state in words. The remaining time is that of a constant
// rate.
func progressText(done, total int, elapsed time.Duration) string {
	text := fmt.Sprintf("%s of %s trials", grouped(uint64(done)), grouped(uint64(total)))
	if total > 0 {
		text += fmt.Sprintf(" (%d%%)", done*100/total) // 100 % only when all is done
	}
	rate := float64(done) / max(elapsed.Seconds(), 1e-3)
	switch {
	case done == 0:
		return text + fmt.Sprintf(", %v", elapsed.Round(time.Second))
	case done < total:
		left := time.Duration(float64(total-done) / rate * float64(time.Second))
		return text + fmt.Sprintf(", %s/s, %v left", decimalRate(rate), left.Round(time.Second))
	}
	return text + fmt.Sprintf(", %s/s, took %v", decimalRate(rate), elapsed.Round(10*time.Millisecond))
}

// decimalRate prints a rate with the digits that mean something.
func decimalRate(rate float64) string {
	if rate >= 100 {
		return grouped(uint64(rate))
	}
	return fmt.Sprintf("%.2g", rate)
}

// barText puts a bar before the words, if the share is known and as far as the width
// allows. The last
// column stays empty: writing there moves some terminals to the next line.
func barText(share float64, text string, width int) string {
	room := min(width-len(text)-4, 40)
	if share >= 0 && room >= 8 {
		full := int(share * float64(room))
		text = "[" + strings.Repeat("#", full) + strings.Repeat("-", room-full) + "] " + text
	}
	return text[:max(0, min(len(text), width-1))]
}
