package remote

import (
	"io"
	"strings"
	"testing"
	"time"
)

// FuzzNews: a host that knows the token may say what it wants; the coordinator goes on, or
// ends the run.
func FuzzNews(f *testing.F) {
	boots := `{"Who":0,"Line":{"What":"step","Step":{"what":"start","who":0,"clock":1}}}`
	for _, text := range []string{
		`{"Who":7}`, `{"Who":1}`, `{"Who":0,"Ended":true,"Killed":true}`, `{"Who":0,"Line":{"What":"linked","Who":9}}`,
		`{"Who":0,"Line":{"What":"gone","Who":-1}}`, `{"Who":0,"Line":{"What":"step"}}`, `{"Who":0,"Line":{"What":"step","Amid":true,"Step":{}}}`,
		strings.Replace(boots, `"clock"`, `"Sent":[{"To":8,"Message":{},"Number":1}],"clock"`, 1),
		strings.Replace(boots, `"start"`, `"deliver","From":-5`, 1), boots + "\n" + `{"Who":0,"Ended":true,"Killed":true}`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g := &member{out: &writer{w: io.Discard}}
		c := newCoordinator(configure(t, setting{"lcr", 3}), []*member{g}, newMailbox[event]())
		c.begin = time.Now()
		for _, s := range c.processes {
			c.spawn(s)
		}
		for next := lines[news](strings.NewReader(text), nil); !c.over; {
			n, err := next()
			if err != nil {
				break
			}
			c.learn(event{news: n})
		}
		c.recording()
	})
}
