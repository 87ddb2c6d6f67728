package browser

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// state is a script that returns the visible state of the page, by name.
const state = `(async () => {
	` + settled + pixels + `
	const $ = id => document.getElementById(id), all = selector => [...document.querySelectorAll(selector)];
	const chosen = name => document.querySelector("[data-set^=" + name + "]:is([aria-checked=true], [aria-selected=true])").dataset.set.split(" ")[1];
	return {
		event: $("clock").textContent.split(" ")[0], axis: chosen("axis"), causes: chosen("causes"), align: chosen("align"), tab: chosen("tab"),
		order: $("order").value, idle: $("idle").ariaPressed, play: $("play").textContent, theme: document.documentElement.dataset.theme, hits: $("hits").textContent,
		folded: all("#rows .folded").length + "", kinds: all("#kinds button").map(b => b.ariaPressed).join(), run: all(".plot").findIndex(p => p.classList.contains("on")) + "",
		dialog: document.querySelector("dialog[open]")?.id || "none", focus: document.activeElement.id,
		picture: all(".plot canvas").map(c => pixels(c).reduce((h, v) => Math.imul(h ^ v, 16777619), 2166136261)).join(),
	};
})()`

func (p *page) state() map[string]string {
	p.Helper()
	return js[map[string]string](p, state)
}

// changes are the words of what differs, in the order of their names, or "picture" if only the diagram does.
func changes(before, after map[string]string) string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if name != "picture" && before[name] != after[name] {
			words = append(words, fmt.Sprintf("%s %s > %s", name, before[name], after[name]))
		}
	}
	if len(words) == 0 && before["picture"] != after["picture"] {
		return "picture"
	}
	return strings.Join(words, "; ")
}

// step is something that a reader does, and what it changes of the state: "event 1 > 2" is that
// the page stood at event 1 and stands at event 2.
type step struct{ does, changes string }

// names are the keys whose names in the dialog are not their letters.
var names = map[string]string{"←": kb.ArrowLeft, "→": kb.ArrowRight, "↑": kb.ArrowUp, "↓": kb.ArrowDown, "Home": kb.Home, "End": kb.End, "space": " ", "Escape": kb.Escape, "Tab": kb.Tab, "Enter": kb.Enter}

// take takes steps one after the other: "key x", "type word", "click selector", or "point" to something in the diagram.
func (p *page) take(steps []step) {
	p.Helper()
	before := p.state()
	for _, s := range steps {
		verb, object, _ := strings.Cut(s.does, " ")
		switch name, named := names[object]; {
		case verb == "click":
			p.click(object)
		case verb == "point":
			x, y := p.at(object)
			p.do(chromedp.MouseClickXY(x, y))
		case named:
			p.press(name)
		default:
			p.press(object)
		}
		after := p.state()
		if verb == "click" || verb == "point" {
			delete(before, "focus") // it goes to what was clicked
		}
		if got := changes(before, after); got != s.changes {
			p.Errorf("%s changes %q; it should %q", s.does, got, s.changes)
		}
		before = after
	}
}

// keysOfOne are the keys, on the run of the partition: process 0 starts with event 2, process 1 hears
// of it with 5, 0 has its answer with 8, 1 is the leader with 9, 0 follows it with 10.
var keysOfOne = []step{
	{"key →", "event 1 > 2"}, {"key ↓", "event 2 > 8"}, {"key s", "event 8 > 5"}, {"key ←", "event 5 > 4"},
	{"key n", "event 4 > 9"}, {"key ↑", "event 9 > 5"}, {"key End", "event 5 > 12"}, {"key p", "event 12 > 10"},
	{"key Home", "event 10 > 1"}, {"key v", "event 1 > 9"},
	{"key c", "causes all > event"}, {"key c", "causes event > why"}, {"key c", "causes why > all"},
	{"key x", "axis time > gaps"}, {"key x", "axis gaps > steps"}, {"key x", "axis steps > time"},
	{"key +", "picture"}, {"key +", "picture"}, {"key [", "picture"}, {"key ]", "picture"}, {"key -", "picture"}, {"key 0", "picture"}, {"key 0", ""},
	{"key 1", "kinds true,true,true > false,true,true"}, {"key 1", "kinds false,true,true > true,true,true"}, {"key 2", "kinds true,true,true > true,false,true"}, {"key 3", "kinds true,false,true > true,false,false"},
	{"key 2", "kinds true,false,false > true,true,false"}, {"key 3", "kinds true,true,false > true,true,true"}, {"key 9", ""},
	{"key f", "folded 0 > 1"}, {"key u", "folded 1 > 0"}, {"key i", "idle false > true"}, {"key i", "idle true > false"},
	{"key o", "order address > identity"}, {"key o", "order identity > first"}, {"key o", "order first > activity"}, {"key o", "order activity > address"},
	{"key a", "tab states > code"}, {"key a", "tab code > states"}, {"key y", ""}, {"key l", "theme light > dark"}, {"key l", "theme dark > light"},
	{"key /", "focus  > search"}, {"type coord", "hits  > 1 of 2"}, {"key Enter", "event 9 > 10; hits 1 of 2 > 2 of 2"}, {"key Tab", "focus search > prior"},
	{"key .", "event 10 > 9; hits 2 of 2 > 1 of 2"}, {"key ,", "event 9 > 10; hits 1 of 2 > 2 of 2"},
	{"key /", "focus prior > search"}, {"key Escape", "focus search > ; hits 2 of 2 > "},
	{"key b", "dialog none > fork"}, {"key Escape", "dialog fork > none"}, {"key ?", "dialog none > keys"}, {"key →", ""}, {"key Escape", "dialog keys > none"},
}

var keysOfTwo = []step{
	{"key r", "event 1 > 6; run 0 > 1"}, {"key r", "event 6 > 1; run 1 > 0"}, {"key t", "align time > cause"}, {"key t", "align cause > time"}, {"key d", "event 1 > 7"},
}

// TestKeys presses every key that the dialog of a page names, of one run and of two.
func TestKeys(t *testing.T) {
	for name, keys := range map[string][]step{"partition": keysOfOne, "two, synchronous and not": append(keysOfTwo, keysOfOne...)} {
		t.Run(name, func(t *testing.T) {
			p := open(t, find(t, name).file(t), light)
			tested := map[string]bool{"space": true} // TestPlaying
			for _, s := range keys {
				tested[strings.TrimPrefix(s.does, "key ")] = true
			}
			listed := js[[]string](p, `[...document.querySelectorAll("#keylist dt")].flatMap(dt => dt.textContent.split(" "))`)
			for _, key := range listed {
				if !tested[key] {
					t.Errorf("the dialog has the key %s, which is not tested", key)
				}
			}
			t.Logf("%d keys: %s", len(listed), strings.Join(listed, " "))
			if name == "partition" {
				p.take(keys)
			} else {
				p.take(keysOfTwo)
			}
		})
	}
}

// TestPlaying plays a run and moves about while it plays: it goes on from there.
func TestPlaying(t *testing.T) {
	p := open(t, find(t, "partition").file(t), light)
	at := `+document.getElementById("clock").textContent.split(" ")[0]`
	p.press(names["space"])
	p.until(at + " > 4")
	p.press(names["Home"])
	if now := p.state()["event"]; now > "4" {
		t.Errorf("while it plays, Home leads to event %s", now)
	}
	p.until(at + " > 4")
	p.press(names["space"])
	if playing := p.state()["play"]; playing != "play" {
		t.Errorf("the button says %s after a pause", playing)
	}
}

// TestLostArrows: the arrow of a message that a fault stops ends at the instant of the fault, and before its receiver.
func TestLostArrows(t *testing.T) {
	p := open(t, find(t, "partition").file(t), light)
	ends := js[[]float64](p, `["cut", "lose", "deliver"].flatMap(how => {
		const r = routeOf({ ex: i => 100 * i, y: p => 50 * p, step: 50 }, { how, sent: 0, end: 1, from: 0, to: 2 });
		return [r.x1, r.y1];
	})`)
	if want := []float64{100, 75, 100, 75, 100, 100}; !slices.Equal(ends, want) {
		t.Errorf("arrows end at %v; want %v", ends, want)
	}
}

// TestClicks uses the same with a mouse.
func TestClicks(t *testing.T) {
	p := open(t, find(t, "partition").file(t), light)
	p.take([]step{
		{"click #next", "event 1 > 2"}, {"click #last", "event 2 > 12"}, {"click #back", "event 12 > 11"}, {"click #first", "event 11 > 1"}, {"click #target", "event 1 > 9"},
		{"click [data-set='causes event']", "causes all > event"}, {"click [data-set='causes why']", "causes event > why"}, {"click [data-set='causes all']", "causes why > all"},
		{"click [data-set='axis steps']", "axis time > steps"}, {"click [data-set='axis gaps']", "axis steps > gaps"}, {"click [data-set='axis time']", "axis gaps > time"},
		{"click #in", "picture"}, {"click #out", "picture"}, {"click #in", "picture"}, {"click #fit", "picture"},
		{"click #kinds button:nth-child(2)", "kinds true,true,true > true,false,true"}, {"click #kinds button:nth-child(2)", "kinds true,false,true > true,true,true"},
		{"click #rows tr:nth-child(3) button", "folded 0 > 1"}, {"click #rows tr:nth-child(3) button", "folded 1 > 0"},
		{"click #idle", "idle false > true"}, {"click #idle", "idle true > false"}, {"click #theme", "theme light > dark"}, {"click #theme", "theme dark > light"},
		{"click #tab-code", "tab states > code"}, {"click #tab-states", "tab code > states"}, {"click #event a", "event 9 > 5"}, {"click .check", "event 5 > 9"},
		{"click #help", "dialog none > keys"}, {"click #keys button", "dialog keys > none"}, {"click #branch", "dialog none > fork"}, {"click #fork form button", "dialog fork > none"},
	})
	p.take([]step{{"point event 5", "event 9 > 5"}, {"point arrow 10", "event 5 > 10"}, {"point lane 2", "folded 0 > 1"}, {"point lane 2", "folded 1 > 0"}})
	p.takesTheMouse()
	p.shows()
}

// shows looks at the diagram: without a kind of messages there is less of it, and causes of the verdict
// stand out, as event 5 does, and others fade, as event 8 does.
func (p *page) shows() {
	p.Helper()
	p.press("0")
	all := p.state()["picture"]
	for k := range 3 {
		p.press(strconv.Itoa(k + 1))
		if p.state()["picture"] == all {
			p.Errorf("without messages of kind %d the diagram is the same", k)
		}
		p.press(strconv.Itoa(k + 1))
	}
	if p.state()["picture"] != all {
		p.Error("with all kinds again the diagram is another")
	}
	cause, other := p.inked(5), p.inked(8)
	p.click("[data-set='causes why']")
	if p.inked(5) != cause || p.inked(8) == other {
		p.Errorf("event 5 is painted %x and was %x; event 8 is painted %x and was %x", p.inked(5), cause, p.inked(8), other)
	}
}

// inked is the colour in the middle of an event.
func (p *page) inked(event int) uint32 {
	p.Helper()
	return js[uint32](p, fmt.Sprintf(`(async () => { %s %s
		const f = bullring.frameOf(0), canvas = document.querySelector(".plot canvas"), dots = canvas.width / f.w;
		bullring.paint();
		return pixels(canvas)[Math.round(f.y(f.run.events[%d].p) * dots) * canvas.width + Math.round(f.ex(%d) * dots)];
	})()`, settled, pixels, event-1, event-1))
}

// takesTheMouse hovers, turns the wheel, drags the diagram and clicks into the overview.
func (p *page) takesTheMouse() {
	p.Helper()
	x, y := p.at("event 9")
	p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y))
	if tip := p.text("#tip"); !strings.HasPrefix(tip, "#9") || !strings.Contains(tip, "is the leader") {
		p.Errorf("over event 9 stands %q", tip)
	}
	before := p.state()
	act := func(what, want string, actions ...chromedp.Action[chromedp.Void]) {
		p.Helper()
		p.do(actions...)
		after := p.state()
		if got := changes(before, after); got != want {
			p.Errorf("%s changes %q; it should %q", what, got, want)
		}
		before = after
	}
	act("the wheel", "picture", chromedp.MouseEvent(input.DispatchMouseEventTypeMouseWheel, x, y, func(e *input.DispatchMouseEventParams) { e.DeltaX, e.DeltaY = 0.001, -300 }))
	act("a drag", "picture", chromedp.DragAndDropXY(x, y+60, x-80, y+60, 4))
	strip := js[[]float64](p, `(box => [box.right - 30, (box.top + box.bottom) / 2])(document.getElementById("strip").getBoundingClientRect())`)
	act("the overview", "event 10 > 12", chromedp.MouseClickXY(strip[0], strip[1]))
}

// places are where things are in the first diagram.
var places = map[string]string{
	"event": "[f.ex(k - 1), f.y(f.run.events[k - 1].p)]",
	"arrow": "(a => [(f.ex(a.sent) + f.ex(a.end)) / 2, (f.y(a.from) + f.y(a.to)) / 2])(f.run.arrows.find(a => a.end === k - 1))",
	"lane":  "[f.left - 20, f.y(k)]",
}

// at is where something is on the screen: "event 5", the "arrow 10" of the message that arrives with event
// 10, or the name of "lane 2".
func (p *page) at(object string) (x, y float64) {
	p.Helper()
	kind, number, _ := strings.Cut(object, " ")
	at := js[[]float64](p, fmt.Sprintf(`((f, k, box) => %s.map((v, i) => v + (i ? box.top : box.left)))(bullring.frameOf(0), %s, document.querySelector(".plot canvas").getBoundingClientRect())`, places[kind], number))
	return at[0], at[1]
}

// TestAlgorithm reads the pseudocode beside the run: the block of the event is marked, and in sight.
func TestAlgorithm(t *testing.T) {
	p := open(t, find(t, "crash").file(t)+"#e=20", light, chromedp.EmulateViewport(1280, 640))
	for _, s := range []struct{ key, event, block string }{
		{"a", "p1 receives COORDINATOR(5)", "on COORDINATOR(x):"},
		{names["End"], "timeout run at p2", "on timeout run:"},
		{names["Home"] + names["→"], "p0 starts", "on start:"},
	} {
		p.press(s.key)
		block := js[string](p, `(block => {
			const box = block.parentElement.getBoundingClientRect(), {top, bottom} = block.getBoundingClientRect();
			return top >= box.top - 1 && bottom <= box.bottom + 1 ? block.textContent : "out of sight: " + block.textContent;
		})(document.querySelector("#code [aria-current]"))`)
		if event := p.text("#event"); !strings.Contains(event, s.event) || !strings.HasPrefix(block, s.block) {
			t.Errorf("at %q the marked block is %q; it should be %q at %s", event, block, s.block, s.event)
		}
	}
}
