package page

import (
	"encoding/json"
	"fmt"
	"time"
)

// format is the number of the data format that this program writes.
const format = 2

// Data is a run as a page shows it. Events are numbered from 1, in the order of Events.
type Data struct {
	Format      int      `json:"format"`
	MadeBy      string   `json:"made_by"`
	Algorithm   string   `json:"algorithm"`
	Variant     string   `json:"variant,omitempty"`
	Title       string   `json:"title"`
	Scene       string   `json:"scene"`           // the setting in one line
	Again       string   `json:"again,omitempty"` // the command that repeats the run
	Seed        uint64   `json:"seed"`
	N           int      `json:"n"`
	IDs         []int64  `json:"ids,omitempty"` // by address, where identities matter
	Topology    string   `json:"topology"`
	Directed    bool     `json:"directed,omitempty"`
	Links       [][2]int `json:"links,omitempty"`  // none of a complete graph; each once if they are not directed
	Gone        [][2]int `json:"gone,omitempty"`   // links that are not there before the first event
	Ground      *Ground  `json:"ground,omitempty"` // where the processes are; nil if they have no places
	FIFO        bool     `json:"fifo"`
	Unit        int64    `json:"unit,omitempty"`     // the constant delay in ns; 0 if there is none
	Timeless    bool     `json:"timeless,omitempty"` // times are numbers of steps of a schedule
	Kinds       []string `json:"kinds"`
	Apart       []int    `json:"apart,omitempty"`   // kinds of transformers, by their place in Kinds
	Outside     []string `json:"outside,omitempty"` // assumptions of the algorithm that do not hold
	Outcome     string   `json:"outcome"`
	Correct     bool     `json:"correct"`
	Failed      string   `json:"failed,omitempty"` // how a handler panicked
	Messages    uint64   `json:"messages"`
	Fingerprint string   `json:"fingerprint"`
	Checks      []Check  `json:"checks,omitempty"`
	What        string   `json:"what,omitempty"` // the verdict that is explained
	Targets     []int    `json:"targets,omitempty"`
	Slice       []int    `json:"slice,omitempty"`   // the events that explain the verdict
	Because     []string `json:"because,omitempty"` // the explanation, in sentences
	Spans       []Span   `json:"spans,omitempty"`
	About       string   `json:"about,omitempty"`
	Source      string   `json:"source,omitempty"`
	Bands       []Band   `json:"bands,omitempty"`
	Pseudocode  []Block  `json:"pseudocode,omitempty"`
	Branch      Branch   `json:"branch"`
	Cut         *Cut     `json:"cut,omitempty"` // nil if the data has all events of the run
	Before      []Before `json:"before,omitempty"`
	Events      []Event  `json:"events"`
	files       []string // names of files that the setting holds, with their folders
}

// Ground is where processes move, in metres.
type Ground struct {
	Box   [4]float64 `json:"box"`   // left, bottom, width, height
	Range float64    `json:"range"` // up to which two have a link
	// Paths are the corners of the ways of the processes, by address: an instant in ns, and the place
	// then. Between two corners the way is straight, and the speed constant.
	Paths [][][3]float64 `json:"paths"`
}

// Check is a check of the run.
type Check struct {
	Name    string `json:"name"`
	Means   string `json:"means,omitempty"`
	Verdict string `json:"verdict"`
	Detail  string `json:"detail,omitempty"`
	Broke   int    `json:"broke,omitempty"` // the event from which on it is violated
}

// Span is the time of a fault: from one event to another, equal if it struck once; To is 0 if
// it lasts to the end.
type Span struct {
	Text string `json:"text"`
	From int    `json:"from"`
	To   int    `json:"to"`
}

// Band is a condition of processes: who was in it, and when. Only bands in which a process was
// stand in the file.
type Band struct {
	Name    string   `json:"name"`
	Means   string   `json:"means"`
	Colour  string   `json:"colour"` // the names of package looks
	Texture string   `json:"texture"`
	On      [][3]int `json:"on"`                // process, and the events from which on and up to which; 0 for the end
	Clashes [][2]int `json:"clashes,omitempty"` // the events between which two were in a band that is for one alone
}

// Block is a block of pseudocode.
type Block struct {
	On    []string `json:"on"` // the events that run it: see trial.Handler
	Lines []string `json:"lines"`
}

// Event is a record of a run. Fields that are 0 or "" do not stand in the file.
type Event struct {
	Time    int64             `json:"t"` // in ns, or a step of the schedule
	What    string            `json:"w"` // as in netem.Record
	Process int               `json:"p"` // -1 for a fault
	From    int               `json:"f,omitempty"`
	Link    []int             `json:"e,omitempty"` // that comes or goes in a fault: its ends, and 1 if it comes up or 0
	Number  uint64            `json:"m,omitempty"` // of the message
	Text    string            `json:"x,omitempty"` // of the message or the fault, or the name of the timer
	Kind    int               `json:"k,omitempty"`
	Sent    []Sent            `json:"s,omitempty"`
	Left    int               `json:"u,omitempty"` // how many messages those of Sent are, if there is a broadcast, which is one
	After   []int             `json:"a,omitempty"` // its direct causes
	News    string            `json:"n,omitempty"` // what the process decided
	Changed map[string]string `json:"v,omitempty"` // fields of the process
	Choices []int             `json:"c,omitempty"`
	Reads   []time.Duration   `json:"r,omitempty"` // of its clock
	Timer   int               `json:"y,omitempty"` // its label
	Log     []string          `json:"l,omitempty"` // lines that its program logged
	Stderr  []string          `json:"o,omitempty"` // lines of its program's standard error
	Met     string            `json:"i,omitempty"` // with what a message collided
	Panics  bool              `json:"panics,omitempty"`
}

// Sent is a message that a step sent. In the file it is a list: [to, number, kind, text].
type Sent struct {
	To     int
	Number uint64
	Kind   int
	Text   string
}

// MarshalJSON implements json.Marshaler.
func (s Sent) MarshalJSON() ([]byte, error) {
	return json.Marshal([...]any{s.To, s.Number, s.Kind, s.Text})
}

// UnmarshalJSON implements json.Unmarshaler.
func (s *Sent) UnmarshalJSON(text []byte) error {
	var parts []json.RawMessage
	if err := json.Unmarshal(text, &parts); err != nil {
		return err
	}
	into := []any{&s.To, &s.Number, &s.Kind, &s.Text}
	if len(parts) != len(into) {
		return fmt.Errorf("a message that was sent has %d parts; it takes [to, number, kind, text]", len(parts))
	}
	for i, part := range parts {
		if err := json.Unmarshal(part, into[i]); err != nil {
			return err
		}
	}
	return nil
}
