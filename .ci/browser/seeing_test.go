package browser

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// A telephone, upright or on its side, shows the diagram on at least half of its screen, and no
// control is cut off at a side. On its side the diagram and what plays it stand on the first screen.
func TestTelephones(t *testing.T) {
	for _, size := range [][2]int64{{844, 390}, {667, 375}, {568, 320}, {390, 844}, {375, 667}} {
		for _, name := range []string{"two in the critical section", "eleven kinds", "partition", "two, without and with a fault"} {
			t.Run(fmt.Sprintf("%dx%d %s", size[0], size[1], name), func(t *testing.T) {
				p := open(t, find(t, name).file(t), light, chromedp.EmulateViewport(size[0], size[1]))
				places := js[[]float64](p, `(() => {
					const canvas = document.querySelector(".plot canvas").getBoundingClientRect(), play = document.querySelector("#play").getBoundingClientRect();
					return [document.documentElement.scrollWidth, canvas.height, canvas.bottom, play.bottom]; })()`)
				half, high := float64(size[1])/2, float64(size[1])
				if places[0] > float64(size[0]) || places[1] < half {
					t.Errorf("the page is %v wide, and the diagram %v high", places[0], places[1])
				}
				if one := !strings.HasPrefix(name, "two,"); size[0] > size[1] && one && (places[2] > high || places[3] > high && size[1] > 320) {
					t.Errorf("the diagram ends at %v, and the button that plays at %v", places[2], places[3])
				}
				if cut := js[[]string](p, `[...document.querySelectorAll("button, input, select, .chip, h1")].filter(e => {
					const {left, right, width} = e.getBoundingClientRect();
					return width && (left < 0 || right > innerWidth + 0.5); }).map(e => e.id || e.textContent)`); len(cut) > 0 {
					t.Errorf("cut off are %q", cut)
				}
				if p.drawn(".plot canvas") == 0 {
					t.Error("nothing is drawn")
				}
			})
		}
	}
}

// Any two kinds differ by colour or dashes, and in grey by dashes or a number; the legend shows it.
func TestKindsDiffer(t *testing.T) {
	p := open(t, find(t, "eleven kinds").file(t), light)
	kinds := js[[]string](p, `run().data.kinds`)
	if len(kinds) < 10 {
		t.Fatalf("the run has the kinds %q", kinds)
	}
	for what, each := range map[string]string{"colour and dashes": "k => inkOf(k) + dashOf(k)", "dashes and number": "k => dashOf(k) + '/' + tagOf(k)"} {
		all := js[[]string](p, fmt.Sprintf(`run().data.kinds.map((_, k) => k).map(%s)`, each))
		slices.Sort(all)
		if once := slices.Compact(slices.Clone(all)); len(once) != len(kinds) {
			t.Errorf("by %s the kinds are %q", what, all)
		}
	}
	legend := js[[]string](p, `[...document.querySelectorAll("#kinds i")].map(i => i.textContent + i.style.background)`)
	shown := len(legend)
	slices.Sort(legend)
	if once := slices.Compact(legend); shown < 7 || len(once) != shown {
		t.Errorf("the legend has %q", legend)
	}
	if !strings.Contains(p.text("#kinds"), "8") {
		t.Errorf("the legend says %q", p.text("#kinds"))
	}
}

// Bands are drawn, and the words say them: of two processes in the critical section, too.
func TestBands(t *testing.T) {
	p := open(t, find(t, "two in the critical section").file(t), light)
	if legend := strings.Fields(p.text("#bands")); strings.Join(legend, " ") != "in the critical section more than one at once waiting" {
		t.Errorf("the legend says %q", legend)
	}
	said := map[string]bool{}
	for last := ""; ; {
		text := p.text("#event")
		if text == last {
			break
		}
		for _, sentence := range []string{"p0: now waiting", "p1: now in the critical section, and not the only one", "p0: no longer in the critical section"} {
			said[sentence] = said[sentence] || strings.Contains(text, sentence)
		}
		last = text
		p.press(names["→"])
	}
	for sentence, was := range said {
		if !was {
			t.Errorf("no event says %q", sentence)
		}
	}
	if len(said) != 3 {
		t.Errorf("said were %v", said)
	}
	p.press(names["Home"])
	p.until(`document.querySelector("#rows").innerText.includes("waiting") || (bullring.go(bullring.view.at[0] + 1), false)`)
	// Red between two black lines is drawn where both are inside, at 4 ms, on the lanes of both.
	for _, theme := range []chromedp.Action[chromedp.Void]{light, dark} {
		p.do(theme)
		strong := js[[]string](p, `(async () => { `+settled+`
			`+pixels+`
			const f = bullring.frameOf(0), dots = devicePixelRatio, canvas = f.g.canvas;
			bullring.paint();
			const all = new Uint8Array(pixels(canvas).buffer), x = Math.round(f.px(4.2e6) * dots);
			const at = (p, dy) => { const i = 4 * (Math.round((f.y(p) + dy) * dots) * canvas.width + x); return "#" + [...all.slice(i, i + 3)].map(v => v.toString(16).padStart(2, "0")).join(""); };
			return [0, 1].map(p => String(at(p, 5) === ink.bad)).concat(String(at(2, 5) === ink.bad)); })()`)
		if !slices.Equal(strong, []string{"true", "true", "false"}) {
			t.Errorf("strong red on the lanes: %v", strong)
		}
	}
}
