package catalog_test

func init() {
	defects = append(defects,
		defect{
			algorithm: "decentralized", name: "votes cannot be had back",
			says: "a coordinator does not recognise the vote that it gets back",
			file: "decentralized.go",
			is:   "if l.votedFor == from {", becomes: "if l.votedFor == nobody {",
		},
		defect{
			algorithm: "decentralized", name: "votes more than once",
			says: "a coordinator denies its vote to the process that has it, and to no other",
			file: "decentralized.go",
			is:   "if l.votedFor != nobody {", becomes: "if l.votedFor == p {",
		},
		defect{
			algorithm: "decentralized", name: "one DENY does not matter",
			says: "the last answer of an attempt is taken for a GRANT",
			file: "decentralized.go",
			is:   "\tif granted {", becomes: "\tif granted || l.open == 1 {",
		},
		defect{
			algorithm: "decentralized", name: "votes of failed attempts are kept",
			says: "who tries again later does not give back what it has",
			file: "decentralized.go",
			is:   "\tl.giveBack(n)\n\tn.SetTimer", becomes: "\tn.SetTimer",
		},
	)
}
