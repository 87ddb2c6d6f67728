package foreign

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// What a program writes for people stands in traces: the lines that it logs, and its standard error.

// Limits of what is kept of an event.
const (
	mostWritten    = 64      // lines
	longestWritten = 1 << 10 // bytes of a line
	mostErrors     = 1 << 20 // bytes to standard error, before the program is ended
)

// lines are lines for people, the first ones of an event.
type lines struct {
	kept []string
	more int
}

func (l *lines) add(line string) {
	if len(l.kept) == mostWritten {
		l.more++
		return
	}
	l.kept = append(l.kept, cutTo(line, longestWritten))
}

// take returns the lines, and forgets them.
func (l *lines) take() []string {
	kept := l.kept
	if l.more > 0 {
		kept = append(kept, fmt.Sprintf("and %d more", l.more))
	}
	*l = lines{}
	return kept
}

// tail keeps the end of what was written to standard error.
type tail struct {
	mutex sync.Mutex
	last  []byte
	news  int // bytes since the lines were asked for the last time
	bytes int // in this event
}

// Limits of what is kept and shown of standard error.
const (
	mostTail  = 4 << 10
	tailLines = 5
)

// errFlood says that a program writes too much to its standard error.
var errFlood = fmt.Errorf("wrote more than %d bytes to its standard error in one step", mostErrors)

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.last = append(t.last, p[max(0, len(p)-mostTail):]...)
	t.last = slices.Delete(t.last, 0, max(0, len(t.last)-mostTail))
	t.news += len(p)
	t.bytes += len(p)
	return len(p), nil
}

// begin begins an event.
func (t *tail) begin() {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.bytes = 0
}

// flooded reports whether an event has more than the limit.
func (t *tail) flooded() bool {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return t.bytes > mostErrors
}

// fresh returns the lines since the last call, as far as they are kept.
func (t *tail) fresh() []string {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	news := t.news
	if t.news = 0; news == 0 {
		return nil
	}
	text := strings.TrimRight(string(t.last[max(0, len(t.last)-news):]), "\r\n")
	if news > len(t.last) {
		text = "..." + text
	}
	var all lines
	for line := range strings.SplitSeq(text, "\n") {
		all.add(strings.TrimRight(line, "\r"))
	}
	return all.take()
}

// text is the end of standard error, to follow a sentence.
func (t *tail) text() string {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	lines := strings.Split(strings.TrimRight(string(t.last), "\n"), "\n")
	if lines = lines[max(0, len(lines)-tailLines):]; lines[0] == "" && len(lines) == 1 {
		return ""
	}
	for i := range lines {
		lines[i] = fmt.Sprintf("%q", cut(strings.TrimSpace(lines[i])))
	}
	return "; its standard error ends with " + strings.Join(lines, ", ")
}
