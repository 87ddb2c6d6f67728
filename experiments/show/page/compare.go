package page

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

// facts are the parts of data that every version of an epoch makes the same. The others have
// words, too.
var facts = []string{"algorithm", "variant", "seed", "n", "ids", "topology", "directed", "links", "fifo", "outcome", "correct", "messages", "fingerprint"}

// Compare compares data with those of its run, made again: with differ and others, the parts
// that are not the same. Others may have other words, since another version made the data.
func (d Data) Compare(now Data) (differ, others []string, err error) {
	if d.Cut != nil {
		first := d.Cut.From - 1
		if end := first + len(d.Events); first >= 0 && end <= len(now.Events) {
			now = now.part(first, end)
		}
	}
	says, err := d.parts()
	if err != nil {
		return nil, nil, err
	}
	is, err := now.parts()
	if err != nil {
		return nil, nil, err
	}
	sameVersion := d.MadeBy == now.MadeBy
	keys := maps.Clone(is)
	maps.Copy(keys, says)
	delete(keys, "made_by")
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		switch {
		case bytes.Equal(says[key], is[key]):
		case sameVersion || slices.Contains(facts, key):
			differ = append(differ, key)
		default:
			others = append(others, key)
		}
	}
	return differ, others, nil
}

// parts are the data as JSON, by the key.
func (d *Data) parts() (map[string]json.RawMessage, error) {
	text, err := d.encode()
	if err != nil {
		return nil, err
	}
	var parts map[string]json.RawMessage
	return parts, json.Unmarshal(text, &parts)
}

// IsWritten reports whether a page is as this program writes it for the runs in it: its
// script and its words are those of this program.
func IsWritten(text []byte, runs []Data) (bool, error) {
	var page bytes.Buffer
	err := Write(&page, runs...)
	return bytes.Equal(page.Bytes(), text), err
}
