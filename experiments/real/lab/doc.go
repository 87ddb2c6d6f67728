// Package lab runs trials on real sockets, and judges them.
//
// [Instance] fills in what a live run needs of a setting, and [Try] runs it with package
// netem/live, which records the inputs of every step. [Replay] returns the setting of the
// recording: its schedule has the steps that the processes took. A worker of package
// experiments runs it as it runs any other, so counts, checks and bounds are those of the
// replay. [Agree] compares it with the recording. If the processes are programs, new programs replay
// what those of the live run did.
//
// [Compare] runs a setting live again and again, and in the emulator with the latency that was
// measured, and counts how often each outcome comes and each check is violated.
package lab
