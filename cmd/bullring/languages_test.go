package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// inEachLanguage calls test with each of some programs, which stand in a directory beside the libraries. The programs
// are by command: python3 NAME.py, node NAME.mjs, java -cp java CLASS, or ./NAME for Go.
func inEachLanguage(t *testing.T, programs map[string]string, test func(t *testing.T, dir, node string)) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := shell(t, root)
	for node, text := range programs {
		t.Run(node, func(t *testing.T) {
			needs(t, node)
			program, file, _ := strings.Cut(node, " ")
			switch {
			case strings.HasPrefix(program, "./"):
				buildBeside(t, root, dir, strings.TrimPrefix(program, "./"), text)
			case program == "java":
				library, err := os.ReadFile(filepath.Join(root, "docs/nodes/java/Bullring.java"))
				if err != nil {
					t.Fatal(err)
				}
				write(t, dir, "begun/Bullring.java", string(library))
				write(t, dir, "begun/"+node[strings.LastIndexByte(node, ' ')+1:]+".java", text)
				compileJava(t, filepath.Join(dir, "begun"), filepath.Join(dir, "java"))
			default:
				write(t, dir, file, text)
			}
			test(t, dir, node)
		})
	}
}

// buildBeside builds a program in Go beside its library, where only the build sees it.
func buildBeside(t *testing.T, root, dir, name, text string) {
	t.Helper()
	source, overlay := filepath.Join(dir, name+".go"), filepath.Join(dir, "overlay.json")
	replaced, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(root, "docs/nodes/go", name, "main.go"): source}})
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{source: []byte(text), overlay: replaced} {
		if err := os.WriteFile(name, content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	buildGo(t, filepath.Join(root, "docs/nodes/go"), "./"+name, filepath.Join(dir, name), "-overlay", overlay)
}
