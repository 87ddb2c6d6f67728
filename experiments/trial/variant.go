package trial

import (
	"fmt"
	"slices"
	"strings"

	"bullring/internal/suggest"
)

// Variant is one word of each group of an algorithm's variants.
type Variant []string

// Has reports whether the variant contains the word.
func (v Variant) Has(word string) bool { return slices.Contains(v, word) }

// text is the short form of the variant: its first word, and each other word that is not
// the default of its group.
func (v Variant) text(groups [][]string) string {
	var words []string
	for i, w := range v {
		if i == 0 || w != groups[i][0] {
			words = append(words, w)
		}
	}
	return strings.Join(words, ",")
}

// Variant reads a comma-separated list of words. A group without a word in it gets its
// default.
func (a *Algorithm) Variant(text string) (Variant, error) {
	v := make(Variant, len(a.Variants))
	for word := range strings.SplitSeq(text, ",") {
		word = strings.TrimSpace(word)
		if word == "" {
			continue
		}
		group := slices.IndexFunc(a.Variants, func(g []string) bool { return slices.Contains(g, word) })
		switch {
		case group < 0 && len(a.Variants) == 0:
			return nil, fmt.Errorf("variant %q: %s has no variants", word, a.Name)
		case group < 0:
			return nil, fmt.Errorf("variant %q: %s has no such variant%s; allowed are %s", word, a.Name,
				suggest.DidYouMean(word, slices.Concat(a.Variants...)), a.variantsText())
		case v[group] != "" && v[group] != word:
			return nil, fmt.Errorf("variant %q: %q and %q exclude each other", text, v[group], word)
		}
		v[group] = word
	}
	for i, g := range a.Variants {
		if v[i] == "" {
			v[i] = g[0]
		}
	}
	return v, nil
}

func (a *Algorithm) variantsText() string {
	groups := make([]string, len(a.Variants))
	for i, g := range a.Variants {
		groups[i] = strings.Join(g, "|")
	}
	return strings.Join(groups, ", ")
}

// VariantChoices are all variants: the choices of a word of each group. An algorithm without groups has one, "".
func (a *Algorithm) VariantChoices() []string {
	variants := []string{""}
	for _, group := range a.Variants {
		var longer []string
		for _, text := range variants {
			for _, word := range group {
				longer = append(longer, strings.Trim(text+","+word, ","))
			}
		}
		variants = longer
	}
	return variants
}
