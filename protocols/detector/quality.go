package detector

import "time"

// Quality is the quality of service of the failure detectors of a run, after
// Chen, Toueg and Aguilera 2002, section 2, over all pairs of a process and a
// neighbour that it watches.
//
// A neighbour that is down is detected by a process that is up if the process
// suspects it when that comes to an end: when the neighbour restarts, the process
// crashes, or the run ends. The detection time is from the crash, or from the
// beginning of the process's life if that was later, to the suspicion, and 0 if the
// suspicion was there before. A process that crashes before it suspects the
// neighbour is not counted.
//
// A mistake is a suspicion that begins while the neighbour is up. It lasts until it
// is taken back, one of the two crashes, or the run ends. A suspicion that a
// restart of the neighbour overtakes is no mistake; but it makes the answer wrong as
// long as it stands.
type Quality struct {
	Detected      int           // pairs
	Undetected    int           // pairs
	DetectionMean time.Duration // 0 if nothing was detected
	DetectionMax  time.Duration
	Mistakes      int
	MistakeMean   time.Duration // the duration of a mistake, 0 if there was none
	// MistakeRate is the mistakes of a pair in a second in which both are up.
	MistakeRate float64
	// Accuracy is the query accuracy probability: that the answer about a process
	// that is up is right at a random instant. It is 1 if nobody could be asked.
	Accuracy float64
}

// tally is what a Quality is made of.
type tally struct {
	detected, undetected, mistakes int
	detectionMax                   time.Duration
	detection, mistake             total
	asked, wrong                   total // of all pairs with both up; of these, while the answer was wrong
}

func (t *tally) quality() Quality {
	q := Quality{
		Detected: t.detected, Undetected: t.undetected, Mistakes: t.mistakes,
		DetectionMean: t.detection.mean(t.detected), DetectionMax: t.detectionMax,
		MistakeMean: t.mistake.mean(t.mistakes), Accuracy: 1,
	}
	if asked := t.asked.seconds(); asked > 0 {
		q.MistakeRate = float64(t.mistakes) / asked
		q.Accuracy = 1 - t.wrong.seconds()/asked
	}
	return q
}

// endUp counts the time that a pair with both up has been so. The suspicion, if
// there is one, may go on.
func (t *tally) endUp(q *pair, now time.Duration) {
	t.asked.add(now - q.phase)
	if q.suspected {
		t.endWrong(q, now)
	}
}

// endWrong counts the time for which a process that is up has been suspected.
func (t *tally) endWrong(q *pair, now time.Duration) {
	t.wrong.add(now - max(q.since, q.phase))
	if q.mistaken {
		t.mistake.add(now - q.since)
	}
}

// endDown judges a pair of which the watched has been down.
func (t *tally) endDown(q *pair) {
	if !q.suspected {
		t.undetected++
		return
	}
	took := max(0, q.since-q.phase)
	t.detected++
	t.detection.add(took)
	t.detectionMax = max(t.detectionMax, took)
}
