package cli

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"bullring/des"
	"bullring/experiments"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/detector"
	"bullring/protocols/election"
)

// listed is how many processes a result names one by one. What is longer
// follows from the setting, which is always there.
const listed = 64

// report is the result of a run as JSON. Fields that a run may lack are null,
// never absent.
type report struct {
	Algorithm string `json:"algorithm"`
	Variant   string `json:"variant"`
	N         int    `json:"n"`
	Seed      uint64 `json:"seed"`

	Outcome       string             `json:"outcome"`
	End           string             `json:"end"`
	Leader        *election.Identity `json:"leader"`
	LeaderAddress *protocols.ID      `json:"leader_address"`

	Correct bool `json:"correct"` // at rest, the best live process is the only leader and everybody follows it
	Leaders int  `json:"leaders"` // at the same time, at most

	Messages    uint64 `json:"messages"`
	Overhead    uint64 `json:"overhead"`
	ByKind      tally  `json:"by_kind"`
	Delivered   uint64 `json:"delivered"`
	Service     uint64 `json:"overhead_delivered"`
	ToDead      uint64 `json:"to_dead"`
	Lost        uint64 `json:"lost"`
	Cut         uint64 `json:"cut"`
	Corrupted   uint64 `json:"corrupted"`
	Altered     uint64 `json:"altered"`
	Duplicated  uint64 `json:"duplicated"`
	Reordered   uint64 `json:"reordered"`
	Bits        uint64 `json:"bits"`
	MaxSent     uint64 `json:"max_sent"`
	CausalDepth uint32 `json:"causal_depth"`
	Events      uint64 `json:"events"`

	Rounds      *int64   `json:"rounds"`
	Time        float64  `json:"time"`
	TimeUnit    string   `json:"time_unit"`
	ElectedTime *float64 `json:"elected_time"`
	DecidedTime *float64 `json:"decided_time"`

	Detection *detectionReport `json:"detection"`

	Checks []checkReport `json:"checks"`
	Bounds []boundReport `json:"bounds"`

	Fingerprint string `json:"fingerprint"`
	Epoch       int    `json:"epoch"`

	// Of other families than elections.
	Measured         measures       `json:"measured,omitempty"`
	Entries          []momentReport `json:"entries,omitempty"` // the moments that the family lists
	MessagesPerEntry *number        `json:"messages_per_entry,omitempty"`

	Param              string              `json:"param,omitempty"`
	Placement          string              `json:"placement"`
	IDs                []election.Identity `json:"ids"`
	Attributes         []float64           `json:"attributes"`
	Initiators         string              `json:"initiators"`
	InitiatorAddresses []protocols.ID      `json:"initiator_addresses"`
	Dead               string              `json:"dead"`
	DeadAddresses      []protocols.ID      `json:"dead_addresses"`
	Fault              string              `json:"fault"`
	Drawn              string              `json:"drawn"` // the faults that came of it
	Schedule           []string            `json:"schedule"`
	Topology           string              `json:"topology"`
	Delay              string              `json:"delay"`
	Link               string              `json:"link"`
	LinkMode           string              `json:"link_mode"`
	Delta              *string             `json:"delta"`
	GST                *string             `json:"gst"`
	Transport          string              `json:"transport"`
	Detector           string              `json:"detector"`
	Until              *string             `json:"until"`
	FIFO               bool                `json:"fifo"`
	AssumedDelay       string              `json:"assume"`
	Processing         string              `json:"processing"`
	MaxEvents          uint64              `json:"max_events"`
	MaxTime            *string             `json:"max_time"`
	OutsideModel       []string            `json:"outside_model"`
}

// momentReport is a moment that a family lists, such as an entry into the critical section.
type momentReport struct {
	Address protocols.ID `json:"address"`
	Time    float64      `json:"time"`
}

// measures are what a family has measured, by name, in the order of its metrics.
type measures []measure

type measure struct {
	name  string
	value float64
}

// MarshalJSON implements json.Marshaler.
func (m measures) MarshalJSON() ([]byte, error) {
	text := []byte{'{'}
	for i, x := range m {
		if i > 0 {
			text = append(text, ',')
		}
		value, err := number(x.value).MarshalJSON()
		if err != nil {
			return nil, err
		}
		text = append(append(strconv.AppendQuote(text, x.name), ':'), value...)
	}
	return append(text, '}'), nil
}

// measuresOf is what a run measured that only its family, or its algorithm, does.
func measuresOf(r *experiments.Result) (all measures) {
	for _, m := range r.Instance.Algorithm.OwnMetrics() {
		if v, ok := r.Metric(m.Name); ok {
			all = append(all, measure{m.Name, v})
		}
	}
	return all
}

// momentsOf are the moments that a run lists.
func momentsOf(r *experiments.Result) (title string, moments []momentReport) {
	title, listed := r.Moments()
	for _, m := range listed {
		moments = append(moments, momentReport{m.Process, r.Instance.Units(des.Time(m.At))})
	}
	return title, moments
}

// leadersOf is how many processes took themselves for the leader at the same time.
func leadersOf(r *experiments.Result) int {
	leaders, _ := r.Metric("leaders")
	return int(leaders)
}

// metricOf is a metric of a run, nil if it has none of that name.
func metricOf(r *experiments.Result, name string) *float64 {
	if v, ok := r.Metric(name); ok {
		return &v
	}
	return nil
}

// detectionReport is how good the failure detector was; times are in seconds.
type detectionReport struct {
	Detected      int      `json:"detected"`
	Undetected    int      `json:"undetected"`
	Time          *float64 `json:"time"`
	TimeMax       *float64 `json:"time_max"`
	Mistakes      int      `json:"mistakes"`
	MistakeRate   number   `json:"mistake_rate"`
	MistakeTime   *float64 `json:"mistake_time"`
	QueryAccuracy number   `json:"query_accuracy"`
}

func newDetectionReport(q *detector.Quality) *detectionReport {
	if q == nil {
		return nil
	}
	d := &detectionReport{
		Detected: q.Detected, Undetected: q.Undetected, Mistakes: q.Mistakes,
		MistakeRate: number(q.MistakeRate), QueryAccuracy: number(q.Accuracy),
	}
	if q.Detected > 0 {
		mean, most := q.DetectionMean.Seconds(), q.DetectionMax.Seconds()
		d.Time, d.TimeMax = &mean, &most
	}
	if q.Mistakes > 0 {
		mean := q.MistakeMean.Seconds()
		d.MistakeTime = &mean
	}
	return d
}

type checkReport struct {
	Name    string `json:"name"`
	Verdict string `json:"verdict"`
	Detail  string `json:"detail"`
}

type boundReport struct {
	Name       string `json:"name"`
	Metric     string `json:"metric"`
	Formula    string `json:"formula"`
	Convention string `json:"convention"`
	Relation   string `json:"relation"`
	Value      number `json:"value"`
	Measured   number `json:"measured"`
	Ratio      number `json:"ratio"` // null if the bound is 0 and the value is not
	Broken     bool   `json:"broken"`
}

func newReport(r *experiments.Result) report {
	in, c := r.Instance, &r.Counters
	s := &in.Setting
	p := report{
		Algorithm: s.Algorithm, Variant: s.Variant, N: in.N, Seed: s.Seed,
		Outcome: string(r.Outcome), End: r.End.String(),
		Correct: r.Correct, Leaders: leadersOf(r),
		Messages: c.Messages() - r.Overhead, Overhead: r.Overhead, ByKind: tally{r.Kinds, c.Sent}, Delivered: c.Delivered - c.Service, Service: c.Service, ToDead: c.ToDead,
		Lost: c.Lost, Cut: c.Cut, Corrupted: c.Corrupted, Altered: c.Altered, Duplicated: c.Duplicated, Reordered: c.Reordered,
		Detection: newDetectionReport(r.Detection),
		Bits:      c.Bits, MaxSent: c.MaxSent(), CausalDepth: c.CausalDepth, Events: c.Events,
		Time: in.Units(r.Time), TimeUnit: timeUnit(in), ElectedTime: metricOf(r, "elected_time"), DecidedTime: metricOf(r, "decided_time"),
		Checks: newChecks(r), Bounds: []boundReport{},
		Fingerprint: fingerprint(r), Epoch: netem.Epoch,
		Placement: s.Placement, Initiators: plain(s.Initiators), Dead: plain(s.Dead), Fault: s.Fault, Drawn: in.Drawn.String(), Schedule: s.Schedule.Lines(),
		Link: s.Link, LinkMode: s.LinkMode, Delta: given(s.Delta), GST: given(s.GST), Transport: s.Transport, Detector: s.Detector, Until: given(s.Until),
		InitiatorAddresses: ifListed(orEmpty(in.Initiators)), DeadAddresses: ifListed(orEmpty(in.Dead)),
		Topology: s.Topology, Delay: s.Delay, FIFO: in.FIFO, AssumedDelay: in.Assumed.String(), Processing: in.Processing.String(),
		MaxEvents: s.MaxEvents, MaxTime: given(s.MaxTime), OutsideModel: orEmpty(in.Outside),
		Param: s.Param, Measured: measuresOf(r),
	}
	_, p.Entries = momentsOf(r)
	if v, ok := r.Metric("messages_per_entry"); ok {
		perEntry := number(v)
		p.MessagesPerEntry = &perEntry
	}
	if leader, ok := r.Leader(); ok {
		address := addressOf(in, leader)
		p.Leader, p.LeaderAddress = &leader, &address
	}
	if rounds, ok := r.Rounds(); ok {
		p.Rounds = &rounds
	}
	if in.N <= listed || s.IDs != "" { // identities that were given follow from nothing else
		p.IDs, p.Attributes = identitiesOf(in), attributesOf(in)
	}
	for _, b := range r.Bounds {
		p.Bounds = append(p.Bounds, boundReport{
			b.Name, b.Metric, b.Formula, b.Convention, b.Relation.String(),
			number(b.Value), number(b.Measured), number(b.Ratio), b.Broken,
		})
	}
	return p
}

func newChecks(r *experiments.Result) []checkReport {
	checks := []checkReport{}
	for _, c := range r.Checks {
		checks = append(checks, checkReport{c.Name, c.Verdict.String(), c.Detail})
	}
	return checks
}

// identitiesOf are the identities of an instance by address.
func identitiesOf(in *experiments.Instance) (ids []election.Identity) {
	for _, r := range in.Ranks {
		ids = append(ids, r.ID)
	}
	return ids
}

// attributesOf are the attributes of an instance by address, nil if it has none.
func attributesOf(in *experiments.Instance) (attributes []float64) {
	if in.Setting.Attr == "" {
		return nil
	}
	for _, r := range in.Ranks {
		attributes = append(attributes, r.Attr)
	}
	return attributes
}

// given is a text, nil if there is none.
func given(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// ifListed drops a list that is too long to be listed.
func ifListed[T any](list []T) []T {
	if len(list) > listed {
		return nil
	}
	return list
}

func timeUnit(in *experiments.Instance) string {
	if _, ok := in.Unit(); ok {
		return "message delay"
	}
	if in.Timeless() {
		return "steps"
	}
	return "s"
}

func fingerprint(r *experiments.Result) string { return fmt.Sprintf("%016x", r.Fingerprint) }

func addressOf(in *experiments.Instance, id election.Identity) protocols.ID {
	for p, rank := range in.Ranks {
		if rank.ID == id {
			return protocols.ID(p)
		}
	}
	return -1
}

// plain removes the space from a list that was understood: there it stands
// beside commas only.
func plain(list string) string { return strings.Join(strings.Fields(list), "") }

// writeReport prints the result of a run for people.
func writeReport(w io.Writer, program string, r *experiments.Result) error {
	in := r.Instance
	fmt.Fprintf(w, "%s: %s\n%s\n", titled(in), in.Algorithm.Title, scene(in))
	if len(in.Outside) > 0 {
		fmt.Fprintf(w, "OUTSIDE THE MODEL: %s\n", strings.Join(in.Outside, "; "))
	}
	if in.Algorithm.Remark != nil {
		if remark := in.Algorithm.Remark(in); remark != "" {
			fmt.Fprintf(w, "note: %s\n", remark)
		}
	}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	writeMeasured(t, r)
	t.Flush()
	fmt.Fprintln(w)
	writeChecks(t, r)
	t.Flush()
	if len(r.Bounds) > 0 {
		fmt.Fprintln(w)
		writeBounds(t, r)
		t.Flush()
	}
	if in.Setting.Schedule != "" { // it is in a file, which the caller knows
		return nil
	}
	_, err := fmt.Fprintf(w, "\nagain: %s\n", commandLine(program, in))
	return err
}

func titled(in *experiments.Instance) string {
	if in.Setting.Variant == "" {
		return in.Algorithm.Name
	}
	return in.Algorithm.Name + " " + in.Setting.Variant
}

// scene is the setting in one line.
func scene(in *experiments.Instance) string {
	s := &in.Setting
	parts := []string{fmt.Sprintf("n %s, %s", grouped(uint64(in.N)), s.Topology)}
	if s.IDs != "" {
		parts = append(parts, "identities given")
	} else {
		parts = append(parts, "identities "+s.Placement)
	}
	if s.Attr != "" {
		parts = append(parts, "with attributes")
	}
	if s.Param != "" {
		parts = append(parts, s.Param)
	}
	parts = append(parts, who("initiators", s.Initiators, in.Initiators))
	if len(in.Dead) > 0 {
		parts = append(parts, who("dead", s.Dead, in.Dead))
	}
	if s.Schedule == "" {
		parts = append(parts, "delay "+s.Delay)
	}
	for _, p := range []struct{ what, value string }{
		{"link", s.Link}, {"link mode", unless(s.LinkMode, "exact")}, {"delta", s.Delta}, {"gst", s.GST},
		{"transport", unless(s.Transport, "plain")}, {"detector", unless(s.Detector, "perfect")},
	} {
		if p.value != "" {
			parts = append(parts, p.what+" "+p.value)
		}
	}
	if !in.FIFO {
		parts = append(parts, "not FIFO")
	}
	if len(in.Plan) > 0 {
		parts = append(parts, "faults "+s.Fault)
	}
	if s.Schedule != "" {
		head, _, _ := strings.Cut(string(s.Schedule), "\n")
		return strings.Join(append(parts, fmt.Sprintf("a schedule of %s, %s", several(in.Steps(), "step"), head)), ", ")
	}
	return strings.Join(append(parts, "seed "+strconv.FormatUint(s.Seed, 10)), ", ")
}

// who names processes: as they were described and, if that is not to list
// them, which ones they are.
func who(what, described string, list []protocols.ID) string {
	const few = 8
	described = plain(described)
	if described == "all" || len(list) > few {
		if len(described) > 4*few {
			described = described[:4*few] + "..."
		}
		return what + " " + described
	}
	addresses := make([]string, len(list))
	for i, p := range list {
		addresses[i] = strconv.Itoa(int(p))
	}
	text := strings.Join(addresses, ",")
	if text != described {
		text = described + " (" + text + ")"
	}
	return what + " " + text
}

func writeMeasured(w io.Writer, r *experiments.Result) {
	in, c := r.Instance, &r.Counters
	outcome := string(r.Outcome)
	if leader, ok := r.Leader(); ok {
		outcome += fmt.Sprintf(": identity %d at address %d", leader, addressOf(in, leader))
	}
	if r.Outcome == experiments.Unfinished {
		outcome += ": " + r.End.String()
		if r.Failed != nil {
			outcome += ": " + r.Failed.Error()
		}
	}
	fmt.Fprintf(w, "outcome\t%s\n", outcome)
	if drawn := in.Drawn.String(); drawn != in.Setting.Fault {
		fmt.Fprintf(w, "drawn faults\t%s\n", drawn)
	}
	var own, apart tally
	for kind, name := range r.Kinds {
		if r.Apart[kind] {
			apart.add(name, c.Sent[kind])
		} else {
			own.add(name, c.Sent[kind])
		}
	}
	fmt.Fprintf(w, "messages\t%s (%v)\n", grouped(c.Messages()-r.Overhead), own)
	if apart.names != nil {
		fmt.Fprintf(w, "overhead\t%s (%v)\n", grouped(r.Overhead), apart)
	}
	fmt.Fprintf(w, "delivered\t%s\n", grouped(c.Delivered-c.Service))
	if c.ToDead > 0 || len(in.Dead) > 0 || len(in.Plan) > 0 {
		fmt.Fprintf(w, "to the dead\t%s\n", grouped(c.ToDead))
	}
	for _, k := range []struct {
		what  string
		count uint64
	}{
		{"lost by links", c.Lost}, {"lost by faults", c.Cut}, {"damaged", c.Corrupted}, {"altered", c.Altered},
		{"duplicated", c.Duplicated}, {"reordered", c.Reordered},
	} {
		if k.count > 0 {
			fmt.Fprintf(w, "%s\t%s\n", k.what, grouped(k.count))
		}
	}
	fmt.Fprintf(w, "bits\t%s\n", grouped(c.Bits))
	fmt.Fprintf(w, "causal depth\t%s\n", grouped(uint64(c.CausalDepth)))
	if rounds, ok := r.Rounds(); ok {
		fmt.Fprintf(w, "rounds\t%s\n", grouped(uint64(rounds)))
	}
	unit := timeUnit(in)
	if delay, ok := in.Unit(); ok {
		unit = "delays of " + delay.String()
	}
	fmt.Fprintf(w, "time\t%s %s%s\n", decimal(in.Units(r.Time)), unit, aside(r))
	for _, m := range measuresOf(r) {
		fmt.Fprintf(w, "%s\t%s\n", strings.ReplaceAll(m.name, "_", " "), decimal(m.value))
	}
	if title, moments := momentsOf(r); moments != nil {
		fmt.Fprintf(w, "%s\t%s\n", title, firstOf(moments))
	}
	if q := r.Detection; q != nil {
		fmt.Fprintf(w, "detection\t%s\n", detection(q))
	}
	fmt.Fprintf(w, "fingerprint\t%s (epoch %d)\n", fingerprint(r), netem.Epoch)
}

// aside are the times that a report tells beside that of the run.
func aside(r *experiments.Result) string {
	var words []string
	for _, m := range r.Instance.Algorithm.Metrics {
		switch v, ok := r.Metric(m.Name); {
		case m.Aside == "":
		case ok:
			words = append(words, m.Aside+" at "+decimal(v))
		default:
			words = append(words, m.Aside+" never")
		}
	}
	if words == nil {
		return ""
	}
	return " (" + strings.Join(words, ", ") + ")"
}

// firstOf lists the first moments.
func firstOf(moments []momentReport) string {
	const few = 8
	var words []string
	for i, m := range moments {
		if i == few {
			words = append(words, "...")
			break
		}
		words = append(words, fmt.Sprintf("%d at %s", m.Address, decimal(m.Time)))
	}
	return strings.Join(words, ", ")
}

// detection says how good a failure detector was.
func detection(q *detector.Quality) string {
	text := fmt.Sprintf("%d crashes suspected", q.Detected)
	if q.Detected > 0 {
		text += fmt.Sprintf(" after %v, at most %v", q.DetectionMean, q.DetectionMax)
	}
	if q.Undetected > 0 {
		text += fmt.Sprintf(", %d not", q.Undetected)
	}
	text += fmt.Sprintf("; %d mistakes", q.Mistakes)
	if q.Mistakes > 0 {
		text += fmt.Sprintf(" of %v, %s a pair and second", q.MistakeMean, decimal(q.MistakeRate))
	}
	return text
}

func writeChecks(w io.Writer, r *experiments.Result) {
	fmt.Fprintln(w, "CHECK\tVERDICT\tPROPERTY")
	for _, c := range r.Checks {
		fmt.Fprintf(w, "%s\t%s\t%s\n", c.Name, c.Verdict, c.Detail)
	}
}

func writeBounds(w io.Writer, r *experiments.Result) {
	fmt.Fprintln(w, "BOUND\tMEASURED\t\tTHEORY\tRATIO\tFORMULA")
	for _, b := range r.Bounds {
		broken := ""
		if b.Broken {
			broken = "BROKEN: "
		}
		fmt.Fprintf(w, "%s\t%s %s\t%s\t%s\t%s\t%s%s\n",
			b.Name, b.Metric, decimal(b.Measured), b.Relation, decimal(b.Value), decimal(b.Ratio), broken, b.Formula)
	}
}

// commandLine is the command that repeats a run.
func commandLine(program string, in *experiments.Instance) string {
	s := &in.Setting
	words := []string{program, "run", s.Algorithm}
	add := func(flag, value string) {
		if value != "" {
			words = append(words, "--"+flag, quoted(value))
		}
	}
	if s.IDs != "" {
		add("ids", plain(s.IDs))
	} else {
		add("n", strconv.Itoa(in.N))
		add("placement", unless(s.Placement, experiments.Placements[0]))
	}
	add("attr", plain(s.Attr))
	add("variant", unless(s.Variant, firstVariant(in.Algorithm)))
	add("param", s.Param)
	add("initiators", unless(plain(s.Initiators), "all"))
	add("dead", unless(plain(s.Dead), "none"))
	for _, f := range in.Plan {
		add("fault", f.String())
	}
	add("topology", unless(s.Topology, in.Algorithm.Assumes.Topologies[0]))
	add("delay", unless(s.Delay, experiments.DefaultDelay))
	for _, l := range in.Lines {
		add("link", experiments.LinkText(l))
	}
	add("link-mode", unless(s.LinkMode, "exact"))
	add("delta", s.Delta)
	add("gst", s.GST)
	add("transport", unless(s.Transport, "plain"))
	add("detector", unless(s.Detector, "perfect"))
	if !in.FIFO {
		words = append(words, "--fifo=false")
	}
	add("assume", s.Assume)
	add("processing", s.Processing)
	if len(in.Outside) > 0 {
		words = append(words, "--outside-model")
	}
	add("max-events", unless(strconv.FormatUint(s.MaxEvents, 10), strconv.Itoa(experiments.DefaultMaxEvents)))
	add("max-time", s.MaxTime)
	add("until", s.Until)
	add("seed", strconv.FormatUint(s.Seed, 10))
	return strings.Join(words, " ")
}

// firstVariant is how the default variant prints.
func firstVariant(a *experiments.Algorithm) string {
	if len(a.Variants) == 0 {
		return ""
	}
	return a.Variants[0][0]
}

// unless drops a value that is the default.
func unless(value, byDefault string) string {
	if value == byDefault {
		return ""
	}
	return value
}

// quoted makes a word of a shell command of a value.
func quoted(value string) string {
	const bare = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.,:+=/@%"
	if strings.Trim(value, bare) == "" {
		return value
	}
	return "'" + strings.ReplaceAll(value, "'", `'\''`) + "'"
}
