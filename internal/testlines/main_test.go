package main

import (
	"strings"
	"testing"
	"time"
)

func TestLines(t *testing.T) {
	const told = `{"Action":"build-output","Output":"x.go:1: no\n"}
{"Action":"start","Package":"a"}
{"Action":"run","Package":"a","Test":"TestOne"}
{"Action":"output","Package":"a","Test":"TestOne","Output":"=== RUN   TestOne\n"}
{"Action":"output","Package":"a","Test":"TestOne","Output":"    one_test.go:3: it is two\n"}
`
	const ends = `{"Action":"start","Package":"b"}
{"Action":"run","Package":"b","Test":"TestQuiet"}
{"Action":"output","Package":"b","Test":"TestQuiet","Output":"    quiet_test.go:1: a note\n"}
{"Action":"pass","Package":"b","Test":"TestQuiet"}
{"Action":"output","Package":"b","Output":"PASS\n"}
{"Action":"output","Package":"b","Output":"ok  \tb\t0.1s\n"}
{"Action":"pass","Package":"b"}
{"Action":"fail","Package":"a","Test":"TestOne"}
{"Action":"output","Package":"a","Output":"FAIL\ta\t0.2s\n"}
{"Action":"fail","Package":"a"}
`
	var out strings.Builder
	now := time.Unix(0, 0)
	r := report{out: &out, now: func() time.Time { return now }, began: now, running: map[string]*running{}}
	note := func(text string) {
		events := make(chan event, 20)
		if err := read(strings.NewReader(text), events); err != nil {
			t.Fatal(err)
		}
		for close(events); len(events) > 0; {
			r.note(<-events)
		}
	}
	now = now.Add(15 * time.Second)
	r.tell()
	note(told)
	r.tell() // there is nothing to tell yet
	now = now.Add(20 * time.Second)
	r.tell()
	note(ends)
	now = now.Add(10 * time.Second)
	r.tell()
	const want = "... \tcompiling; 0 packages tested, 15s so far\n" + "x.go:1: no\n... \ta\t20s so far, in TestOne\nok  \tb\t0.1s\n    one_test.go:3: it is two\nFAIL\ta\t0.2s\n" +
		"... \tcompiling; 2 packages tested, 45s so far\n"
	if out.String() != want || !r.failed || r.ended != 2 {
		t.Errorf("failed %v, %d packages ended:\n%s\nwant\n%s", r.failed, r.ended, &out, want)
	}
}
