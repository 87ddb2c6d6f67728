package foreign

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"strings"

	"bullring/experiments/trial"
	"bullring/internal/regular"
)

// A command is a program with its arguments, as a setting has it. Words are separated by
// spaces; quotes keep a word together. No shell reads them. The hashes of the files among the
// words may follow, as in
//
//	python3 lcr.py # sha256 lcr.py 9f86d081...
//
// Instances add them. A command with hashes runs only if the files still have them.
type command struct {
	text  string // without hashes
	words []string
	pins  []pin
}

// pin is the hash of a file.
type pin struct{ file, sum string }

// largestProgram is the size of the largest file that is hashed.
const largestProgram = 1 << 30

func parseCommand(text string) (c command, err error) {
	_, pins, _ := strings.Cut(text, trial.NodeHashes)
	c.text = strings.TrimSpace(Command(text))
	if c.words, err = split(c.text); err != nil {
		return c, fmt.Errorf("node %q: %w", c.text, err)
	}
	if len(c.words) == 0 {
		return c, errors.New("node: the command is empty; it is a program with its arguments, such as 'python3 lcr.py'")
	}
	words, err := split(pins)
	if err != nil || len(words)%2 != 0 {
		return c, fmt.Errorf("node %q: behind %q stand pairs of a file and its hash; given is %q", c.text, strings.TrimSpace(trial.NodeHashes), pins)
	}
	for i := 0; i < len(words); i += 2 {
		c.pins = append(c.pins, pin{words[i], words[i+1]})
	}
	return c, nil
}

// Command is a command of a setting without the hashes of its files.
func Command(text string) string {
	text, _, _ = strings.Cut(text, trial.NodeHashes)
	return text
}

// split splits a command into words.
func split(text string) (words []string, err error) {
	var word strings.Builder
	var quote rune // that is open, or 0
	begun := false
	for _, r := range text {
		switch {
		case r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, begun = r, true
		case r == ' ' || r == '\t':
			if begun {
				words = append(words, word.String())
			}
			word.Reset()
			begun = false
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("a quote %c is not closed", quote)
	}
	if begun {
		words = append(words, word.String())
	}
	return words, nil
}

// pinned is the command with the hashes of its files. A command that has hashes keeps them.
func (c command) pinned() string {
	pins := c.pins
	if pins == nil {
		for _, w := range c.words {
			if info, err := os.Stat(w); err == nil && info.Mode().IsRegular() {
				if sum, err := hashOf(w); err == nil {
					pins = append(pins, pin{w, sum})
				}
			}
		}
	}
	if len(pins) == 0 {
		return c.text
	}
	text := c.text + strings.TrimSuffix(trial.NodeHashes, " ")
	for _, p := range pins {
		text += " " + quoted(p.file) + " " + p.sum
	}
	return text
}

// quoted is a word so that split reads it as one.
func quoted(word string) string {
	switch {
	case !strings.ContainsAny(word, " \t'\""):
		return word
	case strings.Contains(word, "'"):
		return `"` + word + `"`
	}
	return "'" + word + "'"
}

// check compares the files of the command with its hashes.
func (c command) check() error {
	for _, p := range c.pins {
		sum, err := hashOf(p.file)
		if err != nil {
			return fmt.Errorf("node %q: its file has a recorded hash: %w", c.text, err)
		}
		if sum != p.sum {
			return fmt.Errorf("node %q: %s is not the file that ran before: its sha256 is %s, and was %s", c.text, p.file, sum, p.sum)
		}
	}
	return nil
}

func hashOf(file string) (string, error) {
	text, err := regular.Read(file, largestProgram)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", sha256.Sum256(text)), nil
}
