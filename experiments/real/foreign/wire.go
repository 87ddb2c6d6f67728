package foreign

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"bullring/protocols"
)

// packet is a line of the protocol.
type packet struct {
	Src  string          `json:"src"`
	Dest string          `json:"dest"`
	Body json.RawMessage `json:"body"`
}

// said is a line of a node, with the fields of its body that decide where it goes.
type said struct {
	packet
	Type  string
	Reply *int64 // in_reply_to; nil if the body has none, or is for a node
	at    int    // which line of the program's output
}

// services are the destinations that are no nodes.
const (
	driver   = "c0"
	timers   = "timer"
	random   = "random"
	detector = "detector"
	clock    = "clock"
	storage  = "storage"
	network  = "links"
)

// logs is the type of a line to the driver whose text stands in the trace, and nowhere else.
const logs = "log"

// parse reads a line of a node. The error continues a sentence about the line.
func parse(line []byte) (s said, err error) {
	if err := json.Unmarshal(line, &s.packet); err != nil {
		return s, fmt.Errorf("which is no JSON object with src, dest and body: %q. Standard output is for the protocol; for lines that stand in the trace use the log of the library, or standard error", cut(string(line)))
	}
	if isNode(s.Dest) { // but for its type the body is a matter of the nodes
		var body struct{ Type string }
		err = json.Unmarshal(s.Body, &body)
		s.Type = body.Type
	} else {
		var body struct {
			Type  string `json:"type"`
			Reply *int64 `json:"in_reply_to"`
		}
		err = json.Unmarshal(s.Body, &body)
		s.Type, s.Reply = body.Type, body.Reply
	}
	if err != nil || s.Type == "" {
		return s, fmt.Errorf("whose body is no JSON object with a type that is a text: %q", cut(string(line)))
	}
	return s, nil
}

// field reads a field of a body into v.
func field(body []byte, name string, v any) error {
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(body, &fields); err != nil {
		return err
	}
	text, has := fields[name]
	if !has {
		return fmt.Errorf("it has no %s", name)
	}
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("its %s is %s", name, cut(string(text)))
	}
	return nil
}

// isNode reports whether a destination may be a node's name.
func isNode(name string) bool {
	return len(name) > 1 && name[0] == 'n' && name[1] >= '0' && name[1] <= '9'
}

// name is the name of the node of an address.
func name(p protocols.ID) string { return "n" + strconv.Itoa(int(p)) }

// address is the address of the node of that name, of n nodes.
func address(text string, n int) (protocols.ID, error) {
	i, err := strconv.Atoi(strings.TrimPrefix(text, "n"))
	if err != nil || i < 0 || i >= n || name(protocols.ID(i)) != text {
		return 0, fmt.Errorf("%q is no node; the nodes are n0 to n%d", cut(text), n-1)
	}
	return protocols.ID(i), nil
}

// compact is a body without spaces between its words.
func compact(body []byte) string {
	var b bytes.Buffer
	if err := json.Compact(&b, body); err != nil {
		panic(err) // it was read
	}
	return b.String()
}

// withoutType is a body without its type, its other fields in the order of their names.
func withoutType(body string) string {
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal([]byte(body), &fields); err != nil {
		return body
	}
	delete(fields, "type")
	text, err := json.Marshal(fields)
	if err != nil {
		return body
	}
	return string(text)
}

// mostShown is the length of the longest piece of a node's output in an error, in bytes.
const mostShown = 200

// cut is the beginning of a text in an error.
func cut(text string) string { return cutTo(text, mostShown) }

// cutTo is the beginning of a text, so many bytes at most.
func cutTo(text string, most int) string {
	if len(text) <= most {
		return text
	}
	text = text[:most]
	for len(text) > 0 && !utf8.ValidString(text[len(text)-min(len(text), utf8.UTFMax):]) && !utf8.RuneStart(text[len(text)-1]) {
		text = text[:len(text)-1]
	}
	return text + "..."
}
