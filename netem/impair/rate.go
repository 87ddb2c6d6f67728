package impair

import (
	"fmt"
	"math/big"
	"math/bits"
	"strings"
	"time"
)

// rate is the rate clause. A message is transmitted with an overhead, and cut into cells.
type rate struct {
	bits         uint64 // a second, a multiple of 8; 0 without a rate
	overhead     int64  // bytes, can be negative
	cellSize     int64  // bytes, 0 without cells
	cellOverhead int64  // bytes
}

// rateUnits are tc's. Those of bits end in bit, those of bytes in bps.
var rateUnits = []struct {
	name string
	bits uint64
}{
	{"bit", 1}, {"kbit", 1e3}, {"mbit", 1e6}, {"gbit", 1e9}, {"tbit", 1e12},
	{"kibit", 1 << 10}, {"mibit", 1 << 20}, {"gibit", 1 << 30}, {"tibit", 1 << 40},
	{"bps", 8}, {"kbps", 8e3}, {"mbps", 8e6}, {"gbps", 8e9}, {"tbps", 8e12},
	{"kibps", 8 << 10}, {"mibps", 8 << 20}, {"gibps", 8 << 30}, {"tibps", 8 << 40},
}

const (
	maxRate     = 1e15    // bits a second
	maxOverhead = 1 << 20 // bytes
)

func parseRate(l *Line, w *words) (err error) {
	l.rate = rate{}
	r := &l.rate
	if r.bits, err = value(w, "rate", ParseRate); err != nil {
		return err
	}
	for _, part := range []struct {
		name   string
		lo     int64
		target *int64
	}{{"overhead", -maxOverhead, &r.overhead}, {"cell size", 0, &r.cellSize}, {"cell overhead", -maxOverhead, &r.cellOverhead}} {
		if !w.number() {
			break
		}
		if *part.target, err = w.count(part.name, part.lo, maxOverhead); err != nil {
			return err
		}
	}
	if r.cellSize == 0 {
		r.cellOverhead = 0 // without cells it has no effect
	}
	return nil
}

// ParseRate reads a rate as tc writes it, such as 1mbit, in bits a second. The reason says why a text is not
// valid; it is "" for a valid one.
func ParseRate(text string) (bits uint64, reason string) {
	const allowed = "allowed are a number and a unit: bit, kbit, mbit, gbit, tbit (bits a second), bps, kbps, ... (bytes a second), or with powers of 1024 kibit, kibps, ..."
	number := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ%")
	unit := strings.ToLower(text[len(number):])
	if unit == "%" {
		return 0, "a link has no speed of which to take a percentage; write bits a second, as in 1mbit"
	}
	if unit == "" {
		return 0, fmt.Sprintf("it lacks a unit, as in %skbit", text)
	}
	x, ok := new(big.Rat).SetString(number)
	if len(number) > 30 || strings.Trim(number, "0123456789.") != "" || !ok {
		return 0, allowed
	}
	for _, u := range rateUnits {
		if u.name == unit {
			x.Mul(x, new(big.Rat).SetInt(new(big.Int).SetUint64(u.bits)))
			bytes := new(big.Rat).Quo(x, big.NewRat(8, 1))
			if !bytes.IsInt() || bytes.Sign() == 0 || x.Cmp(big.NewRat(maxRate, 1)) > 0 {
				return 0, "allowed are whole numbers of bytes a second, multiples of 8bit, up to 1000tbit"
			}
			return x.Num().Uint64(), ""
		}
	}
	return 0, allowed
}

func printRate(l *Line) string {
	r := &l.rate
	if r.bits == 0 {
		return ""
	}
	text := "rate " + PrintRate(r.bits)
	parts := []int64{r.overhead, r.cellSize, r.cellOverhead}
	for len(parts) > 0 && parts[len(parts)-1] == 0 {
		parts = parts[:len(parts)-1]
	}
	for _, part := range parts {
		text += fmt.Sprintf(" %d", part)
	}
	return text
}

// PrintRate prints a rate in bits a second as ParseRate reads it.
func PrintRate(bits uint64) string {
	unit := 0
	for bits > 0 && bits%1000 == 0 && unit < 4 {
		bits, unit = bits/1000, unit+1
	}
	return fmt.Sprintf("%d%s", bits, rateUnits[unit].name)
}

// transmission is the time that a message of so many bits takes, rounded down.
func (r *rate) transmission(size int) time.Duration {
	length := max(0, (int64(size)+7)/8+r.overhead)
	if r.cellSize > 0 {
		cells := (length + r.cellSize - 1) / r.cellSize
		length = max(0, cells*(r.cellSize+r.cellOverhead))
	}
	hi, lo := bits.Mul64(uint64(length)*8, 1e9)
	if hi >= r.bits {
		return 1<<63 - 1
	}
	t, _ := bits.Div64(hi, lo, r.bits)
	return time.Duration(min(t, 1<<63-1))
}
