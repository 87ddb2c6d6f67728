package cli

import (
	"bytes"
	"fmt"
	"image/png"
	"os"
	"strings"
	"testing"
)

// The picture of a run is drawn beside its report, which says what its title does.
func TestPicture(t *testing.T) {
	t.Chdir(t.TempDir())
	plain := bullring(t, words("run repelling --n 60 --seed 2")...)
	for _, name := range []string{"tokens.png", "tokens.svg", "tokens.pdf"} {
		got := bullring(t, append(words("run repelling --n 60 --seed 2 --picture"), name)...)
		if got != plain {
			t.Fatalf("%s: %+v\nwithout a picture %+v", name, got, plain)
		}
	}
	raw, err := os.ReadFile("tokens.png")
	if err != nil {
		t.Fatal(err)
	}
	if image, err := png.Decode(bytes.NewReader(raw)); err != nil || image.Bounds().Dx() < 900 {
		t.Errorf("a picture %v; %v", image.Bounds(), err)
	}
	svg, err := os.ReadFile("tokens.svg")
	if err != nil {
		t.Fatal(err)
	}
	measured := result(t, "repelling --n 60 --seed 2")["measured"].(map[string]any)
	for _, metric := range []string{"evenness_before", "evenness"} {
		if v := fmt.Sprintf("%.3f", measured[metric]); !strings.Contains(string(svg), v) {
			t.Errorf("the picture lacks %s %s", metric, v)
		}
	}
}

// One token has no evenness, and a picture all the same.
func TestPictureOfOneToken(t *testing.T) {
	t.Chdir(t.TempDir())
	got := bullring(t, words("run repelling --n 5 --param tokens=1 --picture one.svg")...)
	svg, err := os.ReadFile("one.svg")
	if err != nil || got.status != 0 || !strings.Contains(string(svg), "index: none before, none after") {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestPictureCannotBeWritten(t *testing.T) {
	t.Chdir(t.TempDir())
	got := bullring(t, words("run repelling --n 5 --picture missing/tokens.png")...)
	if got.status != statusUsage || got.out != "" || !strings.Contains(got.errors, "--picture: stat missing: no such file") {
		t.Errorf("%+v", got)
	}
}
