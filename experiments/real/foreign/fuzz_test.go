package foreign

import (
	"os"
	"strings"
	"testing"
	"time"

	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/protocols"
)

// sink is a node that does nothing.
type sink struct{ sent []message }

func (*sink) ID() protocols.ID                        { return 0 }
func (*sink) Degree() int                             { return 1 }
func (*sink) Neighbor(int) protocols.ID               { return 1 }
func (s *sink) Send(_ protocols.ID, m message)        { s.sent = append(s.sent, m) }
func (*sink) SetTimer(protocols.Timer, time.Duration) {}
func (*sink) StopTimer(protocols.Timer)               {}
func (*sink) Intn(int) int                            { return 0 }
func (*sink) Suspects(protocols.ID) bool              { return false }
func (*sink) Now() time.Duration                      { return 0 }

// Whatever a node writes is done, or is a Misbehaviour with a text that fits a terminal.
func FuzzNode(f *testing.F) {
	for _, line := range []string{
		`{"src":"n0","dest":"n1","body":{"type":"probe","rank":3}}`,
		`{"src":"n0","dest":"n7","body":{"type":"probe"}}`,
		`{"src":"n0","dest":"timer","body":{"type":"set","label":1,"after":"1.5ms"}}`,
		`{"src":"n0","dest":"timer","body":{"type":"set","label":-1,"after":"-1h"}}`,
		`{"src":"n0","dest":"random","body":{"type":"intn","n":6,"msg_id":4}}`,
		`{"src":"n0","dest":"storage","body":{"type":"write","value":{"a":[1]}}}`, `{"src":"n0","dest":"storage","body":{"type":"read"}}`,
		`{"src":"n0","dest":"detector","body":{"type":"suspects","node":"n1","msg_id":4}}`,
		`{"src":"n0","dest":"c0","body":{"type":"decide","leader":3,"elected":true}}`,
		`{"src":"n0","dest":"c0","body":{"type":"decide","leader":"3"}}`,
		`{"src":"n0","dest":"c0","body":{"type":"error","in_reply_to":3}}`,
		`{"src":"n0","dest":"c0","body":[1]}`, `{"src":7}`, `null`, `{"src":"n0","dest":"n1","body":null}`, "\x00\xff", `{"body":{"type":""}}`,
	} {
		f.Add([]byte(line))
	}
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		f.Fatal(err)
	}
	all := &setup{
		in: &trial.Instance{System: trial.System{N: 3}}, kinds: openKinds(nil), command: command{text: "program"},
		links: []map[protocols.ID]bool{{1: true}},
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		p := &process{role: role{setup: func() *setup { return all }, ear: families.NewElectionEar(nil, 0, nil)}, child: &child{in: null, wait: time.Minute}, event: func() string { return "start" }}
		all.kinds = openKinds(nil)
		s, err := parse(line)
		if err != nil {
			if text := err.Error(); len(text) > 5*mostShown {
				t.Errorf("the error has %d bytes: %s", len(text), text)
			}
			return
		}
		var node sink
		if err := caught(func() { p.do(&node, s) }); err != nil && len(err.Error()) > 10*mostShown {
			t.Errorf("the error has %d bytes: %v", len(err.Error()), err)
		}
		for _, m := range node.sent {
			if m.Bits() == 0 || !strings.HasPrefix(m.String(), m.Kinds()[m.Kind()]) {
				t.Errorf("%q sends %v", line, m)
			}
		}
	})
}
