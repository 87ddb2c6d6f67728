package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bullring/experiments/campaign/verify"
	"bullring/experiments/cli/internal/view"
	"bullring/experiments/show/diagram"
	"bullring/experiments/show/history"
	"bullring/experiments/show/page"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/internal/build"
	"bullring/internal/regular"
	"bullring/plots"
)

// verifiesRuns makes the runs in a file again and compares.
type verifiesRuns func(*cobra.Command, *trial.Registry) (*view.VerifiedRuns, error)

// runsIn returns how the runs in a file are verified; nil if it is no page, no data of a page and
// no diagram of a run.
func runsIn(path string) verifiesRuns {
	if page.IsPage(path) == nil || filepath.Ext(path) == ".json" {
		return func(cmd *cobra.Command, registry *trial.Registry) (*view.VerifiedRuns, error) {
			return verifyPage(cmd, registry, path)
		}
	}
	entries, err := plots.ReadMeta(path)
	if err != nil {
		return nil
	}
	meta := map[string]string{}
	for _, m := range entries {
		meta[m.Key] = m.Value
	}
	if meta["Command"] == "" && meta["Case"] == "" {
		return nil
	}
	return func(cmd *cobra.Command, registry *trial.Registry) (*view.VerifiedRuns, error) {
		return verifyDiagram(cmd, registry, path, entries, meta)
	}
}

// verifyPage verifies the runs in a page or in data.
func verifyPage(cmd *cobra.Command, registry *trial.Registry, path string) (*view.VerifiedRuns, error) {
	runs, err := page.ReadFile(path)
	if err != nil {
		return nil, err
	}
	found := &view.VerifiedRuns{Kind: "data", Runs: len(runs)}
	if page.IsPage(path) == nil {
		found.Kind = "page"
		text, err := regular.Read(path, page.MostRead)
		if err != nil {
			return nil, err
		}
		if same, err := page.IsWritten(text, runs); err != nil {
			return nil, err
		} else if around := "what is around the runs"; !same && runs[0].MadeBy == "bullring "+build.ThisProgram().String() {
			found.Differ = append(found.Differ, around)
		} else if !same {
			found.NotCompared = append(found.NotCompared, around)
		}
	}
	for i := range runs {
		now, err := pageAgain(cmd, registry, &runs[i])
		if cmd.Context().Err() != nil {
			return nil, interrupted(cmd.Context())
		}
		if err != nil {
			found.NotRun = append(found.NotRun, err.Error())
			continue
		}
		differ, others, err := runs[i].Compare(*now)
		if err != nil {
			return nil, err
		}
		found.Again++
		found.Differ = append(found.Differ, differ...)
		found.NotCompared = append(found.NotCompared, others...)
	}
	return found, nil
}

// pageAgain makes the run of a page again.
func pageAgain(cmd *cobra.Command, registry *trial.Registry, recorded *page.Data) (*page.Data, error) {
	if recorded.Again == "" {
		return nil, errors.New("it names no command that makes its run again, so it shows nothing that can be verified")
	}
	s, err := settingIn(registry, recorded.Again)
	if err != nil {
		return nil, err
	}
	h, err := madeAgain(cmd, registry, s, true)
	if err != nil {
		return nil, err
	}
	now := dataOf(cmd, registry, h)
	_, arguments, _ := strings.Cut(now.Again, " ")
	program, _, _ := strings.Cut(recorded.Again, " ") // which may have another name
	now.Again = program + " " + arguments
	return &now, nil
}

// madeAgain makes a run again. It is an error if it does not run here.
func madeAgain(cmd *cobra.Command, registry *trial.Registry, s trial.Setting, states bool) (*history.History, error) {
	h, err := recordHistory(cmd, registry, s, states)
	if err == nil {
		err = verify.Ran(h.Result)
	}
	return h, err
}

// settingIn reads the setting in a command of bullring run, as pages and diagrams name it.
func settingIn(registry *trial.Registry, command string) (trial.Setting, error) {
	words := view.Words(command)
	if len(words) < 2 || words[1] != "run" {
		return trial.Setting{}, fmt.Errorf("the command in it is %q, which is no bullring run", command)
	}
	var f settingFlags
	run := &cobra.Command{Use: "run"}
	f.register(run, registry)
	if err := run.ParseFlags(words[2:]); err != nil {
		return trial.Setting{}, fmt.Errorf("the command in it, %q: %w", command, err)
	}
	args := run.Flags().Args()
	if len(args) == 1 && !isAlgorithm(registry, args[0]) {
		return trial.Setting{}, fmt.Errorf("the command in it, %q: there is no algorithm %q", command, args[0])
	}
	return f.subject(run, registry, args)
}

// diagramKeys are the keys of the metadata of diagrams that say how the run is made, and not what
// came out.
var diagramKeys = []string{"Title", "Software", "Command", "Case"}

// verifyDiagram verifies the run of a diagram, from its metadata.
func verifyDiagram(cmd *cobra.Command, registry *trial.Registry, path string, entries []plots.Meta, meta map[string]string) (*view.VerifiedRuns, error) {
	var s trial.Setting
	var err error
	if text := meta["Case"]; text != "" {
		var c search.Case
		c, err = search.ParseCase(path, []byte(text))
		c.Setting.OutsideModel = true
		s = c.Setting
	} else {
		s, err = settingIn(registry, meta["Command"])
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	found := &view.VerifiedRuns{Kind: "diagram", Runs: 1}
	h, err := madeAgain(cmd, registry, s, false)
	if cmd.Context().Err() != nil {
		return nil, interrupted(cmd.Context())
	}
	if err != nil {
		found.NotRun = []string{err.Error()}
		return found, nil
	}
	found.Again = 1
	now := diagram.Receipt(h.Result)
	for _, m := range now {
		if meta[m.Key] != m.Value && m.Key != "Software" {
			found.Differ = append(found.Differ, m.Key)
		}
	}
	for _, m := range entries {
		if !slices.Contains(diagramKeys, m.Key) && !slices.ContainsFunc(now, func(n plots.Meta) bool { return n.Key == m.Key }) {
			found.NotCompared = append(found.NotCompared, fmt.Sprintf("%q in its metadata", m.Key))
		}
	}
	return found, nil
}
