package cli

import (
	"io"
	"os"
	"sync"
	"time"

	"github.com/jonboulle/clockwork"
	"golang.org/x/term"

	"bullring/experiments/cli/internal/view"
)

// The modes of progress: a bar on a terminal and lines elsewhere, lines everywhere, or
// nothing. Files and logs get no carriage return.
const (
	progressAuto  = "auto"
	progressPlain = "plain"
	progressOff   = "off"
)

const (
	barEvery  = 200 * time.Millisecond
	lineEvery = 5 * time.Second
)

// meter shows how far a command is while it runs.
type meter struct {
	w     io.Writer
	clock clockwork.Clock
	bar   func() int // width of the terminal; nil for plain lines
	off   bool
	write func() // of the state, if it is for machines
	// say returns how far the command is: in words, none before it has begun, and as a
	// share, below 0 if that is unknown.
	say func(elapsed time.Duration) (text string, share float64)

	begun   time.Time
	stop    chan struct{}
	stopped sync.WaitGroup
}

// newMeter returns a meter that shows progress on w in one of the modes.
func newMeter(w io.Writer, clock clockwork.Clock, mode string) *meter {
	m := &meter{w: w, clock: clock, off: mode == progressOff}
	if mode == progressAuto {
		m.bar = terminal(w)
	}
	return m
}

// begin starts to show progress.
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
		return false // nothing has begun yet
	case m.write != nil:
		m.write()
	case m.bar == nil:
		io.WriteString(m.w, text+"\n")
	default:
		const eraseRest = "\x1b[K"
		io.WriteString(beneath(m.w), "\r"+escaped(view.Bar(share, text, m.bar()))+eraseRest)
	}
	return true
}

// terminal returns a function that tells the width of the terminal w, nil if w is none.
func terminal(w io.Writer) func() int {
	f, ok := beneath(w).(*os.File)
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
