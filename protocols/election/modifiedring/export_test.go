package modifiedring

// Repeats is how often the process has begun an election anew.
func (p *Process) Repeats() int { return p.repeats }
