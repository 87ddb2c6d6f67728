package browser

import (
	"flag"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

var times = flag.Bool("times", false, "measure how long pages of 22 to 100,000 events take")

// measured are medians in ms. Reading a pixel makes the browser finish what it was told to draw.
const measured = `(() => {
	const b = bullring, events = b.runs[0].events.length, canvas = document.querySelector(".plot canvas");
	const one = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true});
	const median = (n, act) => {
		const took = [];
		for (let k = 0; k < n; k++) {
			const begin = performance.now();
			act(k);
			one.drawImage(canvas, 0, 0, 1, 1, 0, 0, 1, 1);
			one.getImageData(0, 0, 1, 1);
			took.push(performance.now() - begin);
		}
		return took.sort((x, y) => x - y)[n >> 1];
	};
	const whole = median(9, b.paint), windows = [300, 500].map(size => {
		b.view.zoom = Math.max(1, events / size);
		b.view.left = 0.3;
		return median(15, b.paint);
	});
	const step = median(15, k => b.go(Math.min(events - 1, Math.floor(events / 3) + k)));
	return [whole, ...windows, step];
})()`

// TestTimes prints the table of docs/view.md. It asserts nothing: times are those of the machine.
func TestTimes(t *testing.T) {
	if !*times {
		t.Skip("-times is not given")
	}
	t.Log("events    load   whole run   window of 300   of 500   step   (ms, medians)")
	for _, args := range [][]string{
		words("bully --n 5 --initiators 0 --dead last --fault", "at 2ms crash 3"),
		words("ghs --n 12 --topology er(30%) --seed 3"),
		words("lcr --n 200 --placement decreasing"),
		words("lcr --n 445 --placement decreasing"),
	} {
		file := filepath.Join(folder, "times.html")
		run(t, append([]string{"view", "-o", file}, args...)...)
		p := open(t, file, light)
		var loads []float64
		for range 5 {
			begin := time.Now()
			p.do(chromedp.Reload())
			p.drawn("#strip")
			loads = append(loads, float64(time.Since(begin).Milliseconds()))
		}
		slices.Sort(loads)
		m := js[[]float64](p, measured)
		t.Logf("%7d %7.0f %9.1f %13.1f %10.1f %8.2f", js[int](p, "bullring.runs[0].events.length"), loads[2], m[0], m[1], m[2], m[3])
	}
}
