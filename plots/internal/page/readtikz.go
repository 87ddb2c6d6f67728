package page

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// readTikZ reads the metadata in the comments at the beginning of a TikZ file.
func readTikZ(data []byte) ([]Meta, error) {
	var entries []Meta
	for line := range strings.Lines(string(data)) {
		entry, begins := strings.CutPrefix(line, tikzEntry)
		value, goesOn := strings.CutPrefix(line, tikzMore)
		if !begins && !(goesOn && len(entries) > 0) {
			break
		}
		if begins {
			key, rest, err := unquote(entry)
			if err != nil {
				return nil, err
			}
			entries, value = append(entries, Meta{Key: key}), strings.TrimPrefix(rest, " ")
		}
		text, _, err := unquote(value)
		if err != nil {
			return nil, err
		}
		entries[len(entries)-1].Value += text
	}
	return entries, tikzCut(data, entries)
}

// unquote reads the quoted text at the beginning of a line.
func unquote(line string) (text, rest string, err error) {
	quoted, err := strconv.QuotedPrefix(line)
	if err == nil {
		text, err = strconv.Unquote(quoted)
	}
	if err != nil {
		return "", "", fmt.Errorf("%q is no entry of metadata: %w", line, err)
	}
	return text, line[len(quoted):], nil
}

// tikzCut returns an error for a picture of this package without its end.
func tikzCut(data []byte, entries []Meta) error {
	if len(entries) > 0 && !bytes.Contains(data, []byte(tikzEnd)) {
		return errors.New("it is damaged or cut short: " + strings.TrimSpace(tikzEnd) + " is missing")
	}
	return nil
}
