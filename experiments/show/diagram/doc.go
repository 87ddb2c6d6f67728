// Package diagram makes a space-time diagram of a run (L. Lamport, "Time, clocks, and the
// ordering of events in a distributed system", CACM 21(7), 1978) from its history: a lane for
// each process, an arrow for each message.
//
// The way of a diagram: [Of] takes the events that [Options] leave, gives each a place along
// the axis, and makes lanes, arrows, signs and periods of them, which package plots draws. A
// run that is too large for it is a [TooLargeError]; [Raster] counts its events by process
// and time instead.
package diagram
