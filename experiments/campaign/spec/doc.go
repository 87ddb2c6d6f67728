// Package spec reads a sweep: which algorithms run over which networks, how often, and
// which figures are drawn from the results.
//
//	name: lcr                  # the stem of the files written
//	replicates: 30             # trials a cell, or a stopping rule
//	algorithms:                # names, or mappings that set axes of their own
//	  - lcr
//	  - {algorithm: bully, variant: A, label: "bully, worst", dead: last}
//	axes:                      # each a value, a list, or a range
//	  n: {from: 2, to: 1024, factor: 2}
//	  placement: [increasing, decreasing, random]
//	zip: {delay: [1ms, 2ms], max_time: [1s, 2s]} # axes that vary together
//	exclude: [{algorithm: bully, n: {from: 512}}]
//	compare: {baseline: lcr, metrics: [messages, time]}
//	figures:
//	  - y: messages
//	    x: n
//	    series: [algorithm, placement]
//	    curves: [{algorithm: lcr, bound: worst, with: {placement: decreasing}}]
//
// docs/spec.md is the reference of the grammar: every key, its values, its default, and
// what is refused.
//
// The way of a sweep: [Parse] turns YAML into nodes with a line and a column. A table of
// fields for each mapping reads the nodes; [Schema] prints the same tables as JSON Schema
// for editors. The result is a [Spec], a plain value. [Spec.Cells] expands it: a [Cell] is
// one point of the product of the axes, and [Cell.Key] names its conditions, from which
// seeds are derived.
//
// All errors of a file are reported together, each with its place, a hint and the line of
// the file. A file that is not YAML has one error: the place where the parser stopped.
//
// The package never runs a trial, and knows no algorithm, no metric and no model of delay:
// the caller's [Checker] says which words are right. It opens no file: the Checker reads
// an included one. It decodes nothing into structs by their tags, because a struct loses
// where a value stood and a decoder stops at its first error.
package spec
