package live

import "time"

// waker calls a function once, some time after it was set. Setting it again replaces the time.
type waker interface {
	set(after time.Duration)
	close()
}

// goWaker is a waker of package time.
type goWaker struct{ timer *time.Timer }

func newGoWaker(wake func()) waker {
	t := time.AfterFunc(time.Hour, wake)
	t.Stop()
	return goWaker{t}
}

func (w goWaker) set(after time.Duration) { w.timer.Reset(after) }

func (w goWaker) close() { w.timer.Stop() }
