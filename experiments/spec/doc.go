// Package spec reads a sweep: which algorithms run over which networks, how
// often, and which figures come out of it. A sweep is a value; this package
// parses it from YAML, refuses what is wrong with it at a line and a column, and
// expands it to cells. It knows no algorithm and no delay model: what a word
// means is for the caller's Checker to say.
//
//	name: lcr                  # required, [a-z0-9-]+: the stem of the files written
//	title: LCR and its bounds  # default: the name
//	seed: 1                    # 0 to 2^64-1, default 1
//	replicates: 30             # trials a cell, default 1, or a stopping rule
//	metrics: {wrong: 1 - correct} # of the sweep's own, by formulas, or {formula:, unit: "%", label:}
//	bootstrap: 2000            # resamples of bootstrap intervals, 0 or 100 to 100000, default 0
//	include: base.yaml         # a file beside this one, whose keys are defaults
//	outside_model: true        # run what algorithms promise nothing of, default false
//	algorithms:                # required: names, or mappings that set axes of their own
//	  - lcr
//	  - {algorithm: bully, variant: A, label: "bully, worst", dead: last}
//	axes:                      # each a value, a list, or a range
//	  n: {from: 2, to: 1024, factor: 2}
//	  placement: [increasing, decreasing, random]
//	zip: {delay: [1ms, 2ms], max_time: [1s, 2s]} # axes that vary together, or a list of such
//	exclude: [{algorithm: bully, n: {from: 512}}] # cells to leave out; only: cells to keep
//	compare: {baseline: lcr, metrics: [messages, time]} # or a list of such
//	figures:
//	  - y: messages            # a metric, or {metric:, label:, log:, min:, max:}
//	    x: n                   # an axis, or {axis:, label:, log:, min:, max:, number:}; default n
//	    series: [algorithm, placement]
//	    where: {placement: [increasing, random]}
//	    curves:
//	      - {algorithm: lcr, bound: worst, with: {placement: decreasing}}
//	      - {power: 2, label: slope 2}
//
// # Axes
//
// The axes, in the order in which cells vary (the first slowest, the entries of
// `algorithms` slower still, so that n is fastest):
//
//	variant     text                             default: none
//	topology    text                             default: the algorithm's own
//	placement   text                             default: increasing
//	initiators  text or an integer               default: the algorithm's own
//	dead        text or an integer               default: none
//	delay       text                             default: 1ms
//	link        text; none and "" mean nothing   default: links do nothing but delay
//	link_mode   exact or compat                  default: exact
//	delta       text                             default: no bound on delay from gst on
//	gst         text                             default: 0s
//	transport   text                             default: plain
//	detector    text                             default: perfect
//	assume      text                             default: the real bound on delay
//	until       text                             default: as long as the algorithm runs
//	max_time    text                             default: 73 years
//	fifo        true or false                    default: true
//	fault       text; none and "" mean no fault  default: no fault
//	param       text                             default: the parameters' own
//	n           an integer from 1 to MaxN        required
//
// The integer axes n, initiators and dead take ranges. {from: 2, to: 8, step: 3}
// is 2, 5, 8: `to` is included when a step lands on it. {from: 2, to: 20,
// factor: 1.5} is the integer nearest to 2 * 1.5^k for k = 0, 1, 2..., halves
// upwards, each once, computed exactly and not from one rounded value to the
// next.
//
// An entry of `algorithms` that sets an axis replaces the sweep's values of it.
// Two entries may not ask for the same cell.
//
// # Zips
//
// The k-th value of an axis of a group goes with the k-th of each other; no point
// of the group may come twice. The cells vary over the group where its first axis
// stands in the table. In one place an axis is in one group at most, and then not
// in `axes`.
//
// An entry, which may have a zip of its own, and which sets all axes of a group of
// the sweep, by itself or zipped, replaces the group; other groups stay. One that
// sets some of the axes is refused: the others would have lost what they vary with.
//
// # Conditions
//
// A condition of exclude or only is a mapping from fields, which are axes,
// algorithm, or label, to a value, a list, or for integer axes {from: 5, to: 9}, of
// which either end may be missing. A cell matches when all fields do. It is left
// out when it matches one of exclude or, where there is an only, none of that. A
// condition that matches no cell is an error, as is to leave out all cells. MaxCells
// counts what is left out, MaxTrials does not.
//
// # Stopping rules and comparisons
//
//	replicates: {min: 30, max: 1000, half_width: 5%, of: [messages, time]}
//
// A cell has replicates until half the width of the confidence interval of each
// metric is at most that share of the mean. min is 2 at least and by default 10;
// half_width is 0.1% to 100%, or a fraction; of is by default messages.
//
// The baseline of a comparison is the label of an entry. No two of its cells may
// have the same Key, and some other cell has to share one. The metrics are by
// default messages.
//
// # Included files
//
// A key of the sweep replaces that of the included file, but for axes: there the
// sweep's values, zipped or not, win axis by axis, by the rule of entries. An
// included file has no name and includes nothing. Checker.Include reads it.
//
// # Figures
//
// A figure of kind line draws y over x, a line a series. One of kind histogram
// draws how y is distributed and has no x. One of kind box draws the quartiles and
// the outliers of y over x, the boxes of several series side by side. One of kind
// heatmap draws the metric z as the colour of cells over x and y. What has cells or
// boxes along it is an axis, algorithm, or label:
//
//	figures:
//	  - kind: heatmap
//	    x: {axis: link, number: true} # {axis:, label:, log:, number:, ordinal:}; default n
//	    y: n                          # likewise; no default
//	    z: messages                   # a metric, or {metric:, label:, log:, min:, max:}
//	    where: {algorithm: lcr}       # no two cells may come to one place
//	  - kind: box
//	    x: {axis: n, log: true}       # {axis:, label:, log:, number:, ordinal:}; default n
//	    y: {metric: time, log: true}
//
// In a line chart y may be {metric:, statistic: deviation}: the standard deviation
// of the replicates in place of their mean. A curve is a bound that an algorithm
// declares, or a function of x:
//
//	curves:
//	  - {algorithm: lcr, bound: worst, with: {placement: decreasing}}
//	  - {factor: 1.44, power: 1, lg: 1} # 1.44 x lg x
//	  - {power: 2}                      # through the largest measured point
//
// Values of x and y that are whole numbers are places on a scale, or with ordinal
// steps of equal width; others are categories, in order of appearance. Boxes over
// categories or in such steps have no curves. With number, in a line chart too, the
// first number in the text is the place: percent, a duration (in seconds), or a
// plain number. Every value must have one, of one kind, and no two the same.
//
// A series is the cells that agree in the fields named by `series`, which are
// axes, algorithm, or label. By default these are the fields, in the order
// algorithm, label, axes, that tell cells apart which the fields before them (and
// x) do not. Over categories they are those that tell cells of one x apart.
//
// # What is refused
//
// Unknown and repeated keys; values of another type than the one wanted, so 1e3
// (text, to YAML) and 0777 (octal) where an integer belongs; anchors, aliases and
// tags, since a sweep is read by people who do not know them; a second document;
// a comma in an unquoted call within brackets, [uniform(0,2ms)], which YAML takes
// for the end of the value. All errors of a file are reported together, except
// that a file which is not YAML has one error: where reading it stopped.
//
// Not taken: decoding into structs. A struct loses where each value stood, and
// a decoder stops at its first error.
package spec
