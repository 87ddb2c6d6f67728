package view

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// printed is a text in a form.
func printed(t *testing.T, form Form, text string) string {
	t.Helper()
	var b strings.Builder
	if err := form.Print(&b, func(w io.Writer) error { _, err := io.WriteString(w, text); return err }); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestLayout(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"what fits stays", "a  b\n\n  c\n", "a  b\n\n  c\n"},
		{"no line feed at the end", "a", "a"},
		{"prose", "one two three four five six seven eight nine\n", "one two three four five six seven eight\nnine\n"},
		{"indented", "  one two three four five six seven eight nine\n", "  one two three four five six seven\n      eight nine\n"},
		{"goes on under its column", "#1  deliver  sends one to one, two to two, three to three\n", "#1  deliver  sends one to one, two to\n             two, three to three\n"},
		{"a sign begins what follows", "#1  start  | sends one to three  | is leading\n", "#1  start  | sends one to three\n           | is leading\n"},
		{"a word that is too long", "written to " + strings.Repeat("x", 50) + " now\n", "written to\n" + strings.Repeat("x", 50) + "\nnow\n"},
		{"a table", "a\tb\nlong\tc\n", "a     b\nlong  c\n"},
		{"no spaces at the end", "a\tb\t\nlong\t\t\n", "a     b\nlong\n"},
		{"a cell inside its column", "name\tone two three four five six seven eight\tend\n", "name  one two three four five six    end\n      seven eight\n"},
		{"what has no room beside stands below", "name\t" + strings.Repeat("x", 20) + "\tone " + strings.Repeat("y", 30) + "\n", "name  " + strings.Repeat("x", 20) + "\n    one " + strings.Repeat("y", 30) + "\n"},
		{"a path too long for any line", "file\t" + strings.Repeat("/x", 30) + "\n", "file  " + strings.Repeat("/x", 30) + "\n"},
		{"fixed", fixed("one two three four five six seven eight nine ten") + "\n", "one two three four five six seven eight nine ten\n"},
		{"by commas", byCommas("n 3, ring, identities increasing, seed 123") + "\n", "n 3, ring, identities increasing,\nseed 123\n"},
		{"a command", "again: " + Command("bullring run lcr --n 8 --fault 'at 1ms crash 2' --seed 1") + "\n", "again: bullring run lcr --n 8 \\\n    --fault 'at 1ms crash 2' --seed 1\n"},
		{"a wide letter counts twice", "日本語日本語日本語日本語 日本語日本語日本語日本\n", "日本語日本語日本語日本語\n日本語日本語日本語日本\n"},
		{"no colours", bad("VIOLATED") + "\n", "VIOLATED\n"},
	} {
		if got := printed(t, Form{Columns: 40}, c.text); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
	if got := Coloured(printed(t, Form{Columns: 40, Colours: true}, bad("VIOLATED")+"\n")); got != "\x1b[31mVIOLATED\x1b[0m\n" {
		t.Errorf("%q", got)
	}
}

// A table and a text keep their words, in their order, and a line that is too wide is one word.
func TestLayoutKeepsWords(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		columns := rapid.IntRange(40, 100).Draw(r, "columns")
		words := rapid.SliceOfN(rapid.StringMatching(`[a-z,|]{1,30}`), 1, 30)
		form := Form{Columns: columns}

		prose := strings.Join(words.Draw(r, "prose"), " ")
		got := printed(t, form, prose)
		if strings.Join(strings.Fields(got), " ") != prose {
			r.Fatalf("%q became %q", prose, got)
		}
		narrow(r, got, columns)

		var table strings.Builder
		rows := rapid.IntRange(1, 4).Draw(r, "rows")
		for i := range rows {
			fmt.Fprintf(&table, "%d\t%s\t%s\n", i, strings.Join(words.Draw(r, "cell"), " "), strings.Join(words.Draw(r, "cell"), " "))
		}
		got = printed(t, form, table.String())
		counted := map[string]int{}
		for _, word := range strings.Fields(table.String()) {
			counted[word]++
		}
		for _, word := range strings.Fields(got) {
			counted[word]--
		}
		for word, left := range counted {
			if left != 0 {
				r.Fatalf("%q stands %d times too few in\n%s\nof\n%s", word, left, got, &table)
			}
		}
		narrow(r, got, columns)
	})
}

// narrow fails for a line that is too wide and more than one word.
func narrow(r *rapid.T, text string, columns int) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); width(line) > columns && strings.Contains(line, " ") {
			r.Fatalf("%d columns, of %d: %s", width(line), columns, line)
		}
	}
}

// A command that is laid out has the words that it had: a shell drops a backslash with the line
// feed behind it.
func TestLaidOutCommandsArePasted(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		command := "bullring run"
		for _, value := range rapid.SliceOfN(rapid.StringMatching(`[a-z0-9 '\\-]{0,20}`), 0, 12).Draw(r, "values") {
			command += " --flag " + Quoted(value)
		}
		columns := rapid.IntRange(40, 100).Draw(r, "columns")
		got := printed(t, Form{Columns: columns}, "again: "+Command(command)+"\n")
		pasted := strings.TrimPrefix(strings.ReplaceAll(strings.TrimSuffix(got, "\n"), "\\\n", ""), "again: ")
		if strings.Join(Words(pasted), "\n") != strings.Join(Words(command), "\n") {
			r.Fatalf("%s\nbecame\n%s", command, got)
		}
		for line := range strings.Lines(got) {
			words := Words(strings.TrimSuffix(strings.TrimSpace(line), `\`))
			if width(strings.TrimSuffix(line, "\n")) > columns && len(words) > 2 {
				r.Fatalf("%d columns, of %d: %s", width(line)-1, columns, line)
			}
		}
	})
}

func TestParagraphs(t *testing.T) {
	if got, want := Paragraphs("one\ntwo\n\n\tcode\n\tmore\nthree\nfour\n"), "one two\n\n    code\n    more\nthree four"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A word that fits into the columns is not pushed beyond them by what it hangs under.
func TestHangingWordsFit(t *testing.T) {
	if got, want := wrapped("  ab cdefghij", 10), []string{"  ab", "  cdefghij"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
