package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jonboulle/clockwork"
	"github.com/spf13/cobra"

	"bullring/experiments/campaign/conjecture"
	"bullring/experiments/cli/internal/view"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
)

// conjectureFlags are the flags of conjecture.
type conjectureFlags struct {
	casesFlags
	sizes       []int64
	let         []string
	in          string
	metric, of  string
	data, value string
	terms       uint64
	json        bool
}

// usualConjecture are the flags without a command line.
func usualConjecture() *conjectureFlags {
	return &conjectureFlags{metric: search.Costs[0], of: conjecture.Given, sizes: []int64{2, 3, 4, 5, 6, 7}, terms: usualTerms}
}

// usualTerms is the largest number of terms of a form unless a flag sets it.
const usualTerms = 3

func conjectureCommand(registry *trial.Registry) *cobra.Command {
	f := usualConjecture()
	cmd := &cobra.Command{
		Use:   "conjecture ALGORITHM | --data FILE",
		Short: "Find a closed form for exact costs at a few sizes",
		Long: `Run an algorithm at several sizes and look for a formula that gives its exact cost at all
of them: a sum of up to --terms of n^2, n lg n, n H_n, 2^n, floor(lg n) and their like,
with rational coefficients. A form with k terms is solved at k sizes and has to be exact at
all others, at least k + 2. Forms with fewer terms come first. Nothing is rounded, and
nothing is proven: what is printed is a conjecture, and how many forms were tried for it.

--case says which cost is meant:

  given  that of the run of the setting
  best   the least over all cases
  worst  the most
  mean   the mean, each case counted once

The cases are those of bullring worst: --over ids is every placement of 1..n, initiators
every set of initiators, and schedule, with --case worst only, every order of events.
Runs are in lock-step rounds; nothing fails.

With --let k=1..4 a variable beside n takes each of its values, for each n. Flags of the
system name it in braces, as in --initiators random:{k}. --in says which sizes the formula is
made of: variables, or the number of links m, that of edges E, and the diameter D.

--data FILE takes the numbers from a table in CSV: its columns are sizes, and the last one,
or that of --value, has the values.

Exit status:
  0    a form was found
  1    an algorithm panicked or is not deterministic, or something else failed
  2    the command or its input is wrong, or a cost is not known exactly
  3    no form was found, or a run did not come to rest
  130  interrupted; the costs known by then have been printed`,
		Example: examples(registry,
			"bullring conjecture lcr",
			"bullring conjecture lcr --case mean",
			"bullring conjecture changroberts --case worst --initiators random:1",
			"bullring conjecture bully --variant A --dead last --case worst --over initiators --initiators random:1 --n 3..10",
			"bullring conjecture changroberts --variant tel --placement decreasing --let k=1..4 --initiators random:{k} --n 4..9 --case worst --over initiators --terms 4"),
		Args: func(cmd *cobra.Command, args []string) error {
			if f.data == "" {
				return oneAlgorithm(registry)(cmd, args)
			}
			if err := onlyFlags(cmd, []string{"data", "value", "in", "terms", "json"}); err != nil {
				return err
			}
			return arguments(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.data != "" {
				return conjectureOfTable(cmd, f)
			}
			f.setting.Algorithm = algorithmOf(args)
			return conjectureOf(cmd, registry, f)
		},
		ValidArgsFunction: completeAlgorithm(registry),
	}
	f.register(cmd, registry)
	return cmd
}

func (f *conjectureFlags) register(cmd *cobra.Command, registry *trial.Registry) {
	f.systemFlags.register(cmd, registry, defaultN)
	f.addOutsideModel(cmd)
	flags := cmd.Flags()
	n := flags.Lookup("n")
	n.Value = parsed[[]int64]{&f.sizes, "2..8,16", conjecture.ParseValues, printValues}
	n.Usage, n.DefValue = "numbers of processes", n.Value.String()
	flags.StringArrayVar(&f.let, "let", nil, "another variable and its values, as in k=1..4")
	textFlag(cmd, &f.metric, "metric", strings.Join(search.Costs, "|")+"|METRIC", "the cost, or another metric of the algorithm")
	flags.Var(choice{&f.of, conjecture.Cases}, "case", "the case whose cost is meant")
	f.addCases(cmd)
	textFlag(cmd, &f.in, "in", "n,m,E,D,...", "sizes that the formula may use (default the variables, or all columns of sizes)")
	countFlag(cmd, &f.terms, 1, conjecture.MaxTerms, "terms", "the largest number of terms of a form; one with k terms needs 2k + 2 sizes")
	textFlag(cmd, &f.data, "data", "FILE", "take sizes and values from a table in CSV")
	textFlag(cmd, &f.value, "value", "COLUMN", "of --data: the column of the values (default the last)")
	jsonFlag(cmd, &f.json)
	completeFlag(cmd, "case", completeWords(conjecture.Cases...))
	completeFlag(cmd, "metric", completeWords(search.Costs...))
}

// printValues prints values as ParseValues reads them.
func printValues(values []int64) string {
	if last := len(values) - 1; last > 0 && values[last]-values[0] == int64(last) {
		return fmt.Sprintf("%d..%d", values[0], values[last])
	}
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(values), " ", ","), "[]")
}

// study turns the flags into a study.
func (f *conjectureFlags) study() (conjecture.Study, error) {
	s := conjecture.Study{Hunt: f.read(f.metric), Case: f.of, Variables: []conjecture.Variable{{Name: "n", Values: f.sizes}}, In: f.names()}
	for _, text := range f.let {
		v, err := conjecture.ParseVariable(text)
		if err != nil {
			return s, fmt.Errorf("--let %w", err)
		}
		s.Variables = append(s.Variables, v)
	}
	switch {
	case f.value != "":
		return s, errors.New("--value is a column of --data; of runs, --metric says what is measured")
	case f.setting.IDs != "":
		return s, errors.New("--ids lists as many identities as there are processes, and n varies; --placement says where identities sit")
	case f.of == conjecture.Given && f.over != "":
		return s, fmt.Errorf("--over %s: the case given is one run; --case best, worst and mean have more cases", f.over)
	}
	return s, nil
}

// names are the sizes of which a formula is made, nil if no flag says.
func (f *conjectureFlags) names() (names []string) {
	if f.in != "" {
		for name := range strings.SplitSeq(f.in, ",") {
			names = append(names, strings.TrimSpace(name))
		}
	}
	return names
}

func conjectureOf(cmd *cobra.Command, registry *trial.Registry, f *conjectureFlags) error {
	s, err := f.study()
	if err != nil {
		return err
	}
	p := newProgress(cmd.ErrOrStderr(), clockwork.NewRealClock(), &watch{mode: progressAuto})
	s.Hunt.Progress = p.count
	m, err := s.Measure(orderly(cmd), registry)
	p.close()
	program := cmd.Root().Name()
	if endless, is := errors.AsType[*search.EndlessError](err); is {
		return exit{statusUndecided, fmt.Errorf("undecided: %w; again: %s", err, view.CommandLine(program, endless.Result.Instance))}
	}
	v := view.Conjecture{Study: &s, Measured: m, Value: f.metric, Data: m.Data}
	if cmd.Context().Err() != nil && len(m.Instances) > 0 { // the costs so far are worth printing
		if err := show(cmd, v, f.json); err != nil {
			return err
		}
	}
	if cmd.Context().Err() != nil {
		return interrupted(cmd.Context())
	}
	if err != nil {
		return err
	}
	return conjectured(cmd, v, f)
}

// conjectureOfTable looks for a form of the values in a file.
func conjectureOfTable(cmd *cobra.Command, f *conjectureFlags) error {
	text, err := readText("the table", f.data)
	if err != nil {
		return err
	}
	v := view.Conjecture{File: f.data}
	if v.Data, v.Value, err = conjecture.ReadTable(strings.NewReader(string(text)), f.names(), f.value); err != nil {
		return fmt.Errorf("--data %s: %w", f.data, err)
	}
	return conjectured(cmd, v, f)
}

// conjectured looks for a form of data, and prints it.
func conjectured(cmd *cobra.Command, v view.Conjecture, f *conjectureFlags) (err error) {
	v.Terms = int(f.terms)
	v.Answer, err = conjecture.Find(orderly(cmd), v.Data, v.Terms)
	switch {
	case cmd.Context().Err() != nil:
		return interrupted(context.WithoutCancel(cmd.Context()))
	case err != nil:
		return err
	}
	if err := show(cmd, v, f.json); err != nil {
		return err
	}
	if len(v.Answer.Forms) == 0 {
		return exit{statusUndecided, errors.New("no form was found")}
	}
	return nil
}
