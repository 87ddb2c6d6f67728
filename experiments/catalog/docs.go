package catalog

import (
	"embed"

	"bullring/experiments/trial"
)

// texts are two files for each algorithm. docs has the comments of its packages, as they stand
// in the source, which a test keeps true. pseudocode has what we wrote.
//
//go:embed docs/*.txt pseudocode/*.txt
var texts embed.FS

// parts are the files of pseudocode of algorithms that share some.
var parts = map[string][]string{
	"centralized-failover": {"centralized-failover", "failover"},
	"vkt":                  {"vkt", "diffusion"},
	"vktlinks":             {"vktlinks", "diffusion"},
	"sequencer":            {"items", "sequencer"},
	"sequencer-failover":   {"items", "sequencer-failover", "failover"},
	"maekawa":              {"votes", "maekawa"},
	"majority":             {"votes", "majority"},
}

// documented gives algorithms their texts.
func documented(algorithms []trial.Algorithm) []trial.Algorithm {
	for i := range algorithms {
		name, pseudocode := algorithms[i].Name, ""
		files := parts[name]
		if files == nil {
			files = []string{name}
		}
		for _, file := range files {
			pseudocode += text("pseudocode", file)
		}
		doc := text("docs", name)
		for _, d := range algorithms[i].Declarations() {
			d.Doc, d.Pseudocode = doc, pseudocode
		}
	}
	return algorithms
}

// text is a text, or "" if there is none: a test finds that.
func text(dir, name string) string {
	text, err := texts.ReadFile(dir + "/" + name + ".txt")
	if err != nil {
		return ""
	}
	return string(text)
}
