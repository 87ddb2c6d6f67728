package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

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
	return output(cmd, func(w io.Writer) error { return view.Write(w, v, asJSON, formOf(cmd.OutOrStdout())) })
}

// printText prints text for people.
func printText(cmd *cobra.Command, text func(io.Writer) error) error {
	return output(cmd, func(w io.Writer) error { return formOf(cmd.OutOrStdout()).Print(w, text) })
}

// The columns of text: without a terminal there are usualColumns, so that the text is the same
// everywhere. A terminal with fewer than leastColumns breaks lines itself.
const (
	usualColumns = 80
	leastColumns = 40
)

// formOf is the form of text that is written to w. COLUMNS sets the columns, as it does for
// other programs.
func formOf(w io.Writer) view.Form {
	columns := usualColumns
	if set, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && set > 0 {
		columns = set
	} else if width := terminal(w); width != nil {
		columns = width()
	}
	e, ok := w.(*escaper)
	return view.Form{Columns: max(columns, leastColumns), Colours: ok && e.colours}
}

// hasColours reports whether text that is written to w has colours: on a terminal, unless the
// environment says otherwise (no-color.org).
func hasColours(w io.Writer) bool {
	return terminal(w) != nil && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
