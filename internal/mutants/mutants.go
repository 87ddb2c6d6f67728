// Command mutants changes code and checks whether the tests notice. It makes one small change at a
// time, a mutant: another comparison, a statement less, a number that is one too large. Then it runs
// the tests of the changed package. If they pass, the mutant is a survivor: a test is missing, or
// the change has no effect.
//
//	mutants [-sample N] [-seed S] [-files REGEXP] [-run REGEXP] DIR...
//
// It does not write to the files: the compiler gets the mutants as overlays.
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
)

func main() {
	sample := flag.Int("sample", 40, "`mutants` of each package to try; 0 is all")
	seed := flag.Uint64("seed", 1, "chooses the mutants")
	files := flag.String("files", "", "change only files whose name matches the `regexp`")
	run := flag.String("run", "", "run only tests whose name matches the `regexp`")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: mutants [-sample N] [-seed S] [-files REGEXP] [-run REGEXP] DIR...")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	matching, err := regexp.Compile(*files)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants: -files:", err)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	survived := 0
	for _, dir := range flag.Args() {
		p, err := load(ctx, dir, matching, *run)
		if err == nil {
			chosen := choose(p.mutants, *sample, *seed)
			fmt.Printf("%s: %d of %d mutants; its tests take %v\n", dir, len(chosen), len(p.mutants), p.took)
			var n int
			n, err = p.try(ctx, chosen, os.Stdout)
			survived += n
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "mutants:", err)
			os.Exit(2)
		}
	}
	if survived > 0 {
		os.Exit(1)
	}
}

// choose returns so many mutants, in the order of the code; all of them if sample is 0. The choice
// of a mutant depends on its change, and little on the rest of the code.
func choose(all []mutant, sample int, seed uint64) []mutant {
	if sample == 0 || sample >= len(all) {
		return all
	}
	lots := make([][sha256.Size]byte, len(all))
	order := make([]int, len(all))
	for i, m := range all {
		lots[i] = sha256.Sum256(fmt.Appendf(nil, "%d %s %q %q", seed, filepath.Base(m.file), m.function, m.String()))
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return bytes.Compare(lots[a][:], lots[b][:]) })
	order = order[:sample]
	slices.Sort(order)
	chosen := make([]mutant, sample)
	for i, place := range order {
		chosen[i] = all[place]
	}
	return chosen
}
