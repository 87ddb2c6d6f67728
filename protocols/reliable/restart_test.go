package reliable_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"bullring/protocols"
	"bullring/protocols/internal/testnet"
	"bullring/protocols/reliable"
)

// eachRestart runs a world for every pattern of losses among its first
// transmissions and a process that crashes and comes back at every half
// millisecond, and then lets judge.
func eachRestart(t *testing.T, who protocols.ID, judge func(w *world), scripts ...script) {
	for mask := range 1 << 8 {
		for half := range 12 {
			for down := range 3 {
				w := run(stubborn, fates(mask, []time.Duration{ms}, nil), scripts...)
				crash := time.Duration(half) * ms / 2
				w.startAll()
				w.At(crash, func() { w.Crash(who) })
				w.At(crash+time.Duration(down)*3*ms/2, func() { w.Restart(who) })
				w.settle(t)
				judge(w)
				if t.Failed() {
					t.Fatalf("losses %b, down from %v for %v", mask, crash, time.Duration(down)*3*ms/2)
				}
			}
		}
	}
}

// later sends 1 and 2 at once and 3 a little later.
var later = script{
	start: func(n node) {
		sends(1, 2)(n)
		n.SetTimer(0, 4*ms)
	},
	timeout: func(n node, _ protocols.Timer) { sends(3)(n) },
}

// A receiver that restarts: its former life has received the first few messages,
// its new one the last few, and none is missing.
func TestReceiverRestarts(t *testing.T) {
	all := []note{1, 2, 3}
	both := 0
	eachRestart(t, 1, func(w *world) {
		before, after := w.lives[1][0].got, w.lives[1][1].got
		if !slices.Equal(before, all[:len(before)]) || !slices.Equal(after, all[3-len(after):]) || len(before)+len(after) < 3 {
			t.Errorf("the first life received %v, the second %v", before, after)
		}
		if len(before)+len(after) > 3 {
			both++
		}
	}, later)
	if both == 0 {
		t.Error("no crash swallowed an acknowledgement")
	}
}

// A sender that restarts: nothing of its former life comes after what is of its
// new one, and all of the new one comes.
func TestSenderRestarts(t *testing.T) {
	first := later
	first.recover = sends(11, 12)
	lost := 0
	eachRestart(t, 0, func(w *world) {
		got := w.lives[1][0].got
		old := len(got) - 2
		if old < 0 || !slices.Equal(got[old:], []note{11, 12}) || !slices.Equal(got[:old], []note{1, 2, 3}[:old]) {
			t.Errorf("received %v", got)
		}
		if old < 2 {
			lost++
		}
	}, first)
	if lost == 0 {
		t.Error("no crash took a message with it")
	}
}

// parcel says where a message of a random run comes from.
type parcel struct {
	from, to   protocols.ID
	life, toIn int // of the sender; of the receiver when it was sent
	number     int // of the sender's life
}

// Random runs of three processes that all send, crash and come back.
func TestRandomRuns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const n, trouble = 3, 40
		choices := [][]time.Duration{{ms}, {ms}, nil, {2 * ms, 9 * ms}, {4 * ms}, {12 * ms}}
		fate := rapid.SliceOfN(rapid.IntRange(0, len(choices)-1), trouble, trouble).Draw(t, "fates")
		sent := 0
		var parcels []parcel
		numbers := map[[2]int]int{}
		var w *world
		send := func(nd node, to protocols.ID) {
			from := nd.ID()
			life := len(w.lives[from]) - 1
			numbers[[2]int{int(from), life}]++
			parcels = append(parcels, parcel{from, to, life, len(w.lives[to]) - 1, numbers[[2]int{int(from), life}]})
			nd.Send(to, note(len(parcels)-1))
		}
		talk := script{
			start: func(nd node) {
				send(nd, nd.Neighbor(0))
				send(nd, nd.Neighbor(1))
				send(nd, nd.Neighbor(0))
			},
			recover: func(nd node) { send(nd, nd.Neighbor(1)) },
		}
		w = run(stubborn, func(protocols.ID, protocols.ID, int) []time.Duration {
			if sent++; sent <= trouble {
				return choices[fate[sent-1]]
			}
			return choices[0]
		}, talk, talk, talk)
		schedule(t, w, n)
		if !w.Settle(time.Hour) {
			t.Fatal("the run does not come to rest")
		}
		for id := range w.lives {
			for life, s := range w.lives[id] {
				inOrder(t, parcels, s.got, protocols.ID(id), life)
			}
		}
		nothingMissing(t, w, parcels)
	})
}

// schedule has processes start, crash and come back at random instants; in the end
// all are up.
func schedule(t *rapid.T, w *world, n int) {
	for p := range protocols.ID(n) {
		at := time.Duration(0)
		for _, gap := range rapid.SliceOfN(rapid.IntRange(1, 16), 1, 6).Draw(t, "gaps") {
			at += time.Duration(gap) * ms / 2
			if gap%3 == 0 {
				w.At(at, func() { w.Crash(p) })
				at += time.Duration(gap) * ms
				w.At(at, func() { w.Restart(p) })
			} else {
				w.At(at, func() { w.Net.Start(p) })
			}
		}
	}
}

// inOrder checks what one life received of each sender: its lives one after the
// other, and the messages of each in the order of the sends, none twice.
func inOrder(t *rapid.T, parcels []parcel, got []note, to protocols.ID, life int) {
	latest := map[protocols.ID]parcel{}
	for _, m := range got {
		c := parcels[m]
		before := latest[c.from]
		if c.to != to || c.toIn > life || c.life < before.life || c.life == before.life && c.number <= before.number {
			t.Fatalf("life %d of process %d received %+v after %+v", life, to, c, before)
		}
		latest[c.from] = c
	}
}

// nothingMissing checks that what the last life of a process has sent was received
// in the end, by the last life of the receiver if no other was there to do so.
func nothingMissing(t *rapid.T, w *world, parcels []parcel) {
	for i, c := range parcels {
		if c.life < len(w.lives[c.from])-1 {
			continue
		}
		times := 0
		for _, s := range w.lives[c.to][c.toIn:] {
			if slices.Contains(s.got, note(i)) {
				times++
			}
		}
		if times == 0 {
			t.Fatalf("%+v was never received", c)
		}
	}
}

// The second and third lives of both ends find each other, whatever was under way.
func TestBothRestart(t *testing.T) {
	talk := script{start: sends(1), recover: sends(2)}
	for mask := range 1 << 10 {
		w := run(stubborn, fates(mask, []time.Duration{ms}, nil), talk, talk).startAll()
		for p, at := range []time.Duration{2 * ms, 3 * ms} {
			for k := range 2 {
				w.At(at+time.Duration(k)*4*ms, func() { w.Crash(protocols.ID(p)) })
				w.At(at+time.Duration(k)*4*ms+ms, func() { w.Restart(protocols.ID(p)) })
			}
		}
		w.settle(t)
		// Process 1 is the last to come back, at 8ms: what it says then only the
		// last life of 0 can hear.
		if got := w.lives[0][2].got; len(got) == 0 || got[len(got)-1] != 2 {
			t.Fatalf("losses %b: the last life of process 0 received %v", mask, got)
		}
	}
}

// Stable storage of the algorithm inside is restored with that of the link.
type keeper struct {
	script
	kept int
}

func (k *keeper) Restore(crashed protocols.Process[note]) { k.kept = crashed.(*keeper).kept + 1 }

func TestRestoreReachesTheAlgorithm(t *testing.T) {
	net := testnet.New(2, testnet.Always(ms), func(protocols.ID) protocols.Process[envelope] {
		return reliable.Wrap[note](&keeper{}, stubborn)
	})
	for range 3 {
		net.Crash(0)
		net.Restart(0)
	}
	if kept := net.Process(0).(*reliable.Process[note]).Inner.(*keeper).kept; kept != 3 {
		t.Errorf("kept %d; want 3", kept)
	}
}
