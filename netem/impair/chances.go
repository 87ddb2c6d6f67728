package impair

import "fmt"

// parseDuplicate and what follows read the clauses of one chance.
func parseDuplicate(l *Line, w *words, _ func(string) ([]byte, error)) error {
	l.duplicate = chance{}
	return w.chance(&l.duplicate)
}

func parseReorder(l *Line, w *words, _ func(string) ([]byte, error)) (err error) {
	l.reorder, l.gap = chance{}, 1
	if err := w.chance(&l.reorder); err != nil || !w.take("gap") {
		return err
	}
	gap, err := w.count("gap", 1, 1<<31-1)
	l.gap = int(gap)
	return err
}

func parseCorrupt(l *Line, w *words, _ func(string) ([]byte, error)) error {
	l.corrupt = chance{}
	err := w.chance(&l.corrupt)
	l.altered = err == nil && w.take("altered")
	return err
}

func printDuplicate(l *Line) string { return l.duplicate.text("duplicate") }

func printReorder(l *Line) string {
	text := l.reorder.text("reorder")
	if text != "" && l.gap > 1 {
		text += fmt.Sprintf(" gap %d", l.gap)
	}
	return text
}

func printCorrupt(l *Line) string {
	text := l.corrupt.text("corrupt")
	if l.altered {
		text += " altered"
	}
	return text
}

func (c chance) text(clause string) string {
	if !c.given {
		return ""
	}
	text := clause + " " + c.p.String()
	if c.correlation > 0 {
		text += " " + c.correlation.String()
	}
	return text
}
