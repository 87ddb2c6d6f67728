package reliable_test

import (
	"slices"
	"testing"
	"time"

	"bullring/protocols"
	"bullring/protocols/internal/testnet"
	"bullring/protocols/reliable"
)

const ms = time.Millisecond

// note is the message of an algorithm that does as a test says.
type note int

func (note) Kind() int       { return 0 }
func (note) Kinds() []string { return []string{"NOTE"} }
func (note) Bits() int       { return 8 + 64 }

type (
	node     = protocols.Node[note]
	envelope = reliable.Message[note]
)

// script is an algorithm that writes down what it receives.
type script struct {
	start, recover func(n node)
	timeout        func(n node, t protocols.Timer)
	got            []note
}

func (s *script) Start(n node)                           { s.start(n) }
func (s *script) Receive(_ node, _ protocols.ID, m note) { s.got = append(s.got, m) }
func (s *script) Timeout(n node, t protocols.Timer)      { s.timeout(n, t) }
func (s *script) Recover(n node) {
	if s.recover != nil {
		s.recover(n)
	}
}

// sends returns a handler that sends notes to process 1, or to 0 from there.
func sends(notes ...note) func(node) {
	return func(n node) {
		for _, m := range notes {
			n.Send(1-n.ID(), m)
		}
	}
}

// world is a run of scripts over reliable links, and all lives of all processes.
type world struct {
	*testnet.Net[envelope]
	lives [][]*script // by address
}

// run makes a world of two processes, unless there are more scripts.
func run(cfg reliable.Config, link testnet.Link, scripts ...script) *world {
	w := &world{lives: make([][]*script, max(2, len(scripts)))}
	w.Net = testnet.New(len(w.lives), link, func(id protocols.ID) protocols.Process[envelope] {
		s := &script{}
		if int(id) < len(scripts) {
			*s = scripts[id]
		}
		w.lives[id] = append(w.lives[id], s)
		return reliable.Wrap(s, cfg)
	})
	return w
}

func (w *world) startAll() *world {
	for id := range w.lives {
		if w.lives[id][0].start != nil {
			w.At(0, func() { w.Start(protocols.ID(id)) })
		}
	}
	return w
}

// settle has the run come to rest.
func (w *world) settle(t *testing.T) {
	t.Helper()
	if !w.Settle(time.Hour) {
		t.Fatal("the run does not come to rest")
	}
}

func (w *world) want(t *testing.T, id protocols.ID, life int, notes ...note) {
	t.Helper()
	if got := w.lives[id][life].got; !slices.Equal(got, notes) {
		t.Errorf("life %d of process %d received %v; want %v", life, id, got, notes)
	}
}

// stubborn is a link for tests of loss: RTO is above the round trip of 2ms, and
// no process is given up.
var stubborn = reliable.Config{RTO: 5 * ms}

// fates decides what becomes of the first transmissions of a run, in the order of
// the sends, whatever their link: digit i of the number decides of the i-th. The
// later ones take 1ms.
func fates(number int, choices ...[]time.Duration) testnet.Link {
	return func(protocols.ID, protocols.ID, int) []time.Duration {
		fate := []time.Duration{ms}
		if number > 0 {
			fate = choices[number%len(choices)]
			number /= len(choices)
		}
		return fate
	}
}

// Cachin, Guerraoui and Rodrigues 2011, module 2.3: every message is delivered
// (PL1), none twice (PL2), none that was not sent (PL3); and they come in order.
// Here for every pattern of losses among the first transmissions, data and
// acknowledgements alike.
func TestEveryPatternOfLosses(t *testing.T) {
	for mask := range 1 << 13 {
		w := run(stubborn, fates(mask, []time.Duration{ms}, nil), script{start: sends(1, 2, 3)}).startAll()
		w.settle(t)
		w.want(t, 1, 0, 1, 2, 3)
		if w.Sent[0] != 3 {
			t.Fatalf("%d notes sent; what is sent again is RETRY", w.Sent[0])
		}
		if t.Failed() {
			t.Fatalf("losses %b", mask)
		}
	}
}

// The same, for every way to lose, to double and to delay beyond what follows and
// beyond RTO, with traffic in both directions.
func TestEveryPatternOfFates(t *testing.T) {
	choices := [][]time.Duration{{ms}, nil, {ms, 7 * ms}, {9 * ms}}
	for number := range 1 << 14 { // four fates, seven transmissions
		w := run(stubborn, fates(number, choices...), script{start: sends(1, 2)}, script{start: sends(3, 4)}).startAll()
		w.settle(t)
		w.want(t, 1, 0, 1, 2)
		w.want(t, 0, 0, 3, 4)
		if t.Failed() {
			t.Fatalf("fates %o", number)
		}
	}
}

// Without loss, and with RTO above the round trip, one ACK a message is all.
func TestCostWithoutLoss(t *testing.T) {
	notes := []note{1, 2, 3, 4, 5, 6, 7}
	w := run(stubborn, testnet.Always(ms), script{start: sends(notes...)}, script{start: sends(notes...)}).startAll()
	w.settle(t)
	w.want(t, 0, 0, notes...)
	w.want(t, 1, 0, notes...)
	if want := []int{14, 14, 0}; !slices.Equal(w.Sent, want) {
		t.Errorf("sent %v; want %v of %v", w.Sent, want, envelope{}.Kinds())
	}
	if w.Now() != 2*ms {
		t.Errorf("at rest at %v; want 2ms, when the last ACK has arrived", w.Now())
	}
}

// transmissions is a link that notes when process 0 sends, and loses it.
func transmissions(w **world, at *[]time.Duration) testnet.Link {
	return func(from, _ protocols.ID, _ int) []time.Duration {
		if from == 0 {
			*at = append(*at, (*w).Now())
		}
		return nil
	}
}

// RFC 6298, section 5: the oldest message is sent again when the timer expires
// (5.4), and the wait doubles (5.5), up to a cap. After its tries it is given up,
// and the run comes to rest.
func TestBackOff(t *testing.T) {
	var w *world
	var at []time.Duration
	w = run(reliable.Config{RTO: 10 * ms, Tries: 6, Cap: 40 * ms}, transmissions(&w, &at), script{start: sends(1, 2)}).startAll()
	w.settle(t)
	want := []time.Duration{0, 0, 10 * ms, 30 * ms, 70 * ms, 110 * ms, 150 * ms}
	if !slices.Equal(at, want) || w.Now() != 190*ms {
		t.Errorf("sent at %v, at rest at %v; want %v and 190ms", at, w.Now(), want)
	}
	if want := []int{2, 0, 5}; !slices.Equal(w.Sent, want) {
		t.Errorf("sent %v; want %v", w.Sent, want)
	}
}

// With a cap of RTO the wait does not double: the time of retransmission is fixed.
func TestFixedTimeOfRetransmission(t *testing.T) {
	var w *world
	var at []time.Duration
	w = run(reliable.Config{RTO: 10 * ms, Tries: 5, Cap: 10 * ms}, transmissions(&w, &at), script{start: sends(1)}).startAll()
	w.settle(t)
	if want := []time.Duration{0, 10 * ms, 20 * ms, 30 * ms, 40 * ms}; !slices.Equal(at, want) || w.Now() != 50*ms {
		t.Errorf("sent at %v, at rest at %v; want %v and 50ms", at, w.Now(), want)
	}
}

// RFC 6298, section 5.3: an acknowledgement of something new restarts the timer.
// Here it is also back at its first value.
func TestProgressResetsTheBackOff(t *testing.T) {
	var w *world
	var at []time.Duration
	w = run(reliable.Config{RTO: 10 * ms, Tries: 4}, func(from, _ protocols.ID, k int) []time.Duration {
		if from == 0 {
			at = append(at, w.Now())
			if k != 4 { // the third time that 1 is sent
				return nil
			}
		}
		return []time.Duration{ms}
	}, script{start: sends(1, 2, 3)}).startAll()
	w.settle(t)
	want := []time.Duration{0, 0, 0, 10 * ms, 30 * ms, 42 * ms, 62 * ms, 102 * ms}
	if !slices.Equal(at, want) {
		t.Errorf("sent at %v; want %v", at, want)
	}
	w.want(t, 1, 0, 1)
}

func TestDefaultCapIs64RTO(t *testing.T) {
	var w *world
	var at []time.Duration
	w = run(reliable.Config{RTO: ms, Tries: 10}, transmissions(&w, &at), script{start: sends(1)}).startAll()
	w.settle(t)
	if want := (1 + 2 + 4 + 8 + 16 + 32 + 64 + 64 + 64) * ms; at[9] != want {
		t.Errorf("the tenth transmission at %v; want %v", at[9], want)
	}
}

// A suspected peer is given up when the first message to it falls due; a patient
// link goes on.
func TestSuspectsAreGivenUp(t *testing.T) {
	for _, tc := range []struct {
		patient bool
		retries int
	}{{false, 0}, {true, 3}} {
		w := run(reliable.Config{RTO: 10 * ms, Tries: 4, Patient: tc.patient}, testnet.Always(ms), script{start: sends(1, 2)})
		w.Perfect = true
		w.Crash(1)
		w.startAll().settle(t)
		if want := []int{2, 0, tc.retries}; !slices.Equal(w.Sent, want) {
			t.Errorf("patient %v: sent %v; want %v", tc.patient, w.Sent, want)
		}
	}
}

// A link that was dead for longer than the tries last works again: what was given
// up is missing, the part that had arrived is not, and the receiver does not wait for it.
func TestLinkWorksAgainAfterGivingUp(t *testing.T) {
	var w *world
	cut := true
	w = run(reliable.Config{RTO: 10 * ms, Tries: 2}, func(from, _ protocols.ID, k int) []time.Duration {
		if cut && (from == 1 || k != 0 && k != 2) { // 1 and 3 arrive, 2 does not, no answer comes
			return nil
		}
		return []time.Duration{ms}
	}, script{start: sends(1, 2, 3, 4)})
	w.startAll().settle(t)
	w.want(t, 1, 0, 1)
	cut = false
	w.At(w.Now(), func() { w.Net.Start(0) })
	w.settle(t)
	w.want(t, 1, 0, 1, 3, 1, 2, 3, 4)
	if want := []int{8, 6, 1}; !slices.Equal(w.Sent, want) {
		t.Errorf("sent %v; want %v", w.Sent, want)
	}
}
