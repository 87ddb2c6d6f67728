package lab

import (
	"math"
	"testing"
	"time"

	"bullring/des"
)

// TestSumOfDelays: mean and variance of independent delays add up.
func TestSumOfDelays(t *testing.T) {
	latencies := []time.Duration{100, 200, 400, 1000} // mean 425, variance 121,875
	s := slower(des.Uniform(0, 10_000), latencies)
	mean, square := 0.0, 0.0
	for k := range uint64(points) {
		d := float64(s.Sample(k<<48 | 12345))
		mean += d / points
		square += d * d / points
	}
	if variance := square - mean*mean; math.Abs(mean-5425) > 1 || math.Abs(float64(s.Mean())-5425) > 1 || math.Abs(variance/(1e8/12+121_875)-1) > 0.001 {
		t.Errorf("mean %v (%v), variance %v", mean, s.Mean(), variance)
	}
	if least, most, bounded := s.Bounds(); least != 100 || most < 10_990 || most > 11_000 || !bounded {
		t.Error(s.Bounds())
	}
	if s.String() != "uniform(0s,10µs) and 4 measured latencies" {
		t.Error(s)
	}
}
