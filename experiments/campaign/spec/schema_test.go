package spec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// vocabulary has the words of strict.
var vocabulary = SchemaOptions{Algorithms: strict.Algorithms, Variants: []string{"A", "B"}, Metrics: strict.Metrics}

// compiled is the schema as a validator.
func compiled(t *testing.T, o SchemaOptions) *jsonschema.Schema {
	t.Helper()
	text, err := Schema(o)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("sweep.json", doc); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("sweep.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// validate checks a sweep with the schema.
func validate(t *testing.T, s *jsonschema.Schema, text []byte) error {
	t.Helper()
	var doc any
	if err := yaml.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	return s.Validate(doc)
}

// Every right sweep of the project and of testdata is right to the schema.
func TestSchemaAcceptsWhatParseDoes(t *testing.T) {
	specs, _ := filepath.Glob("../../specs/*.yaml")
	good, _ := filepath.Glob("testdata/good-*.yaml")
	if len(specs) < 20 || len(good) < 5 {
		t.Fatalf("%d specs, %d in testdata", len(specs), len(good))
	}
	anything, strictly := compiled(t, SchemaOptions{}), compiled(t, vocabulary)
	for _, file := range slices.Concat(specs, good) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := validate(t, anything, text); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		if strings.Contains(file, "good-") {
			if err := validate(t, strictly, text); err != nil {
				t.Errorf("%s, with the words: %v", file, err)
			}
		}
	}
}

// Each of these is right, and takes a different branch of the schema.
func TestSchemaAcceptsEveryForm(t *testing.T) {
	s := compiled(t, vocabulary)
	for _, body := range []string{
		"replicates: {max: 20, half_width: 5%}",
		"replicates: {min: 2, max: 20, half_width: 0.05, of: [messages, time]}",
		"zip: [{dead: [{0: first}, 0], delay: [{1ms: quick}, 2ms]}]",
		"bootstrap: 0",
		"bootstrap: 2000",
		"compare: {baseline: lcr}",
		"compare: [{baseline: lcr, metrics: time}, {baseline: hs, metrics: [time]}]",
		"exclude: {algorithm: hs, n: {from: 5}}",
		"only: [{n: {to: 4}, fifo: true}, {label: [lcr, hs], delay: 1ms}]",
		"zip: {dead: [0, 0, 1], delay: [1ms, 2ms, 2ms]}",
		"zip: [{dead: {from: 0, to: 1, step: 1}, delay: [1ms, 2ms]}, {fifo: [true, false], param: [a, b]}]",
		"figures: {y: {metric: messages, statistic: deviation, max: 1e6, log: true}, x: {axis: n, min: 0.5}}",
		"figures: [{y: messages, series: []}, {name: b, kind: histogram, y: time, series: n}]",
		"figures: {kind: heatmap, y: {axis: algorithm, ordinal: true}, z: {metric: time, min: 1}}",
		"figures: {kind: diagram, y: time, trial: first failed, axis: gaps, why: true, where: {n: 4, algorithm: lcr}}",
		"figures: {kind: diagram, y: {metric: time}, where: {n: 4, algorithm: lcr}}",
		"figures: {y: messages, curves: [{power: 1e0, factor: 2, lg: -1}, {algorithm: lcr, bound: worst, with: {fifo: false}}]}",
	} {
		text := []byte("name: a\nalgorithms: [lcr, hs]\naxes: {n: [4, 8]}\n" + body + "\n")
		if _, err := Parse("a.yaml", text, strict); err != nil {
			t.Errorf("%s: %v", body, err)
		}
		if err := validate(t, s, text); err != nil {
			t.Errorf("%s: %v", body, err)
		}
	}
	for _, axes := range []string{
		"variant: A, n: 4", "n: {from: 2, to: 8, factor: 1.5}, initiators: [all, 0, '0,2']", "n: 4, dead: {from: 0, to: 2, step: 1}",
		"n: 4, fault: ['', at 5ms crash 3]", "n: 4, link: none",
	} {
		text := []byte("name: a\nalgorithms: bully\naxes: {" + axes + "}\n")
		if _, err := Parse("a.yaml", text, strict); err != nil {
			t.Errorf("%s: %v", axes, err)
		}
		if err := validate(t, s, text); err != nil {
			t.Errorf("%s: %v", axes, err)
		}
	}
}

// Each of these has one mistake, which the schema finds, too.
func TestSchemaRefusesWhatParseDoes(t *testing.T) {
	s := compiled(t, vocabulary)
	for _, body := range []string{
		"axes: {n: 4}", // no algorithms
		"algorithms: lcr\naxes: {n: 4, placment: random}", // no such axis
		"algorithms: lcr\naxes: {n: 4}\nreplicate: 3",
		"algorithms: lrc\naxes: {n: 4}",
		"algorithms: []\naxes: {n: 4}",
		"algorithms: [{label: x}]\naxes: {n: 4}",
		"algorithms: lcr\naxes: {n: 0}",
		"algorithms: lcr\naxes: {n: four}",
		"algorithms: lcr\naxes: {n: [4, 4]}",
		"algorithms: lcr\naxes: {n: {from: 2, to: 8}}",
		"algorithms: lcr\naxes: {n: {from: 2, to: 8, step: 1, factor: 2}}",
		"algorithms: lcr\naxes: {n: {from: 2, to: 8, factor: 1}}",
		"algorithms: lcr\naxes: {n: 4, fifo: 1}",
		"algorithms: lcr\naxes: {n: 4, delay: 5}",
		"algorithms: bully\naxes: {n: 4, variant: C}",
		"algorithms: lcr\naxes: {n: 4}\nseed: -1",
		"algorithms: lcr\naxes: {n: 4}\noutside_model: yes please",
		"algorithms: lcr\naxes: {n: 4}\nreplicates: 0",
		"algorithms: lcr\naxes: {n: 4}\nreplicates: {max: 20}",
		"algorithms: lcr\naxes: {n: 4}\nreplicates: {max: 20, half_width: 0}",
		"algorithms: lcr\naxes: {n: 4}\nreplicates: {max: 20, half_width: 5 percent}",
		"algorithms: lcr\naxes: {n: 4}\nreplicates: {max: 20, half_width: 5%, of: mesages}",
		"algorithms: lcr\naxes: {n: 4}\nbootstrap: 50",
		"algorithms: [lcr, hs]\naxes: {n: 4}\ncompare: {metrics: time}",
		"algorithms: lcr\naxes: {n: [4, 8]}\nexclude: {}",
		"algorithms: lcr\naxes: {n: [4, 8]}\nexclude: {n: {}}",
		"algorithms: lcr\naxes: {n: [4, 8]}\nonly: {delay: {from: 1}}",
		"algorithms: lcr\naxes: {n: [4, 8]}\nonly: {size: 4}",
		"algorithms: lcr\nzip: {n: [4, 8]}",
		"algorithms: lcr\nzip: {n: [4, 8], size: [1, 2]}",
		"algorithms: lcr\naxes: {n: 4}\ninclude: ../base.yaml",
		"algorithms: lcr\naxes: {n: 4}\nfigures: {x: n}",
		"algorithms: lcr\naxes: {n: 4}\nfigures: {y: Mesages}",
		"algorithms: lcr\naxes: {n: 4}\nfigures: {y: messages, kind: pie}",
		"algorithms: lcr\naxes: {n: 4}\nfigures: {y: messages, x: algorithm}",
		"algorithms: lcr\naxes: {n: 4}\nfigures: {y: messages, z: time}",
		"algorithms: lcr\naxes: {n: 4}\nfigures: {y: dead, kind: heatmap}",
		"algorithms: lcr\naxes: {n: 4}\nfigures: {y: dead, kind: heatmap, z: time, series: []}",
		"algorithms: lcr\naxes: {n: 4}\nfigures: {y: time, kind: diagram, x: n}",
		"algorithms: lcr\naxes: {n: 4}\nfigures: {y: time, kind: diagram, trial: best}",
		"algorithms: lcr\naxes: {n: 4}\nfigures: {y: {metric: time, log: true}, kind: diagram}",
		"algorithms: lcr\naxes: {n: 4}\nfigures: {y: time, kind: diagram, series: []}",
		"algorithms: lcr\naxes: {n: 4}\nfigures: {y: time, trial: median}",
		"algorithms: lcr\naxes: {n: 4}\nfigures: {y: messages, kind: histogram, x: n}",
		"algorithms: lcr\naxes: {n: 4}\nfigures: {y: {metric: messages, statistic: deviation}, kind: histogram}",
		"algorithms: lcr\naxes: {n: 4}\nfigures: {y: messages, curves: {factor: 2}}",
		"algorithms: lcr\naxes: {n: 4}\nfigures: {y: messages, where: {size: 4}}",
	} {
		text := []byte("name: a\n" + body + "\n")
		if _, err := Parse("a.yaml", text, strict); err == nil {
			t.Errorf("Parse accepts\n%s", text)
		}
		if validate(t, s, text) == nil {
			t.Errorf("the schema accepts\n%s", text)
		}
	}
}

// A mapping of the grammar: a sweep with KEYS in place of its keys, and its place in the
// schema.
var mappings = append([]mapped{
	{"KEYS", ""},
	{"axes: {KEYS}", "properties/axes"},
	{"axes: {n: {KEYS}}", "properties/axes/properties/n/anyOf/2"},
	{"zip: {KEYS}", "$defs/zip"},
	{"replicates: {KEYS}", "properties/replicates/anyOf/1"},
	{"algorithms: {KEYS}", "$defs/entry/anyOf/1"},
	{"exclude: {KEYS}", "$defs/condition"},
	{"only: {n: {KEYS}}", "$defs/condition/properties/n/anyOf/2"},
	{"compare: {KEYS}", "properties/compare/anyOf/0"},
	{"figures: {KEYS}", "$defs/figure"},
	{"figures: {where: {KEYS}}", "$defs/figure/properties/where"},
	{"figures: {curves: {KEYS}}", "$defs/curve"},
	{"figures: {curves: {with: {KEYS}}}", "$defs/curve/properties/with"},
	{"tables: {KEYS}", "$defs/table"},
	{"tables: {where: {KEYS}}", "$defs/table/properties/where"},
	{"tables: {metrics: {KEYS}}", "$defs/measure"},
}, sidesOfKinds()...)

type mapped struct{ sweep, schema string }

// sidesOfKinds are the mappings of the sides of each kind of figure.
func sidesOfKinds() (all []mapped) {
	for k := range Kinds {
		row := k.row()
		for name, s := range map[string]side{"x": row.x, "y": row.y, "z": row.z} {
			if s.shows != nothing {
				all = append(all, mapped{
					fmt.Sprintf("figures: {kind: %s, %s: {KEYS}}", k, name),
					fmt.Sprintf("$defs/figure/allOf/%d/then/properties/%s/anyOf/1", k, name),
				})
			}
		}
	}
	return all
}

// The reader and the schema know the same keys everywhere, in the same order.
func TestSchemaHasTheKeysOfTheReader(t *testing.T) {
	text, err := Schema(SchemaOptions{})
	if err != nil {
		t.Fatal(err)
	}
	theirs := regexp.MustCompile(`no key "unheard-of": its keys are ([^;\n]*)`)
	for _, m := range mappings {
		_, err := Parse("a.yaml", []byte(strings.ReplaceAll(m.sweep, "KEYS", "unheard-of: 1")), Checker{})
		found := theirs.FindStringSubmatch(err.Error())
		if found == nil {
			t.Errorf("%s: no error tells the keys: %v", m.sweep, err)
			continue
		}
		if want, got := strings.Split(found[1], ", "), keysAt(t, text, m.schema); !slices.Equal(got, want) {
			t.Errorf("%s: the schema has\n%q, the reader\n%q", m.sweep, got, want)
		}
	}
}

// keysAt returns the keys of properties at a place of the schema, in its order.
func keysAt(t *testing.T, text json.RawMessage, place string) []string {
	t.Helper()
	steps := strings.FieldsFunc(place+"/properties", func(c rune) bool { return c == '/' })
	for _, step := range steps {
		var object map[string]json.RawMessage
		var list []json.RawMessage
		switch {
		case json.Unmarshal(text, &object) == nil && object[step] != nil:
			text = object[step]
		case json.Unmarshal(text, &list) == nil && int(step[0]-'0') < len(list):
			text = list[step[0]-'0']
		default:
			t.Fatalf("the schema has nothing at %s of %s", step, place)
		}
	}
	var keys []string
	d := json.NewDecoder(bytes.NewReader(text))
	for depth := 0; ; {
		token, err := d.Token()
		if err != nil {
			return keys
		}
		switch token := token.(type) {
		case json.Delim:
			if token == '{' || token == '[' {
				depth++
			} else {
				depth--
			}
		case string:
			if depth == 1 {
				keys = append(keys, token)
				var skipped json.RawMessage
				if err := d.Decode(&skipped); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// Words that only the reader enumerates are also in the schema.
func TestSchemaHasTheWordsOfTheReader(t *testing.T) {
	s := compiled(t, SchemaOptions{})
	takes := regexp.MustCompile(`takes one of ([^;\n]*)`)
	for _, sweep := range []string{
		"figures: {y: messages, kind: WORD}",
		"figures: {y: messages, width: WORD}",
		"figures: {y: {metric: messages, statistic: WORD}}",
		"figures: {y: messages, series: WORD}",
	} {
		head := "name: a\nalgorithms: lcr\naxes: {n: 4}\n"
		_, err := Parse("a.yaml", []byte(head+strings.ReplaceAll(sweep, "WORD", "unheard-of")), Checker{})
		found := takes.FindStringSubmatch(err.Error())
		if found == nil {
			t.Errorf("%s: no error tells the words: %v", sweep, err)
			continue
		}
		for _, word := range strings.Split(found[1], ", ") {
			text := strings.ReplaceAll(sweep, "WORD", word)
			if word == Grid.String() {
				text = strings.Replace(text, "y: messages", "panels: a", 1)
			}
			if word == Heatmap.String() {
				text = strings.Replace(text, "y: messages", "y: dead, z: messages", 1)
			}
			if err := validate(t, s, []byte(head+text)); err != nil {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
}

// The descriptions of the axes agree with the reader.
func TestAxesTellTheirDefaults(t *testing.T) {
	for _, a := range axes {
		if want := "default: " + a.Usual; !strings.Contains(a.Axis, want) && a.Name != "n" {
			t.Errorf("what is said of %s, %q, does not tell the %s", a.Name, a.Axis, want)
		}
	}
}
