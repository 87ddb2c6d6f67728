package catalog_test

func init() { defects = append(defects, timeSliceDefects...) }

var timeSliceDefects = []defect{
	{
		algorithm: "timeslice", name: "impatient",
		says: "a phase takes a round, and not n",
		file: "timeslice.go",
		is:   "return int(p.id-1) * p.n", becomes: "return int(p.id - 1)",
	},
	{
		algorithm: "timeslice", name: "keeps the token",
		says: "nobody passes the token on",
		file: "timeslice.go",
		is:   "p.passes = p.token != p.id", becomes: "p.passes = false",
	},
	{
		algorithm: "timeslice", name: "two begin",
		says: "the second identity takes the first phase for its own as well",
		file: "timeslice.go",
		is:   "if p.id <= 1 {", becomes: "if p.id <= 2 {",
	},
}
