package results

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Keys are the keys of a text of JSON that are not as in a value that was read from it. A key
// within others is named with these, and all elements of a list are one.
type Keys struct {
	Unknown []string // the value has no such key, or not so often
	Missing []string // the text has no such key, or not so often
	Doubled []string // twice in one place
}

// KeysOf compares the keys of a text with those of the value that was read from it: package
// json passes over keys that it does not know, and takes the last of several.
func KeysOf(text []byte, read any) (k Keys, err error) {
	written, err := json.Marshal(read)
	if err != nil {
		return k, err
	}
	says, is := keyCount{}, keyCount{}
	if err := is.read(json.NewDecoder(bytes.NewReader(written)), "", &k); err != nil {
		return k, err
	}
	if err := says.read(json.NewDecoder(bytes.NewReader(text)), "", &k); err != nil {
		return k, err
	}
	for _, key := range slices.Sorted(maps.Keys(says)) {
		if says[key] > is[key] {
			k.Unknown = append(k.Unknown, key)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(is)) {
		if says[key] < is[key] {
			k.Missing = append(k.Missing, key)
		}
	}
	return k, nil
}

// keyCount is in how many places a key is, by its path.
type keyCount map[string]int

// read reads a value that has a path.
func (c keyCount) read(d *json.Decoder, path string, found *Keys) error {
	token, err := d.Token()
	if err != nil || token != json.Delim('{') && token != json.Delim('[') {
		return err
	}
	here := map[string]bool{}
	for d.More() {
		inner := path
		if token == json.Delim('{') {
			key, err := d.Token()
			if err != nil {
				return err
			}
			inner = strings.TrimPrefix(path+"."+key.(string), ".")
			switch {
			case !here[inner]:
				c[inner]++
			case !slices.Contains(found.Doubled, inner):
				found.Doubled = append(found.Doubled, inner)
			}
			here[inner] = true
		}
		if err := c.read(d, inner, found); err != nil {
			return err
		}
	}
	_, err = d.Token() // the end
	return err
}
