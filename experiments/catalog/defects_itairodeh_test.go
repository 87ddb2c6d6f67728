package catalog_test

func init() { defects = append(defects, itaiRodehDefects...) }

var itaiRodehDefects = []defect{
	{
		algorithm: "itairodeh", name: "keeps the flag",
		says: "a token that meets an equal draw goes on as if it were unique",
		file: "itairodeh.go",
		is:   "Message{m.Draw, m.Hop + 1, false}", becomes: "Message{m.Draw, m.Hop + 1, m.Unique}",
	},
	{
		algorithm: "itairodeh", name: "drops equals",
		says: "a token that meets an equal draw is dropped",
		file: "itairodeh.go",
		is:   "case p.role == Active && m.Draw < p.draw:", becomes: "case p.role == Active && m.Draw <= p.draw:",
	},
	{
		algorithm: "itairodeh", name: "does not retire",
		says: "who passes a larger draw on stays active, with its own",
		file: "itairodeh.go",
		is:   "\t\tp.role, p.draw = Passive, 0\n", becomes: "\t\tif p.role == Idle {\n\t\t\tp.role = Passive\n\t\t}\n",
	},
	{
		algorithm: "itairodeh", name: "takes silence for success",
		says: "in rounds: a phase without candidates is the last",
		file: "synchronous/synchronous.go",
		is:   "case p.count == 1:", becomes: "case p.count <= 1:",
	},
}
