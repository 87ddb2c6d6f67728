package page

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"bullring/internal/regular"
)

// MostRead is the size of the largest file that is read, in bytes.
const MostRead = 256 << 20

// errOther says that a file holds neither the data of a run nor a page.
var errOther = errors.New("it is neither data of bullring view --data nor a page of bullring view")

// ReadFile reads the runs in a file: one from data, one or two from a page.
func ReadFile(path string) ([]Data, error) {
	text, err := regular.Read(path, MostRead)
	if err != nil {
		return nil, err
	}
	runs, err := Read(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return runs, nil
}

// IsPage returns an error if a file is no page that this package wrote.
func IsPage(path string) error {
	text, err := regular.Read(path, MostRead)
	if err == nil && !bytes.Contains(text[:min(len(text), 4096)], []byte(generator)) {
		err = errOther
	}
	return err
}

// IsRead reports whether [ReadFile] is to read a file: it is a page, or JSON that has a
// format.
func IsRead(path string) bool {
	text, err := regular.Read(path, MostRead)
	if err != nil {
		return false
	}
	_, err = Read(text)
	return !errors.Is(err, errOther)
}

// Read reads the runs in data or in a page. It reads the present format and all older ones.
func Read(text []byte) ([]Data, error) {
	if bytes.Contains(text[:min(len(text), 4096)], []byte(generator)) {
		return readPage(text)
	}
	var head struct{ Format *int }
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, wrong(text, err)
	}
	if head.Format == nil {
		return nil, errOther
	}
	d, err := readFormat(*head.Format, text)
	return []Data{d}, err
}

// readPage reads the runs from a page.
func readPage(text []byte) ([]Data, error) {
	_, after, begins := bytes.Cut(text, []byte(opens))
	list, _, ends := bytes.Cut(after, []byte("</script>"))
	if !begins || !ends {
		return nil, errors.New("the page is cut off: the runs in it have no end")
	}
	var all []json.RawMessage
	if err := json.Unmarshal(list, &all); err != nil {
		return nil, fmt.Errorf("the runs in the page: %w", wrong(list, err))
	}
	var runs []Data
	for _, one := range all {
		read, err := Read(one)
		if err != nil {
			return nil, fmt.Errorf("the runs in the page: %w", err)
		}
		runs = append(runs, read...)
	}
	if len(runs) == 0 {
		return nil, errors.New("the page holds no run")
	}
	return runs, nil
}

// readFormat reads data of a format. A format that follows gets a case of its own here, and
// the ones before it go on being read.
func readFormat(number int, text []byte) (d Data, err error) {
	switch number {
	case 1, 2: // 1 has no bands
		err = decode(text, &d)
	default:
		return d, fmt.Errorf("the data has format %d, and this program reads formats 1 to %d: a later bullring reads it", number, format)
	}
	if err == nil {
		err = d.check()
	}
	return d, err
}

// decode reads JSON without unknown fields.
func decode(text []byte, into *Data) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return wrong(text, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("something follows the data")
	}
	return nil
}

// wrong adds to an error of package json where it occurred.
func wrong(text []byte, err error) error {
	at := int64(-1)
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		at = e.Offset
	} else if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		at = e.Offset
	}
	if at < 0 {
		return err
	}
	before := string(text[:min(at, int64(len(text)))])
	return fmt.Errorf("it is damaged, or no JSON of a run, at line %d, column %d: %w", 1+strings.Count(before, "\n"), len(before)-strings.LastIndex(before, "\n")-1, err)
}

// check returns the first number that names nothing in the run.
func (d *Data) check() error {
	if d.N < 1 {
		return fmt.Errorf("n is %d; it takes a number from 1", d.N)
	}
	if len(d.IDs) != 0 && len(d.IDs) != d.N {
		return fmt.Errorf("%d identities of %d processes", len(d.IDs), d.N)
	}
	if err := d.checkReferences(); err != nil {
		return err
	}
	for i := range d.Events {
		if err := d.checkEvent(i + 1); err != nil {
			return fmt.Errorf("event %d: %w", i+1, err)
		}
	}
	return nil
}

// checkReferences checks what stands outside of the events.
func (d *Data) checkReferences() error {
	for _, link := range slices.Concat(d.Links, d.Gone) {
		if err := errors.Join(d.process(link[0]), d.process(link[1])); err != nil {
			return fmt.Errorf("links: %w", err)
		}
	}
	named := slices.Concat(d.Targets, d.Slice)
	for _, b := range d.Bands {
		for _, s := range b.On {
			if err := d.process(s[0]); err != nil {
				return fmt.Errorf("band %q: %w", b.Name, err)
			}
			named = append(named, s[1], max(s[2], 1))
		}
		for _, s := range b.Clashes {
			named = append(named, s[0], max(s[1], 1))
		}
	}
	for _, s := range d.Spans {
		named = append(named, s.From, max(s.To, 1))
	}
	for _, c := range d.Checks {
		named = append(named, max(c.Broke, 1))
	}
	for _, k := range named {
		if k < 1 || k > max(len(d.Events), 1) {
			return fmt.Errorf("there is no event %d; there are %d", k, len(d.Events))
		}
	}
	return nil
}

func (d *Data) checkEvent(order int) error {
	e := &d.Events[order-1]
	if len(e.Link) > 0 && (len(e.Link) != 3 || errors.Join(d.process(e.Link[0]), d.process(e.Link[1])) != nil) {
		return fmt.Errorf("%v is no link that comes or goes; it takes [process, process, 0 or 1]", e.Link)
	}
	if e.What == "fault" {
		return nil
	}
	if err := errors.Join(d.process(e.Process), d.process(e.From), d.kind(e.Kind)); err != nil {
		return err
	}
	for _, s := range e.Sent {
		if err := errors.Join(d.process(s.To), d.kind(s.Kind)); err != nil {
			return err
		}
	}
	for _, k := range e.After {
		if k < 1 || k >= order {
			return fmt.Errorf("it follows from event %d, which does not come before it", k)
		}
	}
	return nil
}

func (d *Data) process(p int) error {
	if p < 0 || p >= d.N {
		return fmt.Errorf("there is no process %d; addresses are 0..%d", p, d.N-1)
	}
	return nil
}

func (d *Data) kind(k int) error {
	if k < 0 || k >= max(len(d.Kinds), 1) {
		return fmt.Errorf("there is no kind %d of messages; there are %d", k, len(d.Kinds))
	}
	return nil
}
