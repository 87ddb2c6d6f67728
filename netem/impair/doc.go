// Package impair describes what a link does to its messages: it delays, loses, duplicates,
// reorders and corrupts them, and it has a rate and a queue. One line says so in the words
// of Linux's tc-netem:
//
//	delay 20ms 5ms 25% distribution pareto loss gemodel 1% 10% duplicate 0.5%
//
// [Parse] reads such a line. A [Line] is a value that does not change and prints the text
// from which it is read again. A [Channel] is one directed link with a line: it has all the
// state and draws all the random numbers.
//
// The way of a message: [Channel.Offer] draws its random words, decides whether it is
// duplicated, lost, corrupt or early, and draws its delay. It returns the arrival of each
// copy. On a line with slots the copies wait in the channel, and [Channel.Serve] returns
// them. The caller's event queue does the rest.
//
// [Trial] sends messages over a line, measures what happens, and compares it with theory.
//
// The package never looks at the contents of a message, keeps no clock and knows no
// topology. Between the random words and the fate of a message it computes in integers, or
// with operations that IEEE 754 defines to the last bit, so a fate is the same on every machine.
package impair
