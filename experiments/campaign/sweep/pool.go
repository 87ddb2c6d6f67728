package sweep

import (
	"context"
	"slices"
	"sync"

	"bullring/experiments/campaign/results"
)

// Limits of batches. The first batch of a cell is a single trial. Its cost decides the size
// of the next batches: tiny trials share the cost of an exchange, and long trials spread
// evenly.
const (
	batchCost  = 1 << 13 // events: about a millisecond
	batchLimit = 256     // trials
	// window is the largest number of trials between the first that is not handed on and the
	// last that was dealt. It bounds the memory for rows that wait.
	window = 1 << 14
)

// Limits of batches that come back as one digest, in events: from a tenth of a second to a minute, about, and
// in between a share of the trials of the cell that were dealt. So a cell has some hundred records
// in the journal, however many trials it has.
const (
	leastLong = 1 << 20
	mostLong  = 1 << 29
	longShare = 64
)

// work is what a pool deals: cells, each with a number of trials that may grow as they come
// in. The pool calls one function at a time.
type work struct {
	cells int
	// goal returns how many trials of a cell to run at first.
	goal func(cell int) int
	// more, if not nil, is called when all trials of a cell that were asked for are in, with
	// their samples. It returns how many trials the cell needs altogether.
	more func(cell int, kept []results.Sample) int
	// stored reports whether a trial of a cell has run before. If so, until is the end of the
	// trials that have; otherwise it is the next trial that has, or end.
	stored func(cell, first, end int) (ran bool, until int)
	// emit takes the next trials, in order. finish is called when a cell has no more trials.
	emit   func(*batch) error
	finish func(cell int) error
	// long batches come back as one digest, and may take seconds.
	long bool
}

// pool deals trials to workers, and hands on their results in the order of the trials. The
// worker that brings the next results hands them on: a goroutine of its own would cost a
// switch for each batch.
type pool struct {
	work

	mu      sync.Mutex
	moved   *sync.Cond
	open    []*openCell // without gaps, from the cell that is being handed on
	wanting []*openCell // of these, in order, those with trials to deal
	active  int         // number of these that are not closed
	next    int         // the first cell that is not open yet
	ahead   int         // trials that were dealt and not yet handed on
	idle    []*batch    // for reuse
	stopped bool        // deal no more trials
	err     error       // the reason
	known   int         // the latest cell with a finished trial
	cost    int         // of a trial of that cell

	finished int // trials that are in, in any order
	ran      int // of these, those that were not stored
}

// batch is a stretch of trials of a cell, which a worker takes in one go.
type batch struct {
	Cell       int
	First, End int              // trials of the cell; a worker that stops early lowers End
	Stored     bool             // the trials have run before, and are read
	Rows       [][]byte         // of results.csv, by trial
	Text       []byte           // holds the rows
	Kept       []results.Sample // by trial
	Input      results.Input    // of a batch with a digest
	Digest     *results.Digest  // in the place of rows and samples
	Cost       int              // of all trials, in events
	Err        error            // of the trial before End, which is the last
}

// openCell is a cell whose trials are being run.
type openCell struct {
	cell    int
	goal    int // trials asked for so far
	dealt   int
	in      int              // that came back
	emitted int              // that were handed on
	closed  bool             // there will be no more trials than goal
	waiting map[int]*batch   // by first trial; an earlier trial is still running
	kept    []results.Sample // of all trials that are in, if more needs them
}

func newPool(w work) *pool {
	p := &pool{work: w, known: -1}
	p.moved = sync.NewCond(&p.mu)
	return p
}

// run works until all trials are done, a batch has an error, or the context is cancelled.
// worker is called once in each goroutine, and returns the function that runs batches. all
// reports whether all trials were handed on.
func (p *pool) run(ctx context.Context, workers int, worker func() func(*batch)) (all bool, err error) {
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
	p.mu.Lock() // the context may be cancelled at this moment
	defer p.mu.Unlock()
	return p.next == p.cells && len(p.open) == 0, p.err
}

// exchange takes a finished batch, if any, and returns a batch to run; nil if there is
// none.
func (p *pool) exchange(finished *batch) *batch {
	p.mu.Lock()
	defer p.mu.Unlock()
	if finished != nil {
		p.accept(finished)
	}
	for !p.stopped {
		if b := p.deal(); b != nil {
			return b
		}
		if p.next == p.cells && p.active == 0 {
			return nil
		}
		p.moved.Wait()
	}
	return nil
}

// deal cuts a batch of the first cell that has a trial to run.
func (p *pool) deal() *batch {
	for _, c := range p.wanting {
		if p.long || p.ahead < window || c == p.open[0] && c.dealt == c.emitted {
			return p.cut(c)
		}
	}
	for p.next < p.cells && (p.long || p.ahead < window) {
		c := &openCell{cell: p.next, goal: p.goal(p.next), waiting: map[int]*batch{}}
		p.next++
		p.open = append(p.open, c)
		if c.goal > 0 {
			p.active++
			p.want(c)
			return p.cut(c)
		}
		c.closed = true
		p.handOn()
	}
	return nil
}

// want inserts a cell with trials to deal.
func (p *pool) want(c *openCell) {
	at, _ := slices.BinarySearchFunc(p.wanting, c.cell, func(c *openCell, cell int) int { return c.cell - cell })
	p.wanting = slices.Insert(p.wanting, at, c)
}

// cut deals the next trials of a cell.
func (p *pool) cut(c *openCell) *batch {
	stored, until := p.stored(c.cell, c.dealt, c.goal)
	size := 1
	switch {
	case stored && p.long:
		size = until - c.dealt
	case stored:
		size = batchLimit
	case c.cell == p.known && p.long:
		size = max(min(max(c.dealt/longShare*p.cost, leastLong), mostLong)/p.cost, 1)
	case c.cell == p.known:
		size = min(max(batchCost/p.cost, 1), batchLimit)
	}
	b := &batch{}
	if last := len(p.idle) - 1; last >= 0 {
		b, p.idle = p.idle[last], p.idle[:last]
	}
	end := min(c.dealt+size, until, c.goal)
	*b = batch{Cell: c.cell, First: c.dealt, End: end, Stored: stored, Rows: b.Rows[:0], Text: b.Text[:0], Kept: b.Kept[:0]}
	p.ahead += end - c.dealt
	if c.dealt = end; end == c.goal {
		p.wanting = slices.DeleteFunc(p.wanting, func(w *openCell) bool { return w == c })
	}
	return b
}

// accept takes a finished batch.
func (p *pool) accept(b *batch) {
	count := b.End - b.First
	if b.Cell >= p.known && count > 0 && !b.Stored {
		p.known, p.cost = b.Cell, b.Cost/count+1
	}
	p.finished += count
	if !b.Stored {
		p.ran += count
	}
	c := p.open[b.Cell-p.open[0].cell]
	c.waiting[b.First] = b
	c.in += count
	p.extend(c, b)
	p.handOn()
	p.moved.Broadcast()
}

// extend asks for more trials of a cell, or closes it.
func (p *pool) extend(c *openCell, b *batch) {
	if p.more != nil {
		for len(c.kept) < b.End {
			c.kept = append(c.kept, results.Sample{})
		}
		copy(c.kept[b.First:], b.Kept)
	}
	if c.in < c.goal {
		return
	}
	if p.more != nil {
		c.goal = p.more(c.cell, c.kept)
	}
	if c.in < c.goal {
		p.want(c)
		return
	}
	c.closed = true
	p.active--
}

// handOn hands on the results that are next in order.
func (p *pool) handOn() {
	for p.err == nil && len(p.open) > 0 {
		c := p.open[0]
		if c.closed && c.emitted == c.goal {
			if err := p.finish(c.cell); err != nil {
				p.stop(err)
			}
			p.open = p.open[1:]
			continue
		}
		b, ready := c.waiting[c.emitted]
		if !ready || b.End == b.First && b.Err == nil {
			return
		}
		delete(c.waiting, c.emitted)
		c.emitted = b.End
		p.ahead -= b.End - b.First
		err := p.emit(b)
		if err == nil {
			err = b.Err
		}
		if err != nil {
			p.stop(err)
		}
		p.idle = append(p.idle, b)
	}
}

func (p *pool) stop(err error) {
	p.stopped = true
	if p.err == nil {
		p.err = err
	}
	p.moved.Broadcast()
}
