package box_test

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"bullring/protocols"
	"bullring/protocols/box"
	"bullring/protocols/detector"
	"bullring/protocols/election"
	"bullring/protocols/election/lcr"
	"bullring/protocols/failover"
	"bullring/protocols/reliable"
)

type boxed = protocols.Process[box.Message]

// plain is a process of LCR.
func plain() boxed { return box.Wrap(lcr.New(election.Rank{ID: 5}, lcr.Config{})) }

func linked() boxed { return box.Wrap(reliable.Wrap(plain(), reliable.Config{RTO: 1})) }

func detected() boxed {
	return box.Wrap(detector.Wrap(linked(), detector.Config{Period: 1, Timeout: 3}))
}

// probe is a message as LCR, or what stands below it, sends it.
func probe(id election.Identity) box.Message {
	return box.Message{Inside: lcr.Message{Rank: election.Rank{ID: id}}}
}

func retry(m box.Message) box.Message {
	return box.Message{Inside: reliable.Message[box.Message]{Inner: m, Type: reliable.Retry, Number: 12, From: 1, First: true}}
}

func TestDecode(t *testing.T) {
	ack := box.Message{Inside: reliable.Message[box.Message]{Type: reliable.Ack, Number: 1 << 63, To: 3}}
	for _, c := range []struct {
		process boxed
		m       box.Message
		kind    int
	}{
		{plain(), probe(-7), 0},
		{linked(), retry(probe(7)), 3},
		{linked(), ack, 2},
		{detected(), box.Message{Inside: detector.Message[box.Message]{Inner: retry(probe(7))}}, 3},
		{detected(), box.Message{Inside: detector.Message[box.Message]{Number: 4, Incarnation: 2}}, 4},
	} {
		text, err := json.Marshal(c.m)
		if err != nil {
			t.Fatal(err)
		}
		got, err := box.Decode(c.process, text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if got.Kind() != c.kind || got.Bits() != c.m.Bits() || got.String() != c.m.String() {
			t.Errorf("%s is %v of kind %d and %d bits; want %v, %d, %d", text, got, got.Kind(), got.Bits(), c.m, c.kind, c.m.Bits())
		}
	}
}

// A message that comes from outside can be forged like one that a process sends.
func TestForgeDecoded(t *testing.T) {
	m, err := box.Decode(linked(), []byte(`{"Inner": {"Type": 1, "Rank": {"ID": 5}}, "Number": 3}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Forge(func(id int64) int64 { return 2 * id }).String(); got != "ANNOUNCE(10)#3" {
		t.Error(got)
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, c := range []struct {
		process    boxed
		text, says string
	}{
		{plain(), `{"Type": 9}`, "kind 9"},
		{linked(), `null`, "no message"},
		{linked(), `{"Number": 3}`, "no message"},
		{linked(), `{"Inner": null, "Type": 2}`, "no message"},
		{linked(), `{"Inner": {"Type": 9}}`, "kind 9"},
		{linked(), `{"Inner": {"Colour": 9}}`, "unknown field"},
		{linked(), `{"Type": 3}`, "type 3 of a reliable link"},
		{linked(), `{"Type": 1, "Number": -1}`, "Number"},
		{detected(), `{}`, "no message"},
		{detected(), `{"Inner": {"Inner": {}, "Type": 0}} {}`, "behind the message"},
		{detected(), `{"Inner": {"Inner": [], "Type": 0}}`, "array"},
	} {
		if m, err := box.Decode(c.process, []byte(c.text)); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, %v; want an error that says %q", c.text, m, err, c.says)
		}
	}
}

// letter is a message with parts that JSON keeps.
type letter struct {
	_     [0]func()
	cache int `explore:"-"`
	Next  []*letter
	To    map[string]time.Time
	Host  netip.Addr
}

func (letter) Kind() int       { return 0 }
func (letter) Kinds() []string { return []string{"LETTER"} }
func (m letter) Bits() int     { return 8 + m.cache }

// secretive is a message with a field that JSON does not see.
type secretive struct {
	letter
	Inner []struct{ hidden int }
}

// typed is a message with a type that JSON does not see.
type typed struct {
	letter
	kind
}

type kind uint8

func (m typed) Kind() int { return int(m.kind) }

// open is a message with a field of any type.
type open struct {
	letter
	Content any
}

// receiver is a process that receives messages of any type.
type receiver[M protocols.Message] struct {
	protocols.NoTimers[M]
}

func (receiver[M]) Start(protocols.Node[M])                    {}
func (receiver[M]) Receive(protocols.Node[M], protocols.ID, M) {}

func TestNothingIsLost(t *testing.T) {
	for _, c := range []struct {
		process boxed
		says    string
	}{
		{box.Wrap(receiver[letter]{}), "<nil>"},
		{box.Wrap(receiver[secretive]{}), "field hidden of struct { hidden int } is lost"},
		{box.Wrap(receiver[typed]{}), "field kind of box_test.typed is lost"},
		{box.Wrap(receiver[open]{}), "a part of type interface {}"},
		{box.Wrap(receiver[failover.Message[open]]{}), "a part of type interface {}"},
	} {
		if _, err := box.Decode(c.process, []byte(`{}`)); !strings.Contains(fmt.Sprint(err), c.says) {
			t.Errorf("%v; want %s", err, c.says)
		}
	}
}

func BenchmarkMessages(b *testing.B) {
	for name, c := range map[string]struct {
		process boxed
		m       box.Message
	}{
		"plain":    {plain(), probe(5)},
		"reliable": {linked(), retry(probe(5))},
		"detected": {detected(), box.Message{Inside: detector.Message[box.Message]{Inner: retry(probe(5))}}},
	} {
		text, err := json.Marshal(c.m)
		if err != nil {
			b.Fatal(err)
		}
		b.Run("encode/"+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := json.Marshal(c.m); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("decode/"+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := box.Decode(c.process, text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
