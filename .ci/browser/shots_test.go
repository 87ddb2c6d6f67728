package browser

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"flag"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

var shots = flag.String("shots", "", "write the screenshots of the documentation into this folder")

// TestShots takes the screenshots of the documentation.
func TestShots(t *testing.T) {
	if *shots == "" {
		t.Skip("-shots is not given")
	}
	day := []chromedp.Action[chromedp.Void]{light, chromedp.EmulateViewport(1280, 760)}
	split := subject{name: "split", run: words("bully --n 4 --outside-model --fault", "at 1ms partition {0 1 | 2 3} for 20ms")} // of README.md
	both, crash := find(t, "two, without and with a fault").file(t), find(t, "crash").file(t)
	shot(open(t, split.file(t)+"#c=why&x=gaps", day...), "view-why.png", split.command(), "v")
	shot(open(t, both, day...), "view-two.png", find(t, "two, without and with a fault").command(), "d")
	shot(open(t, crash+"#e=20&c=event", dark, chromedp.EmulateViewport(1280, 760)), "view-dark.png", find(t, "crash").command(), "a")
	shot(open(t, crash+"#e=20", light, chromedp.EmulateViewport(400, 910)), "view-narrow.png", find(t, "crash").command())
	inside := find(t, "two in the critical section")
	shot(open(t, inside.file(t), light, chromedp.EmulateViewport(844, 390)), "view-side.png", inside.command(), "v")
	moving := find(t, "processes that move")
	shot(open(t, moving.file(t)+"#e=300&c=event", day...), "view-places.png", moving.command())
	p := open(t, report(t, "index.html"), day...)
	p.own = filepath.Join(folder, "out")
	shot(p, "view-report.png", "bullring report out")
}

// command is the command that writes the page of the subject, and of the run below it.
func (s subject) command() string {
	line := func(args []string) string {
		text := "bullring view"
		for _, a := range args {
			if strings.Contains(a, " ") {
				a = "'" + a + "'"
			}
			text += " " + a
		}
		return text
	}
	if s.beside == nil {
		return line(s.run)
	}
	return line(s.run) + "; beside it: " + line(s.beside)
}

// texts are the chunks of a picture that say what it shows, as those of figures do. The seed
// of a command that names none is 1.
func texts(t *testing.T, command string) (chunks []byte) {
	version, epoch, ok := strings.Cut(strings.TrimPrefix(run(t, "--version"), "bullring version "), ", epoch ")
	if !ok {
		t.Fatalf("the program has the version %q", version)
	}
	epoch, _, _ = strings.Cut(epoch, ",")
	for _, m := range [][2]string{{"Receipt", "bullring 1"}, {"Software", "bullring " + version}, {"Epoch", epoch}, {"Seed", "1"}, {"Command", command}} {
		body := append([]byte("tEXt"), m[0]+"\x00"+m[1]...)
		chunks = binary.BigEndian.AppendUint32(chunks, uint32(len(body)-4))
		chunks = append(chunks, body...)
		chunks = binary.BigEndian.AppendUint32(chunks, crc32.ChecksumIEEE(body))
	}
	return chunks
}

// afterHeader is where chunks can stand in a PNG file: behind its signature and its first one.
const afterHeader = 8 + 4 + 4 + 13 + 4

// shot presses keys and takes a picture of the screen.
func shot(p *page, name, command string, keys ...string) {
	p.Helper()
	p.press(keys...)
	p.do(chromedp.MouseEvent("mouseMoved", 640, 1))
	p.until(`[...document.images].every(i => { i.loading = "eager"; return i.complete; })`)
	js[int](p, "(async () => { "+settled+" return 1; })()")
	taken, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		p.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(taken))
	if err != nil {
		p.Fatal(err)
	}
	var small bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&small, few(picture)); err != nil {
		p.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(*shots, name), slices.Insert(small.Bytes(), afterHeader, texts(p.T, command)...), 0o644); err != nil {
		p.Fatal(err)
	}
	p.Logf("%s: %v, %d kB", name, picture.Bounds().Size(), small.Len()/1000)
	if small.Len() > 150_000 {
		p.Errorf("%s has %d bytes; a picture of the documentation has 150,000 at most", name, small.Len())
	}
}

// few is the picture in 256 colours. The 64 most frequent ones are those of surfaces and lines.
// Most others are edges of letters: there, one colour stands for all that are nearly the same.
func few(picture image.Image) *image.Paletted {
	box, count := picture.Bounds(), map[color.Color]int{}
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			count[picture.At(x, y)]++
		}
	}
	colours := slices.SortedFunc(maps.Keys(count), func(a, b color.Color) int {
		return cmp.Or(count[b]-count[a], strings.Compare(fmt.Sprint(a), fmt.Sprint(b)))
	})
	type shade [3]uint32
	seen := map[shade]bool{}
	var palette color.Palette
	for k, c := range colours {
		r, g, b, _ := c.RGBA()
		near := shade{r >> 12, g >> 12, b >> 12}
		if len(palette) < 256 && (k < 64 || !seen[near]) {
			palette = append(palette, c)
		}
		seen[near] = true
	}
	made := image.NewPaletted(box, palette)
	draw.Draw(made, box, picture, box.Min, draw.Src)
	return made
}
