package view

import "strings"

// The marks of a text that is to be laid out. Unicode sets these characters apart for use
// inside a program, so text that programs exchange does not have them.
const (
	commandSpace = "\ufdd0" // in a command: a line may be continued here
	fixedSpace   = "\ufdd1" // no line ends here
	badBegins    = "\ufdd2" // verdicts in red
	badEnds      = "\ufdd3"
)

// Coloured replaces the marks of [Form.Print] with the codes of a terminal.
func Coloured(text string) string {
	return strings.NewReplacer(badBegins, "\x1b[31m", badEnds, "\x1b[0m").Replace(text)
}

// colourless drops the marks of colours.
func colourless(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, badBegins, ""), badEnds, "")
}

// bad marks a word that is shown in red where there are colours.
func bad(word string) string { return badBegins + word + badEnds }

// fixed marks a text that stays on one line.
func fixed(text string) string { return strings.ReplaceAll(text, " ", fixedSpace) }

// byCommas marks a list whose lines are to end behind its commas.
func byCommas(list string) string {
	const longest = 40
	parts := strings.Split(list, ", ")
	for i, part := range parts {
		if markedWidth(part) <= longest {
			parts[i] = fixed(part)
		}
	}
	return strings.Join(parts, ", ")
}

// Command marks a command, of words that [Quoted] has made. A flag and its value stay together.
func Command(text string) string {
	var b strings.Builder
	quoted, word := false, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && !quoted && i+1 < len(text):
			b.WriteString(text[i : i+2])
			i++
		case c != ' ':
			quoted = quoted != (c == '\'')
			b.WriteByte(c)
		case quoted || isFlag(text[word:i]) && !strings.HasPrefix(text[i+1:], "-"):
			b.WriteString(fixedSpace)
		default:
			b.WriteString(commandSpace)
		}
		if i < len(text) && text[i] == ' ' && !quoted {
			word = i + 1
		}
	}
	return b.String()
}

// Paragraphs joins the lines of each paragraph. Lines that are indented stay.
func Paragraphs(text string) string {
	var b strings.Builder
	before := ""
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		line = strings.ReplaceAll(line, "\t", "    ")
		switch {
		case b.Len() == 0:
		case isProse(before) && isProse(line):
			b.WriteString(" ")
		default:
			b.WriteString("\n")
		}
		b.WriteString(line)
		before = line
	}
	return b.String()
}

// isProse reports whether a line belongs to a paragraph.
func isProse(line string) bool { return line != "" && line[0] != ' ' }

// isFlag reports whether a word of a command is a flag without a value.
func isFlag(word string) bool { return strings.HasPrefix(word, "--") && !strings.Contains(word, "=") }
