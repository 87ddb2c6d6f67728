package sweep

import (
	"fmt"

	"bullring/experiments/campaign/journal"
)

// rowSource reads rows of trials that have run before. Each worker has its own.
type rowSource struct {
	deal  deal
	join  bool // parts are the shards; otherwise there is one part, which holds some trials
	parts []sourcePart
}

// row returns the row of a trial of a cell. It is valid until the next call.
func (s *rowSource) row(cell, trial int) ([]byte, error) {
	p := &s.parts[0]
	if s.join {
		shard, number := s.deal.owner(len(s.parts), cell, trial)
		p, trial = &s.parts[shard], number
	}
	return p.row(cell, trial)
}

// sourcePart is a journal and its current record.
type sourcePart struct {
	*contents
	reader  *journal.Reader
	current stretch
	body    []byte
	rows    [][]byte
}

// row returns the row of a trial of a cell. It is valid until the next call.
func (p *sourcePart) row(cell, trial int) ([]byte, error) {
	if c := p.current; c.count == 0 || int(c.cell) != cell || trial < int(c.first) || trial >= c.end() {
		if err := p.load(cell, trial); err != nil {
			return nil, err
		}
	}
	return p.rows[trial-int(p.current.first)], nil
}

// load reads the record that holds a trial.
func (p *sourcePart) load(cell, trial int) error {
	r, holds, _ := p.find(cell, trial)
	if !holds {
		return fmt.Errorf("%s holds no trial %d of cell %d", p.path, trial+1, cell+1)
	}
	body, err := p.reader.Read(r.at, p.body)
	if err != nil {
		return err
	}
	p.body, p.current = body, stretch{}
	again := stretch{}
	if len(body) > 0 && body[0] == trialsRecord {
		again, _ = stretchOf(body[1:])
	}
	if again.at = r.at; again != r {
		return p.changed(r)
	}
	p.current, p.rows = r, rowsOf(p.rows[:0], body[1:])
	return nil
}

// changed is the error of a record that is not the one that was read at first.
func (p *sourcePart) changed(r stretch) error {
	return fmt.Errorf("%s: the record at byte %d is another than it was", p.path, r.at)
}
