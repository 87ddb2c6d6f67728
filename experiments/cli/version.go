package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"bullring/internal/build"
	"bullring/netem"
)

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, and what a report of a mistake needs",
		Long: `Print the version of the program, its epoch, the version of Go that compiled it, and the
system that it runs on.`,
		Example: "  bullring version",
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, m := build.ThisProgram(), build.ThisMachine()
			return printText(cmd, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "version\t%v\nepoch\t%d\ngo\t%s\nsystem\t%s, %s, %d processors\n", p, netem.Epoch, p.Go, m.OS, m.Arch, m.CPUs)
				return err
			})
		},
		ValidArgsFunction: completeWords(),
	}
}
