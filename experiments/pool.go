package experiments

import (
	"context"
	"sync"
)

// batch is a stretch of trials that one worker runs in one go, all of one cell.
type batch struct {
	first, end int      // trials, counted from 0; a worker that is interrupted lowers end
	rows       []byte   // of results.csv
	kept       []sample // what the summary needs, by trial
	cost       int      // of all trials, in events
	err        error    // the trial before end is the last to be run
}

// Limits of batches. The first batch of a cell is a single trial; what it cost
// tells how many to take next, so that of tiny trials many share the price of
// an exchange, and long ones are spread evenly.
const (
	batchCost  = 1 << 13 // events: about a millisecond
	batchLimit = 256     // trials
	// window is how many trials workers may be ahead of the first that is not
	// written: it bounds the memory for rows that wait.
	window = 1 << 14
)

// pool deals trials to workers and takes the results, which it hands on in the
// order of the trials. Handing on happens on the worker whose results were
// waited for: a goroutine for it would cost a switch a batch.
type pool struct {
	trials, replicates int
	emit               func(*batch) error // in order, one at a time

	mu      sync.Mutex
	moved   *sync.Cond
	next    int            // the first trial that nobody took
	done    int            // the trials before it were handed on
	waiting map[int]*batch // by first trial; some trial before is under way
	idle    []*batch       // for reuse
	stopped bool           // no more trials are dealt
	err     error          // why
	known   int            // the latest cell of which a trial is finished
	cost    int            // and what a trial of it costs
}

func newPool(trials, replicates int, emit func(*batch) error) *pool {
	p := &pool{trials: trials, replicates: replicates, emit: emit, waiting: map[int]*batch{}, known: -1}
	p.moved = sync.NewCond(&p.mu)
	return p
}

// run works until all trials are done, a batch brings an error or the context
// is cancelled. worker makes what a goroutine of its own runs batches with. The
// trials before the returned number were handed on.
func (p *pool) run(ctx context.Context, workers int, worker func() func(*batch)) (done int, err error) {
	release := context.AfterFunc(ctx, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.stop(nil)
	})
	defer release()
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			work := worker()
			for b := p.exchange(nil); b != nil; b = p.exchange(b) {
				work(b)
			}
		})
	}
	group.Wait()
	p.mu.Lock() // the context may be cancelled just now
	defer p.mu.Unlock()
	return p.done, p.err
}

// exchange takes a finished batch, if any, and returns one to run, or nil.
func (p *pool) exchange(finished *batch) *batch {
	p.mu.Lock()
	defer p.mu.Unlock()
	if finished != nil {
		p.accept(finished)
	}
	for !p.stopped && p.next < p.trials && p.next-p.done >= window {
		p.moved.Wait()
	}
	if p.stopped || p.next == p.trials {
		return nil
	}
	return p.deal()
}

// accept hands on what is finished in order.
func (p *pool) accept(b *batch) {
	if cell := b.first / p.replicates; cell >= p.known && b.end > b.first {
		p.known, p.cost = cell, b.cost/(b.end-b.first)+1
	}
	p.waiting[b.first] = b
	for p.err == nil {
		b, ready := p.waiting[p.done]
		if !ready {
			break
		}
		delete(p.waiting, p.done)
		p.done = b.end
		err := p.emit(b)
		if err == nil {
			err = b.err
		}
		if err != nil {
			p.stop(err)
		}
		p.idle = append(p.idle, b)
	}
	p.moved.Broadcast()
}

// deal cuts the next batch.
func (p *pool) deal() *batch {
	cell, size := p.next/p.replicates, 1
	if cell == p.known {
		size = min(max(batchCost/p.cost, 1), batchLimit)
	}
	b := &batch{}
	if last := len(p.idle) - 1; last >= 0 {
		b, p.idle = p.idle[last], p.idle[:last]
	}
	end := min(p.next+size, (cell+1)*p.replicates)
	*b = batch{first: p.next, end: end, rows: b.rows[:0], kept: b.kept[:0]}
	p.next = end
	return b
}

func (p *pool) stop(err error) {
	p.stopped = true
	if p.err == nil {
		p.err = err
	}
	p.moved.Broadcast()
}
