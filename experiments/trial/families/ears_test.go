package families

import (
	"encoding/json"
	"testing"

	"bullring/experiments/trial"
	"bullring/protocols/consensus"
	"bullring/protocols/election"
	"bullring/protocols/termination"
)

// hear says a word with fields to an ear, as a program does.
func hear(e trial.Ear, word, body string) (bool, error) {
	return e.Hear(word, func(name string, v any) error {
		fields := map[string]json.RawMessage{}
		if err := json.Unmarshal([]byte(body), &fields); err != nil {
			return err
		}
		return json.Unmarshal(fields[name], v)
	})
}

func TestEars(t *testing.T) {
	for _, c := range []struct {
		family trial.Family
		said   [][2]string
		want   string
	}{
		{electionFamily, [][2]string{{"decide", `{"leader":3,"elected":false}`}}, "follower of 3"},
		{electionFamily, [][2]string{{"decide", `{"leader":3,"elected":false}`}, {"decide", `{"leader":4,"elected":true}`}}, "leader of 4"},
		{consensusFamily, [][2]string{{"decide", `{"value":3}`}}, "decides 3"},
		{consensusFamily, [][2]string{{"decide", `{"value":3}`}, {"decide", `{"value":0}`}}, "decides 0"},
		{consensusFamily, nil, "has not decided"},
		{terminationFamily, nil, "is passive"},
		{terminationFamily, [][2]string{{"active", `{}`}}, "is active"},
		{terminationFamily, [][2]string{{"active", `{}`}, {"passive", `{}`}}, "is passive"},
		{terminationFamily, [][2]string{{"passive", `{}`}, {"announce", `{}`}}, "announces termination"},
	} {
		ear := c.family.Ear(nil)
		for _, s := range c.said {
			if known, err := hear(ear, s[0], s[1]); !known || err != nil {
				t.Errorf("%s: %q: %v, %v", c.family.Name, s, known, err)
			}
		}
		if known, err := hear(ear, "note", `{}`); known || err != nil {
			t.Errorf("%s: a note: %v, %v", c.family.Name, known, err)
		}
		if c.family.Name == terminationFamily.Name {
			if got := trial.As[termination.Detector](heard{ear}).Status().String(); got != c.want {
				t.Errorf("after %q: %s; want %s", c.said, got, c.want)
			}
			continue
		}
		if known, err := hear(ear, "decide", `{"value":"a","leader":"a"}`); !known || err == nil {
			t.Errorf("%s: a decision for a text is no error", c.family.Name)
		}
		var got string
		switch process := any(heard{ear}); c.family.Name {
		case "election":
			d := trial.As[election.Elector](process).Decision()
			got = d.Status.String() + " of " + string(rune('0'+d.Leader))
		case "consensus":
			got = trial.As[consensus.Decider](process).Decision().String()
		}
		if got != c.want {
			t.Errorf("%s: after %q %s; want %s", c.family.Name, c.said, got, c.want)
		}
	}
}

// heard is a process in a program.
type heard struct{ ear trial.Ear }

func (h heard) Ear() trial.Ear { return h.ear }

// After a restart a process follows nobody, and what it agreed to it agreed to.
func TestEarsAfterARestart(t *testing.T) {
	for family, kept := range map[*trial.Family]bool{&electionFamily: false, &consensusFamily: true} {
		crashed := family.Ear(nil)
		if known, err := hear(crashed, "decide", `{"value":3,"leader":3,"elected":true}`); !known || err != nil {
			t.Fatal(known, err)
		}
		if again := family.Ear(crashed); (again == crashed) != kept {
			t.Errorf("%s: %v after a restart", family.Name, again)
		}
	}
}
