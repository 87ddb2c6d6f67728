package protocols_test

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"bullring/protocols"
)

// parcel is a message with all that a message may hold.
type parcel struct {
	To    protocols.ID
	After time.Duration
	Seen  []int
	Names map[string]*parcel
	Pair  [2]float64
	Flag  bool
}

func (parcel) Kind() int       { return 0 }
func (parcel) Kinds() []string { return []string{"PARCEL"} }
func (parcel) Bits() int       { return 8 }

// receiver is a process that receives messages of any type.
type receiver[M protocols.Message] struct {
	protocols.NoTimers[M]
}

func (receiver[M]) Start(protocols.Node[M])                    {}
func (receiver[M]) Receive(protocols.Node[M], protocols.ID, M) {}

func TestDecode(t *testing.T) {
	for _, m := range []parcel{
		{},
		{To: 3, After: -time.Hour, Seen: []int{}, Pair: [2]float64{1e300, 0.1}},
		{Seen: []int{1, math.MinInt}, Names: map[string]*parcel{"": nil, "a \"quote\"": {Flag: true}}},
	} {
		text, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := protocols.Decode(receiver[parcel]{}, text); err != nil || !reflect.DeepEqual(got, m) {
			t.Errorf("%s: %+v, %v; want %+v", text, got, err, m)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	for text, says := range map[string]string{
		``:                  "no message",
		" null\n":           "no message",
		`{"To": 3`:          "unexpected EOF",
		`{"To": 3} {}`:      `"{}" stands behind the message`,
		`{"To": 3}]`:        `"]" stands behind the message`,
		`{"From": 3}`:       "unknown field \"From\"",
		`{"To": "3"}`:       "string into Go struct field parcel.To",
		`{"Pair": [1e999]}`: "1e999",
		`3`:                 "number into Go value",
	} {
		if m, err := protocols.Decode(receiver[parcel]{}, []byte(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %+v, %v; want an error that says %q", text, m, err, says)
		}
	}
	if m, err := protocols.Decode(receiver[signal]{}, []byte(`1`)); err == nil || !strings.Contains(err.Error(), "kind 1; the kinds are 0 to 0, [SIGNAL]") {
		t.Errorf("%+v, %v", m, err)
	}
}
