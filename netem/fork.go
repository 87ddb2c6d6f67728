package netem

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"bullring/des"
)

// Fork has a run draw from other streams from an event on: coins, links, late timers, the chances
// of faults, and motion. Two runs that differ in a fork alone are the same before it. After it they are
// independent, given what was drawn by then. In a motion that is the next change of a link, and the way on
// which a process is. What is drawn before a run stays: its topology, its identities, its random faults.
type Fork struct {
	After uint64 // events that are handled before it
	Salt  uint64 // together with the seed, and the forks before, it names the streams
}

// String is the fork as ParseForks reads it.
func (f Fork) String() string { return fmt.Sprintf("%d:%x", f.After, f.Salt) }

// ParseForks reads forks, such as 120:7f3a, 340:9b01: the number of events before each, and its salt in
// hexadecimal digits. The numbers of events rise.
func ParseForks(text string) (all []Fork, err error) {
	if text == "" {
		return nil, nil
	}
	for word := range strings.SplitSeq(text, ",") {
		after, salt, _ := strings.Cut(strings.TrimSpace(word), ":")
		var f Fork
		f.After, err = strconv.ParseUint(after, 10, 64)
		if err == nil {
			f.Salt, err = strconv.ParseUint(salt, 16, 64)
		}
		if err != nil {
			return nil, fmt.Errorf("fork %q: it is written EVENTS:SALT, a number of events and hexadecimal digits, such as 120:7f3a", word)
		}
		if k := len(all); k > 0 && f.After <= all[k-1].After {
			return nil, fmt.Errorf("fork %q: it does not come after the one before it, %v", word, all[k-1])
		}
		all = append(all, f)
	}
	return all, nil
}

// ForksText is the text of forks for ParseForks.
func ForksText(all []Fork) string {
	words := make([]string, len(all))
	for i, f := range all {
		words[i] = f.String()
	}
	return strings.Join(words, ", ")
}

// Forker is an optional extension of Adversary and Source. Fork has it draw from other streams from now on. The
// salts are those of all forks so far.
type Forker interface{ Fork(salts []uint64) }

// forks are the forks of a run.
type forks struct {
	left  []Fork
	salts []uint64 // of those that were taken
	next  uint64   // the number of events before the first of left
}

func (f *forks) reset(all []Fork) {
	f.left, f.salts = all, f.salts[:0]
	f.findNext()
}

func (f *forks) findNext() {
	f.next = math.MaxUint64
	if len(f.left) > 0 {
		f.next = f.left[0].After
	}
}

// take takes the first one that is left.
func (f *forks) take() {
	f.salts = append(f.salts, f.left[0].Salt)
	f.left = f.left[1:]
	f.findNext()
}

// stream is the present stream of a name.
func (f *forks) stream(seed uint64, name string) des.Stream {
	if len(f.salts) == 0 {
		return des.NewStream(seed, name)
	}
	return des.NewStream(seed, name+" fork", f.salts...)
}
