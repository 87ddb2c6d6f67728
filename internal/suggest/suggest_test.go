package suggest

import "testing"

func TestWord(t *testing.T) {
	known := []string{"algorithms", "axes", "figures", "lcr", "hs", "random", "n"}
	for _, c := range []struct{ word, want string }{
		{"algoritms", "algorithms"},
		{"axis", "axes"},
		{"Figures", "figures"},
		{"figrues", "figures"},
		{"lrc", "lcr"},
		{"rand", "random"},
		{"algo", "algorithms"},
		{"a", ""},
		{"m", ""},
		{"", ""},
		{"seed", ""},
		{"äöü", ""},
	} {
		if got := Word(c.word, known); got != c.want {
			t.Errorf("for %q: %q, want %q", c.word, got, c.want)
		}
	}
}

func TestDidYouMean(t *testing.T) {
	known := []string{"crash", "restart"}
	if got, want := DidYouMean("crahs", known), ` (did you mean "crash"?)`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := DidYouMean("partition", known); got != "" {
		t.Errorf("%q for a word that is like none", got)
	}
}
