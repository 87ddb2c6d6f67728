package protocols

// Coordinated is a process, or a part of one, with a coordinator that can be replaced.
// Package failover replaces it after a crash.
type Coordinated[M any] interface {
	// Coordinator names the coordinator of a term. The number of a term is larger than
	// those before. Processes may be told in any order. A coordinator that is named
	// again in its term looks again which processes have crashed.
	Coordinator(n Node[M], who ID, term int)
	// Waits reports whether the process waits for another one: for the coordinator or,
	// as the coordinator, for any process.
	Waits() bool
}
