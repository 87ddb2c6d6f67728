package protocols_test

import (
	"fmt"
	"strings"
	"testing"

	"bullring/protocols"
)

// signal is a message that is its kind.
type signal uint8

func (s signal) Kind() int     { return int(s) }
func (signal) Kinds() []string { return []string{"SIGNAL"} }
func (signal) Bits() int       { return 8 }

func panicOf(f func()) (text string) {
	defer func() { text = fmt.Sprint(recover()) }()
	f()
	return
}

func TestPanics(t *testing.T) {
	timer := panicOf(func() { protocols.NoTimers[signal]{}.Timeout(nil, 3) })
	if !strings.Contains(timer, "never sets a timer") || !strings.Contains(timer, "timer 3 expired") {
		t.Error(timer)
	}
	if text := protocols.Unknown(signal(7)); text != "a message of unknown type 7" {
		t.Error(text)
	}
}

func TestAddressesPrint(t *testing.T) {
	if got := fmt.Sprint([]protocols.ID{-1, 0, 12}); got != "[none 0 12]" {
		t.Errorf("addresses print as %s", got)
	}
}
