package browser

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

var rough = flag.Int("rough", 30, "how many random actions a page has to stand")

// TestRough uses pages as no author thinks of, quickly: random keys, clicks, drags, wheels, sizes and
// addresses. Then it opens the address that the page writes anew. Both must show the same.
func TestRough(t *testing.T) {
	for i, s := range subjects {
		t.Run(s.name, func(t *testing.T) {
			p := open(t, s.file(t), light)
			random := rand.New(rand.NewPCG(uint64(i), 0))
			var did []string
			for range *rough {
				did = append(did, p.act(random))
				if faults := p.faults(); len(faults) > 0 {
					t.Fatalf("after %q: %q", did, faults)
				}
			}
			p.rest()
			again := open(t, s.file(t)+js[string](p, `"#" + bullring.written()`), light, chromedp.EmulateViewport(1280, 800))
			if got := changes(p.state(), again.state()); got != "" {
				t.Errorf("a page that is opened there differs: %s (after %q)", got, did)
			}
			for _, id := range []string{"event", "clock", "verdicts", "rows", "checks", "again"} {
				if one, two := p.text("#"+id), again.text("#"+id); one != two {
					t.Errorf("#%s is %q; in a page that is opened there it is %q (after %q)", id, one, two, did)
				}
			}
		})
	}
}

// rest puts back what an address does not say.
func (p *page) rest() {
	p.Helper()
	js[int](p, `(() => {
		const $ = id => document.getElementById(id);
		for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
		document.activeElement.blur();
		if ($("play").textContent === "pause") $("play").click();
		if (document.documentElement.dataset.theme === "dark") $("theme").click();
		for (const button of document.querySelectorAll("#kinds [aria-pressed=false], [data-set='tab states'], [data-set='align " + (bullring.runs.some(r => r.data.timeless) ? "cause" : "time") + "']")) button.click();
		return 0;
	})()`)
	p.press("u", "r", "u", "r", "0")
	js[int](p, `(bullring.go(bullring.view.at[bullring.view.on]), 0)`) // the other run stands beside this event
	p.do(chromedp.EmulateViewport(1280, 800), chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, 600, 5))
}

var (
	anyKey = []string{kb.ArrowLeft, kb.ArrowRight, kb.ArrowUp, kb.ArrowDown, kb.Home, kb.End, " ", "s", "n", "p", "v", "c", "x", "+", "-", "0", "=", "[", "]", "/", ".", ",", "1", "2", "9",
		"f", "u", "i", "o", "a", "b", "l", "r", "t", "d", "?", kb.Escape, kb.Tab, kb.Enter, kb.Backspace, kb.PageDown, "E", "ß"}
	anyAddress = []string{"", "#e=0", "#e=-5&z=1e9", "#e=999999999", "#e=NaN&c=nonsense&x=&z=-1", "#z=Infinity", "#z=NaN&e=1e400", "#%", "#e=%E0%A4%A", "#r=7&o=7&q=%00",
		"#e=1.5", "#z=1e308&x=steps", "#q=<img src=x>", "#e=2&c=why&x=gaps&z=3"}
)

// act takes one random action, and says which.
func (p *page) act(random *rand.Rand) string {
	p.Helper()
	upTo := func(size float64) float64 { return size * random.Float64() }
	switch k := random.IntN(100); {
	case k < 55:
		key := anyKey[random.IntN(len(anyKey))]
		p.press(key)
		return "key " + key
	case k < 70:
		x, y := upTo(1280), upTo(760)
		p.do(chromedp.MouseClickXY(x, y))
		return fmt.Sprintf("click %.0f,%.0f", x, y)
	case k < 78:
		p.do(chromedp.DragAndDropXY(upTo(900), 100+upTo(500), upTo(900), 100+upTo(500), 3))
		return "drag"
	case k < 86:
		by := upTo(4000) - 2000
		p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseWheel, upTo(900), 200+upTo(300), func(e *input.DispatchMouseEventParams) { e.DeltaX, e.DeltaY = 0.001, by }))
		return fmt.Sprintf("wheel %.0f", by)
	case k < 92:
		w, h := []int64{320, 400, 800, 1280, 1800}[random.IntN(5)], []int64{200, 480, 800}[random.IntN(3)]
		p.do(chromedp.EmulateViewport(w, h))
		return fmt.Sprintf("size %dx%d", w, h)
	case k < 97:
		address := anyAddress[random.IntN(len(anyAddress))]
		js[int](p, fmt.Sprintf("(location.hash = %q, 0)", address))
		return "address " + address
	default:
		js[int](p, `(document.querySelectorAll("#kinds button, #rows button").forEach(b => b.click()), 0)`)
		return "hide and fold all"
	}
}
