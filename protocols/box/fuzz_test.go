package box_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"bullring/internal/value"
	"bullring/protocols"
	"bullring/protocols/box"
	"bullring/protocols/election/ghs"
	"bullring/protocols/election/lcr"
	"bullring/protocols/election/modifiedring"
	"bullring/protocols/failover"
	"bullring/protocols/mutex"
	"bullring/protocols/mutex/centralized"
	"bullring/protocols/mutex/suzukikasami"
	"bullring/protocols/rounds"
	"bullring/protocols/snapshot/bank"
	"bullring/protocols/snapshot/chandylamport"
)

// receivers are processes with messages of all forms.
func receivers() []boxed {
	client := mutex.NewCoordinatedClient(centralized.New(0, 1), mutex.Workload{Requests: 1})
	elect := func(int, []protocols.ID) failover.Contest { return failover.Contest{Process: linked()} }
	return []boxed{
		plain(), linked(), detected(),
		box.Wrap(failover.New(client, failover.Config{Period: 1, Elect: elect})),
		box.Wrap(receiver[ghs.Message]{}),
		box.Wrap(receiver[modifiedring.Message]{}),
		box.Wrap(receiver[suzukikasami.Message]{}),
		box.Wrap(receiver[centralized.Message]{}),
		box.Wrap(receiver[rounds.AlphaMessage[lcr.Message]]{}),
		box.Wrap(receiver[chandylamport.Message[bank.Message]]{}),
	}
}

// bytesOf are bytes that are equal for equal messages.
func bytesOf(m box.Message) []byte {
	var v any = m.Inside
	return value.Append(nil, &v)
}

// Whatever comes over a wire: it is refused, or it is a message that a driver can count, forge
// and print, and that travels on unchanged.
func FuzzDecode(f *testing.F) {
	for i, text := range []string{
		`{"Type":0,"Rank":{"Attr":-0.5e-3,"ID":5}}`,
		`{"Inner":{"Type":1,"Rank":{"ID":9007199254740993}},"Number":18446744073709551615,"Type":2,"First":true}`,
		`{"Inner":{"Inner":null,"Number":3,"Type":1},"Number":0}`,
		`{"Type":1,"Epoch":1025,"Members":7,"Service":0,"Ballot":{"Inner":{},"Number":1}}`,
		`{"Type":1,"Level":1,"Fragment":-7,"Found":true,"Weight":9223372036854775807}`,
		`{"Type":1,"List":[{"Address":1,"Rank":{"ID":2}}],"Winner":{"Address":3}}`,
		`{"Type":1,"Served":[1,0],"Queue":null}`,
		` 2 `,
		`{"Inner":{"Type":7},"Type":0,"Odd":true}`,
		`{"Inner":{"Amount":20},"Marker":false,"marker":true}`,
	} {
		f.Add(uint8(i), []byte(text))
	}
	all := receivers()
	f.Fuzz(func(t *testing.T, i uint8, text []byte) {
		p := all[int(i)%len(all)]
		m, err := box.Decode(p, text)
		if err != nil {
			return
		}
		if kinds := len(protocols.Sample(p).Kinds()); m.Kind() < 0 || m.Kind() >= kinds {
			t.Fatalf("%q has kind %d of %d", text, m.Kind(), kinds)
		}
		m.Bits()
		m.Forge(func(identity int64) int64 { return -identity })
		if fmt.Sprint(m) == "" {
			t.Fatalf("%q prints nothing", text)
		}
		again, err := json.Marshal(m)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if same, err := box.Decode(p, again); err != nil || !bytes.Equal(bytesOf(same), bytesOf(m)) {
			t.Fatalf("%q became %s, and that %v, %v", text, again, same, err)
		}
	})
}
