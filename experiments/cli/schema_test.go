package cli

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jonboulle/clockwork"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/spf13/cobra"

	"bullring/experiments/catalog"
	"bullring/experiments/cli/internal/view"
)

// schemaOf is the schema that bullring schema prints, to validate with and to look at.
func schemaOf(name string) published {
	known, _ := schemasOf.LoadOrStore(name, sync.OnceValue(func() published { return newPublished(name) }))
	return known.(func() published)()
}

var schemasOf sync.Map // by name

// published is a schema.
type published struct {
	*jsonschema.Schema
	doc map[string]any
}

func newPublished(name string) published {
	var text bytes.Buffer
	err := view.WriteSchema(&text, catalog.New(), name)
	doc, readErr := jsonschema.UnmarshalJSON(&text)
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	addErr := c.AddResource(name, doc)
	s, compileErr := c.Compile(name)
	for _, err := range []error{err, readErr, addErr, compileErr} {
		if err != nil {
			panic(err)
		}
	}
	return published{s, doc.(map[string]any)}
}

// fitsSchema fails if a command with --json has printed anything that is not as its schema says.
func fitsSchema(t *testing.T, out string, args []string) {
	t.Helper()
	if out == "" || !slices.Contains(args, "--json") || !slices.Contains(view.Schemas(), args[0]) {
		return
	}
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(out))
	if err == nil {
		err = schemaOf(args[0]).Validate(v)
	}
	if err != nil {
		t.Errorf("%q: %v\n%s", args, err, out)
	}
}

// Each command with --json has a schema, and no other command has one.
func TestSchemaOfEachCommand(t *testing.T) {
	var with []string
	visit(newCommand(catalog.New(), clockwork.NewRealClock()), func(c *cobra.Command) {
		if c.Flags().Lookup("json") != nil {
			with = append(with, c.Name())
		}
	})
	names := slices.DeleteFunc(view.Schemas(), func(name string) bool { return name == view.Trace })
	slices.Sort(names)
	slices.Sort(with)
	if !slices.Equal(names, with) || len(with) < 14 {
		t.Errorf("%q have --json, and %q a schema", with, names)
	}
	for _, name := range schemas() {
		if got := bullring(t, "schema", name); got.status != 0 || !json.Valid([]byte(got.out)) {
			t.Errorf("%s: %s", name, got.errors)
		}
	}
	expect(t, statusUsage, "trace, run", "schema", "version")
}

// The fields of an election are those of no other family.
func TestSchemaOfFamilies(t *testing.T) {
	for algorithm, other := range map[string]string{"lcr": "mutex", "ricartagrawala": "election"} {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(bullring(t, "run", algorithm, "--n", "3", "--json").out))
		if err != nil {
			t.Fatal(err)
		}
		v.(map[string]any)["family"] = other
		if schemaOf("run").Validate(v) == nil {
			t.Errorf("%s has the fields of family %s", algorithm, other)
		}
	}
}

// jsonLines are commands whose JSON has, taken together, each place of each schema. Those without --json
// write files for the others.
var jsonLines = []string{
	"run lcr --n 3 --json",
	"run lcr --n 70 --initiators random:1 --dead last --outside-model --json",
	"run bully --n 5 --initiators 0 --dead last --trace --json",
	"run bully --n 3 --attr 1,2,3 --link 'loss 20%' --link '50% of *: delay 1ms' --delta 5ms --gst 1ms --max-time 1m --until 20ms --outside-model --trace --json",
	"run raft --n 3 --fault 'at 1ms crash 1; at 9ms restart 1' --trace --json",
	"run itairodeh --n 3 --trace --json",
	"run floodset --n 4 --inputs random --f 1 --json",
	"run echo --n 3 --motion 'edges(50%, 50%, 1ms)' --until 5ms --outside-model --json",
	"run echo --n 3 --medium 'radio(1mbit, 50nJ/bit, 40nJ/bit)' --outside-model --trace --json",
	"run floodset --n 70 --dead last --json",
	"run eig --n 4 --variant byzantine --json",
	"run om --n 4 --f 1 --fault 'byzantine 3 as two-faced' --json",
	"run decentralized --n 4 --param requests=2 --json",
	"run bully --n 5 --detector 'heartbeat(1ms,5ms)' --until 50ms --fault 'at 2ms crash 4' --outside-model --json",
	"run bully --n 3 --detector 'heartbeat(5ms,6ms)' --delay 'exp(3ms)' --until 100ms --outside-model --json",
	"run lcr --n 200 --dead random:70 --outside-model --json",
	"run lcr --n 4 --fault 'lie 1 as 4' --outside-model --json",
	"run lcr --n 4 --fault 'at 1ms cut 0->1' --outside-model --trace --json",
	"run lcr --n 4 --max-events 3 --json",
	"run electiontree --n 4 --topology complete --outside-model --initiators 0 --fault 'at 0s cut 0<->1' --json",
	"run --node 'python3 lcr.py' --like lcr --n 4 --json",
	"run --node 'python3 wrong.py' --like lcr --n 6 --json",
	"run --node 'python3 dies.py' --n 4 --topology ring --json",
	"run --node 'python3 logs.py' --n 2 --topology ring --trace --json",
	"why lcr --node 'python3 logs.py' --n 3 --fault 'drop 4th message' --outside-model --json",
	"run bad --variant panics --n 4 --trace --json",
	"explore lcr --placement every --json",
	"explore lcr --n 3 --attr 1,2,3 --initiators every --json",
	"explore bully --n 3 --initiators 0,1 --crash 1 --timeouts 3 --max-states 50 --json",
	"explore raft --n 2 --timeouts 3 --rounds 2 --json",
	"explore raft --n 3 --max-states 100 --json",
	"explore bully --n 3 --initiators 0 --timers free --dead 2 --counterexamples 3 --json",
	"run echo --n 4 --topology complete --medium radio(10kbit) --outside-model --trace --json",
	"why echo --n 4 --topology complete --medium radio(10kbit) --outside-model --json",
	"explore lamport --n 2 --always 'max(clock) < 3' --counterexamples 3 --json",
	"conjecture --data powers.csv --json",
	"conjecture lcr --n 2..6 --case worst --json",
	"conjecture lcr --variant all-terminate --n 2..6 --metric time --json",
	"explore peterson --ids 4,2,3,1 --loss 1 --json",
	"explore vktlinks --n 3 --down 0-2 --link-changes 1 --json",
	"explore lcr --n 2 --node 'python3 lcr.py' --json",
	"explore peterson --n 4 --strategy pct --runs 50 --json",
	"explore peterson --n 4 --strategy random --runs 50 --json",
	"explore peterson --n 4 --supertrace --max-memory 64MB --json",
	"explore peterson --n 4 --safety --disk states --json",
	"explore bad --n 4 --variant panics --json",
	"explore decentralized --n 2 --initiators all --out crossed.json --json",
	"why crossed.json --json",
	"why lcr --n 4 --link 'slot 800us 10ms' --fault 'drop 4th message' --outside-model --json",
	"explore bully --n 3 --initiators 0 --dead last --json",
	"explore floodset --n 3 --crash 2 --json",
	"run --schedule hole.json --trace --json",
	"why lcr --n 4 --fault 'drop 4th message' --outside-model --json",
	"why lcr --n 4 --json",
	"why floodset --n 4 --f 1 --variant hasty --fault 'at 0s crash 0' --outside-model --json",
	"why itairodeh --n 3 --fault 'drop 4th message' --outside-model --json",
	"why benor --n 3 --max-events 40 --json",
	"why bad --n 4 --variant panics --json",
	"why hole.json --json",
	"why hole.json --instead 1 --json",
	"why bully --dead last --delay 'uniform(0,3ms)' --assume 1ms --outside-model --json",
	"why bully --dead last --delay 'uniform(0,3ms)' --assume 1ms --outside-model --instead 1 --json",
	"check lcr --json", "check bad --variant clock --n 4 --json",
	"criticality changroberts --n 4 --initiators 0 --json",
	"criticality bully --n 5 --initiators 0 --dead last --strike crash --json",
	"criticality lcr --n 5 --link 'loss 20%' --outside-model --strike repair --json",
	"criticality lcr --n 4 --fault 'drop 4th message' --outside-model --strike repair --json",
	"criticality bully --n 5 --initiators 0 --dead last --delay 'uniform(0,3ms)' --assume 1ms --seed 2 --outside-model --strike repair --json",
	"run itairodeh --n 2 --forks 3:a --json",
	"rare itairodeh --n 2 --level draws --reach 8 --effort 20 --repetitions 3 --json",
	"rare itairodeh --n 2 --level draws --reach 12 --effort 20 --repetitions 3 --method restart --json",
	"rare lcr --n 4 --check E1 --level lost --effort 4 --repetitions 1 --max-events 9 --json",
	"worst lcr --n 4 --json",
	"worst lcr --n 12 --budget 2000 --json",
	"worst changroberts --n 4 --initiators random:1 --json",
	"worst peterson --n 3 --metric depth --over ids,schedule --json",
	"worst lcr --n 200 --budget 10 --json",
	"worst peterson --n 4 --metric depth --over ids,schedule --budget 2 --json",
	"worst echo --n 4 --topology 'er(0.6)' --budget 20 --json",
	"hunt bully --settings 20 --json",
	"judge lcr --n 2..3 --settings 20 --json",
	"judge lcr --n 2 --node 'python3 wrong.py' --settings 2 --trials 1 --json",
	"judge bad --n 4 --variant panics --json -o panics.json",
	"judge bully --variant A --n 2..3 --max-states 20 --settings 5 --budget 0s --json",
	"judge bad --n 4 --variant clock --json",
	"judge decentralized --n 2 --settings 20 --json",
	"hunt bad --settings 60 --n 4 --variant panics --json",
	"hunt bully --outside-model --n 4 --failures 1 --settings 50 --cases hunted --json",
	"hunt bully --outside-model --n 4 --failures 1 --settings 50 --json",
	"shrink bully --n 4 --initiators 0 --dead last --delay 'uniform(0,3ms)' --assume 1ms --json",
	"shrink bad --n 4 --variant panics --json",
	"shrink lcr --n 6 --fault 'drop every message' --outside-model -o small.json --json",
	"replay small.json --json",
	"link delay 20ms 5ms 25% distribution normal --json", "link loss 5% 25% delay exp(1ms) --link-mode compat --json", "link loss 100% --json",
	"link --presets --json", "link wan loss 5% --as tc --json", "link --fault 'at 1ms crash 2; clog 0->1' --n 3 --as tc --json", "link loss 0.00000001% --as tc --json", "link duplicate 5% 50% --link-mode compat --json", "link slot 800us 10ms --json", "link rate 8kbit delay 1ms 1ms --as tc --json",
	"list --json", "list --fault 'at 1ms crash 2' --json",
	"grade a.yaml lcr.py --json",
	"live lcr --n 3 --json",
	"live bully --n 3 --initiators 0 --delay 100ms --assume 1ms --outside-model -o case.json --json",
	"live bully --n 3 --delay 40ms --assume 1ms --outside-model --runs 2 --keep kept --json",
	"shrink case.json --json",
	"sweep demo.yaml --progress off",
	"status out/demo --json", "verify out/demo --json", "replay out/demo 1 --json", "verify out/demo/figures/demo.svg --json",
	"edit out/demo/CITATION.cff 'the authors of this study' 'A. Author'", "edit out/demo/README.md demo mine", "verify out/demo --json",
	"edit out/demo/results.csv ,elected,4, ,elected,3,",
	"verify out/demo --all --json", "replay out/demo 1 --json",
	"sweep rounds.yaml --progress off", "replay out/rounds 1 --json",
	"view lcr --n 3 -o page.html", "verify page.html --json",
	`edit page.html "messages": "messages":1`, "verify page.html --json",
	"view lcr --n 3 -o gone.html", `edit gone.html "again":"bullring '"again":"rm -r'`, "verify gone.html --json",
	"view lcr --n 3 -o old.html", `edit old.html '"made_by":"bullring ' '"made_by":"bullring v0'`, `edit old.html "title":" "title":"Old `, "verify old.html --json",
}

// unseen are the places that no line of jsonLines shows. The schema allows null where a type of Go
// can be nil, or a number infinite, whether or not a run comes to that.
var unseen = []string{
	"because.violation null", "counterexample.schedule null", "criticalCase.checks null", "grades.parts null", "grades.submissions null", "graded.parts null", // nil is possible for their types alone
	"bound.measured null", "bound.ratio null", "bound.value null", "detection.mistake_rate null", "detection.query_accuracy null",
	"run.measured.* null", "sampled.bound null", // infinite numbers
	"run.fanned", "run.unheard", // broadcasts of algorithms of one's own
	"comparisonOfForm.differs[]", // a theory that is wrong at a size
	"exploration.others[] null",
	"rare.estimate null",                                     // no repetition was completed
	"live.wrong",                                             // a mistake of the program
	"verify.incomplete", "verify.made_by", "verify.unmade[]", // results of other versions, and of sweeps that were stopped
}

// The fields that are left out where they do not apply.
var (
	ofRuns   = []string{"messages_of_liars", "loop", "like", "order_of_entry", "param", "inputs", "input_values", "f", "motion", "medium", "collided", "bits_heard", "energy", "forks", "drawn_links"}
	ofEvents = []string{"step", "process", "from", "timer", "name", "message", "number", "fault", "choices", "sends", "decides", "panics", "log", "stderr", "met"}
)

// optional are the fields that objects may lack, by the last part of their paths.
var optional = map[string][]string{
	"run": ofRuns, "setting": ofRuns, "trace": ofEvents, "steps[]": ofEvents, "counterexample": {"leaders"}, "explore": {"node", "asked", "growths", "others"}, "properties[]": {"runs"},
	"status[]": {"of", "shards", "missing", "damage"}, "shards[]": {"path"}, "differences[]": {"row"}, "first_not_run": {"row"},
}

// byName are the objects whose keys are names that the run decides.
var byName = []string{"by_kind", "measured", "latency_ns", "late_ns", "effects", "checks", "events", "faults"}

// sampleAssignment grades a program in Python: the other one is in the command.
const sampleAssignment = `title: A ring
algorithm: lcr
command: "python3 {file}"
parts:
  - {name: elects, points: 1, runs: {n: 2}}
`

// TestSchemas runs jsonLines. Each place of each schema has to show, with null and without, but for
// unseen: what a schema says and no command prints would be a guess. Nothing else may fit: not one
// of these values without a field, with one more, or with a value of another type.
func TestSchemas(t *testing.T) {
	hole := read(t, "../catalog/testdata/cases/peterson-hole.json")
	programs(t)
	for file, text := range map[string][]byte{"hole.json": hole, "demo.yaml": []byte(sampleSpec(catalog.New())), "rounds.yaml": []byte("name: rounds\nalgorithms: [{algorithm: itairodeh, n: 2}]\nrare: {level: draws, until: 4, effort: 20, repetitions: 2}\n"), "a.yaml": []byte(sampleAssignment), "powers.csv": []byte("n,cost\n2,8\n4,16\n8,32\n16,64\n32,128\n")} {
		if err := os.WriteFile(file, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	names := view.Schemas()
	if testing.Short() {
		names = []string{view.Trace, "run", "check", "link", "list"}
	}
	all, seen, spoilt := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, name := range names {
		places{schemaOf(name).doc, all}.walk(name, schemaOf(name).doc, whatever{})
	}
	for _, line := range jsonLines {
		args := words(line)
		if testing.Short() && !slices.Contains(names, args[0]) {
			continue
		}
		if args[0] == "edit" {
			edit(t, args[1], args[2], args[3])
			continue
		}
		registry := catalog.New()
		if args[1] == "bad" {
			registry = badRegistry()
		}
		got := perform(t.Context(), registry, args...)
		if got.status == statusUsage {
			t.Errorf("%s: %s", line, got.errors)
			continue
		}
		for name, text := range jsonOf(args, got) {
			d := json.NewDecoder(strings.NewReader(text))
			d.UseNumber()
			for d.More() {
				var v any
				if err := d.Decode(&v); err != nil {
					t.Fatalf("%s: %v, %s", line, err, text)
				}
				s := schemaOf(name)
				if err := s.Validate(v); err != nil {
					t.Errorf("%s: %v", line, err)
				}
				places{s.doc, seen}.walk(name, s.doc, v)
				spoiler{spoilt, func(how string) {
					if s.Validate(v) == nil {
						t.Errorf("%s: the schema of %s accepts it with %s", line, name, how)
					}
				}}.spoil(name, &v)
			}
		}
	}
	for _, place := range slices.Sorted(maps.Keys(all)) {
		if seen[place] == slices.Contains(unseen, place) {
			t.Errorf("%s: seen %v", place, seen[place])
		}
	}
}

// edit replaces a text in a file.
func edit(t *testing.T, file, old, by string) {
	t.Helper()
	text := read(t, file)
	edited := bytes.Replace(text, []byte(old), []byte(by), 1)
	if err := os.WriteFile(file, edited, 0o666); err != nil || bytes.Equal(edited, text) {
		t.Errorf("%s: %v, no %s", file, err, old)
	}
}

// jsonOf is the JSON that a command has printed, by the name of its schema.
func jsonOf(args []string, got outcome) map[string]string {
	all := map[string]string{}
	if slices.Contains(args, "--json") {
		all[args[0]] = got.out
		if slices.Contains(args, "--trace") {
			events, _, _ := strings.Cut(got.errors, "\nbullring: ") // and what went wrong
			all[view.Trace] = events
		}
	}
	return all
}

// places are the places of a schema: the types of values and their fields. Definitions have the same
// places wherever they are used.
type places struct {
	root map[string]any
	seen map[string]bool
}

// whatever is a value that is at each place.
type whatever struct{}

// walk notes the places of a schema where a value is.
func (p places) walk(place string, s map[string]any, v any) {
	if place == "comparison.setting" {
		place = "run" // it has fields of it
	}
	if ref, ok := s["$ref"].(string); ok {
		place = strings.TrimPrefix(ref, "#/$defs/")
		s = p.root["$defs"].(map[string]any)[place].(map[string]any)
	}
	_, every := v.(whatever)
	alternatives, _ := s["anyOf"].([]any)
	for _, one := range alternatives {
		p.walk(place, one.(map[string]any), v)
	}
	if s["type"] == "null" {
		place += " null"
	}
	if alternatives != nil || !every && kindOf(v) != kindOfSchema(s) || every && p.seen[place] {
		return
	}
	if object, ok := v.(map[string]any); ok && !hasAll(object, s["required"]) {
		return // it is of another alternative
	}
	p.seen[place] = true
	if items, ok := s["items"].(map[string]any); ok {
		elements, _ := v.([]any)
		if every {
			elements = []any{v}
		}
		for _, x := range elements {
			p.walk(place+"[]", items, x)
		}
	}
	p.fields(place, s, v)
}

// fields notes the places of the fields of an object.
func (p places) fields(place string, s map[string]any, v any) {
	named, _ := s["properties"].(map[string]any)
	others, _ := s["additionalProperties"].(map[string]any)
	object, ok := v.(map[string]any)
	if !ok && kindOfSchema(s) == "object" {
		object = map[string]any{"*": v}
		for key := range named {
			object[key] = v
		}
	}
	for key, value := range object {
		if field, ok := named[key].(map[string]any); ok {
			p.walk(place+"."+key, field, value)
		} else if others != nil {
			p.walk(place+".*", others, value)
		}
	}
}

// hasAll reports whether an object has the required keys.
func hasAll(object map[string]any, required any) bool {
	list, _ := required.([]any)
	return !slices.ContainsFunc(list, func(key any) bool { _, ok := object[key.(string)]; return !ok })
}

// kindOf is the kind of a value: numbers are of one.
func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return "number"
}

// kindOfSchema is the kind of the values of a schema without alternatives.
func kindOfSchema(s map[string]any) string {
	switch kind, _ := s["type"].(string); {
	case kind == "integer":
		return "number"
	case kind == "":
		return kindOf(s["const"])
	default:
		return kind
	}
}

// spoiler makes values wrong, each way once, and tries each.
type spoiler struct {
	spoilt map[string]bool // by path
	try    func(how string)
}

// once tries a way to spoil a value, unless a value at that path has been spoilt so before.
func (s spoiler) once(how, path string) {
	how += " at " + path
	if !s.spoilt[how] {
		s.spoilt[how] = true
		s.try(how)
	}
}

// spoil makes a value wrong in each way in turn, and right again: it lacks a field, has one more, or
// is of another type.
func (s spoiler) spoil(path string, v *any) {
	right, noKind := *v, map[string]any{"of no": "kind"}
	for _, wrong := range []any{"text", json.Number("7"), true, []any{noKind}, noKind} {
		if kindOf(wrong) != kindOf(right) && (right != nil || kindOf(wrong) == "object") {
			*v = wrong
			s.once(kindOf(wrong)+" for "+kindOf(right), path)
		}
	}
	*v = right
	switch right := right.(type) {
	case []any:
		for i := range right {
			s.spoil(path+"[]", &right[i])
		}
	case map[string]any:
		right["one more"] = noKind
		s.once("one more", path)
		delete(right, "one more")
		last := path[strings.LastIndex(path, ".")+1:]
		names := slices.Contains(byName, last)
		for key, value := range maps.Clone(right) {
			delete(right, key)
			if !names && !slices.Contains(optional[last], key) {
				s.once("no "+key, path)
			}
			place := path + "." + key
			if names {
				place = path + ".*"
			}
			spoiler{s.spoilt, func(how string) {
				right[key] = value
				s.try(how)
			}}.spoil(place, &value)
			right[key] = value
		}
	}
}
