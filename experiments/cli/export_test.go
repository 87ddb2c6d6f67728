package cli

import (
	"os"
	"strings"
	"testing"

	"bullring/experiments/catalog"
	"bullring/experiments/show/export"
)

// jsonl is byte for byte the trace of run --trace --json, of each kind of subject.
func TestExportIsTheTrace(t *testing.T) {
	cases, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	cases += "/../catalog/testdata/cases/"
	inDir(t, sampleSpec(catalog.New()))
	bullring(t, "sweep", "demo.yaml", "--no-plot", "--progress", "off")
	for _, c := range []struct{ subject, run string }{
		{"bully --n 5 --dead last --link 'loss 10% duplicate 20%' --outside-model", ""},
		{"raft --n 3 --seed 4", ""},
		{"out/demo 2", "replay out/demo 2"},
		{cases + "bully-late.json", "replay " + cases + "bully-late.json"},
		{cases + "peterson-hole.json", "run --schedule " + cases + "peterson-hole.json"},
	} {
		if c.run == "" {
			c.run = "run " + c.subject
		}
		trace := bullring(t, append(words(c.run), "--trace", "--json")...).errors
		want := trace[:strings.LastIndex(trace, "}\n")+2] // without the error of a violated check
		got := bullring(t, append(append([]string{"export"}, words(c.subject)...), "--as", "jsonl")...)
		if got.status != 0 || got.out != want || strings.Count(want, "\n") < 5 {
			t.Errorf("%s: status %d, %s%s; want %s", c.subject, got.status, got.out, got.errors, want)
		}
	}
}

// Each format goes into a file. One that is there is replaced if it is of the same format.
func TestExportIntoAFile(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("notes", []byte("digraph of mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	for i, f := range export.Formats {
		args := []string{"export", "lcr", "--n", "4", "--as", f.Name}
		text := bullring(t, args...).out
		for range 2 {
			got := bullring(t, append(args, "-o", f.Name)...)
			file, err := os.ReadFile(f.Name)
			if got.status != 0 || got.out != "written to "+f.Name+"\n" || err != nil || string(file) != text || !strings.HasPrefix(text, f.Begins) {
				t.Errorf("%s: status %d, %s%s, %v, %s; want %s", f.Name, got.status, got.out, got.errors, err, file, text)
			}
		}
		other := export.Formats[(i+1)%len(export.Formats)].Name
		for _, taken := range []string{"notes", other} {
			os.WriteFile(other, []byte(bullring(t, "export", "lcr", "--n", "4", "--as", other).out), 0o666)
			before, _ := os.ReadFile(taken)
			got := bullring(t, append(args, "-o", taken)...)
			after, _ := os.ReadFile(taken)
			if got.status != statusUsage || string(after) != string(before) || !strings.Contains(got.errors, taken+" is there, and is not an export as "+f.Name) {
				t.Errorf("%s into %s: status %d, %s%s, %s", f.Name, taken, got.status, got.out, got.errors, after)
			}
		}
	}
}

func TestExportRefuses(t *testing.T) {
	t.Chdir(t.TempDir())
	for args, want := range map[string]string{
		"lcr":               "the format is missing: --as takes mermaid, shiviz, chrome, dot, jsonl, itf",
		"lcr --as pcap":     "allowed are mermaid, shiviz",
		"lcr --as dot -o .": "is no regular file",
		"no-such --as dot":  "there is no file of that name",
		"lcr --n 30 --placement decreasing --as mermaid": "200 messages",
		"lcr --fault 'drop every message' --as mermaid":  "--outside-model",
	} {
		got := bullring(t, append([]string{"export"}, words(args)...)...)
		if got.status != statusUsage || got.out != "" || !strings.Contains(got.errors, want) {
			t.Errorf("%s: status %d, %s%s; want %q", args, got.status, got.out, got.errors, want)
		}
	}
}
