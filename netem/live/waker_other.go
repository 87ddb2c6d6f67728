//go:build !linux

package live

// coarse is more than timers of package time are late.
const coarse = 0

func newWaker(wake func()) waker { return newGoWaker(wake) }
