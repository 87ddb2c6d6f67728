package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"bullring/experiments/cli/internal/view"
)

// output writes to the standard output of the command, and reports a full disk.
func output(cmd *cobra.Command, write func(io.Writer) error) error {
	w := bufio.NewWriter(cmd.OutOrStdout())
	err := write(w)
	// Flush repeats the error of an earlier write.
	if flushErr := w.Flush(); flushErr != nil && (err == nil || errors.Is(err, flushErr)) {
		err = exit{statusFailed, fmt.Errorf("writing the output: %w", flushErr)}
	}
	return err
}

// show prints a view, as JSON if asked.
func show(cmd *cobra.Command, v view.View, asJSON bool) error {
	return output(cmd, func(w io.Writer) error { return view.Write(w, v, asJSON) })
}
