package view

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"bullring/internal/counts"
	"bullring/protocols"
)

// table writes the rows of a table, which [Form.Print] lays out.
type table struct{ to io.Writer }

func newTable(w io.Writer) table { return table{w} }

// row adds a row of cells.
func (t table) row(cells ...string) { fmt.Fprintln(t.to, strings.Join(cells, "\t")) }

// rowf adds a row of a name and a formatted value.
func (t table) rowf(name, format string, values ...any) { t.row(name, fmt.Sprintf(format, values...)) }

// verdictText is a verdict, marked if it is a violation.
func verdictText(v protocols.Verdict) string {
	if v == protocols.Violated {
		return bad(v.String())
	}
	return v.String()
}

// decimal prints a value with thousands separators, and with three decimals unless it is
// a whole number.
func decimal(v float64) string {
	if math.IsInf(v, 0) || math.IsNaN(v) || math.Abs(v) >= 1e15 || v != 0 && math.Abs(v) < 0.001 {
		return strconv.FormatFloat(v, 'g', 4, 64)
	}
	whole, fraction, _ := strings.Cut(strconv.FormatFloat(math.Abs(v), 'f', 3, 64), ".")
	sign := ""
	if v < 0 {
		sign = "-"
	}
	if fraction == "000" && v == math.Trunc(v) {
		return sign + counts.Digits(whole)
	}
	return sign + counts.Digits(whole) + "." + fraction
}

// Quoted makes one word of a shell command of a value.
func Quoted(value string) string {
	const bare = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.,:+=/@%"
	if strings.Trim(value, bare) == "" {
		return value
	}
	return "'" + strings.ReplaceAll(value, "'", `'\''`) + "'"
}

// Words splits a command of words that [Quoted] has made.
func Words(command string) []string {
	var words []string
	var word strings.Builder
	quoted, begun := false, false
	for i := 0; i < len(command); i++ {
		switch c := command[i]; {
		case c == '\'':
			quoted, begun = !quoted, true
		case quoted:
			word.WriteByte(c)
		case c == ' ':
			if begun {
				words = append(words, word.String())
			}
			word.Reset()
			begun = false
		case c == '\\' && i+1 < len(command):
			i++
			word.WriteByte(command[i])
			begun = true
		default:
			word.WriteByte(c)
			begun = true
		}
	}
	if begun {
		words = append(words, word.String())
	}
	return words
}

// commas lists values with commas between them.
func commas[T any](list []T) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(list), "[]"), " ", ",")
}

// enumerated lists words as a sentence does: "a, b and c".
func enumerated(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// plain removes the spaces from a list.
func plain(list string) string { return strings.Join(strings.Fields(list), "") }

// percent prints a share with four digits.
func percent(share float64) string { return strconv.FormatFloat(100*share, 'g', 4, 64) + " %" }
