package setting

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Setting is everything that decides one trial, as text and numbers: what the
// command line, a sweep's cell and a row of results have in common. The zero
// value of a field is its default.
type Setting struct {
	Algorithm  string   `json:"algorithm"`
	Variant    string   `json:"variant,omitempty"`
	Node       string   `json:"node,omitempty"`       // the program that every process runs in; "" is that of the algorithm
	Param      string   `json:"param,omitempty"`      // parameters of the algorithm, NAME=VALUE, comma-separated; "" is the defaults
	N          int      `json:"n"`                    // processes; 0 with IDs or a file of the topology given means their number
	IDs        string   `json:"ids,omitempty"`        // identities by address, comma-separated; "" for 1..n placed by Placement
	Placement  string   `json:"placement,omitempty"`  // one of Placements; "" is increasing
	Attr       string   `json:"attr,omitempty"`       // attributes by address, comma-separated, or random:K; "" for none
	Inputs     string   `json:"inputs,omitempty"`     // values by address, comma-separated, all V, one V, or random; "" is the algorithm's default
	F          string   `json:"f,omitempty"`          // how many processes the algorithm lets fail; "" is 1
	Initiators string   `json:"initiators,omitempty"` // all, random:K, or addresses; "" is all
	Dead       string   `json:"dead,omitempty"`       // none, random:K, or addresses; "" is none
	Topology   string   `json:"topology,omitempty"`   // see netem.ParseTopology, or file:PATH; "" is the algorithm's first
	Delay      string   `json:"delay,omitempty"`      // see des.ParseDistribution; "" is 1ms
	Link       string   `json:"link,omitempty"`       // what links do beyond that, lines of package impair; "" is nothing
	LinkMode   string   `json:"link_mode,omitempty"`  // how that is understood, see impair.ParseMode; "" is exact
	Delta      string   `json:"delta,omitempty"`      // partial synchrony: the bound on delay from GST on; "" is none
	GST        string   `json:"gst,omitempty"`        // the global stabilisation time; "" is 0
	Unordered  bool     `json:"unordered,omitempty"`  // links may reorder messages
	Transport  string   `json:"transport,omitempty"`  // plain, or a reliable link: see reliable.Parse; "" is plain
	Detector   string   `json:"detector,omitempty"`   // perfect, none, or see detector.Parse; "" is perfect
	Motion     string   `json:"motion,omitempty"`     // how links come and go, see motion.Parse; "" is not at all
	Medium     string   `json:"medium,omitempty"`     // what processes share to send, see medium.Parse; "" is a link for each pair
	Fault      string   `json:"fault,omitempty"`      // see faults.Parse
	Schedule   Schedule `json:"schedule,omitempty"`   // the steps of the run, if it is to follow some
	Assume     string   `json:"assume,omitempty"`     // the bound on delay that the algorithm assumes; "" is the real one, or 5 means if there is none
	Processing string   `json:"processing,omitempty"` // time to react to a message, where an algorithm has such a thing; "" is 0
	Seed       uint64   `json:"seed"`
	Forks      string   `json:"forks,omitempty"` // events from which on the run draws other numbers, see netem.ParseForks; "" is none

	MaxEvents    uint64 `json:"max_events,omitempty"`    // 0 is DefaultMaxEvents
	MaxTime      string `json:"max_time,omitempty"`      // "" is lastInstant
	Until        string `json:"until,omitempty"`         // the run goes on until then, for the sake of a failure detector; "" is as long as the algorithm does
	OutsideModel bool   `json:"outside_model,omitempty"` // run even if the algorithm's assumptions do not hold
}

// DefaultDelay is the delay of a link unless a setting says otherwise.
const DefaultDelay = "1ms"

// Schedule is a run, step by step, as text: a line that says how time is understood
//
//	timers free
//	timers bounded 1, restarts
//	timers free, restarts, clocks
//
// and then a line a step, as explore.Step prints it. In the second form the number is
// that of the steps of time in the assumed bound on delay; restarts says that crashed
// processes may come back, so that messages to them are not lost at once; clocks says that
// processes act as in a run and have clocks, and steps say what these show. If the last
// line is "go on", the run goes on to its end. A file has the lines as a list.
type Schedule string

// Lines are the lines of a schedule, nil if it has none.
func (s Schedule) Lines() []string {
	if s == "" {
		return nil
	}
	return strings.Split(string(s), "\n")
}

// MarshalJSON implements json.Marshaler.
func (s Schedule) MarshalJSON() ([]byte, error) { return json.Marshal(s.Lines()) }

// UnmarshalJSON implements json.Unmarshaler.
func (s *Schedule) UnmarshalJSON(text []byte) error {
	var lines []string
	if err := json.Unmarshal(text, &lines); err != nil {
		return fmt.Errorf("a schedule is a list of lines: %w", err)
	}
	*s = Schedule(strings.Join(lines, "\n"))
	return nil
}
