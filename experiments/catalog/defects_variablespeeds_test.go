package catalog_test

func init() { defects = append(defects, variableSpeedsDefects...) }

var variableSpeedsDefects = []defect{
	{
		algorithm: "variablespeeds", name: "keeps the larger",
		says: "a smaller token is dropped, and a larger one kept",
		file: "variablespeeds.go",
		is:   "case id < p.least:", becomes: "case id > p.least:",
	},
	{
		algorithm: "variablespeeds", name: "own token not recognised",
		says: "a token that has come home is dropped like any that is not smaller",
		file: "variablespeeds.go",
		is:   "case id == p.id:", becomes: "case id == p.id && p.keeps:",
	},
	{
		algorithm: "variablespeeds", name: "one speed",
		says: "every token takes two rounds a hop",
		file: "variablespeeds.go",
		is:   "return 1<<min(max(p.least, 1), slowest) - 1", becomes: "return min(slowest, 1)",
	},
}
