package detector_test

import (
	"testing"
	"time"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/detector"
)

// judge tells a monitor what happens on a network.
type judge struct {
	*detector.Monitor
	net *netem.Network[envelope]
}

func (j judge) now() time.Duration       { return time.Duration(j.net.Now()) }
func (j judge) Started(p protocols.ID)   { j.Monitor.Stepped(p, j.now()) }
func (j judge) Stepped(p protocols.ID)   { j.Monitor.Stepped(p, j.now()) }
func (j judge) Crashed(p protocols.ID)   { j.Monitor.Crashed(p, j.now()) }
func (j judge) Restarted(p protocols.ID) { j.Monitor.Restarted(p, j.now()) }

// emulate has process 2 of five crash on the emulator at 333ms and come back at
// 666ms, and judges the second in which that happens.
func emulate(t *testing.T, cfg detector.Config, delay des.Distribution) detector.Quality {
	t.Helper()
	topology := netem.Complete(5)
	net := netem.New(netem.Config{Topology: topology, Delay: delay, Until: des.Time(time.Second), Seed: 3},
		func(protocols.ID) protocols.Process[envelope] { return detector.Wrap[note](idle{}, cfg) })
	j := judge{net: net}
	j.Monitor = detector.NewMonitor(topology, func(p protocols.ID) detector.Suspecter { return net.Process(p).(detector.Suspecter) })
	net.Observe(j)
	net.Boot()
	net.CrashAt(2, des.Time(333*ms))
	net.RestartAt(2, des.Time(666*ms))
	if end := net.Run(t.Context()); end != netem.Quiescent {
		t.Errorf("ended %v", end)
	}
	return j.Quality(time.Second)
}

// On the emulator as in the small event loop: four processes notice the crash
// Timeout + delay after the last heartbeat, at 330ms, and no process is ever mistaken.
// They are wrong for one delay after the restart.
func TestOnTheEmulator(t *testing.T) {
	q := emulate(t, fixed, des.Constant(2*ms))
	const noticed = 330*ms + 2*ms + 25*ms - 333*ms
	asked := 12*time.Second + 8*(time.Second-333*ms)
	want := detector.Quality{
		Detected: 4, DetectionMean: noticed, DetectionMax: noticed,
		Accuracy: 1 - (4*2*ms).Seconds()/asked.Seconds(),
	}
	if q != want {
		t.Errorf("%+v; want %+v", q, want)
	}
	q = emulate(t, fixed, des.Exponential(10*ms))
	if q.Mistakes == 0 || q.MistakeRate == 0 || q.Detected != 4 {
		t.Errorf("%+v; want mistakes under delays without a bound", q)
	}
}
