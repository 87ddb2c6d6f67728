package paper

import (
	"fmt"
	"strings"

	"bullring/experiments/results"
)

// reproduce is the script that runs the sweep again and compares the tables.
func reproduce(folder *results.Folder, m *results.Manifest) string {
	flags := ""
	if m.Outside && !folder.Spec.OutsideModel {
		flags = " --outside-model"
	}
	var hashes, names strings.Builder
	for _, f := range m.Files {
		fmt.Fprintf(&hashes, "#   %s  %s\n", f.SHA256, f.Name)
		names.WriteString(" " + results.QuoteShell(f.Name))
	}
	return fmt.Sprintf(`#!/bin/sh
# Makes the results of the sweep %[1]s again, and says whether they are the same.
#
#   ./reproduce.sh            all %[2]d trials, into ../%[1]s-again, and compares the tables
#   ./reproduce.sh DIR        into another folder
#   ./reproduce.sh --smoke    20 trials or 1 %% of them, compared one by one
#
# It ends with status 0 if they are.
#
# It takes bullring %[3]s, or another version of epoch %[4]d, in the path, or
# BULLRING=/path/of/bullring. %[5]s tells how long it took.
# Expected, by SHA-256:
%[6]sset -eu
case ${1:-} in
	"" | --smoke | /*) out=${1:-../%[1]s-again} ;;
	*) out=$PWD/$1 ;;
esac
cd "$(dirname "$0")"
bullring=${BULLRING:-bullring}
if [ "${1:-}" = --smoke ]; then
	exec "$bullring" verify . --sample 1%%
fi
# Statuses 1 and 3 are of checks that are violated or undecided: so are the recorded ones.
ran=0
"$bullring" sweep %[7]s -o "$out"%[8]s || ran=$?
case $ran in
	0 | 1 | 3) ;;
	*) exit $ran ;;
esac
status=0
for file in%[9]s; do
	if cmp "./$file" "$out/$file"; then
		echo "same       $file"
	else
		status=1
	fi
done
exit $status
`, folder.Spec.Name, m.Rows, m.Program, m.Epoch, results.ManifestFile, hashes.String(), results.SpecFile, flags, names.String())
}
