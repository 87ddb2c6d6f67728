package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// tested is a package with its mutants.
type tested struct {
	dir     string
	run     string            // the tests to run, a regexp
	sources map[string][]byte // by path
	mutants []mutant
	missed  map[string][]stretch // code that no test runs, by the name of the file
	took    time.Duration        // by the tests of the unchanged code
}

// stretch is a part of a file, in lines and columns from 1.
type stretch struct{ line, column, endLine, endColumn int }

// load finds the mutants of the matching files of a package, and runs its tests, which have to pass.
func load(ctx context.Context, dir string, files *regexp.Regexp, run string) (*tested, error) {
	p := &tested{dir: dir, run: run, sources: map[string][]byte{}, missed: map[string][]stretch{}}
	list, err := exec.CommandContext(ctx, "go", "list", "-f", `{{range .GoFiles}}{{$.Dir}}/{{.}}{{"\n"}}{{end}}`, dir).Output()
	if err != nil {
		return nil, failure("go list "+dir, err, nil)
	}
	for _, path := range strings.Fields(string(list)) {
		if !files.MatchString(filepath.Base(path)) {
			continue
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		mutants, err := mutate(path, source)
		if err != nil {
			return nil, err
		}
		p.sources[path] = source
		p.mutants = append(p.mutants, mutants...)
	}
	return p, p.cover(ctx)
}

// command runs the tests. Rapid writes no file when a mutant fails.
func (p *tested) command(ctx context.Context, flags ...string) *exec.Cmd {
	arguments := append([]string{"test", "-count=1", "-vet=off", "-run=" + p.run}, flags...)
	c := exec.CommandContext(ctx, "go", append(arguments, p.dir)...)
	c.Env = append(os.Environ(), "RAPID_NOFAILFILE=1")
	return c
}

// failure is the error of a command, with its output.
func failure(what string, err error, output []byte) error {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && output == nil {
		output = exit.Stderr
	}
	return fmt.Errorf("%s: %w\n%s", what, err, output)
}

// cover runs the tests of the unchanged code, and reads which code they do not run.
func (p *tested) cover(ctx context.Context) error {
	profile, err := os.CreateTemp("", "mutants-*.cover")
	if err != nil {
		return err
	}
	defer os.Remove(profile.Name())
	defer profile.Close()
	start := time.Now()
	if output, err := p.command(ctx, "-coverprofile="+profile.Name()).CombinedOutput(); err != nil {
		return failure("the tests of "+p.dir+", before any change", err, output)
	}
	p.took = time.Since(start).Round(time.Millisecond)
	lines := bufio.NewScanner(profile)
	for lines.Scan() {
		var s stretch
		var statements, times int
		name, place, _ := strings.Cut(lines.Text(), ":")
		if _, err := fmt.Sscanf(place, "%d.%d,%d.%d %d %d", &s.line, &s.column, &s.endLine, &s.endColumn, &statements, &times); err == nil && times == 0 {
			p.missed[filepath.Base(name)] = append(p.missed[filepath.Base(name)], s)
		}
	}
	return lines.Err()
}

// reaches reports whether a test may run the code of a mutant.
func (p *tested) reaches(m *mutant) bool {
	before := p.sources[m.file][:m.from]
	column := m.from - bytes.LastIndexByte(before, '\n')
	for _, s := range p.missed[filepath.Base(m.file)] {
		after := m.line > s.line || m.line == s.line && column >= s.column
		if after && (m.line < s.endLine || m.line == s.endLine && column < s.endColumn) {
			return false
		}
	}
	return true
}

// outcome is the result of a mutant.
type outcome string

const (
	killed    outcome = "killed"
	stillborn outcome = "stillborn" // it does not compile
	survivor  outcome = "SURVIVED"
	unreached outcome = "UNREACHED" // by any test
)

// try tests the mutants, writes the survivors, and returns how many there are.
func (p *tested) try(ctx context.Context, mutants []mutant, out io.Writer) (survived int, err error) {
	counts := map[outcome]int{}
	for i := range mutants {
		m := &mutants[i]
		result := unreached
		if p.reaches(m) {
			if result, err = p.test(ctx, m); err != nil {
				return survived, err
			}
		}
		counts[result]++
		if result == survivor || result == unreached {
			survived++
			fmt.Fprintf(out, "%s %s/%s:%d, %s\n    %v\n", result, p.dir, filepath.Base(m.file), m.line, m.function, m)
		}
	}
	fmt.Fprintf(out, "%s: killed %d, survived %d, reached by no test %d, did not compile %d\n",
		p.dir, counts[killed], counts[survivor], counts[unreached], counts[stillborn])
	return survived, nil
}

// test runs the tests with a mutant in place of its file. It stops them after ten times the usual
// time and half a minute.
func (p *tested) test(ctx context.Context, m *mutant) (outcome, error) {
	dir, err := os.MkdirTemp("", "mutants-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	changed, overlay := filepath.Join(dir, filepath.Base(m.file)), filepath.Join(dir, "overlay.json")
	text, err := json.Marshal(map[string]map[string]string{"Replace": {m.file: changed}})
	if err != nil {
		return "", err
	}
	if err := errors.Join(os.WriteFile(changed, m.apply(p.sources[m.file]), 0o666), os.WriteFile(overlay, text, 0o666)); err != nil {
		return "", err
	}
	limit := 10*p.took + 30*time.Second
	output, err := p.command(ctx, "-failfast", "-overlay="+overlay, "-timeout="+limit.String()).CombinedOutput()
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err == nil:
		return survivor, nil
	case bytes.Contains(output, []byte("[build failed]")):
		return stillborn, nil
	}
	return killed, nil
}
