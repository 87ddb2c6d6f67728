package catalog_test

func init() {
	defects = append(defects,
		defect{
			algorithm: "majority", name: "half is enough",
			says: "half of the votes let a process in",
			file: "majority.go",
			is:   "n/2 + 1", becomes: "n / 2",
		},
		defect{
			algorithm: "majority", name: "nobody asks for votes back",
			says: "votes stay where they are until their owner leaves",
			file: "majority.go",
			is:   "Votes: votes}", becomes: "Votes: votes, Naive: true}",
		},
		defect{
			algorithm: "majority", name: "asks a majority only",
			says: "no more are asked than votes are needed",
			file: "majority.go",
			is:   "maekawa.Everybody(n)[id]", becomes: "maekawa.Everybody(n)[id][:votes]",
		},
	)
}
