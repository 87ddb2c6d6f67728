package links

import (
	"testing"

	"bullring/protocols"
)

// Whatever is taken away, the rest is the set of those that stay, moved up.
func TestWithout(t *testing.T) {
	const n = 6
	for _, text := range []string{"*", "0", "5", "0..5", "0 2 4", "1..3 5", "3"} {
		a, err := ParseAddresses(text)
		if err != nil {
			t.Fatal(err)
		}
		for gone := range protocols.ID(n) {
			rest, ok := a.Without(gone)
			left := false
			for p := range protocols.ID(n) {
				moved := p
				switch {
				case p == gone:
					continue
				case p > gone:
					moved--
				}
				left = left || a.Has(p)
				if ok && rest.Has(moved) != a.Has(p) {
					t.Errorf("{%s} without %d is {%v}: wrong of %d", text, gone, rest, p)
				}
			}
			if ok != left {
				t.Errorf("{%s} without %d: something left is %v, want %v", text, gone, ok, left)
			}
		}
	}
	s, err := Parse("{0 3}<->{2 4}")
	if err != nil {
		t.Fatal(err)
	}
	if rest, ok := s.Without(3); !ok || rest.String() != "0<->{2 3}" {
		t.Errorf("without 3 it is %v, %v", rest, ok)
	}
	if _, ok := Between(Of(3), Of(1)).Without(3); ok {
		t.Error("3->1 without 3 is something")
	}
}
