package detector

import "time"

// Quality is the quality of service of the failure detectors of a run, after Chen, Toueg
// and Aguilera 2002, section 2, over all pairs of a process and a neighbour that it
// watches.
//
// Detection. Take the time in which the process is up and the neighbour is down. It ends
// when the neighbour restarts, the process crashes, or the run ends. The neighbour is
// detected if the process suspects it at that end. The detection time is from the crash,
// or from the beginning of the life of the process if that was later, to the suspicion,
// and 0 if the suspicion was there before. A process that crashes before it suspects the
// neighbour is not counted.
//
// A mistake is a suspicion that begins while the neighbour is up. It lasts until it is
// taken back, one of the two crashes, or the run ends. A suspicion that is overtaken by a
// restart of the neighbour is no mistake; but the answer is wrong as long as it stands.
type Quality struct {
	Detected      int           // pairs
	Undetected    int           // pairs
	DetectionMean time.Duration // 0 if no crash was detected
	DetectionMax  time.Duration
	Mistakes      int
	MistakeMean   time.Duration // the duration of a mistake, 0 if there was none
	// MistakeRate is the number of mistakes of a pair in a second in which both are up.
	MistakeRate float64
	// Accuracy is the query accuracy probability: the probability that the answer about
	// a process that is up is right at a random instant. It is 1 if no pair was ever up.
	Accuracy float64
}

// tally is the sums from which a Quality is made.
type tally struct {
	detected, undetected, mistakes int
	detectionMax                   time.Duration
	detection, mistake             total
	asked, wrong                   total // the time of all pairs with both up, and of that with a wrong answer
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

// endUp ends a time in which both of a pair were up. A suspicion may go on.
func (t *tally) endUp(q *pair, now time.Duration) {
	t.asked.add(now - q.phase)
	if q.suspected {
		t.endWrong(q, now)
	}
}

// endWrong ends a time in which a process that was up was suspected.
func (t *tally) endWrong(q *pair, now time.Duration) {
	t.wrong.add(now - max(q.since, q.phase))
	if q.mistaken {
		t.mistake.add(now - q.since)
	}
}

// endDown ends a time in which the watched of a pair was down.
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
