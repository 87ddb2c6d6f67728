package paper

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
	"bullring/experiments/trial"
	"bullring/internal/pattern"
)

// reproduce is the script that runs the sweep again and compares the tables.
func reproduce(folder *results.Folder, m *results.Manifest, cells *results.Overview) string {
	flags := ""
	if m.Outside && !folder.Spec.OutsideModel {
		flags = " --outside-model"
	}
	var hashes, names strings.Builder
	for _, f := range m.Files {
		fmt.Fprintf(&hashes, "#   %s  %s\n", f.SHA256, f.Name)
		names.WriteString(" " + results.QuoteShell(f.Name))
	}
	nodes, files := nodesUsage(folder), filesOf(cells)
	return fmt.Sprintf(`#!/bin/sh
# Makes the results of the sweep %[1]s again, and says whether they are the same.
#
#   ./reproduce.sh            all %[2]d trials, into ../%[1]s-again, and compares the tables
#   ./reproduce.sh DIR        into another folder
#   ./reproduce.sh --smoke    20 trials or 1 %% of them, compared one by one
%[10]s#
# It ends with status 0 if they are; with --smoke, as bullring verify does.
#
# It takes bullring %[3]s, or another version of epoch %[4]d, in the path, or
# BULLRING=/path/of/bullring. %[5]s tells how long it took.
# Expected, by SHA-256:
%[6]sset -eu
folder=$(cd "$(dirname "$0")" && pwd)
bullring=${BULLRING:-bullring}
out= smoke= nodes=
for word; do
	case $word in
		--smoke) smoke=$word ;;
		--allow-nodes | --node-timeout=*) nodes="$nodes $word" ;;
		-*) echo "reproduce.sh: $word: it takes DIR, --smoke, --allow-nodes and --node-timeout=TIME" >&2; exit 2 ;;
		*) out=$word ;;
	esac
done
case $out in
	"") out=$folder/../%[1]s-again ;;
	/*) ;;
	*) out=$PWD/$out ;;
esac
%[11]sif [ -n "$smoke" ]; then
	exec "$bullring" verify "$folder" --sample 1%% $nodes
fi
# Statuses 1 and 3 are of checks that are violated or undecided: so are the recorded ones.
ran=0
"$bullring" sweep "$folder"/%[7]s -o "$out"%[8]s $nodes || ran=$?
case $ran in
	0 | 1 | 3) ;;
	*) exit $ran ;;
esac
status=0
for file in%[9]s; do
	if cmp "$folder/$file" "$out/$file"; then
		echo "same       $file"
	else
		status=1
	fi
done
exit $status
`, folder.Spec.Name, m.Done(), m.Program, m.Epoch, results.ManifestFile, hashes.String(), results.SpecFile, flags, names.String(), nodes, places(files))
}

// nodesUsage is the line about --allow-nodes, for a sweep that starts programs.
func nodesUsage(folder *results.Folder) string {
	if !slices.ContainsFunc(folder.Spec.Cells(), func(c spec.Cell) bool { return c.Node != "" && c.Node != trial.NoNode }) {
		return ""
	}
	return "#   --allow-nodes             start the programs that the sweep names; --node-timeout=30s waits longer\n"
}

// hashed is a file with its hash, as rows name the files of programs.
var hashed = pattern.Of(`(\S+) [0-9a-f]{64}`)

// filesOf are the files that trials read: programs and graphs, as far as they are not named by a
// path from the root.
func filesOf(cells *results.Overview) []string {
	var files []string
	add := func(name string) {
		if name != "" && !filepath.IsAbs(name) && !slices.Contains(files, name) {
			files = append(files, name)
		}
	}
	for _, row := range cells.Fields {
		for i, column := range cells.Columns {
			switch column {
			case "node":
				_, pins, _ := strings.Cut(row[i], trial.NodeHashes)
				for _, found := range hashed().FindAllStringSubmatch(pins, -1) {
					add(found[1])
				}
			case "topology":
				if name, is := strings.CutPrefix(row[i], trial.GraphFile); is {
					name, _, _ = strings.Cut(name, "@")
					add(name)
				}
			}
		}
	}
	return files
}

// places is the part of the script that goes to where the files are.
func places(files []string) string {
	if len(files) == 0 {
		return ""
	}
	var all []string
	for _, name := range files {
		all = append(all, `[ -f "$place"/`+results.QuoteShell(name)+" ]")
	}
	return `# The files that the trials read are here, in the folder, or beside it.
for place in . "$folder" "$folder/.."; do
	if ` + strings.Join(all, " && ") + `; then
		cd "$place"
		break
	fi
done
`
}
