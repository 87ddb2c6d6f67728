package motion

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
)

// listed are the links of the beginning and the changes of a motion, in words.
func listed(t *testing.T, m *Motion, n int) string {
	t.Helper()
	if err := m.Check(n); err != nil {
		t.Fatal(err)
	}
	var all []string
	s := m.Source(netem.Complete(n), 1)
	s.Begin(func(a, b protocols.ID) { all = append(all, fmt.Sprintf("%d-%d", a, b)) })
	for c, more := s.Next(); more; c, more = s.Next() {
		what := "down"
		if c.Up {
			what = "up"
		}
		all = append(all, fmt.Sprintf("%v %s %d-%d", c.At, what, c.A, c.B))
	}
	return strings.Join(all, ", ")
}

// Positions in the formats of BonnMotion and of ns-2. Process 1 comes to process 0 along a line, and
// goes back. Then all stay, and the changes end.
func TestPositions(t *testing.T) {
	read := func(name string) ([]byte, string, error) {
		text, err := os.ReadFile(name)
		return text, name, err
	}
	for _, c := range []struct{ text, printed, want string }{
		{"positions:testdata/walk.bm, 250m", "positions:testdata/walk.bm, 250m", "0-2, 7s up 0-1, 14.500001s down 0-1"},
		{"positions: testdata/walk.bm", "positions:testdata/walk.bm, 250m", "0-2, 7s up 0-1, 14.500001s down 0-1"},
		{"positions:testdata/walk.bm, 0.25km, from 7s", "positions:testdata/walk.bm, 250m, from 7s", "0-1, 0-2, 7.500001s down 0-1"},
		{"positions:testdata/walk.bm, 250m, from 6.999999s", "positions:testdata/walk.bm, 250m, from 6.999999s", "0-2, 1µs up 0-1, 7.500002s down 0-1"},
		{"positions:testdata/walk.bm, 200m", "positions:testdata/walk.bm, 200m", "0-2, 12s up 0-1, 12.000001s down 0-1"},
		{"positions:testdata/walk.bm, 199m", "positions:testdata/walk.bm, 199m", "0-2"},
		{"positions:testdata/setdest.ns, 250m", "positions:testdata/setdest.ns, 250m", "0-2, 7s up 0-1, 14.500001s down 0-1"},
	} {
		m, err := Parse(c.text, read)
		if err != nil {
			t.Fatal(err)
		}
		if m.String() != c.printed || m.Endless() {
			t.Errorf("%q prints as %q, want %q; endless %v", c.text, m, c.printed, m.Endless())
		}
		if got := listed(t, m, 3); got != c.want {
			t.Errorf("%s: %s; want %s", c.text, got, c.want)
		}
	}
}

// A command of ns-2 ends the one before it, where the process is then.
func TestSetdestTurns(t *testing.T) {
	text := "$node_(0) set X_ 0\n$node_(0) set Y_ 0\n$node_(1) set X_ 500\n$node_(1) set Y_ 0\n" +
		"$ns_ at 0 \"$node_(1) setdest 0 0 10\"\n$ns_ at 30 \"$node_(1) setdest 500 0 5\"\n$ns_ at 40 \"$node_(1) setdest 0 0 0\"\n"
	m, err := Parse("positions:x.ns, 300m", opened(text))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := listed(t, m, 2), "20s up 0-1"; got != want { // it turns at 200 m, and stops at 250 m
		t.Errorf("%s; want %s", got, want)
	}
}

// Contacts in the formats of the ONE simulator, of SocioPatterns, and u v from to.
func TestContacts(t *testing.T) {
	for _, c := range []struct {
		text, want string
		n          int
	}{
		{"0.0 CONN 0 1 up\n27 CONN 2 1 up\n27.5 CONN 1 2 down\n30 CONN 1 0 down\n31 CONN 0 2 up\n", "0-1, 27s up 1-2, 27.5s down 1-2, 30s down 0-1, 31s up 0-2", 3},
		{"31220\t1558\t1567\n31240\t1567\t1558\n31240\t1560\t1570\n31300 1558 1567\n", "0-2, 20s up 1-3, 40s down 0-2, 40s down 1-3, 1m20s up 0-2, 1m40s down 0-2", 4},
		{"20 1157 1232 MP MP\n40 1157 1191 MP BIO", "0-2, 20s up 0-1, 20s down 0-2, 40s down 0-1", 3},
		{"# u v from to\n0 1 5.5 12\n1 0 10 1.3e1\n\n2 3 0 1\n2 3 2 2\n", "2-3, 1s down 2-3, 5.5s up 0-1, 13s down 0-1", 4},
	} {
		m, err := Parse("contacts:x.txt", opened(c.text))
		if err != nil {
			t.Fatal(err)
		}
		if got := listed(t, m, c.n); got != c.want {
			t.Errorf("%q: %s; want %s", c.text, got, c.want)
		}
		if err := m.Check(c.n - 1); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("the file has contacts of process %d, and there are %d processes", c.n-1, c.n-1)) {
			t.Errorf("%q: %v", c.text, err)
		}
	}
}

// Mistakes in files: line, column, what stands there, what is allowed.
func TestMistakesInFiles(t *testing.T) {
	for _, c := range []struct{ motion, file, want string }{
		{"positions:x", "", "x has no places: a line of it is t x y t x y ..., or a command of ns-2"},
		{"positions:x", "0 1 2\n0 1 2 3\n", `x, line 2, column 7: "3" ends a line of 4 numbers; allowed are t x y, again and again`},
		{"positions:x", "0 1 a\n", `x, line 1, column 5: "a" is not valid as a coordinate in metres: allowed are numbers from -2000000 to 2000000`},
		{"positions:x", "0 1 2 0 1 3\n", `x, line 1, column 7: "0" is a time that is not after the one before it`},
		{"positions:x", "0 0 0 1 2001 0\n", `x, line 1, column 7: "1" is too early: the process would move at 2000 m/s or faster`},
		{"positions:x", "-1 0 0\n", `x, line 1, column 1: "-1" is not valid as a time in seconds: allowed are numbers from 0 to 2304000000`},
		{"positions:x", "$node_(0) set X_ 1\n$node_(2) set X_ 1\n", "x does not set where $node_(1) begins"},
		{"positions:x", "$node_(a) set X_ 1\n", `x, line 1, column 1: "$node_(a)" is no node, such as $node_(0)`},
		{"positions:x", "$node_(0) set W_ 1\n", `x, line 1, column 15: "W_" is no coordinate; allowed are X_, Y_ and Z_`},
		{"positions:x", "$node_(0) sets\n", `x, line 1, column 1: "$node_(0)" begins no command that is known`},
		{"positions:x", "$ns_ at 1 \"$node_(0) setdest 1 1\"\n", `x, line 1, column 32: "1" ends a setdest without a speed; it takes x, y and a speed`},
		{"contacts:x", "# nothing\n", "x has no contacts"},
		{"contacts:x", "1 2\n", `x, line 1, column 1: "1" begins a line of 2 fields; allowed are`},
		{"contacts:x", "1 CONN 2 3 open\n", `x, line 1, column 12: "open" is neither up nor down`},
		{"contacts:x", "2 CONN 2 3 up\n1 CONN 2 3 down\n", `x, line 2, column 1: "1" is earlier than the line before`},
		{"contacts:x", "2 CONN 2 2 up\n", `x, line 1, column 10: "2" is the other end, too: a process has no contact with itself`},
		{"contacts:x", "0 1 5 4\n", `x, line 1, column 7: "4" is earlier than the beginning of the contact`},
		{"contacts:x", "0 1 5 6\n0 1 5\n", `x, line 2, column 5: "5" ends a line of 3 fields; allowed is "u v from to"`},
		{"contacts:x", "0 -1 5 6\n", `x, line 1, column 3: "-1" is not valid as an address`},
	} {
		if _, err := Parse(c.motion, opened(c.file)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q with %q: %v; want %s", c.motion, c.file, err, c.want)
		}
	}
}

// Whatever is in a file, it is read or refused, and its changes are in order.
func FuzzFiles(f *testing.F) {
	for _, name := range []string{"testdata/setdest.ns", "testdata/walk.bm"} {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(true, string(text))
	}
	f.Add(false, "27 CONN 7 9 up\n28 CONN 7 9 down\n")
	f.Add(false, "20 1157 1232 MP MP\n")
	f.Add(false, "0 1 5.5 12\n")
	f.Fuzz(func(t *testing.T, positions bool, text string) {
		motion := "contacts:x"
		if positions {
			motion = "positions:x, 100m"
		}
		m, err := Parse(motion, opened(text))
		if err != nil {
			return
		}
		n := 2
		for m.Check(n) != nil && n > 1 {
			if n = n * 2; !positions && n < 1<<10 {
				continue
			}
			n = 1
		}
		if m.Check(n) != nil {
			return
		}
		s, before := m.Source(netem.Complete(n), 1), des.Time(1)
		s.Begin(func(a, b protocols.ID) {})
		for range 1000 {
			c, more := s.Next()
			if !more {
				break
			}
			if c.At < before {
				t.Fatalf("%v after %v", c.At, before)
			}
			before = c.At
		}
	})
}
