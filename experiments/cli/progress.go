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

// progress shows how far a sweep is while it runs.
type progress struct {
	w     io.Writer
	clock clockwork.Clock
	bar   func() int // width of the terminal; nil for plain lines
	off   bool

	begun       time.Time
	done, total atomic.Int64
	stop        chan struct{}
	stopped     sync.WaitGroup
}

// newProgress starts to show progress on w in one of the modes.
func newProgress(w io.Writer, clock clockwork.Clock, mode string) *progress {
	var bar func() int
	if mode == progressAuto {
		bar = terminal(w)
	}
	p := &progress{w: w, clock: clock, bar: bar, off: mode == progressOff}
	p.begin()
	return p
}

func (p *progress) begin() {
	p.begun, p.stop = p.clock.Now(), make(chan struct{})
	if !p.off {
		p.stopped.Go(p.show)
	}
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

// update tells how many trials of how many are done. It may be called by
// several goroutines.
func (p *progress) update(done, total int) {
	p.total.Store(int64(total))
	p.done.Store(int64(done))
}

// close shows the last state and ends.
func (p *progress) close() {
	if p.off {
		return
	}
	close(p.stop)
	p.stopped.Wait()
}

func (p *progress) show() {
	every := lineEvery
	if p.bar != nil {
		every = barEvery
	}
	ticker := p.clock.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.Chan():
			p.draw()
		case <-p.stop:
			p.draw()
			if p.bar != nil && p.total.Load() > 0 {
				io.WriteString(p.w, "\n")
			}
			return
		}
	}
}

func (p *progress) draw() {
	if p.total.Load() == 0 {
		return // nothing has begun, and perhaps never will
	}
	text := progressText(int(p.done.Load()), int(p.total.Load()), p.clock.Since(p.begun))
	if p.bar == nil {
		io.WriteString(p.w, text+"\n")
		return
	}
	const eraseRest = "\x1b[K"
	io.WriteString(p.w, "\r"+barText(p.share(), text, p.bar())+eraseRest)
}

func (p *progress) share() float64 {
	return float64(p.done.Load()) / float64(max(p.total.Load(), 1))
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

// barText puts a bar before the words, as far as the width allows. The last
// column stays empty: writing there moves some terminals to the next line.
func barText(share float64, text string, width int) string {
	room := min(width-len(text)-4, 40)
	if room >= 8 {
		full := int(share * float64(room))
		text = "[" + strings.Repeat("#", full) + strings.Repeat("-", room-full) + "] " + text
	}
	return text[:max(0, min(len(text), width-1))]
}
