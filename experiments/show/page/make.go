package page

import (
	"fmt"
	"slices"
	"strconv"

	"bullring/experiments/show/history"
	"bullring/experiments/trial"
	"bullring/internal/build"
	"bullring/netem"
	"bullring/protocols"
)

// Words are texts about a run that the command line knows.
type Words struct{ Scene, Again string }

// mostLinks is the largest number of links that a page draws.
const mostLinks = 20_000

// New returns the data of a run, given its history with states.
func New(h *history.History, w Words, b Branch) Data {
	r, in := h.Result, h.Result.Instance
	d := Data{
		Format: format, MadeBy: "bullring " + build.ThisProgram().String(),
		Algorithm: in.Algorithm.Name, Variant: in.Setting.Variant, Title: in.Algorithm.Title, Scene: w.Scene, Again: w.Again,
		Seed: in.Setting.Seed, N: in.N, Topology: in.Setting.Topology, FIFO: in.FIFO, Timeless: in.Timeless(),
		Kinds: r.Kinds, Outside: in.Outside, Outcome: string(r.Outcome), Correct: r.Correct,
		Messages: r.Counters.Messages() - r.Overhead, Fingerprint: fmt.Sprintf("%016x", r.Fingerprint),
		What: h.What, Targets: h.Targets, About: in.Algorithm.Doc, Source: in.Algorithm.Source,
		Branch: b, files: files(in),
	}
	if unit, constant := in.Unit(); constant {
		d.Unit = int64(unit)
	}
	if r.Failed != nil {
		d.Failed = r.Failed.Error()
	}
	if id, elected := r.Leader(); elected {
		d.Outcome += " " + strconv.FormatInt(int64(id), 10)
	}
	for kind, apart := range r.Apart {
		if apart {
			d.Apart = append(d.Apart, kind)
		}
	}
	d.addProcesses(r, h.Gone)
	if len(h.Events) > 0 && !d.Timeless {
		d.Ground = groundOf(in, h.Events[len(h.Events)-1].At)
	}
	d.addChecks(h)
	d.mark(h.Slice())
	for _, s := range h.Spans() {
		d.Spans = append(d.Spans, Span(s))
	}
	d.addBands(h.Bands)
	for _, handler := range in.Algorithm.Handlers() {
		d.Pseudocode = append(d.Pseudocode, Block(handler))
	}
	d.Events = make([]Event, len(h.Events))
	for i := range h.Events {
		d.Events[i] = newEvent(&h.Events[i], d.Timeless)
	}
	return d
}

// Explain says why a check is violated, and marks the events that explain it, by their place in the
// history, instead of those of its past.
func (d *Data) Explain(because []string, events []bool) {
	d.Because = because
	d.mark(events)
}

// mark marks the events that explain the verdict.
func (d *Data) mark(events []bool) {
	d.Slice = nil
	for i, in := range events {
		if in {
			d.Slice = append(d.Slice, i+1)
		}
	}
}

// addProcesses adds the identities, if processes compare them, and the links. gone are those that are down at the
// beginning.
func (d *Data) addProcesses(r *trial.Result, gone []netem.Link) {
	in := r.Instance
	for _, k := range gone {
		d.Gone = append(d.Gone, [2]int{int(k.A), int(k.B)})
	}
	if _, leads := r.Judge.(trial.Leading); leads || r.Judge == nil {
		for _, rank := range in.Ranks.All() {
			d.IDs = append(d.IDs, int64(rank.ID))
		}
	}
	if d.Topology == "complete" || in.Graph().Links() > mostLinks {
		return
	}
	d.Directed = !in.Graph().Symmetric()
	for p := range protocols.ID(d.N) {
		for port := range in.Topology.Degree(p) {
			if q := in.Topology.Neighbor(p, port); d.Directed || p <= q {
				d.Links = append(d.Links, [2]int{int(p), int(q)})
			}
		}
	}
}

// addChecks adds the checks with their meaning.
func (d *Data) addChecks(h *history.History) {
	broke := map[string]int{}
	for i := range h.Events {
		for _, name := range h.Events[i].Broken {
			broke[name] = i + 1
		}
	}
	means := map[string]string{}
	for _, p := range h.Result.Instance.Promised() {
		means[p.Name] = p.Says
	}
	if own := h.Result.Instance.Own; own != nil {
		for _, p := range own.Properties {
			means[p.Name] = p.Says
		}
	}
	for _, c := range h.Result.Checks {
		check := Check{Name: c.Name, Means: means[c.Name], Verdict: c.Verdict.String(), Broke: broke[c.Name]}
		if c.Detail != check.Means {
			check.Detail = c.Detail
		}
		d.Checks = append(d.Checks, check)
	}
}

// addBands adds the conditions of the processes.
func (d *Data) addBands(bands []history.Band) {
	for _, b := range bands {
		band := Band{Name: b.Name, Means: b.Says, Colour: b.Look.Colour.String(), Texture: b.Look.Texture.String()}
		for _, s := range b.Stays {
			band.On = append(band.On, [3]int{int(s.Process), s.From, s.To})
		}
		for _, s := range b.Clashes {
			band.Clashes = append(band.Clashes, [2]int{s.From, s.To})
		}
		d.Bands = append(d.Bands, band)
	}
}

func newEvent(e *history.Event, timeless bool) Event {
	out := Event{Time: int64(e.At), What: e.What, Process: int(e.Who), After: slices.DeleteFunc(slices.Clone(e.After), isZero), News: e.News, Choices: e.Choices, Reads: e.Reads, Log: e.Log, Stderr: e.Stderr, Met: e.With(), Panics: e.Panics}
	if timeless {
		out.Time = int64(e.Step)
	}
	switch {
	case e.Message != nil:
		out.From, out.Number, out.Kind, out.Text = int(e.From), e.Number, kindOf(e.Message), fmt.Sprint(e.Message)
	case e.What == "timeout":
		out.Timer, out.Text = int(e.Timer), e.Name
	case e.What == "linkup", e.What == "linkdown":
		out.From = int(e.From)
	case e.What == "fault":
		out.Process, out.Text, out.Link = -1, e.Note, linkOf(e.Change)
	}
	for _, s := range e.Record.Sent {
		out.Sent = append(out.Sent, Sent{int(s.To), s.Number, kindOf(s.Message), fmt.Sprint(s.Message)})
	}
	out.Left = e.Record.Left
	if len(e.Changed) > 0 {
		out.Changed = make(map[string]string, len(e.Changed))
	}
	for _, f := range e.Changed {
		out.Changed[f.Name] = f.Value
	}
	return out
}

// linkOf is a change of a link as in the file, nil if there is none.
func linkOf(c *netem.Change) []int {
	switch {
	case c == nil:
		return nil
	case c.Up:
		return []int{int(c.A), int(c.B), 1}
	}
	return []int{int(c.A), int(c.B), 0}
}

// isZero reports that a cause is unknown: the message was not sent in this run.
func isZero(order int) bool { return order == 0 }

func kindOf(message any) int { return message.(protocols.Message).Kind() }
