package spec

import (
	"slices"
	"strconv"
	"strings"

	"bullring/internal/pattern"
)

// Keep is what a sweep keeps of its trials. The zero value keeps a row of each.
type Keep struct {
	// Summary: there is a digest of each cell, and rows only of the trials below.
	Summary    bool
	Violations bool // of those that violate a check
	Extremes   bool // of those with the least and the largest value of a metric, in each cell
	OneIn      int  // of the first of so many in each cell; 0 for none
}

// maxSummarised is the largest number of trials of a sweep that keeps a summary.
const maxSummarised = 100_000_000_000

// The words of `keep`.
const (
	keepRows       = "rows"
	keepSummary    = "summary"
	keepViolations = "violations"
	keepExtremes   = "extremes"
)

// oneIn is the notation of one trial among many.
var oneIn = pattern.Of(`^1 in [1-9][0-9]{0,9}$`)

// String says what is kept.
func (k Keep) String() string {
	var words []string
	if k.Violations {
		words = append(words, keepViolations)
	}
	if k.Extremes {
		words = append(words, keepExtremes)
	}
	if k.OneIn > 0 {
		words = append(words, "1 in "+strconv.Itoa(k.OneIn))
	}
	switch {
	case !k.Summary:
		return keepRows
	case words == nil:
		return "a summary"
	}
	return "a summary, and the rows of: " + strings.Join(words, ", ")
}

// Takes reports whether the row of a trial is kept for what the trial is; place counts from 0.
func (k Keep) Takes(place int, violated bool) bool {
	return !k.Summary || k.Violations && violated || k.OneIn > 0 && place%k.OneIn == 0
}

// mostTrials is the largest number of trials of a sweep.
func (k Keep) mostTrials() int64 {
	if k.Summary {
		return maxSummarised
	}
	return maxTrials
}

// keep reads `keep`.
func (r words) keep(n *node) (k Keep) {
	if n.kind == mapping {
		k.Summary = true
		r.mapping(n, "keep", r.keepFields(&k))
		return k
	}
	k.Summary = r.word(n, "keep", []string{keepRows, keepSummary}) == keepSummary
	return k
}

func (r words) keepFields(k *Keep) []field {
	return []field{{"rows", true, oneOrMore(anyOf(word([]string{keepViolations, keepExtremes}), like(oneIn()))).About("trials whose rows are kept beside the summary"),
		func(n *node) { r.each(n, "rows", func(item *node) { r.keptRows(item, k) }) }}}
}

func (r words) keptRows(n *node, k *Keep) {
	if n.kind == text && oneIn().MatchString(n.text) {
		k.OneIn, _ = strconv.Atoi(strings.TrimPrefix(n.text, "1 in "))
		return
	}
	if n.kind != text || !slices.Contains([]string{keepViolations, keepExtremes}, n.text) {
		r.unwanted(n, "rows", "violations, extremes, or one in so many, such as 1 in 1000000", "")
		return
	}
	k.Violations = k.Violations || n.text == keepViolations
	k.Extremes = k.Extremes || n.text == keepExtremes
}

func keepSchema() *schema {
	return anyOf(word([]string{keepRows, keepSummary}), objectOf(words{}.keepFields(nil))).About("a row of each trial, or a summary of each cell and the rows that are asked for; default: rows")
}

// needRows refuses what takes a row of each trial, if the sweep does not keep them.
func (r *reader) needRows(given map[string]*node, s *Spec) {
	if !s.Keep.Summary {
		return
	}
	for _, need := range []struct{ key, why string }{
		{"figures", "a figure is drawn from the rows of its trials"},
		{"compare", "a comparison pairs the rows of trials"},
		{"bootstrap", "a bootstrap draws from the values of all trials"},
	} {
		if n := given[need.key]; n != nil && (need.key != "bootstrap" || s.Bootstrap > 0) {
			r.errorf(n.pos, "%s: %s, and keep: summary (%v) keeps none; summary.csv has means, intervals, quantiles and extremes of each cell", need.key, need.why, given["keep"].pos)
		}
	}
	if s.Until != nil {
		r.errorf(s.Until.Pos, "replicates: a stopping rule looks at the rows of trials, and keep: summary (%v) keeps none; give a number of replicates: a summary can take more of them later", given["keep"].pos)
	}
}
