package families

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"bullring/experiments/trial"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/broadcast"
	"bullring/protocols/clocksync"
	"bullring/protocols/commit"
	"bullring/protocols/consensus"
	"bullring/protocols/election"
	"bullring/protocols/multicast"
	"bullring/protocols/mutex"
	"bullring/protocols/snapshot"
	"bullring/protocols/termination"
	"bullring/protocols/wave"
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

// seen is what the judge of a family sees of a process.
func seen(process any, family string) string {
	switch family {
	case "election":
		d := trial.As[election.Elector](process).Decision()
		return d.Status.String() + " of " + string(rune('0'+d.Leader))
	case "consensus":
		d := trial.As[consensus.Decider](process).Decision()
		return fmt.Sprintf("%v in round %d", d, d.Round)
	case "termination":
		return trial.As[termination.Detector](process).Status().String()
	case "mutex":
		return trial.As[mutex.User](process).Usage().String()
	case "commit":
		return trial.As[commit.Participant](process).Said().String()
	case "broadcast":
		m := trial.As[broadcast.Member](process)
		return fmt.Sprint(m.Broadcasts(), m.Delivered())
	case "multicast":
		m := trial.As[multicast.Member](process)
		return fmt.Sprint(m.Multicasts(), m.Delivered())
	case "snapshot":
		return fmt.Sprintf("%+v", trial.As[snapshot.Recorder](process).Part())
	case "clocksync":
		c := trial.As[clocksync.Clock](process)
		return fmt.Sprint(c.Adjusted(), c.Correction())
	case "user":
		u := trial.As[coordinatedUser](process)
		who, epoch, ok := trial.As[coordinated](process).Coordinator()
		return fmt.Sprint(u.Usage(), " ", u.Before(), who, epoch, ok)
	case "member":
		m := trial.As[coordinatedMember](process)
		who, epoch, ok := trial.As[coordinated](process).Coordinator()
		return fmt.Sprint(len(m.Delivered()), m.Before(), who, epoch, ok)
	}
	s := trial.As[wave.Member](process).State()
	return fmt.Sprintf("%v, misses %d", s, s.Misses)
}

// three is an instance of three processes.
func three() *trial.Instance {
	in := &trial.Instance{}
	in.N = 3
	in.Topology, _ = netem.ParseTopology("complete", 3, 0)
	return in
}

// replacedFamilies are families of services whose coordinator is replaced, with an Ear that needs no parameter here.
func replacedFamilies() (user, member trial.Family) {
	user.Name, member.Name = "user", "member"
	user.Ear = func(*trial.Instance, protocols.ID, trial.Ear) trial.Ear {
		return &userEar{following: following{who: 2}}
	}
	member.Ear = func(*trial.Instance, protocols.ID, trial.Ear) trial.Ear {
		return &memberEar{following: following{who: 2}}
	}
	return user, member
}

func TestEars(t *testing.T) {
	user, member := replacedFamilies()
	for _, c := range []struct {
		family trial.Family
		said   string // words with their fields, in turn
		want   string
	}{
		{electionFamily, `decide {"leader":3,"elected":false}`, "follower of 3"},
		{electionFamily, `decide {"leader":3,"elected":false} decide {"leader":4,"elected":true}`, "leader of 4"},
		{consensusFamily, "", "has not decided in round 0"},
		{consensusFamily, `decide {"value":3}`, "decides 3 in round 0"},
		{consensusFamily, `decide {"value":3,"round":2} decide {"value":3,"round":4}`, "decides 3 in round 2"},
		{terminationFamily, "", "is passive"},
		{terminationFamily, "active {}", "is active"},
		{terminationFamily, "active {} passive {}", "is passive"},
		{terminationFamily, "passive {} announce {}", "announces termination"},
		{mutexFamily, "", "outside, 0 of 0 entered"},
		{mutexFamily, "ask {}", "waits, 0 of 1 entered"},
		{mutexFamily, "ask {} enter {}", "inside, 1 of 1 entered"},
		{mutexFamily, "ask {} enter {} leave {} ask {}", "waits, 1 of 2 entered"},
		{commitFamily, "", "has not voted"},
		{commitFamily, `vote {"yes":true}`, "votes yes"},
		{commitFamily, `vote {"yes":true} vote {"yes":false}`, "has not voted"},
		{commitFamily, `vote {"yes":true} commit {}`, "commits"},
		{commitFamily, "abort {}", "aborts"},
		{broadcastFamily, `deliver {"origin":2,"number":1} broadcast {} broadcast {} deliver {"origin":1,"number":1}`, "[1 1] [2.1 1.1]"},
		{multicastFamily, `multicast {} deliver {"origin":1,"number":1}`, "1 [1.1]"},
		{waveFamily, "", "waits, misses -1"},
		{waveFamily, "root {}", "root, misses -1"},
		{waveFamily, `child {"of":2}`, "child of 2, misses -1"},
		{waveFamily, "decide {}", "decides, misses 0"},
		{snapshotFamily, `record {"value":7}`, "{Progress:{Recorded:true Closed:0 Complete:false} Value:7 Channels:[{Peer:2 Sent:0 Received:0 Closed:false Recorded:0 Value:0} {Peer:0 Sent:0 Received:0 Closed:false Recorded:0 Value:0}]}"},
		{snapshotFamily, `record {"value":7} channel {"from":2,"messages":2,"value":5} channel {"from":0,"messages":0,"value":0}`, "{Progress:{Recorded:true Closed:2 Complete:true} Value:7 Channels:[{Peer:2 Sent:0 Received:0 Closed:true Recorded:2 Value:5} {Peer:0 Sent:0 Received:0 Closed:true Recorded:0 Value:0}]}"},
		{clocksyncFamily, "", "0 0s"},
		{clocksyncFamily, `adjust {"by":1500} adjust {"by":-500}`, "2 1µs"},
		{user, "ask {} enter {} leave {}", "outside, 1 of 1 entered 0 2 0 true"},
		{user, `ask {} enter {} coordinator {"who":1,"epoch":4} leave {} ask {}`, "waits, 1 of 2 entered 1 1 4 true"},
		{member, `multicast {} deliver {"origin":1,"number":1}`, "1 0 2 0 true"},
		{member, `multicast {} deliver {"origin":1,"number":1} coordinator {"who":0,"epoch":1}`, "1 1 0 1 true"},
	} {
		ear, words := c.family.Ear(three(), 1, nil), strings.Fields(c.said)
		for i := 0; i < len(words); i += 2 {
			if e, counts := ear.(trial.Stepper); counts {
				e.Begins()
			}
			if known, err := hear(ear, words[i], words[i+1]); !known || err != nil {
				t.Errorf("%s: %q: %v, %v", c.family.Name, words[i], known, err)
			}
		}
		if known, err := hear(ear, "note", `{}`); known || err != nil {
			t.Errorf("%s: a note: %v, %v", c.family.Name, known, err)
		}
		if got := seen(heard{ear}, c.family.Name); got != c.want {
			t.Errorf("%s: after %q %s; want %s", c.family.Name, c.said, got, c.want)
		}
	}
}

// What is said in another way, or against the order of words, is an error.
func TestMisheard(t *testing.T) {
	user, member := replacedFamilies()
	for _, c := range []struct {
		family     trial.Family
		word, body string
	}{
		{electionFamily, "decide", `{"leader":"a","elected":true}`},
		{consensusFamily, "decide", `{"value":"a"}`},
		{commitFamily, "vote", `{"yes":2}`},
		{mutexFamily, "enter", "{}"},
		{mutexFamily, "leave", "{}"},
		{broadcastFamily, "deliver", `{"origin":1,"number":"a"}`},
		{multicastFamily, "deliver", `{"origin":"a","number":1}`},
		{waveFamily, "child", `{"of":"a"}`},
		{snapshotFamily, "record", `{"value":"a"}`},
		{snapshotFamily, "channel", `{"from":0,"messages":0,"value":0}`}, // before record
		{clocksyncFamily, "adjust", `{"by":"a"}`},
		{user, "enter", "{}"},
		{user, "coordinator", `{"who":1,"epoch":0}`}, // no later epoch
		{member, "coordinator", `{"who":"a","epoch":1}`},
	} {
		if known, err := hear(c.family.Ear(three(), 1, nil), c.word, c.body); !known || err == nil || !strings.HasPrefix(err.Error(), "the word "+c.word) {
			t.Errorf("%s: %s %s: %v, %v", c.family.Name, c.word, c.body, known, err)
		}
	}
}

// A decision holds for ever, and a visit takes time.
func TestHeardOnce(t *testing.T) {
	for _, c := range []struct {
		family trial.Family
		words  []string // word and body in turn; the last word is refused
	}{
		{consensusFamily, []string{"decide", `{"value":1}`, "decide", `{"value":1}`, "decide", `{"value":2}`}},
		{commitFamily, []string{"abort", "{}", "abort", "{}", "commit", "{}"}},
		{mutexFamily, []string{"ask", "{}", "enter", "{}", "leave", "{}"}},
	} {
		e := c.family.Ear(three(), 1, nil)
		for i := 0; i < len(c.words); i += 2 {
			if _, err := hear(e, c.words[i], c.words[i+1]); (err != nil) != (i == len(c.words)-2) {
				t.Errorf("%s: %s %s: %v", c.family.Name, c.words[i], c.words[i+1], err)
			}
		}
	}
	e := mutexFamily.Ear(three(), 1, nil)
	for _, word := range []string{"ask", "enter", "leave"} {
		e.(trial.Stepper).Begins()
		if _, err := hear(e, word, "{}"); err != nil {
			t.Error(err)
		}
	}
}

// A decision depends on those from whom a chain of messages leads to it, whatever is said in between.
func TestCarriedPast(t *testing.T) {
	ears := make([]trial.Carrier, 3)
	for p := range ears {
		ears[p] = waveFamily.Ear(three(), protocols.ID(p), nil).(trial.Carrier)
	}
	misses := func(p int) protocols.ID {
		if _, err := hear(ears[p], "decide", "{}"); err != nil {
			t.Fatal(err)
		}
		return trial.As[wave.Member](heard{ears[p]}).State().Misses
	}
	from := func(p protocols.ID) any { return ears[p].Carried(0, "TOKEN") }
	early := from(2)
	ears[1].Takes(0, "TOKEN", from(0))
	ears[2].Takes(1, "TOKEN", from(1))
	ears[0].Takes(2, "TOKEN", early)
	if got := []protocols.ID{misses(0), misses(1), misses(2)}; !slices.Equal(got, []protocols.ID{1, 2, wave.Nobody}) {
		t.Errorf("the decisions miss %v", got)
	}
}

// Of the messages of the application those count that a process sends and gets before it records; others never.
func TestCountedMessages(t *testing.T) {
	ear := snapshotFamily.Ear(three(), 1, nil).(trial.Carrier)
	step := func() {
		ear.Carried(0, "TRANSFER")
		ear.Carried(0, "MARKER")
		ear.Takes(2, "TRANSFER", nil)
		ear.Takes(2, "MARKER", nil)
	}
	step()
	ear.Takes(2, "TRANSFER", nil)
	if _, err := hear(ear, "record", `{"value":1}`); err != nil {
		t.Fatal(err)
	}
	step()
	part := trial.As[snapshot.Recorder](heard{ear}).Part()
	if to, from := part.Channels[1], part.Channels[0]; to.Sent != 1 || to.Received != 0 || from.Sent != 0 || from.Received != 2 {
		t.Errorf("the channels are %+v", part.Channels)
	}
	for _, body := range []string{`{"value":1}`, `{"from":1,"messages":0,"value":0}`, `{"from":0,"messages":0,"value":0}`, `{"from":0,"messages":0,"value":0}`} {
		word := "channel"
		if strings.HasPrefix(body, `{"value"`) {
			word = "record"
		}
		_, err := hear(ear, word, body)
		if first := body == `{"from":0,"messages":0,"value":0}` && !part.Channels[1].Closed; (err == nil) != first {
			t.Errorf("%s %s: %v", word, body, err)
		}
		part = trial.As[snapshot.Recorder](heard{ear}).Part()
	}
}

// heard is a process in a program.
type heard struct{ ear trial.Ear }

func (h heard) Ear() trial.Ear { return h.ear }

// After a restart a process follows nobody and wants nothing; what it agreed or voted for it did.
func TestEarsAfterARestart(t *testing.T) {
	for family, kept := range map[*trial.Family]bool{
		&electionFamily: false, &consensusFamily: true, &terminationFamily: false, &mutexFamily: false,
		&commitFamily: true, &broadcastFamily: false, &multicastFamily: false, &waveFamily: false,
		&snapshotFamily: false, &clocksyncFamily: false,
	} {
		crashed := family.Ear(three(), 0, nil)
		if again := family.Ear(three(), 0, crashed); (again == crashed) != kept {
			t.Errorf("%s: %v after a restart", family.Name, again)
		}
	}
}
