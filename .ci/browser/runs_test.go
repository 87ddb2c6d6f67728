package browser

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// subject is a run, or two, as the arguments of bullring run say it.
type subject struct {
	name   string
	run    []string
	beside []string // the arguments of the run below it, if there are two
}

// subjects are the runs whose pages are opened.
var subjects = []subject{
	{name: "election of three", run: words("lcr --n 3 --placement decreasing")},
	{name: "election of forty", run: words("ghs --n 40")},
	{name: "mutual exclusion", run: words("ricartagrawala --n 6")},
	{name: "two in the critical section", run: words("ricartagrawala --n 3 --param cs=5ms --initiators 0,1 --outside-model --fault", "duplicate every REPLY")},
	{name: "eleven kinds", run: words("ghs --n 5 --transport reliable(5ms,3)")},
	{name: "snapshot", run: words("chandylamport --n 5")},
	{name: "crash", run: words("bully --n 5 --initiators 0 --fault", "crash 4 after 2 sends of COORDINATOR")},
	{name: "partition", run: words("bully --n 3 --initiators 0 --outside-model --fault", "partition {0 1 | 2}")},
	{name: "explored schedule", run: words("--schedule explored.json")},
	{name: "unfinished", run: words("lcr --n 8 --placement decreasing --max-events 20")},
	{name: "two, synchronous and not", run: words("lcr --n 6 --placement decreasing"), beside: words("lcr --n 6 --placement decreasing --delay", "exp(1ms)")},
	{name: "two, without and with a fault", run: words("bully --n 5 --initiators 0"), beside: words("bully --n 5 --initiators 0 --fault", "at 1ms crash 4")},
	{name: "processes that move", run: words("ingram --n 12 --until 40s --motion", "waypoint(800mx500m, 250m, 5..20m/s, 2s)")},
	{name: "20,300 events", run: words("lcr --n 200 --placement decreasing")},
}

// words are the words of a line, and one that has spaces.
func words(line string, last ...string) []string { return append(strings.Fields(line), last...) }

// find finds a subject by its name.
func find(t *testing.T, name string) subject {
	t.Helper()
	for _, s := range subjects {
		if s.name == name {
			return s
		}
	}
	t.Fatalf("no subject is named %q", name)
	return subject{}
}

// file writes the page of the subject, unless it is there, and returns its path.
func (s subject) file(t *testing.T) string {
	t.Helper()
	file := filepath.Join(folder, s.name+".html")
	if _, err := os.Stat(file); err == nil {
		return file
	}
	args := s.run
	if args[0] == "--schedule" {
		args = args[1:]
		run(t, words("explore bully --n 2 --initiators 0 --timers free --out", args[0])...)
	}
	args = append([]string{"view", "-o", file}, args...)
	if s.beside != nil {
		beside := filepath.Join(folder, s.name+".json")
		run(t, append([]string{"view", "--data", "-o", beside}, s.beside...)...)
		args = append(args, "--beside", beside)
	}
	run(t, args...)
	return file
}

// judged has some fields of the JSON of `bullring run --json`.
type judged struct {
	Outcome  string
	Messages int
	Checks   []struct{ Name, Verdict string }
}

func judge(t *testing.T, args []string) (j judged) {
	t.Helper()
	if err := json.Unmarshal([]byte(run(t, append([]string{"run", "--json"}, args...)...)), &j); err != nil {
		t.Fatal(err)
	}
	return j
}

// event has some fields of an event in the data of a page.
type event struct {
	W, X, N string
	P, F    int
}

// TestRuns opens every page, and looks at what it says of the run, at some of its events, and at
// what it draws.
func TestRuns(t *testing.T) {
	for _, s := range subjects {
		t.Run(s.name, func(t *testing.T) {
			t.Logf("bullring view %q, beside %q", s.run, s.beside)
			p := open(t, s.file(t), light)
			p.saysVerdicts(0, s.run)
			p.saysEvents(0)
			if s.beside != nil {
				p.press("r")
				p.saysVerdicts(1, s.beside)
				p.saysEvents(1)
				p.press("r")
			}
			p.draws()
		})
	}
}

// saysVerdicts compares the chips and the checks of the page with what the program prints of the run.
func (p *page) saysVerdicts(number int, args []string) {
	p.Helper()
	want := judge(p.T, args)
	chips := p.text("#verdicts")
	if !strings.Contains(chips, want.Outcome) || !strings.Contains(chips, fmt.Sprintf("%d messages", want.Messages)) {
		p.Errorf("run %d is %s with %d messages; the page says %q", number, want.Outcome, want.Messages, chips)
	}
	if captions := p.text("#plots"); captions != "" && !strings.Contains(captions, fmt.Sprintf("%s · %d messages", strings.Split(chips, "\n")[0], want.Messages)) {
		p.Errorf("run %d has %d messages; the captions say %q", number, want.Messages, captions)
	}
	checks := js[[]string](p, `[...document.querySelectorAll(".check")].map(c => c.ariaLabel)`)
	for k, check := range want.Checks {
		if k >= len(checks) || !strings.HasPrefix(checks[k], check.Name+" "+check.Verdict) {
			p.Errorf("check %d of run %d: %s %s; the page says %q", k, number, check.Name, check.Verdict, checks)
		}
	}
	p.Logf("run %d: %s, %d messages, %d checks", number, want.Outcome, want.Messages, len(checks))
}

// saysEvents goes to some events of a run and reads what the page says of them.
func (p *page) saysEvents(number int) {
	p.Helper()
	count := js[int](p, fmt.Sprintf("bullring.runs[%d].events.length", number))
	for _, k := range []int{0, 1, count / 3, count / 2, count - 1} {
		e := js[event](p, fmt.Sprintf(`(e => ({w: e.w, x: e.x, n: e.n, p: e.p, f: e.f}))(bullring.runs[%d].events[%d])`, number, k))
		js[int](p, fmt.Sprintf("(bullring.go(%d), 0)", k))
		text, clock := p.text("#event"), p.text("#clock")
		if !strings.HasPrefix(text, fmt.Sprintf("#%d", k+1)) || !strings.Contains(text, e.N) || !strings.HasPrefix(clock, fmt.Sprintf("%d of %d", k+1, count)) {
			p.Errorf("event %d of %d is %+v; the page says %q and %q", k+1, count, e, clock, text)
		}
		if e.W == "deliver" && !strings.Contains(text, fmt.Sprintf("p%d receives %s from p%d", e.P, e.X, e.F)) {
			p.Errorf("event %d is %+v; the page says %q", k+1, e, text)
		}
	}
	p.Logf("run %d: %d events; the last is %q", number, count, strings.Join(strings.Fields(p.text("#event")), " "))
}

// draws looks at the canvases under each axis, and with the causes of an event.
func (p *page) draws() {
	p.Helper()
	seen := map[string]string{}
	for _, axis := range []string{"time", "steps"} { // under gaps it is that under time where all gaps are the same
		p.click("[data-set='axis " + axis + "']")
		seen[p.state()["picture"]] = axis
	}
	if len(seen) == 1 {
		p.Error("the diagram is the same under time and steps")
	}
	for _, selector := range []string{".plot canvas", ".plot:last-child canvas", "#map", "#strip"} {
		drawn := p.drawn(selector)
		if drawn < 200 {
			p.Errorf("%s has %d pixels that are not empty", selector, drawn)
		}
		p.Logf("%s: %d pixels are drawn", selector, drawn)
	}
}

// A page of a part says what it says of the part, and what of the run.
func TestPart(t *testing.T) {
	part := subject{name: "part", run: words("lcr --n 8 --placement decreasing --from 20 --to 30")}
	p := open(t, part.file(t), light)
	for selector, says := range map[string]string{
		"#scene": "events 20 to 30 of 44", "#clock": "20 of 44", "#event": "in this part 0 before", ".check em": "run: holds",
	} {
		if text := p.text(selector); !strings.Contains(text, says) {
			t.Errorf("%s says %q, and not %q", selector, text, says)
		}
	}
}
