package results

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"bullring/experiments/campaign/spec"
	"bullring/experiments/campaign/stats"
	"bullring/experiments/trial"
	"bullring/protocols"
)

// Digest stands for trials of a cell whose rows are not kept. Digests of the same trials print
// alike, in whatever order and groups they were added: so workers, shards and interruptions
// leave no trace in the tables.
type Digest struct {
	layout    *Layout
	keep      spec.Keep
	algorithm *trial.Algorithm

	tallied
	metrics        []stats.Digest // as Layout.Summarised
	bounds, ratios []stats.Mean   // as Layout.bounds
	rows           map[int]keptRow
}

// tallied are the counts of trials.
type tallied struct {
	Trials   int                   `json:"trials"`
	Outcomes map[trial.Outcome]int `json:"outcomes"`
	// Verdicts are by check of the algorithm, in the order of protocols.Verdict.
	Verdicts     map[string][4]int `json:"verdicts"`
	Outside      int               `json:"outside,omitempty"`
	Failed       int               `json:"failed,omitempty"`       // inside the model
	FirstFailed  int               `json:"first_failed,omitempty"` // its replicate
	CutOff       int               `json:"cut_off,omitempty"`      // inside the model
	Inconclusive int               `json:"inconclusive,omitempty"` //
}

// keptRow is a row without its number.
type keptRow struct {
	Text     string `json:"text"`
	Violated bool   `json:"violated,omitempty"` // a check of the trial is
}

// NewDigest returns an empty digest of trials of an algorithm.
func NewDigest(l *Layout, a *trial.Algorithm) *Digest {
	d := &Digest{layout: l, keep: l.keep, algorithm: a, rows: map[int]keptRow{}}
	d.metrics = make([]stats.Digest, len(l.Summarised))
	d.bounds, d.ratios = make([]stats.Mean, len(l.bounds)), make([]stats.Mean, len(l.bounds))
	d.Outcomes, d.Verdicts = map[trial.Outcome]int{}, map[string][4]int{}
	return d
}

// Add adds a trial. A place is the number of a trial within its cell, from 0. row returns its
// row without the number, and is called if it is kept.
func (d *Digest) Add(s *Sample, place int, row func() []byte) {
	violated := d.count(s, place)
	keeps := d.keep.Takes(place, violated)
	for i, v := range s.metrics {
		if d.metrics[i].Add(v, place) && d.keep.Extremes {
			keeps = true
		}
	}
	for i, b := range s.bounds {
		d.bounds[i].Add(b.value)
		d.ratios[i].Add(b.ratio)
	}
	if keeps {
		d.rows[place] = keptRow{string(row()), violated}
	}
}

// count counts a trial, and reports whether a check of it is violated.
func (c *tallied) count(s *Sample, place int) (violated bool) {
	c.Trials++
	c.Outcomes[s.Outcome]++
	if s.Outcome == trial.Inconclusive {
		c.Inconclusive++
	}
	for i, v := range s.Verdicts {
		of := c.Verdicts[s.Algorithm.Checks[i]]
		of[v]++
		c.Verdicts[s.Algorithm.Checks[i]] = of
	}
	violated = slices.Contains(s.Verdicts, protocols.Violated)
	switch {
	case s.Outside:
		c.Outside++
	case violated:
		c.Failed++
		c.failed(place + 1)
	case s.Outcome == trial.Unfinished:
		c.CutOff++
	}
	return violated
}

// failed notes the replicate of a trial that failed.
func (c *tallied) failed(replicate int) {
	if replicate > 0 && (c.FirstFailed == 0 || replicate < c.FirstFailed) {
		c.FirstFailed = replicate
	}
}

// Merge adds the trials of another digest of the cell.
func (d *Digest) Merge(o *Digest) {
	d.merge(&o.tallied)
	for i := range d.metrics {
		d.metrics[i].Merge(&o.metrics[i])
	}
	for i := range d.bounds {
		d.bounds[i].Merge(&o.bounds[i])
		d.ratios[i].Merge(&o.ratios[i])
	}
	for place, row := range o.rows {
		d.rows[place] = row
	}
	d.prune()
}

func (c *tallied) merge(o *tallied) {
	c.Trials += o.Trials
	c.Outside += o.Outside
	c.Failed += o.Failed
	c.CutOff += o.CutOff
	c.Inconclusive += o.Inconclusive
	c.failed(o.FirstFailed)
	for outcome, n := range o.Outcomes {
		c.Outcomes[outcome] += n
	}
	for check, counts := range o.Verdicts {
		of := c.Verdicts[check]
		for v, n := range counts {
			of[v] += n
		}
		c.Verdicts[check] = of
	}
}

// prune drops the rows of trials that were extreme for a while.
func (d *Digest) prune() {
	if !d.keep.Extremes {
		return
	}
	extreme := map[int]bool{}
	for i := range d.metrics {
		if m := &d.metrics[i]; m.N() > 0 {
			extreme[m.Least().Place], extreme[m.Largest().Place] = true, true
		}
	}
	for place, row := range d.rows {
		if !extreme[place] && !d.keep.Takes(place, row.Violated) {
			delete(d.rows, place)
		}
	}
}

// places are the places of the rows that are kept, in order.
func (d *Digest) places() []int {
	d.prune()
	var all []int
	for place := range d.rows {
		all = append(all, place)
	}
	slices.Sort(all)
	return all
}

// measures reports whether trials of the algorithm may have a value of a metric.
func (d *Digest) measures(m *trial.Metric) bool {
	return m.Formula != nil || d.algorithm.Measures(m.Name)
}

// Rows is the number of rows that are kept.
func (d *Digest) Rows() int { return len(d.places()) }

// digestText is how a digest is kept. Metrics of other algorithms and bounds that do not apply are
// left out.
type digestText struct {
	Cell int `json:"cell,omitempty"` // from 1
	tallied
	Metrics map[string]*stats.Digest  `json:"metrics"`
	Bounds  map[string]*[2]stats.Mean `json:"bounds,omitempty"` // value and ratio
	Rows    map[string]keptRow        `json:"rows,omitempty"`   // by replicate
}

// text returns the digest as it is kept.
func (d *Digest) text() *digestText {
	t := &digestText{tallied: d.tallied, Metrics: map[string]*stats.Digest{}, Bounds: map[string]*[2]stats.Mean{}, Rows: map[string]keptRow{}}
	for i := range d.metrics {
		if m := &d.layout.Summarised[i]; d.metrics[i].N() > 0 || d.measures(m) {
			t.Metrics[m.Name] = &d.metrics[i]
		}
	}
	for i, name := range d.layout.bounds {
		if d.bounds[i].N() > 0 || d.ratios[i].N() > 0 {
			t.Bounds[name] = &[2]stats.Mean{d.bounds[i], d.ratios[i]}
		}
	}
	for _, place := range d.places() {
		t.Rows[strconv.Itoa(place+1)] = d.rows[place]
	}
	return t
}

// Text returns the digest as a journal keeps it.
func (d *Digest) Text() ([]byte, error) { return json.Marshal(d.text()) }

// ParseDigest reads what Text returns.
func ParseDigest(l *Layout, a *trial.Algorithm, text []byte) (*Digest, error) {
	var t digestText
	if err := json.Unmarshal(text, &t); err != nil {
		return nil, err
	}
	return digestOf(l, a, &t)
}

// digestOf returns a digest that was kept.
func digestOf(l *Layout, a *trial.Algorithm, t *digestText) (*Digest, error) {
	d := NewDigest(l, a)
	d.merge(&t.tallied)
	if t.Trials < 1 {
		return nil, errors.New("a digest of no trials")
	}
	known := 0
	for i := range l.Summarised {
		m := &l.Summarised[i]
		kept := t.Metrics[m.Name]
		if kept == nil && d.measures(m) {
			return nil, fmt.Errorf("the digest lacks the metric %s, which only running the trials again can tell", m.Name)
		}
		if kept == nil {
			continue
		}
		known++
		if kept.N() > t.Trials {
			return nil, fmt.Errorf("the digest has %d values of %s, of %d trials", kept.N(), m.Name, t.Trials)
		}
		d.metrics[i] = *kept
	}
	if known < len(t.Metrics) {
		return nil, errors.New("the digest has a metric that the sweep does not have")
	}
	for i, name := range l.bounds {
		if kept := t.Bounds[name]; kept != nil {
			d.bounds[i], d.ratios[i] = kept[0], kept[1]
		}
	}
	for replicate, row := range t.Rows {
		place, err := strconv.Atoi(replicate)
		if err != nil || place < 1 {
			return nil, fmt.Errorf("the digest has a row of the replicate %q", replicate)
		}
		d.rows[place-1] = row
	}
	return d, nil
}

// In returns the digest in another layout. If the trials have a metric there that only running
// them again can tell, lacking is its name. first is the least place of a trial. Rows are left to
// TakeRows.
func (d *Digest) In(l *Layout, first int) (now *Digest, lacking string) {
	now = NewDigest(l, d.algorithm)
	now.merge(&d.tallied)
	for i := range l.Summarised {
		m := &l.Summarised[i]
		at := slices.IndexFunc(d.layout.Summarised, func(o trial.Metric) bool { return o.Name == m.Name })
		switch {
		case at >= 0:
			now.metrics[i].Merge(&d.metrics[at])
		case l.keep.Extremes && d.rows[first].Text == "": // all its values are 0
			return nil, m.Name
		case d.measures(m) || m.Zero && d.Inconclusive > 0:
			return nil, m.Name
		case m.Zero:
			now.metrics[i].AddZeros(d.Trials, first)
		}
	}
	for i, name := range l.bounds {
		if at := slices.Index(d.layout.bounds, name); at >= 0 {
			now.bounds[i].Merge(&d.bounds[at])
			now.ratios[i].Merge(&d.ratios[at])
		}
	}
	return now, ""
}

// TakeRows takes the rows of another digest of the same trials, as convert gives them.
func (d *Digest) TakeRows(from *Digest, convert func(place int, row string) (string, error)) error {
	for place, row := range from.rows {
		text, err := convert(place, row.Text)
		if err != nil {
			return err
		}
		d.rows[place] = keptRow{text, row.Violated}
	}
	return nil
}
