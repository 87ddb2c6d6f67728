package trial

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"bullring/des"
	"bullring/internal/suggest"
	"bullring/protocols"
)

// Param is a parameter of an algorithm. A setting gives it as NAME=VALUE.
type Param struct {
	Name    string `json:"name"`   // one word
	Form    string `json:"values"` // the form of a value, such as 5ms or K
	Default string `json:"default"`
	Meaning string `json:"meaning"`
	// Check returns what is wrong with a value, or nil. Of the instance, all is known but
	// parameters, faults and the schedule.
	Check func(in *Instance, value string) error `json:"-"`
}

// Auto is a value of some parameters: the algorithm chooses.
const Auto = "auto"

// CountParam is a parameter that is a whole number from least to most.
func CountParam(name, byDefault, meaning string, least, most int) Param {
	return Param{Name: name, Form: "K", Default: byDefault, Meaning: meaning, Check: func(_ *Instance, value string) error {
		if k, err := strconv.Atoi(value); err != nil || k < least || k > most {
			return fmt.Errorf("it takes a whole number from %d to %d", least, most)
		}
		return nil
	}}
}

// DurationParam is a parameter that is a duration from 0 on.
func DurationParam(name, byDefault, meaning string) Param {
	return Param{Name: name, Form: "duration", Default: byDefault, Meaning: meaning, Check: func(_ *Instance, value string) error {
		if d, err := time.ParseDuration(value); err != nil || d < 0 || d > des.MaxDuration {
			return fmt.Errorf("it takes a duration from 0s to %v", des.MaxDuration)
		}
		return nil
	}}
}

// PauseParam is a parameter that is a duration above 0s: with none, a process that waits so long again
// and again would not let time pass.
func PauseParam(name, byDefault, meaning string) Param {
	return Param{Name: name, Form: "duration", Default: byDefault, Meaning: meaning, Check: func(_ *Instance, value string) error {
		if d, err := time.ParseDuration(value); err != nil || d <= 0 || d > des.MaxDuration {
			return fmt.Errorf("it takes a duration above 0s, up to %v", des.MaxDuration)
		}
		return nil
	}}
}

// AddressParam is a parameter that is the address of a process.
func AddressParam(name, byDefault, meaning string) Param {
	return Param{Name: name, Form: "ADDRESS", Default: byDefault, Meaning: meaning, Check: func(in *Instance, value string) error {
		_, err := addressOf(value, in.N)
		return err
	}}
}

// WordParam is a parameter that is one of some words. The first is the default.
func WordParam(name, meaning string, words ...string) Param {
	return Param{Name: name, Form: strings.Join(words, "|"), Default: words[0], Meaning: meaning, Check: func(_ *Instance, value string) error {
		if !slices.Contains(words, value) {
			return fmt.Errorf("allowed are %s%s", strings.Join(words, ", "), suggest.DidYouMean(value, words))
		}
		return nil
	}}
}

// WordsParam is a parameter that is one of some words, or several of them in parentheses. The first word is
// the default.
func WordsParam(name, meaning string, words ...string) Param {
	return Param{Name: name, Form: strings.Join(words, "|") + "|(WORD,...)", Default: words[0], Meaning: meaning, Check: func(_ *Instance, value string) error {
		for _, word := range wordsOf(value) {
			if !slices.Contains(words, word) {
				return fmt.Errorf("%q is none of its words; allowed are %s, or several in parentheses%s", word, strings.Join(words, ", "), suggest.DidYouMean(word, words))
			}
		}
		return nil
	}}
}

// wordsOf are the words of a value: one, or several in parentheses.
func wordsOf(value string) []string {
	if inside, list := strings.CutPrefix(value, "("); list {
		value = strings.TrimSuffix(inside, ")")
	}
	words := strings.Split(value, ",")
	for i := range words {
		words[i] = strings.TrimSpace(words[i])
	}
	return words
}

// Params are the parameters of the algorithm of an instance.
type Params struct {
	algorithm *Algorithm
	n         int      // processes
	values    []string // in the order of Algorithm.Params
}

// Param returns the value of a parameter of the algorithm. It panics if the algorithm
// declares no parameter of that name.
func (p *Params) Param(name string) string {
	i := p.algorithm.param(name)
	if i < 0 {
		panic(fmt.Sprintf("experiments: %s declares no parameter %q", p.algorithm.Name, name))
	}
	return p.values[i]
}

// Words returns the words of a parameter that is one of them, or several.
func (p *Params) Words(name string) []string { return wordsOf(p.Param(name)) }

// Count returns the value of a parameter that is a whole number.
func (p *Params) Count(name string) int {
	k, err := strconv.Atoi(p.Param(name))
	if err != nil {
		panic(err) // it was checked
	}
	return k
}

// Duration returns the value of a parameter that is a duration.
func (p *Params) Duration(name string) time.Duration {
	d, err := time.ParseDuration(p.Param(name))
	if err != nil {
		panic(err) // it was checked
	}
	return d
}

// Address returns the value of a parameter that is an address.
func (p *Params) Address(name string) protocols.ID {
	address, err := addressOf(p.Param(name), p.n)
	if err != nil {
		panic(err) // it was checked
	}
	return address
}

// readParams reads the parameters of a setting.
func readParams(in *Instance, s *Setting) error {
	a := in.Algorithm
	values := make([]string, len(a.Params))
	in.Params = Params{a, in.N, values} // a check may ask for parameters that come before its own
	given, err := splitParams(s.Param)
	if err != nil {
		return err
	}
	for _, g := range given {
		i := a.param(g.name)
		switch {
		case len(a.Params) == 0:
			return fmt.Errorf("parameter %q: %s has no parameters", g.name, a.Name)
		case i < 0:
			return fmt.Errorf("parameter %q: %s has no such parameter%s; it has %s", g.name, a.Name,
				suggest.DidYouMean(g.name, a.ParamNames()), strings.Join(a.ParamNames(), ", "))
		case values[i] != "":
			return fmt.Errorf("parameter %q is given twice", g.name)
		}
		values[i] = g.value
	}
	var texts []string
	for i, p := range a.Params {
		if values[i] == "" {
			values[i] = p.Default
		}
		if err := p.Check(in, values[i]); err != nil {
			return fmt.Errorf("parameter %s=%s: %w", p.Name, values[i], err)
		}
		if values[i] != p.Default {
			texts = append(texts, p.Name+"="+values[i])
		}
	}
	s.Param = strings.Join(texts, ",")
	return nil
}

// givenParam is a parameter as it was given.
type givenParam struct{ name, value string }

// GivenParam is the value of a parameter in the text of a setting, "" if it is not given there.
func GivenParam(text, name string) (value string, err error) {
	given, err := splitParams(text)
	for _, g := range given {
		if g.name == name {
			value = g.value
		}
	}
	return value, err
}

// splitParams reads NAME=VALUE, comma-separated; commas in parentheses are part of a
// value.
func splitParams(text string) (all []givenParam, err error) {
	depth, from := 0, 0
	add := func(word string) {
		name, value, found := strings.Cut(strings.TrimSpace(word), "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		switch {
		case word == "" && text == "" || err != nil:
		case !found || name == "" || value == "":
			err = fmt.Errorf("parameter %q: it is written NAME=VALUE", strings.TrimSpace(word))
		default:
			all = append(all, givenParam{name, value})
		}
	}
	for i, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				add(text[from:i])
				from = i + 1
			}
		}
	}
	if depth != 0 {
		return nil, fmt.Errorf("parameters %q: not as many parentheses close as open", text)
	}
	add(text[from:])
	return all, err
}
