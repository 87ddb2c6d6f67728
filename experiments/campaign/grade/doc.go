// Package grade runs the programs of a class and gives them points.
//
// An assignment is a file: see [spec.Assignment]. Each of its parts has points, and is graded by runs of
// a submission: settings whose checks must hold, and what runs may cost. All of the assignment is
// checked before the first program starts.
//
// Points depend on the assignment and on the files of a submission, and not on the machine: settings,
// seeds and the most events of a run stand in the assignment. A limit of real time takes no points. It
// leaves a part inconclusive, and the submission is graded again by the same command.
//
// The way of a grading: [Open] reads the assignment, [Find] the submissions, and [Grader] runs each of
// them and writes a folder: a table, a page for each submission, and files for other programs.
package grade
