package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// prefers emulates what the reader's system prefers or is, "prefers-color-scheme", "dark" for one.
func prefers(medium string, features ...*emulation.MediaFeature) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, err := cdp.Call(ctx, tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: medium, Features: features})
		return err
	})
}

var (
	dark  = prefers("", &emulation.MediaFeature{Name: "prefers-color-scheme", Value: "dark"})
	light = prefers("", &emulation.MediaFeature{Name: "prefers-color-scheme", Value: "light"})
	calm  = prefers("", &emulation.MediaFeature{Name: "prefers-reduced-motion", Value: "reduce"})
	paper = prefers("print")
)

// usable are the roles of what a reader uses or must be told of. Each has a name.
var usable = []string{"button", "radio", "checkbox", "tab", "slider", "textbox", "searchbox", "combobox", "link", "dialog", "img", "image", "RootWebArea"}

// allNamed checks the accessibility tree of the browser, and returns how many elements it saw.
func (p *page) allNamed() (seen int) {
	p.Helper()
	tree, err := chromedp.Call(p.ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	if err != nil {
		p.Fatal(err)
	}
	of := func(v *accessibility.Value) (text string) {
		if v != nil {
			_ = json.Unmarshal(v.Value, &text) // a value that is no text is no name
		}
		return text
	}
	for _, node := range tree.Nodes {
		if role := of(node.Role); !node.Ignored && slices.Contains(usable, role) {
			seen++
			if of(node.Name) == "" {
				p.Errorf("a %s (node %d) has no name", role, node.BackendDOMNodeID)
			}
		}
	}
	return seen
}

// contrasts returns the visible texts whose contrast to what is behind them is below that of
// WCAG 2.1, level AA: 4.5, or 3 for large letters. Controls that are disabled do not count.
const contrasts = `(() => {
	const pen = Object.assign(document.createElement("canvas"), {width: 1, height: 1}).getContext("2d", {willReadFrequently: true});
	const rgba = colour => {
		pen.clearRect(0, 0, 1, 1);
		pen.fillStyle = colour;
		pen.fillRect(0, 0, 1, 1);
		return [...pen.getImageData(0, 0, 1, 1).data].map(v => v / 255);
	};
	const over = (top, below) => below.map((v, i) => i === 3 ? 1 : top[i] * top[3] + v * (1 - top[3]));
	const behind = e => {
		const own = e ? rgba(getComputedStyle(e).backgroundColor) : [1, 1, 1, 1];
		return own[3] === 1 ? own : over(own, behind(e.parentElement));
	};
	const light = ([r, g, b]) => [r, g, b].map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4).reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
	const poor = [];
	for (const e of document.body.querySelectorAll("*")) {
		const words = [...e.childNodes].filter(n => n.nodeType === 3).map(n => n.data.trim()).join("");
		if (!words || e.closest("script, style, noscript, :disabled") || !e.checkVisibility({visibilityProperty: true})) continue;
		const style = getComputedStyle(e), below = behind(e), ink = rgba(style.color);
		for (let up = e; up; up = up.parentElement) ink[3] *= +getComputedStyle(up).opacity;
		const [a, b] = [light(over(ink, below)), light(below)].sort((x, y) => y - x), ratio = (a + .05) / (b + .05);
		const size = parseFloat(style.fontSize), large = size >= 24 || size >= 18.66 && style.fontWeight >= 700;
		if (ratio < (large ? 3 : 4.5)) poor.push(words.slice(0, 30) + " " + ratio.toFixed(2));
	}
	return poor;
})()`

// focused says which element has the focus: its place among all, its name.
const focused = `(e => e === document.body ? "" : [...document.querySelectorAll("*")].indexOf(e) + " " + (e.id || e.getAttribute("aria-label") || e.innerText || e.tagName))(document.activeElement)`

// TestAccess goes through a page by the keyboard and by what a screen reader is told.
func TestAccess(t *testing.T) {
	for _, s := range []subject{find(t, "partition"), find(t, "two, without and with a fault")} {
		t.Run(s.name, func(t *testing.T) {
			p := open(t, s.file(t), light)
			if seen := p.allNamed(); seen < 20 {
				t.Errorf("the accessibility tree has %d elements that can be used; a page of a run has more", seen)
			}
			if live := js[string](p, `document.querySelector("#event").ariaLive`); live != "polite" {
				t.Errorf("the text of the event is live %q", live)
			}
			p.tabs()
			for _, s := range []step{{"key a", "tab states > code"}, {"key b", "dialog none > fork"}, {"key ?", "dialog none > keys"}} {
				p.take([]step{s})
				p.allNamed()
				for _, theme := range []chromedp.Action[chromedp.Void]{dark, light} {
					p.do(theme)
					if poor := js[[]string](p, contrasts); len(poor) > 0 {
						t.Errorf("after %s texts have too little contrast: %q", s.does, poor)
					}
				}
				p.press(kb.Escape)
			}
		})
	}
}

// tabs presses Tab until the focus has left the page. It must go forward through the page, and
// stop at every element that can have the focus.
func (p *page) tabs() {
	p.Helper()
	var stops []string
	last := -1
	for p.press(kb.Tab); js[string](p, focused) != ""; p.press(kb.Tab) {
		stop := js[string](p, focused)
		var place int
		if _, err := fmt.Sscan(stop, &place); err != nil || place <= last {
			p.Fatalf("after %q Tab goes to %q", stops, stop)
		}
		last = place
		stops = append(stops, stop)
	}
	all := js[int](p, `[...document.querySelectorAll("button, input, select, textarea, a[href], [tabindex]")].filter(e => e.checkVisibility() && !e.disabled && e.tabIndex >= 0).length`)
	p.Logf("Tab stops at %d of %d elements", len(stops), all)
	if len(stops) != all || all < 20 {
		p.Errorf("Tab stops at %q; %d elements can have the focus", stops, all)
	}
}

// The page is dark where the system is, and the reader's own choice stands until the system changes.
func TestDark(t *testing.T) {
	const background = `getComputedStyle(document.body).backgroundColor`
	p := open(t, find(t, "partition").file(t), dark)
	night, picture := js[string](p, background), p.state()["picture"]
	p.do(light)
	p.until(background + ` === "rgb(255, 255, 255)"`)
	if p.state()["picture"] == picture {
		t.Error("the diagram is the same in the dark and in the light")
	}
	p.take([]step{{"click #theme", "theme light > dark"}})
	if chosen := js[string](p, background); chosen != night || p.state()["picture"] != picture || night == "rgb(255, 255, 255)" {
		t.Errorf("the button makes the page %s, and the system %s", chosen, night)
	}
}

// With reduced motion nothing is between two events while it plays.
func TestReducedMotion(t *testing.T) {
	between := func(motion ...chromedp.Action[chromedp.Void]) int {
		p := open(t, find(t, "election of three").file(t), motion...)
		js[int](p, `(() => {
			window.moves = new Set(); window.at = new Set();
			const look = () => { moves.add(bullring.view.frac); at.add(bullring.view.at[0]); requestAnimationFrame(look); };
			look();
			return 1; })()`)
		p.press(" ")
		p.until("at.size > 3")
		return js[int](p, "moves.size")
	}
	if moving, still := between(), between(calm); moving < 4 || still > 2 {
		t.Errorf("%d places between events with motion, %d with reduced motion", moving, still)
	}
}

// A telephone shows it all without scrolling sideways.
func TestNarrow(t *testing.T) {
	for _, s := range subjects {
		t.Run(s.name, func(t *testing.T) {
			p := open(t, s.file(t), chromedp.EmulateViewport(400, 800))
			for _, key := range []string{"", "b", "?"} {
				p.press(key)
				if wide := js[int](p, `document.documentElement.scrollWidth`); wide > 400 {
					t.Errorf("after %q the page is %d pixels wide on a screen of 400", key, wide)
				}
				p.press(kb.Escape)
			}
			if p.drawn(".plot canvas") == 0 {
				t.Error("nothing is drawn")
			}
		})
	}
}

// On paper stand the run, its verdict, the event and the command, and no buttons; in the dark, too.
func TestPrint(t *testing.T) {
	p := open(t, find(t, "partition").file(t), dark)
	p.do(paper)
	js[int](p, `(() => { dispatchEvent(new Event("beforeprint")); return 1; })()`)
	for selector, seen := range map[string]bool{"#verdicts": true, ".plot canvas": true, "#event": true, "#again": true, ".transport": false, "#theme": false, "#copy": false} {
		if got := js[bool](p, fmt.Sprintf(`document.querySelector(%q).checkVisibility()`, selector)); got != seen {
			t.Errorf("%s on paper: %v, and it should be %v", selector, got, seen)
		}
	}
	if background := js[string](p, `getComputedStyle(document.body).backgroundColor`); background != "rgb(255, 255, 255)" {
		t.Error("the paper is", background)
	}
	if colours := js[[]string](p, `["#kinds i", ".check i"].map(e => getComputedStyle(document.querySelector(e)).printColorAdjust)`); !slices.Equal(colours, []string{"exact", "exact"}) {
		t.Errorf("the colours of kinds and checks are printed %q", colours)
	}
	printed, err := chromedp.Run(p.ctx, chromedp.PrintToPDF())
	if pages := bytes.Count(printed, []byte("/Type /Page\n")); err != nil || pages < 1 || pages > 3 || len(printed) < 10_000 {
		t.Errorf("printed, the run has %d pages and %d bytes: %v", pages, len(printed), err)
	}
}
