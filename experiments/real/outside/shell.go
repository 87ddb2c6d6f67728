package outside

import (
	"fmt"
	"slices"
	"strings"

	"bullring/faults"
	"bullring/protocols"
)

// functions begin each script; its lines call them. A lab that is not namespaces of one machine
// redefines the first two.
const functions = `set -u
: "${DEV:=eth0}"           # the interface of a process
: "${PIDS:=/run/bullring}" # $PIDS/3.pid holds the number of process 3 of the plan
on() { p=$1; shift; ip netns exec "p$p" "$@"; } # runs a command where process $1 is
address() { echo "10.0.0.$(($1 + 1))"; }        # of process $1
if [ -n "${LAB:-}" ]; then . "$LAB"; fi         # may define them otherwise

at() { # waits until $1 ns after the beginning
	left=$(($1 - $(date +%s%N) + began))
	if [ "$left" -gt 0 ]; then sleep "$((left / 1000000000)).$(printf %09d $((left % 1000000000)))"; fi
}
`

// Functions that a script has if it needs them.
const (
	killing = `pid() { on "$1" cat "$PIDS/$1.pid"; }
crash() { on "$1" kill -9 "$(pid "$1")"; }
pause() { on "$1" kill -STOP "$(pid "$1")"; }
resume() { on "$1" kill -CONT "$(pid "$1")"; }
`
	starting = `: "${START:?is the command that starts a process whose address is its argument}"
start() { # $START writes $PIDS/$1.pid; a process that is alive is left alone
	if ! on "$1" kill -0 "$(pid "$1" 2>/dev/null)" 2>/dev/null; then on "$1" $START "$1" & fi
}
`
	dropping = `drop() { # CHANGE FROM TO [MATCH]: TO drops what FROM sends
	change=$1 from=$2 to=$3
	shift 3
	on "$to" iptables "$change" INPUT -s "$(address "$from")" "$@" -j DROP
}
`
	shaping = `shape() { # FROM TO [WORDS]: what FROM sends to TO; netem keeps options that a change leaves out
	from=$1 class=1:$(printf %x $(($2 + 16)))
	shift 2
	on "$from" tc qdisc del dev "$DEV" parent "$class" 2>/dev/null
	if [ $# -gt 0 ]; then on "$from" tc qdisc add dev "$DEV" parent "$class" netem "$@"; fi
}
classes() { # FROM TO: what FROM sends to TO has a class of its own
	class=1:$(printf %x $(($2 + 16)))
	on "$1" tc class add dev "$DEV" parent 1: classid "$class" htb rate 100gbit quantum 60000
	on "$1" tc filter add dev "$DEV" parent 1: protocol ip u32 match ip dst "$(address "$2")/32" flowid "$class"
}
`
)

// head is the beginning of the script: notes and functions.
func (w *writer) head() string {
	var b strings.Builder
	fmt.Fprintf(&b, "#!/bin/sh\n# A fault plan for %d processes, 0..%d. Packets stand for messages.\n", w.N, w.N-1)
	b.WriteString(comments(w.notes))
	b.WriteString(functions)
	has := func(word string) bool { return strings.Contains(w.b.String(), "\n"+word+" ") }
	if has("crash") || has("pause") || has("resume") || has("start") {
		b.WriteString(killing)
	}
	if has("start") {
		b.WriteString(starting)
	}
	if has("drop") {
		b.WriteString(dropping)
	}
	if w.shapes() {
		b.WriteString(shaping)
	}
	return b.String()
}

// shapes reports whether links change their lines.
func (w *writer) shapes() bool {
	return slices.ContainsFunc(w.lines[:len(w.Plan)], func(words string) bool { return words != "" })
}

// prepare writes what is done before the plan: all links get their line.
func (w *writer) prepare() {
	w.b.WriteString("\n")
	base := w.lines[len(w.Plan)]
	if base != "" {
		w.said++
		w.say("# link %v", w.Line)
	}
	for from := range protocols.ID(w.N) {
		switch {
		case w.shapes():
			w.say("on %d tc qdisc add dev \"$DEV\" root handle 1: htb", from)
			for to := range protocols.ID(w.N) {
				if to == from {
					continue
				}
				w.say("classes %d %d", from, to)
				if base != "" {
					w.say("shape %d %d %s", from, to, base)
				}
			}
		case base != "":
			w.say("on %d tc qdisc add dev \"$DEV\" root netem %s", from, base)
		}
	}
	w.say("began=$(date +%%s%%N)")
}

// foot is the end of the script: how to undo, on the machine, what the plan leaves behind.
func (w *writer) foot() string {
	w.b.Reset()
	w.say("\n# The plan is over. What it leaves behind is undone by:")
	for _, i := range w.active {
		if f := w.Plan[i]; (severs(f) || f.Kind == faults.Leave) && !w.up[i] {
			w.drops(f, "-D")
		}
	}
	if w.shapes() || w.lines[len(w.Plan)] != "" {
		for p := range protocols.ID(w.N) {
			w.say("on %d tc qdisc del dev \"$DEV\" root", p)
		}
	}
	lines := strings.Split(strings.TrimSuffix(w.b.String(), "\n"), "\n")
	if len(lines) == 2 {
		return ""
	}
	for i, line := range lines[2:] {
		lines[i+2] = "#   " + line
	}
	return strings.Join(lines, "\n") + "\n"
}
