package detector

import (
	"math"
	"testing"
	"time"
)

// The tail beyond the quantile is 10^-threshold, by the error function of package
// math, which is accurate but not the same on every machine.
func TestQuantileAgainstClosedForm(t *testing.T) {
	for threshold := 1.0 / 64; threshold <= MaxThreshold; threshold += max(1.0/64, threshold/100) {
		z := quantile(threshold)
		got := -math.Log10(math.Erfc(z/math.Sqrt2) / 2)
		if math.Abs(got-threshold) > 1e-12*max(1, threshold) {
			t.Errorf("threshold %v: the quantile %v has phi %v", threshold, z, got)
		}
	}
	for _, threshold := range []float64{1e-9, 1e-300} { // beyond what a tail near 1 can tell apart
		if z := quantile(threshold); !(z < -5.6 && z > -9) {
			t.Errorf("the quantile of %v is %v", threshold, z)
		}
	}
}

func TestTailAgainstClosedForm(t *testing.T) {
	for z := -8.0; z < 37; z += 1.0 / 64 {
		if got, want := tail(z), math.Erfc(z/math.Sqrt2)/2; math.Abs(got-want) > 1e-12*want {
			t.Errorf("tail(%v) = %v; want %v", z, got, want)
		}
	}
}

// Waits that are too long or too short to be durations are cut off.
func TestWaitsAreCutOff(t *testing.T) {
	for _, tc := range []struct {
		threshold float64
		want      time.Duration
	}{{300, 1<<60 + 1<<61}, {1e-6, 1 << 60}} {
		e := Config{Method: Phi, Period: 1, Threshold: tc.threshold, Window: 9, Deviation: 1, First: 7}.estimators()()
		if got := e.heard(0, 1); got != 7 {
			t.Errorf("the second heartbeat is due at %v; want 7ns", got)
		}
		e.heard(1, 2)
		if got := e.heard(1<<60, 3); got != tc.want {
			t.Errorf("threshold %v: due at %d; want %d", tc.threshold, got, tc.want)
		}
	}
}

func TestDefaults(t *testing.T) {
	for c, want := range map[Config]Config{
		{Period: 20, Timeout: 30}:                                      {Period: 20, Timeout: 30, Window: 100, Deviation: 2, First: 30},
		{Method: Phi, Period: 20, Threshold: 1}:                        {Method: Phi, Period: 20, Threshold: 1, Window: 100, Deviation: 2, First: 200},
		{Method: Adaptive, Period: 20, Margin: 1, Window: 3, First: 4}: {Method: Adaptive, Period: 20, Margin: 1, Window: 3, Deviation: 2, First: 4},
	} {
		if got := c.complete(); got != want {
			t.Errorf("%+v is %+v; want %+v", c, got, want)
		}
	}
}

// Quantiles are the same to the last bit on every machine: they decide the order
// of events.
func TestQuantilesArePinned(t *testing.T) {
	for threshold, want := range map[float64]uint64{
		0.1: 0xbfea49fca4e06d48, 1: 0x3ff4813c36e26d33, 2.5: 0x4005d7fca7828872,
		8: 0x401672b074435e3d, 16: 0x402071b4c29e9b5b, 300: 0x404286074064c26e,
	} {
		if got := math.Float64bits(quantile(threshold)); got != want {
			t.Errorf("quantile(%v) = %v, %#x; want %#x", threshold, quantile(threshold), got, want)
		}
	}
}

func TestWindow(t *testing.T) {
	w := window{size: 3}
	for _, tc := range []struct {
		add, mean int64
		deviation float64
	}{
		{5, 5, 0}, {9, 7, 2}, {10, 8, math.Sqrt((9.0 + 1 + 4) / 3)}, {11, 10, math.Sqrt(2.0 / 3)}, {-1, 6, math.Sqrt((16.0 + 25 + 49) / 3)},
	} {
		w.add(time.Duration(tc.add))
		if got := int64(w.mean()); got != tc.mean || w.deviation() != tc.deviation {
			t.Errorf("after %d: mean %d, deviation %v; want %d, %v", tc.add, got, w.deviation(), tc.mean, tc.deviation)
		}
	}
}
