// Package guard calls functions of other people, who may end the goroutine that calls them.
package guard

// Exited is the panic of a handler that ended its goroutine, with runtime.Goexit or by the
// FailNow of a test.
const Exited = "the handler ended its goroutine (runtime.Goexit)"

// Call calls f, and failed with a panic of it. f runs in a goroutine of its own: if it ends
// that, the caller goes on, and the panic is Exited.
func Call(f func(), failed func(x any)) {
	done := make(chan struct{})
	go func() {
		returned := false
		defer close(done)
		defer func() {
			x := recover()
			if x == nil && !returned {
				x = Exited
			}
			if x != nil {
				failed(x)
			}
		}()
		f()
		returned = true
	}()
	<-done
}
