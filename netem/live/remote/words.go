package remote

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"bullring/internal/regular"
	"bullring/protocols"
)

// The coordinator, the hosts and the nodes speak in lines of JSON.

// hello is the first line of a host, after the handshake.
type hello struct{ Program string }

// order is a line from the coordinator to a host, mostly about a node.
type order struct {
	What string // refuse or welcome, which come first; spawn, kill, or tell with a Line
	Why  string `json:",omitempty"` // of refuse
	// Files, of welcome, are the files that the setting names, by name. A host opens none itself.
	Files map[string][]byte `json:",omitempty"`
	Who   protocols.ID      `json:",omitempty"`
	Line  *command          `json:",omitempty"`
}

// news is a line from a host about a node: a line that it printed, or that its OS process ended.
type news struct {
	Who    protocols.ID
	Line   *report `json:",omitempty"`
	Ended  bool    `json:",omitempty"`
	Killed bool    `json:",omitempty"` // it ended by a signal
	Why    string  `json:",omitempty"` // it ended otherwise
}

// command is a line to a node.
type command struct {
	// What is, in this order: job; for a later life log, for each step that it took; listen;
	// peer, for each neighbour; start or restart; go; then crashed, back and peer.
	What      string
	Job       *job            `json:",omitempty"`
	Step      json.RawMessage `json:",omitempty"` // of log
	Who       protocols.ID    `json:",omitempty"` // of peer, crashed and back
	Addr      string          `json:",omitempty"` // of peer
	Begin     int64           `json:",omitempty"` // of the run, in nanoseconds since 1970
	Initiator bool            `json:",omitempty"` // of start
	Floor     uint64          `json:",omitempty"` // later steps have a larger clock
	Down      []protocols.ID  `json:",omitempty"` // of start and restart: who has crashed
}

// job says what a node is.
type job struct {
	Who     protocols.ID
	Setting json.RawMessage // of the run, for Build
	Dooms   []Doom          `json:",omitempty"` // its own
	given
}

// given is what a host adds to the job of a node.
type given struct {
	Files  map[string][]byte `json:",omitempty"` // that the setting names, by name
	Listen string            `json:",omitempty"` // the address of the machine where it takes connections
	Token  string            `json:",omitempty"`
}

// report is a line from a node.
type report struct {
	What  string          // listens, linked, unlinked, started, step, gone or failed
	Addr  string          `json:",omitempty"` // of listens, linked and unlinked
	Who   protocols.ID    `json:",omitempty"` // of linked, unlinked and gone
	Step  json.RawMessage `json:",omitempty"`
	Armed int             `json:",omitempty"` // after the step: timers that keep the run alive
	Amid  bool            `json:",omitempty"` // the process crashes in the step
	Back  time.Duration   `json:",omitempty"` // of Amid: after that time it comes back
	Why   string          `json:",omitempty"` // of failed and unlinked
}

// mostLine is the longest line. A step may send many messages.
const mostLine = 64 << 20

// lines reads lines of JSON, one for each call of the function that it returns. s opens their seals;
// nil if they have none.
func lines[T any](r io.Reader, s *seal) func() (*T, error) {
	in := bufio.NewScanner(r)
	in.Buffer(nil, mostLine)
	in.Split(finished)
	return func() (*T, error) {
		if !in.Scan() {
			if in.Err() != nil {
				return nil, in.Err()
			}
			return nil, io.EOF
		}
		text, err := in.Bytes(), error(nil)
		if s != nil {
			if text, err = s.open(text); err != nil {
				return nil, err
			}
		}
		one := new(T)
		if err := json.Unmarshal(text, one); err != nil {
			return nil, fmt.Errorf("%.80q is no line of this protocol: %w", text, err)
		}
		return one, nil
	}
}

// finished splits off a line. One without an end was not finished, since its writer was killed, and
// is none.
func finished(data []byte, _ bool) (advance int, line []byte, err error) {
	end := bytes.IndexByte(data, '\n')
	if end < 0 {
		return 0, nil, nil
	}
	return end + 1, data[:end], nil
}

// writer writes lines of JSON, each by one call of Write.
type writer struct {
	mutex sync.Mutex
	w     io.Writer
	seal  *seal // nil if the lines have none
}

func (w *writer) write(one any) error {
	text, err := json.Marshal(one)
	if err != nil {
		return err
	}
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.seal != nil {
		text = w.seal.close(text)
	}
	_, err = w.w.Write(append(text, '\n'))
	return err
}

// program identifies the running program: hosts with another one may not join, since their
// processes may be others.
var program = sync.OnceValues(func() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	text, err := regular.Read(path, 1<<30)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8]), nil
})
