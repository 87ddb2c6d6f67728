package trial

import "bullring/internal/pattern"

// instants are the times and steps in the sentence of a judge.
var instants = pattern.Of(`,? (at|since|from|until) (step [0-9]+|([0-9.]+(ns|µs|ms|s|m|h))+)`)

// Sentence is what a judge says, without its times. Two violations of a check are the same if
// their sentences are.
func Sentence(detail string) string { return instants().ReplaceAllString(detail, "") }
