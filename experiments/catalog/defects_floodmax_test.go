package catalog_test

func init() { defects = append(defects, floodMaxDefects...) }

var floodMaxDefects = []defect{
	{
		algorithm: "floodmax", name: "a round too few",
		says: "a process decides behind D-1 rounds",
		file: "floodmax.go",
		is:   "if p.rounds == p.cfg.Diameter {", becomes: "if p.rounds >= p.cfg.Diameter-1 {",
	},
	{
		algorithm: "floodmax", name: "counts news",
		says: "rounds in which nothing new was heard do not count",
		file: "floodmax.go",
		is:   "\tp.rounds++\n", becomes: "\tif p.news {\n\t\tp.rounds++\n\t}\n",
	},
	{
		algorithm: "floodmax", name: "old news",
		says: "optimised, a process does not pass on what it hears",
		file: "floodmax.go",
		is:   "p.best, p.news = a.Message.Rank, true", becomes: "p.best = a.Message.Rank",
	},
	{
		algorithm: "floodmax", name: "one neighbour",
		says: "a process tells its first neighbour, and not all",
		file: "floodmax.go",
		is:   "for port := range n.Degree() {", becomes: "for port := range min(n.Degree(), 1) {",
	},
	{
		algorithm: "floodmax", name: "no ACK",
		says: "behind alpha nobody acknowledges",
		file: "../../rounds/alpha.go",
		is:   "\t\tn.Send(from, AlphaMessage[M]{Type: Ack, Odd: m.Odd, kinds: p.kinds})\n", becomes: "",
	},
}
