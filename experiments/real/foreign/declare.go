package foreign

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/protocols"
	"bullring/protocols/box"
)

// declarationKey names a declaration whose processes are programs.
type declarationKey struct {
	of    *trial.Algorithm
	kinds string
}

// bare are the declarations that only a program has.
var bare = sync.OnceValue(func() (all []*trial.Algorithm) {
	for _, a := range append(families.Bare[message](), unjudged()) {
		a.Params = append(a.Params, kindsOf(a.Kinds))
		all = append(all, &a)
	}
	return all
})

// Bare implements [trial.Nodes].
func (n *Nodes) Bare() []*trial.Algorithm { return bare() }

// kindsParam names the kinds of messages.
const kindsParam = "kinds"

// kindNames reads a list of kinds: auto, or names in parentheses.
func kindNames(value string) ([]string, error) {
	if value == trial.Auto {
		return nil, nil
	}
	inside, found := strings.CutPrefix(value, "(")
	inside, closed := strings.CutSuffix(inside, ")")
	names := strings.Split(inside, ",")
	for i := range names {
		names[i] = strings.ToUpper(strings.TrimSpace(names[i]))
		if names[i] == "" || strings.ContainsAny(names[i], "()") || slices.Contains(names[:i], names[i]) {
			found = false
		}
	}
	if !found || !closed || len(names) > mostKinds {
		return nil, fmt.Errorf("it takes auto, or up to %d different names in parentheses, such as (PROBE,ANNOUNCE)", mostKinds)
	}
	return names, nil
}

// kindsOf is the parameter that names the kinds of messages. fixed are those that a family asks about.
func kindsOf(fixed []string) trial.Param {
	return trial.Param{
		Name: kindsParam, Form: "(A,B,...)", Default: trial.Auto, Meaning: "kinds of messages: the types of their bodies; auto: as they come",
		Check: func(_ *trial.Instance, value string) error {
			names, err := kindNames(value)
			for _, kind := range fixed {
				if err == nil && names != nil && !slices.Contains(names, kind) {
					err = fmt.Errorf("the judge asks about messages %s, which are not among them", kind)
				}
			}
			return err
		},
	}
}

// WithProgram implements [trial.Nodes].
func (n *Nodes) WithProgram(a *trial.Algorithm, s *trial.Setting) (*trial.Algorithm, error) {
	c, err := parseCommand(s.Node)
	if err != nil {
		return nil, err
	}
	if !a.Hears() {
		return nil, fmt.Errorf("node %q: the judge of %s looks into its processes; a program is judged by what it says", c.text, a.Name)
	}
	s.Node = c.pinned()
	names, err := givenKinds(a, s.Param)
	if err != nil {
		return nil, err
	}
	n.mutex.Lock()
	defer n.mutex.Unlock()
	key := declarationKey{a, strings.Join(names, ",")}
	if changed, known := n.declared[key]; known {
		return changed, nil
	}
	own := func(in *trial.Instance) (*kinds, bool) {
		switch {
		case a.Bare && names != nil:
			return newKinds(names), false
		case a.Bare:
			return openKinds(a.Kinds), false
		}
		original := a.Processes(in)(0)
		_, boots := protocols.AsBooter(original)
		return likeKinds(protocols.Sample[box.Message](original)), boots
	}
	changed := trial.WithProcesses(a, func(ctx context.Context, in *trial.Instance) (trial.Programs[message], error) {
		kinds, boots := own(in)
		return n.startAll(ctx, in, kinds, boots)
	}, func(ctx context.Context, in *trial.Instance) (trial.Asked[message], error) {
		kinds, boots := own(in)
		return n.newOracle(ctx, in, kinds, boots)
	})
	if names != nil {
		changed.Kinds = names
	}
	if n.declared == nil {
		n.declared = map[declarationKey]*trial.Algorithm{}
	}
	n.declared[key] = changed
	return changed, nil
}

// givenKinds are the kinds of messages that a setting gives to a bare declaration; nil are those that come.
func givenKinds(a *trial.Algorithm, param string) ([]string, error) {
	if !a.Bare {
		return nil, nil
	}
	value, err := trial.GivenParam(param, kindsParam)
	if err != nil || value == "" {
		return nil, err
	}
	names, err := kindNames(value)
	if err == nil {
		err = kindsOf(a.Kinds).Check(nil, value)
	}
	if err != nil {
		return nil, fmt.Errorf("kinds %q: %w", value, err)
	}
	return names, nil
}
