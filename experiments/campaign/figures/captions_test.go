package figures_test

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"bullring/experiments/campaign/figures"
	"bullring/experiments/campaign/results"
	"bullring/experiments/catalog"
	"bullring/experiments/trial/setting"
	"bullring/plots"
	"bullring/plots/looks"
)

// rehearsedSpecs are the figures of all sweeps that come with the project.
func rehearsedSpecs(t *testing.T) []figures.Rehearsed {
	t.Helper()
	files, err := filepath.Glob("../../specs/*.yaml")
	if err != nil || len(files) < 25 {
		t.Fatalf("specs %v, %v", files, err)
	}
	var all []figures.Rehearsed
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r := catalog.New()
		s, err := results.ParseSpec(r, file, text)
		if err != nil {
			t.Fatal(err)
		}
		s.Replicates = 2
		drawn, err := figures.RehearseAll(&results.Folder{Registry: r, Text: text, Spec: s, Cells: s.Cells(), Manifest: &results.Manifest{}})
		if err != nil {
			t.Fatal(file, err)
		}
		all = append(all, drawn...)
	}
	return all
}

// charts are figures, and the panels of grids in their place.
func charts(all []figures.Rehearsed) (flat []figures.Rehearsed) {
	for _, f := range all {
		if f.Parts == nil {
			flat = append(flat, f)
		}
		flat = append(flat, f.Parts...)
	}
	return flat
}

// No two figures of the sweeps that come with the project have the same caption, even if all
// of their values are equal.
func TestCaptionsDiffer(t *testing.T) {
	first := map[string]string{}
	for _, f := range rehearsedSpecs(t) {
		text := f.Caption
		if earlier, taken := first[text]; taken {
			t.Errorf("%s and %s have one caption: %s", earlier, f.Name, text)
		}
		first[text] = f.Name
	}
	if len(first) < 70 {
		t.Errorf("%d captions", len(first))
	}
}

// Each figure of the sweeps that come with the project asks a question.
func TestFiguresAsk(t *testing.T) {
	for _, f := range rehearsedSpecs(t) {
		if !strings.HasSuffix(f.Asks, "?") {
			t.Errorf("%s asks %q", f.Name, f.Asks)
		}
	}
}

// Who has the caption and sees the axis and the legend can write down the setting of each
// point.
func TestCaptionsTellSettings(t *testing.T) {
	told := 0
	for _, f := range charts(rehearsedSpecs(t)) {
		r := newReader(". " + f.Caption)
		for _, p := range f.Points {
			want := map[string]string{"algorithm": p.Cell.Algorithm}
			for i := range setting.Conditions {
				c := &setting.Conditions[i]
				want[c.Name] = c.Get(&p.Cell.Setting)
			}
			got := r.setting(p.Label, p.Place)
			for field, value := range want {
				values, ok := got[field]
				if !ok && field != "algorithm" {
					values = []string{setting.Find(field).Usual}
				}
				if !slices.ContainsFunc(values, func(v string) bool { return plainNumbers(v) == plainNumbers(value) }) {
					t.Fatalf("%s: %s of %q at %q is %q, its caption tells %q: %s", f.Name, field, p.Label, p.Place, value, values, f.Caption)
				}
			}
			told++
		}
	}
	if told < 1000 {
		t.Errorf("%d points", told)
	}
}

// reader reads a caption.
type reader struct {
	along, conditions, pooled []string
	series                    string   // the sentence
	fields                    []string // that tell the series apart
	symbol, unit              string
}

var (
	unitPattern   = regexp.MustCompile(`\. At \pL = [0-9.]+([a-zµ]+)`)
	atPattern     = regexp.MustCompile(`\. (?:At|Along) (\pL)( = .*?: |, | *: )`)
	seriesPattern = regexp.MustCompile(`(?:Series|Rows)(?: by ([a-z_, ]+))?: `)
	section       = regexp.MustCompile(`\. (?:Conditions: |Pooled over |Series(?: by [a-z_, ]+)?: |Rows(?: by [a-z_, ]+)?: |Outside the model |Of [0-9]|[0-9]+ trials? a|[0-9]+ to [0-9]+ trials)`)
)

func newReader(caption string) *reader {
	r := &reader{}
	upTo := func(text string) string { // the next sentence
		if at := section.FindStringIndex(text + ". 1 trial a"); at != nil {
			return (text + ". 1 trial a")[:at[0]]
		}
		return text
	}
	if at := atPattern.FindStringSubmatchIndex(caption); at != nil {
		r.symbol = caption[at[2]:at[3]]
		text := upTo(caption[at[5]:])
		switch how := caption[at[4]:at[5]]; {
		case strings.HasPrefix(how, " ="):
			r.along = items(text)
		case how == ", " && strings.HasPrefix(text, "x = "): // numbers of a sweep's own
		case how == ", ": // n = 4, 8
			r.symbol, r.along = "n", []string{"n = n"}
		default:
			r.series += "; " + text
		}
	}
	if unit := unitPattern.FindStringSubmatch(caption); unit != nil {
		r.unit = unit[1]
	}
	if _, text, ok := strings.Cut(caption, ". Conditions: "); ok {
		r.conditions = items(upTo(text))
	}
	if _, text, ok := strings.Cut(caption, ". Pooled over "); ok {
		r.pooled = items(upTo(text))
	}
	if at := seriesPattern.FindStringSubmatchIndex(caption); at != nil {
		if at[2] >= 0 {
			r.fields = strings.Split(strings.ReplaceAll(caption[at[2]:at[3]], " and ", ", "), ", ")
		}
		r.series += "; " + caption[at[1]:]
	}
	return r
}

// setting tells the values of fields at a point.
func (r *reader) setting(label, place string) map[string][]string {
	at := map[string][]string{}
	y := ""
	own := slices.Concat(r.own(label), r.own(place))
	for _, item := range own {
		if rest, ok := strings.CutPrefix(item, "y = "); ok {
			y = rest
		}
	}
	for _, item := range slices.Concat(r.conditions, r.pooled, r.along, own) {
		r.read(at, item, place, y)
	}
	if r.fields != nil {
		for i, word := range strings.SplitN(label, ", ", len(r.fields)) {
			word = strings.TrimPrefix(strings.TrimPrefix(word, r.fields[i]+" = "), r.fields[i]+" ")
			at[r.fields[i]] = []string{word}
		}
	}
	if at["algorithm"] == nil {
		at["algorithm"] = []string{label}
	}
	return at
}

// own are the items in the brackets behind a label.
func (r *reader) own(label string) []string {
	i := strings.Index(r.series, "; "+label+" (")
	if i < 0 || label == "" {
		return nil
	}
	rest, depth := r.series[i+len("; "+label+" ("):], 1
	for k, c := range rest {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 {
			return items(rest[:k])
		}
	}
	return nil
}

// items splits a list at its commas, but for those of a value in quotes and of numbers.
func items(text string) []string {
	var all []string
	text = morePlaces.ReplaceAllString(text, "$1, $2")
	for part := range strings.SplitSeq(text, ", ") {
		_, err := strconv.ParseFloat(part, 64)
		_, late := time.ParseDuration(part)
		last := len(all) - 1
		if last >= 0 && (err == nil || late == nil || strings.HasPrefix(part, "each twice") || strings.Count(all[last], "“") > strings.Count(all[last], "”")) {
			all[last] += ", " + part
			continue
		}
		all = append(all, part)
	}
	return all
}

// A condition has a value at some places along x only: "f 2 at n = 6, 8 and f 3 at n = 10, 12".
var (
	atPlaces   = regexp.MustCompile(`^(?:(.*) )?at \pL = ([0-9., ]+)$`)
	morePlaces = regexp.MustCompile(`([0-9.]) and (\pL[^,]*? at \pL = )`)
)

// read reads an item into the values of its field. y are the numbers of pooled values.
func (r *reader) read(at map[string][]string, item, place, y string) {
	item = strings.TrimPrefix(strings.Replace(strings.Replace(item, "fault plan ", "fault ", 1), "no fault ", "fault ", 1), "and over ")
	item, numbers, ok := strings.Cut(item, " with y = ")
	if ok {
		y = numbers
	}
	field, value, ok := strings.Cut(item, " ")
	value = strings.Trim(value, "“”")
	switch {
	case !ok:
		at["algorithm"] = []string{item}
		return
	case item == "nobody dead":
		field, value = "dead", "none"
	case item == "links that only delay":
		field, value = "link", ""
	case item == "no FIFO":
		field, value = "fifo", "false"
	case field == "default":
		field, value = value, ""
	case strings.HasPrefix(value, "= "):
		value = strings.TrimPrefix(value, "= ")
	}
	if field == "y" || field == r.symbol && field != "n" && field != "f" { // those two are names of conditions
		return
	}
	if m := atPlaces.FindStringSubmatch(value); m != nil {
		if !slices.Contains(strings.Split(m[2], ", "), place) {
			return
		}
		value = strings.Trim(m[1], "“”")
	}
	if field == r.symbol && slices.Contains(sequenceOf(value), place) { // where the series has points
		value = place
	}
	value = symbolIn(value, r.symbol, place, r.unit)
	at[field] = []string{value}
	for _, number := range sequenceOf(y) {
		if text := symbolIn(value, "y", number, ""); text != value {
			at[field] = append(at[field], text)
		}
	}
}

// symbolIn puts a number with its unit, or a multiple of it, in the place of a symbol.
func symbolIn(text, symbol, number, unit string) string {
	if symbol == "" {
		return text
	}
	if !strings.Contains(text, symbol) {
		return text
	}
	before := `(^|[^\pL]|\bp)` // p of a quantile
	pattern := regexp.MustCompile(before + `([0-9.]*)` + symbol + `($|[^\pL]|m/s\b|m\b)`)
	return pattern.ReplaceAllStringFunc(text, func(found string) string {
		m := pattern.FindStringSubmatch(found)
		if v, err := strconv.ParseFloat(number, 64); err == nil && m[2] != "" {
			factor, _ := strconv.ParseFloat(m[2], 64)
			return m[1] + strconv.FormatFloat(factor*v, 'f', -1, 64) + unit + m[3]
		}
		return m[1] + number + unit + m[3]
	})
}

// sequenceOf are the durations or whole numbers of a list or of equal steps.
func sequenceOf(text string) []string {
	ends, step, ok := strings.Cut(text, " in steps of ")
	first, last, _ := strings.Cut(ends, " to ")
	if n, err := strconv.Atoi(first); ok && err == nil {
		most, _ := strconv.Atoi(last)
		by, _ := strconv.Atoi(step)
		var all []string
		for ; n <= most && by > 0; n += by {
			all = append(all, strconv.Itoa(n))
		}
		return all
	}
	from, err := time.ParseDuration(first)
	if !ok || err != nil {
		return strings.Split(text, ", ")
	}
	to, _ := time.ParseDuration(last)
	by, _ := time.ParseDuration(step)
	var all []string
	for ; from <= to && by > 0; from += by {
		all = append(all, from.String())
	}
	return all
}

var anyNumber = regexp.MustCompile(`[0-9]+(?:\.[0-9]+)?(?:[a-zµ]+\b(?:[0-9.]+[a-zµ]+\b)*)?`)

// plainNumbers writes durations in nanoseconds.
func plainNumbers(text string) string {
	return anyNumber.ReplaceAllStringFunc(text, func(number string) string {
		if d, err := time.ParseDuration(number); err == nil && number != "0" {
			return strconv.FormatInt(d.Nanoseconds(), 10) + "ns"
		}
		if v, err := strconv.ParseFloat(number, 64); err == nil {
			return strconv.FormatFloat(math.Round(v*1e9)/1e9, 'f', -1, 64)
		}
		return number
	})
}

var strokeOfSeries = regexp.MustCompile(` stroke="(#[0-9A-F]{6})" stroke-width="1"/>`)

// In each figure of the sweeps that come with the project, up to seven series have colours of
// their own.
func TestSeriesDifferInColour(t *testing.T) {
	compared := 0
	for _, f := range rehearsedSpecs(t) {
		keys, colours := map[string]bool{}, map[string]bool{}
		for _, chart := range f.Charts {
			for _, m := range chart.Marks {
				if s, ok := m.(*plots.Series); ok {
					keys[s.Key] = true
				}
			}
		}
		if len(keys) < 2 {
			continue
		}
		var svg strings.Builder
		if err := f.SVG(&svg); err != nil {
			t.Fatal(err)
		}
		for _, stroke := range strokeOfSeries.FindAllStringSubmatch(svg.String(), -1) {
			colours[stroke[1]] = true
		}
		if compared++; len(colours) != min(len(keys), looks.Colours) {
			t.Errorf("%s: %d series have %d colours", f.Name, len(keys), len(colours))
		}
	}
	if compared < 50 {
		t.Errorf("%d figures of several series", compared)
	}
}
