package des_test

import (
	"fmt"
	"time"

	"bullring/des"
)

// The loop belongs to the caller: it takes one event after the other and schedules what
// follows. At one instant deliveries come before timeouts; otherwise the event that was
// scheduled first comes first.
func ExampleQueue() {
	q := des.NewQueue[string]()
	at := func(d time.Duration) des.Time { return q.Now().Add(d) }
	retry := q.NewTimer(des.Timeout, "retry")
	q.Reset(retry, at(2*time.Millisecond))
	q.At(at(2*time.Millisecond), des.Delivery, "answer")
	q.At(at(1*time.Millisecond), des.Delivery, "question")
	for {
		e, ok := q.Next()
		if !ok {
			break
		}
		fmt.Println(e.At, e.Class(), e.Item)
		if e.Item == "question" {
			q.At(at(3*time.Millisecond), des.Delivery, "echo")
		}
	}
	// Output:
	// 1ms delivery question
	// 2ms delivery answer
	// 2ms timeout retry
	// 4ms delivery echo
}

// A timer that is re-armed expires only at its last setting.
func ExampleQueue_Reset() {
	q := des.NewQueue[string]()
	lease := q.NewTimer(des.Timeout, "the lease ends")
	for _, heartbeat := range []time.Duration{1, 4, 8} {
		q.At(des.Time(heartbeat*time.Second), des.Delivery, "heartbeat")
	}
	q.Reset(lease, des.Time(5*time.Second))
	for {
		e, ok := q.Next()
		if !ok {
			break
		}
		fmt.Println(e.At, e.Item)
		if e.Item == "heartbeat" {
			q.Reset(lease, e.At.Add(5*time.Second))
		}
	}
	// Output:
	// 1s heartbeat
	// 4s heartbeat
	// 8s heartbeat
	// 13s the lease ends
}

// Code that takes a clockwork.Clock runs on virtual time, in which an hour passes at once.
func ExampleClock() {
	q := des.NewQueue[string]()
	clock := des.NewClock(q, q.NewTimer(des.Probe, "clock"))

	start := clock.Now()
	ticker := clock.NewTicker(25 * time.Minute)
	clock.AfterFunc(time.Hour, func() {
		fmt.Println("stop after", clock.Since(start), "at", des.Time(clock.Since(des.Origin)))
		ticker.Stop()
	})
	for {
		if _, ok := q.Next(); !ok { // nothing else is in this queue
			break
		}
		clock.Fire()
		select {
		case now := <-ticker.Chan():
			fmt.Println("tick at", now.Format(time.TimeOnly))
		default:
		}
	}
	// Output:
	// tick at 00:25:00
	// tick at 00:50:00
	// stop after 1h0m0s at 1h0m0s
}

// Streams have names, so that a new consumer does not shift the draws of another.
func ExampleStream() {
	links := des.NewStream(42, "link")
	forth, back := links.Sub(0), links.Sub(1)
	delay := des.Exponential(time.Millisecond)
	fmt.Println(delay.Sample(forth.Uint64()), delay.Sample(back.Uint64()))
	// Output:
	// 397.917µs 87.919µs
}

func ExampleParseDistribution() {
	for _, text := range []string{"1ms", "uniform(0, 2ms)", "exp(1ms)", "normal(5ms, 1ms)", "exp(5)"} {
		d, err := des.ParseDistribution(text)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(d, "has the mean", d.Mean())
	}
	// Output:
	// 1ms has the mean 1ms
	// uniform(0s,2ms) has the mean 1ms
	// exp(1ms) has the mean 1ms
	// normal(5ms,1ms) has the mean 5ms
	// delay "exp(5)": "5" lacks a unit, as in 5ms
}
