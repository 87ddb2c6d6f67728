package catalog_test

func init() {
	defects = append(defects,
		defect{
			algorithm: "maekawa", name: "enters with one vote too few",
			says: "the last vote is not waited for",
			file: "maekawa.go",
			is:   "l.inside = l.votes() >= l.cfg.Votes", becomes: "l.inside = l.votes() >= l.cfg.Votes-1",
		},
		defect{
			algorithm: "maekawa", name: "INQUIRE is not answered",
			says: "a process that may hope still forgets that it was asked for its vote",
			file: "maekawa.go",
			is:   "\tcase l.answers[voter] == locked:\n\t\tl.answers[voter] = inquired\n", becomes: "",
		},
		defect{
			algorithm: "maekawa", name: "no FAILED for the overtaken",
			says: "a request that could hope is not told that another has been put before it (Sanders 1987)",
			file: "maekawa.go",
			is:   "if len(l.queue) > 1 && compare(l.queue[1], l.vote) < 0 {", becomes: "if len(l.queue) > len(l.answers) {",
		},
	)
}
