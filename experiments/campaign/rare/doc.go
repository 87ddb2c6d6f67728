// Package rare estimates the probability of an event that plain runs would not meet, by importance
// splitting, and names a run in which it happens.
//
// A run climbs: a [trial.Level] is the largest value of something so far, such as the term of a process
// or the number of draws. Between the start and the event lie levels. Many runs begin, each with a seed;
// those that come to the first level are split there, as often as keeps their number, and each part
// goes on with other random numbers; and so on up to the event. The product of the shares that came
// from one level to the next estimates the probability.
//
// No state is saved. A part is its seed and its forks ([netem.Fork]) and is run again from the start. So
// each run that is found is a setting, which any command about a run takes.
//
// Under FixedEffort the number of runs a level is fixed, and all runs of a level are parts of those before as
// evenly as possible. Then the product has no bias (L'Ecuyer, Demers & Tuffin, ACM TOMACS 17(2) 2007), for any
// levels. A pilot chooses these, so that about a fifth of the runs come from one to the next, as in Cérou &
// Guyader (Stochastic Anal. Appl. 25(2) 2007); its runs are not counted.
//
// Under Restart each run that comes to a level is split into the same number of parts. A level never falls, so
// no part is given up as in RESTART (Villén-Altamirano & Villén-Altamirano, ITC-13 1991).
//
// The interval is that of Student's t over independent repetitions.
package rare
