package motion

import (
	"cmp"
	"fmt"
	"slices"

	"bullring/netem"
	"bullring/protocols"
)

// contacts are contacts that were measured, from a file in one of these formats, whose times are in
// seconds:
//
//	27 CONN 7 9 up    of the ONE simulator: a link comes up, or goes down
//	20 1157 1232      of SocioPatterns: two people were close in the 20 s before; what follows does not count
//	0 1 5.5 12        of many others: u v from to
//
// Of SocioPatterns, time begins with the first contact, and people have addresses in the order of
// their numbers. In the others, processes are addresses.
type contacts struct {
	begin   []netem.Link
	changes []netem.Change
	n       int // the largest address, and 1
}

func readContacts(a *arguments) model {
	m := &contacts{}
	a.file(m.parse)
	return m
}

func (m *contacts) fits(n int) error {
	if m.n > n {
		return tooFew(fmt.Sprintf("contacts of process %d", m.n-1), n)
	}
	return nil
}

func (m *contacts) source(netem.Topology, uint64) source { return &told{m, 0} }

// told is the source.
type told struct {
	*contacts
	next int
}

// Begin implements source.
func (s *told) Begin(link func(a, b protocols.ID)) {
	for _, p := range s.begin {
		link(p.A, p.B)
	}
}

// Next implements source.
func (s *told) Next() (c netem.Change, ok bool) {
	if s.next == len(s.changes) {
		return c, false
	}
	s.next++
	return s.changes[s.next-1], true
}

// contactFormats are the formats, by what a line of theirs looks like.
var contactFormats = []struct {
	is   func(r record) bool
	read func(m *contacts, all []record) error
}{
	{func(r record) bool { return len(r.fields) > 1 && r.fields[1].text == "CONN" }, (*contacts).readONE},
	{func(r record) bool { return len(r.fields) == 3 || len(r.fields) == 5 }, (*contacts).readSocioPatterns},
	{func(r record) bool { return len(r.fields) == 4 }, (*contacts).readIntervals},
}

// parse reads a file in the format of its first line.
func (m *contacts) parse(name string, text []byte) error {
	all := records(name, text, "")
	if len(all) == 0 {
		return fmt.Errorf("%s has no contacts", name)
	}
	for _, f := range contactFormats {
		if f.is(all[0]) {
			return f.read(m, all)
		}
	}
	return all[0].fail(0, "begins a line of %d fields; allowed are \"27 CONN 7 9 up\", \"t i j\" and \"u v from to\"", len(all[0].fields))
}

// contact is a link that is up from an instant until before another one, in microseconds.
type contact struct {
	netem.Link
	from, to int64
}

// set makes the changes of contacts. Those of a pair may overlap.
func (m *contacts) set(all []contact) {
	slices.SortFunc(all, func(c, d contact) int { return cmp.Or(c.Compare(d.Link), cmp.Compare(c.from, d.from)) })
	joined := all[:0]
	for _, c := range all {
		switch last := len(joined) - 1; {
		case c.from >= c.to: // it has no instant
		case last >= 0 && joined[last].Link == c.Link && c.from <= joined[last].to:
			joined[last].to = max(joined[last].to, c.to)
		default:
			joined = append(joined, c)
		}
	}
	for _, c := range joined {
		m.n = max(m.n, int(c.B)+1)
		if c.from == 0 {
			m.begin = append(m.begin, c.Link)
		} else {
			m.changes = append(m.changes, netem.Change{At: instantOf(c.from), A: c.A, B: c.B, Up: true})
		}
		if c.to < forever {
			m.changes = append(m.changes, netem.Change{At: instantOf(c.to), A: c.A, B: c.B})
		}
	}
	slices.SortFunc(m.changes, func(c, d netem.Change) int {
		return cmp.Or(cmp.Compare(c.At, d.At), netem.LinkBetween(c.A, c.B).Compare(netem.LinkBetween(d.A, d.B)))
	})
}

// ends reads two processes.
func (r *record) ends(a, b int) (netem.Link, error) {
	from, err := r.address(a)
	to, errTo := r.address(b)
	if err := cmp.Or(err, errTo); err != nil {
		return netem.Link{}, err
	}
	if from == to {
		return netem.Link{}, r.fail(b, "is the other end, too: a process has no contact with itself")
	}
	return netem.LinkBetween(from, to), nil
}

// readONE reads lines of the ONE simulator. A link that does not go down is up to the end.
func (m *contacts) readONE(lines []record) error {
	open := map[netem.Link]int64{}
	var all []contact
	before := int64(0)
	for _, r := range lines {
		if len(r.fields) != 5 || r.fields[1].text != "CONN" {
			return r.fail(len(r.fields)-1, "ends a line that is not of the form \"27 CONN 7 9 up\"")
		}
		at, err := r.instant(0)
		p, errEnds := r.ends(2, 3)
		if err := cmp.Or(err, errEnds); err != nil {
			return err
		}
		if at < before {
			return r.fail(0, "is earlier than the line before")
		}
		before = at
		from, is := open[p]
		switch r.fields[4].text {
		case "up":
			if !is {
				open[p] = at
			}
		case "down":
			if is {
				all = append(all, contact{p, from, at})
				delete(open, p)
			}
		default:
			return r.fail(4, "is neither up nor down")
		}
	}
	for p, from := range open {
		all = append(all, contact{p, from, forever})
	}
	m.set(all)
	return nil
}

// sociable is the time of a contact of SocioPatterns.
const sociable = 20 * second

// readSocioPatterns reads lines of SocioPatterns.
func (m *contacts) readSocioPatterns(lines []record) error {
	var all []contact
	var people []protocols.ID
	first := int64(forever)
	for _, r := range lines {
		if len(r.fields) != 3 && len(r.fields) != 5 {
			return r.fail(len(r.fields)-1, "ends a line of %d fields; allowed are \"t i j\" and \"t i j Ci Cj\"", len(r.fields))
		}
		at, err := r.instant(0)
		p, errEnds := r.ends(1, 2)
		if err := cmp.Or(err, errEnds); err != nil {
			return err
		}
		first = min(first, at-sociable)
		all, people = append(all, contact{p, at - sociable, at}), append(people, p.A, p.B)
	}
	slices.Sort(people)
	people = slices.Compact(people)
	address := func(person protocols.ID) protocols.ID {
		i, _ := slices.BinarySearch(people, person)
		return protocols.ID(i)
	}
	for i := range all {
		c := &all[i]
		c.A, c.B, c.from, c.to = address(c.A), address(c.B), c.from-first, c.to-first
	}
	m.set(all)
	return nil
}

// readIntervals reads lines u v from to.
func (m *contacts) readIntervals(lines []record) error {
	var all []contact
	for _, r := range lines {
		if len(r.fields) != 4 {
			return r.fail(len(r.fields)-1, "ends a line of %d fields; allowed is \"u v from to\"", len(r.fields))
		}
		p, err := r.ends(0, 1)
		from, errFrom := r.instant(2)
		to, errTo := r.instant(3)
		if err := cmp.Or(err, errFrom, errTo); err != nil {
			return err
		}
		if to < from {
			return r.fail(3, "is earlier than the beginning of the contact")
		}
		all = append(all, contact{p, from, to})
	}
	m.set(all)
	return nil
}
