package explore

import (
	"testing"

	"pgregory.net/rapid"
)

// What is packed is read as it was, in no more bytes than the largest difference takes.
func TestPackedIsReadAsItWas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		least := rapid.Uint32().Draw(t, "least")
		most := rapid.SampledFrom([]uint32{0, 1, 255, 256, 65_535, 65_536, 1<<24 - 1, 1 << 24, 1<<32 - 1}).Draw(t, "most")
		most = min(most, 1<<32-1-least)
		numbers := rapid.SliceOfN(rapid.Uint32Range(least, least+most), 0, 20).Draw(t, "numbers")
		p := pack(numbers)
		for i, n := range numbers {
			if got := p.at(uint32(i)); got != n {
				t.Fatalf("%d of %d is read as %d", n, numbers, got)
			}
		}
		if width := len(p.bytes) / max(len(numbers), 1); width > 0 && most>>(8*(width-1)) == 0 {
			t.Fatalf("differences of up to %d take %d bytes", most, width)
		}
	})
}
