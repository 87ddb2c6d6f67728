package browser

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// apart is a model of its own of the first difference by time: the number of the first event that is
// another in the other run.
const apart = `((a, b) => a.findIndex((e, i) => !b[i] || [e.t, e.w, e.p, e.f, e.x].join() !== [b[i].t, b[i].w, b[i].p, b[i].f, b[i].x].join()) + 1)(...bullring.runs.map(r => r.events))`

// TestTwoRuns moves through two runs at once, aligned by time and by cause.
func TestTwoRuns(t *testing.T) {
	for name, caption := range map[string]string{"two, without and with a fault": "at 1ms crash 4", "two, synchronous and not": "delay exp(1ms)"} {
		t.Run(name, func(t *testing.T) {
			p := open(t, find(t, name).file(t), light)
			if captions := p.text("#plots"); !strings.Contains(captions, "delay 1ms") || !strings.Contains(captions, caption) {
				t.Errorf("the captions are %q", captions)
			}
			for _, height := range js[[]float64](p, `[...document.querySelectorAll(".plot canvas")].map(c => c.getBoundingClientRect().height)`) {
				if height != math.Trunc(height) {
					t.Errorf("a diagram is %v pixels high, which makes its lines blurred", height)
				}
			}
			p.click("#differ")
			differ := js[int](p, apart)
			if at := p.state()["event"]; at != strconv.Itoa(differ) || differ < 2 {
				t.Errorf("the first difference is at %s; it is at %d", at, differ)
			}
			t.Logf("the first difference is event %d", differ)
			p.together("time", `two.times.findLastIndex(t => t <= e.t)`)
			p.together("cause", `two.events.map(words).flatMap((w, k) => w === words(e) ? [k] : [])[one.events.slice(0, i).filter(o => words(o) === words(e)).length] ?? -1`)
		})
	}
}

// together goes through the first run and holds the event at which the other one stands against a
// model: that of an event e with index i of the run "one" in the run "two". Where there is none, -1, it
// may stand anywhere.
func (p *page) together(align, model string) {
	p.Helper()
	p.click("[data-set='align " + align + "']")
	wrong := js[[]int](p, fmt.Sprintf(`(() => {
		const {view, runs: [one, two]} = bullring, wrong = [0];
		const words = ({p, w, f, x}) => [p, w, f, x].join();
		bullring.choose(0);
		one.events.forEach((e, i) => {
			bullring.go(i);
			const want = %s;
			wrong[0] += want >= 0;
			if (want >= 0 && want !== view.at[1]) wrong.push(i + 1);
		});
		return wrong;
	})()`, model))
	p.Logf("aligned by %s: %d events have their like in the other run", align, wrong[0])
	if wrong[0] < 10 || len(wrong) > 1 {
		p.Errorf("aligned by %s, the other run stands elsewhere for the events %v", align, wrong[1:])
	}
}

// TestAddress opens a run at a moment, and at nonsense, and reads the address that the page writes.
func TestAddress(t *testing.T) {
	file := find(t, "partition").file(t)
	for address, want := range map[string]string{
		"":                                   "event 1, causes all, axis time, order address",
		"#e=1":                               "event 1, causes all, axis time, order address",
		"#e=9&c=why&x=gaps":                  "event 9, causes why, axis gaps, order address",
		"#e=10&c=event&x=steps&o=activity":   "event 10, causes event, axis steps, order activity",
		"#e=1000&c=nonsense&x=&o=9&r=7&z=-1": "event 12, causes all, axis time, order address",
		"#e=-3&z=Infinity&q=%00":             "event 1, causes all, axis time, order address",
		"#e=2.5":                             "event 2, causes all, axis time, order address",
		"#%":                                 "event 1, causes all, axis time, order address",
	} {
		t.Run(address, func(t *testing.T) {
			p := open(t, file+address, light)
			at := p.state()
			if got := fmt.Sprintf("event %s, causes %s, axis %s, order %s", at["event"], at["causes"], at["axis"], at["order"]); got != want {
				t.Errorf("the page opens at %s; it should at %s", got, want)
			}
			if !strings.HasPrefix(p.text("#event"), "#"+at["event"]) || p.drawn(".plot canvas") < 5000 {
				t.Errorf("the page shows little: %q", p.text("#event"))
			}
			p.press("x", "n")
			p.until(`location.hash === "#" + bullring.written()`)
			written := js[string](p, "location.hash")
			again := open(t, file+written, light)
			if got := changes(p.state(), again.state()); got != "" {
				t.Errorf("the page writes %s, and the page that opens there differs: %s", written, got)
			}
		})
	}
}

// TestBranch plays every choice that the page offers at some events with the program. A page that
// offers none says why.
func TestBranch(t *testing.T) {
	for _, s := range []subject{find(t, "crash"), find(t, "explored schedule"), find(t, "mutual exclusion")} {
		t.Run(s.name, func(t *testing.T) {
			p := open(t, s.file(t), light)
			played := 0
			for _, at := range []int{2, 6, 12} {
				js[int](p, fmt.Sprintf("(bullring.go(%d), 0)", at-1))
				p.press("b")
				offers := js[int](p, `document.querySelectorAll("#choices input").length`)
				for k := range offers {
					p.click(fmt.Sprintf("#choices label:nth-child(%d) input", k+1))
					p.plays()
					played++
				}
				p.click("#fork form button")
			}
			t.Logf("%d choices were played", played)
			if played < 3 {
				t.Errorf("only %d choices", played)
			}
		})
	}
	altered := subject{name: "altered messages", run: words("changroberts --n 4 --outside-model --link", "corrupt 1% altered")}
	p := open(t, altered.file(t))
	p.press("b")
	if says := p.text("#fork"); !strings.Contains(says, "A branch is not possible: ") || !strings.Contains(says, "messages arrive as they were sent") {
		t.Errorf("a page without branches says %q", says)
	}
}

// plays saves the chosen branch, as its link does, and runs it with the command that stands there.
func (p *page) plays() {
	p.Helper()
	link := js[string](p, `decodeURIComponent(document.getElementById("fork-save").href.replace(/^[^,]*,/, ""))`)
	if shown := js[string](p, `document.getElementById("fork-case").value`); shown != link {
		p.Errorf("the page shows %q and saves %q", shown, link)
	}
	var saved struct{ Setting struct{ Schedule []string } }
	if err := json.Unmarshal([]byte(link), &saved); err != nil || len(saved.Setting.Schedule) == 0 {
		p.Fatalf("%v: %s", err, link)
	}
	if err := os.WriteFile(filepath.Join(folder, "branch.json"), []byte(link), 0o644); err != nil {
		p.Fatal(err)
	}
	command := strings.Fields(p.text("#fork-command"))
	out := run(p.T, command[1:]...)
	if !strings.Contains(out, "outcome") {
		p.Errorf("%s prints %s", strings.Join(command, " "), out)
	}
}
