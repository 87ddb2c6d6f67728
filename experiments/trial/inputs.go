package trial

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bullring/des"
	"bullring/protocols"
)

// Inputs declares the values with which the processes of an algorithm begin, such as what they
// propose: whole numbers from Least to Most.
type Inputs struct {
	Least, Most int
	Default     string // of a setting that gives none; see Setting.Inputs
}

// RandomInputs draws each input by the seed.
const RandomInputs = "random"

// Few are the values of which searches try every vector: the two least.
func (d *Inputs) Few() []int { return []int{d.Least, d.Least + 1} }

// value reads one value.
func (d *Inputs) value(word string) (int, error) {
	k, err := strconv.Atoi(strings.TrimSpace(word))
	if err != nil || k < d.Least || k > d.Most {
		return 0, fmt.Errorf("%q is no input; allowed are whole numbers from %d to %d", word, d.Least, d.Most)
	}
	return k, nil
}

// read reads the inputs of n processes.
func (d *Inputs) read(text string, n int, seed uint64) ([]int, error) {
	if text == RandomInputs {
		inputs, stream := make([]int, n), des.NewStream(seed, "inputs")
		for p := range inputs {
			inputs[p] = d.Least + stream.Intn(d.Most-d.Least+1)
		}
		return inputs, nil
	}
	how, word, some := strings.Cut(text, " ")
	if some && (how == "all" || how == "one") {
		v, err := d.value(word)
		if err != nil {
			return nil, err
		}
		if how == "all" {
			return slices.Repeat([]int{v}, n), nil
		}
		others := d.Least
		if v == others {
			others++
		}
		inputs := slices.Repeat([]int{others}, n)
		inputs[0] = v
		return inputs, nil
	}
	words := strings.Split(text, ",")
	if len(words) != n {
		return nil, fmt.Errorf("%d values for %d processes; allowed are a value for each process, by address, all V, one V (of process 0 alone) and %s", len(words), n, RandomInputs)
	}
	inputs := make([]int, n)
	for p, word := range words {
		v, err := d.value(word)
		if err != nil {
			return nil, fmt.Errorf("process %d: %w", p, err)
		}
		inputs[p] = v
	}
	return inputs, nil
}

// Input is the value with which a process begins. It panics if the algorithm declares none.
func (sys *System) Input(p protocols.ID) int { return sys.inputs[p] }

// Inputs are the values with which the processes begin, by address; nil if the algorithm declares
// none.
func (sys *System) Inputs() []int { return sys.inputs }

// InputsText is a list of inputs as a setting has it.
func InputsText(inputs []int) string {
	words := make([]string, len(inputs))
	for p, v := range inputs {
		words[p] = strconv.Itoa(v)
	}
	return strings.Join(words, ",")
}

func readInputs(in *Instance, s *Setting) error {
	d := in.Algorithm.Inputs
	if d == nil {
		if s.Inputs != "" {
			return fmt.Errorf("inputs %q: the processes of %s begin without inputs", s.Inputs, in.Algorithm.Name)
		}
		return nil
	}
	if s.Inputs == "" {
		s.Inputs = d.Default
	}
	var err error
	if in.inputs, err = d.read(s.Inputs, in.N, s.Seed); err != nil {
		return fmt.Errorf("inputs %q: %w", s.Inputs, err)
	}
	return nil
}
