package spec

// Answer is the answer to the question of a figure.
type Answer struct {
	Says  string   // the sentence, in markup; "" for none
	Holds []*Claim // what the rows have to show; nil: nothing, the sentence is its author's
	Pos   Pos
	pos   []Pos // of the claims
	quote []bool
}

// Wrong is an error of a value in one of the claims, at its place.
func (a *Answer) Wrong(claim int, d Drawn, err error) Error {
	pos := a.pos[claim]
	c := a.Holds[claim]
	pos.Column += len([]rune(c.text[:c.position(d)]))
	if a.quote[claim] {
		pos.Column++
	}
	return Error{Pos: pos, Message: err.Error(), Cause: err}
}

// answer reads the answer of a figure: words, or words and the claims that hold them.
func (r names) answer(n *node) Answer {
	a := Answer{Pos: n.pos}
	if n.kind == sequence {
		r.unwanted(n, "answers", "a sentence, or a mapping of says and holds", "")
		return a
	}
	if n.kind != mapping {
		a.Says = r.markup(n, "answers")
		return a
	}
	r.mapping(n, "an answer", r.answerFields(&a))
	return a
}

func (r names) answerFields(a *Answer) []field {
	return []field{
		{"says", true, line().About("the sentence"), func(n *node) { a.Says = r.markup(n, "says") }},
		{"holds", true, oneOrMore(line()).About("what the rows have to show, such as LCR < Franklin for x >= 8"), func(n *node) {
			r.each(n, "holds", func(item *node) { r.claim(item, a) })
		}},
	}
}

// claim reads a claim into the answer.
func (r names) claim(n *node, a *Answer) {
	text := r.line(n, "a claim")
	if text == "" {
		return
	}
	c, err := parseClaim(text)
	if err != nil {
		r.wrongFormula(n, "the claim", err)
		return
	}
	a.Holds, a.pos, a.quote = append(a.Holds, c), append(a.pos, n.pos), append(a.quote, n.quoted)
}

// answerSchema is words, or words and claims.
func answerSchema() *schema {
	return anyOf(line(), objectOf(names{}.answerFields(nil))).About("the answer to the question, in a sentence; with claims that the rows have to hold; default: none")
}
