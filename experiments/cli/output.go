package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"bullring/experiments/cli/internal/view"
)

// output writes to the command's standard output. A full disk is an error like
// any other.
func output(cmd *cobra.Command, write func(io.Writer) error) error {
	w := bufio.NewWriter(cmd.OutOrStdout())
	err := write(w)
	// A write that failed before the end is told again here.
	if flushErr := w.Flush(); flushErr != nil && (err == nil || errors.Is(err, flushErr)) {
		err = exit{statusFailed, fmt.Errorf("writing the output: %w", flushErr)}
	}
	return err
}

// show prints a view, as JSON if asked.
func show(cmd *cobra.Command, v view.View, asJSON bool) error {
	return output(cmd, func(w io.Writer) error { return view.Write(w, v, asJSON) })
}
