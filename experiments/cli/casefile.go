package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"bullring/experiments/trial/search"
)

// caseFlags say where a command writes the run that it finds.
type caseFlags struct{ out, note string }

func (f *caseFlags) register(cmd *cobra.Command, usage string) {
	cmd.Flags().VarP(text(&f.out, "FILE"), "out", "o", usage+"; one that is there is replaced if it is a case")
	textFlag(cmd, &f.note, "note", "TEXT", "a note for the file")
}

// check refuses a file that cannot be written, before there is a run to write.
func (f *caseFlags) check() error {
	switch {
	case f.out == "" && f.note != "":
		return errors.New("--note is for the file that --out writes; without it there is none")
	case f.out == "":
		return nil
	}
	if err := search.CheckCaseFile(f.out); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	return nil
}
