package view

import (
	"testing"
	"time"
)

func TestTextOfEstimates(t *testing.T) {
	for d, want := range map[time.Duration]string{
		1234 * time.Nanosecond: "1.2µs", 59 * time.Second: "59s", 150 * time.Second: "2m30s", 38*time.Minute + 50*time.Second: "38m50s", 125 * time.Minute: "2h5m",
	} {
		if got := rough(d); got != want {
			t.Errorf("%v is %s; want %s", d, got, want)
		}
	}
}
