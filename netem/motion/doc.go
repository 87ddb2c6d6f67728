// Package motion makes sources of changes of links from a text such as
//
//	walk(1000mx1000m, 350m, 10m/s, 20s)
//
// Processes move in a rectangle and have a link while they are in range, links come and go by
// chance, processes leave and join, or a file tells what was measured. The topology of a run has
// the links that may ever be: of the others, a source tells nothing.
//
// Between the seed and the order of the changes everything is computed in integers, so a seed is
// one motion on every processor. Places are in picometres, times of motion in microseconds, and
// velocities in picometres a microsecond, which is micrometres a second. A process moves on legs: a
// place, a velocity and a time. A leg leads where its velocity leads, within its duration times a
// picometre of the place that was drawn, and the next leg begins there, without a jump. So the
// distance of two processes is known exactly at each microsecond. Their link is up from the first
// microsecond at which that is at most the range, and down from the first at which it is more.
//
// A process draws from a stream of its own, which its address names: one more process changes the
// path of no other one.
package motion
