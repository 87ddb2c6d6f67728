package sweep

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"bullring/experiments/campaign/journal"
	"bullring/experiments/campaign/results"
	"bullring/experiments/trial"
	"bullring/internal/build"
	"bullring/internal/wholefile"
	"bullring/netem"
)

// attempt is a process that works on a journal. It holds everything that is needed to run
// or join the sweep.
type attempt struct {
	Identity string        `json:"identity"` // of the shard
	File     string        `json:"file"`
	Spec     string        `json:"spec"`
	Included *includedFile `json:"included,omitempty"`
	Trials   string        `json:"trials_sha256,omitempty"` // see trialsHash; earlier versions have none
	Epoch    int           `json:"epoch"`
	Outside  bool          `json:"outside_model"`
	Header   string        `json:"header"` // of results.csv
	Shard    Shard         `json:"shard"`
	Program  build.Program `json:"program"`
	Machine  build.Machine `json:"machine"`
	Workers  int           `json:"workers"`
	Start    time.Time     `json:"start"`
}

type includedFile struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// identity is a hash of a shard: of its trials, of what their results mean, and of the
// columns of results.csv.
type identity [8]byte

// attempt describes this process.
func (s *Sweep) attempt(header string, start time.Time) attempt {
	self := attempt{
		File: filepath.Base(s.File), Spec: string(s.Text), Trials: s.trialsHash(), Epoch: netem.Epoch, Outside: s.outsideModel(), Header: header,
		Shard: s.Shard, Program: build.ThisProgram(), Machine: build.ThisMachine(), Workers: s.workers(), Start: start.UTC().Truncate(time.Second),
	}
	if in := s.Spec.Included; in != nil {
		self.Included = &includedFile{in.Name, string(in.Text)}
	}
	return self
}

// attemptSweep returns the sweep of an attempt.
func attemptSweep(r *trial.Registry, attempt *attempt) (*Sweep, error) {
	s, err := results.ParseKept(r, attempt.File, []byte(attempt.Spec), func(name string) ([]byte, error) {
		if in := attempt.Included; in != nil && in.Name == name {
			return []byte(in.Text), nil
		}
		return nil, fmt.Errorf("the journal does not hold %s", name)
	})
	if err != nil {
		return nil, fmt.Errorf("the sweep that the shards are of: %w", err)
	}
	return &Sweep{Source: Source{Registry: r, Spec: s, Text: []byte(attempt.Spec), File: attempt.File, OutsideModel: attempt.Outside}}, nil
}

// mismatch says why the trials of an attempt do not fit this process; "" if they do.
func (a *attempt) mismatch(r *trial.Registry, self *attempt) string {
	switch {
	case trialsOf(r, a) != self.Trials:
		return fmt.Sprintf("belongs to another sweep, or to a version of %s with other trials", self.File)
	case a.Epoch != self.Epoch:
		return fmt.Sprintf("is of epoch %d (version %s), and this program's runs of epoch %d (version %s): the same seed means another run",
			a.Epoch, a.Program, self.Epoch, self.Program)
	case a.Outside != self.Outside:
		return fmt.Sprintf("was begun with --outside-model=%v", a.Outside)
	case a.Header != self.Header:
		return fmt.Sprintf("was made by version %s, whose tables have other columns than those of this one, %s", a.Program, self.Program)
	case a.Shard.count() != self.Shard.count() || a.Shard.Index != self.Shard.Index:
		return fmt.Sprintf("is of shard %v", a.Shard)
	}
	return ""
}

// id is the identity of the attempt's shard.
func (a *attempt) id() identity {
	if a.Trials == "" {
		return a.formerID()
	}
	return identityOf(fmt.Appendf(nil, "%s %d %v %q %v", a.Trials, a.Epoch, a.Outside, a.Header, a.Shard))
}

// formerID is the identity in journals of earlier versions: by the text of the sweep.
func (a *attempt) formerID() identity {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%q %d %v %q %v", a.Spec, a.Epoch, a.Outside, a.Header, a.Shard)
	if a.Included != nil {
		fmt.Fprintf(&b, " %q %q", a.Included.Name, a.Included.Text)
	}
	return identityOf(b.Bytes())
}

func identityOf(text []byte) identity {
	return identity([]byte(wholefile.Hash(text))[:len(identity{})])
}

// record returns the attempt as a record.
func (a *attempt) record() ([]byte, error) {
	text, err := json.Marshal(a)
	return append([]byte{attemptRecord}, text...), err
}

// trialsOf returns the trials hash of an attempt; "" if its sweep cannot be read. Earlier
// versions did not record the hash.
func trialsOf(r *trial.Registry, a *attempt) string {
	if a.Trials != "" {
		return a.Trials
	}
	s, err := attemptSweep(r, a)
	if err != nil {
		return ""
	}
	return s.trialsHash()
}

// beginningOf returns the first attempt in a journal; nil if it cannot be read.
func beginningOf(path string) *attempt {
	found := errors.New("found")
	held := &contents{path: path}
	if _, err := journal.Scan(path, func(at int64, body []byte) error {
		if err := held.enter(at, body); err != nil || held.attempts != nil {
			return cmp.Or(err, found)
		}
		return nil
	}); !errors.Is(err, found) {
		return nil
	}
	return &held.attempts[0]
}
