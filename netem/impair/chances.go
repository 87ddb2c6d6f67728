package impair

import "fmt"

// The clauses of one probability, and the limit.

func parseDuplicate(l *Line, w *words) (err error) {
	l.duplicate, err = w.chance()
	return err
}

func printDuplicate(l *Line) string { return l.duplicate.text("duplicate") }

func parseReorder(l *Line, w *words) (err error) {
	l.gap = 1
	if l.reorder, err = w.chance(); err != nil || !w.take("gap") {
		return err
	}
	gap, err := w.count("gap", 1, 1<<31-1)
	l.gap = int(gap)
	return err
}

func printReorder(l *Line) string {
	text := l.reorder.text("reorder")
	if text != "" && l.gap > 1 {
		text += fmt.Sprintf(" gap %d", l.gap)
	}
	return text
}

func parseCorrupt(l *Line, w *words) (err error) {
	l.corrupt, err = w.chance()
	l.altered = err == nil && w.take("altered")
	return err
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

func parseLimit(l *Line, w *words) error {
	n, err := w.count("number of messages", 1, 1<<31-1)
	l.limit = int(n)
	return err
}

func printLimit(l *Line) string {
	if l.limit == 0 {
		return ""
	}
	return fmt.Sprintf("limit %d", l.limit)
}
