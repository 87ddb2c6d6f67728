// Package reason explains a violated check by what would have saved the run. It repeats the
// run with single things changed, everything else equal, and looks whether the check still
// breaks.
//
// An [Element] is a thing of the real run that could have been otherwise: a fault of the plan,
// a message that a link or a fault lost, one that came late or twice. These are abnormal: the
// model of the algorithm forbids them. A link that comes or goes by a plan is such a fault. One that
// comes or goes because processes move is none, and what an algorithm for moving processes loses with a
// link is normal. The order of messages and the numbers that processes
// draw are normal, and are tried only if no abnormal elements are a reason. What was sent or
// began after the violation is no element.
//
// A [Change] repairs an element. A fault never begins. One copy of a message arrives, after
// the bound on delays or, if that does not help, after the shortest delay.
//
// The [Effect] of changes is that the check holds in the whole run; that this violation is
// gone and the check breaks in another way; that this violation comes at another time; or none.
// This violation is the sentence of the judge without its time. A run that ends undecided
// tells nothing, so that the changes have no effect.
//
// A but-for set is a set of changes with which this violation is gone, and with no part of
// which it is. An enough set is a set of abnormal elements with which the check breaks although
// all others are repaired.
//
// Everything else equal means: a message that the real run has, too, keeps the fate that it had
// there. It is the same message if sender, receiver and kind are the same, and its number among
// those of its kind on its link. A message that the real run lacks behaves as the model assumes:
// it is not lost, and takes no longer than the bound. Without that, a repaired token would be
// lost again by the next draw of a link.
package reason
