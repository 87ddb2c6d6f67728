package explore

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"sync/atomic"

	"bullring/netem/explore/internal/sorted"
)

// Disk says where a search keeps its states, if not in memory.
type Disk struct {
	// Folder has the files of one search and no others. If a search ended there without a verdict, the next one
	// goes on from its last checkpoint.
	Folder string
	// Of says what is searched. A search goes on only if it is the same.
	Of string
	// Checkpoint is about how many transitions are lost if the search is killed, beyond those of the level that
	// it is searching; 0 is some 260,000.
	Checkpoint uint64

	table uint64 // the most states in the table; 0 is half of what the memory has room for. Tests make it small
}

const defaultCheckpoint = 1 << 18

// onDisk is a breadth-first search whose states are on disk: of a visited state 12 bytes of its hash and a few
// bytes that say how it was first found; in full the states of two levels. In memory are the parts of states, and
// a table of as many hashes as there is room for.
//
// Whether a state is new is known at the end of its level, when all that were found are merged with those that were
// visited. The states that the table knows are left out before. Numbers are those of a search in memory, counted
// from the first of each level, so both find the same run that violates a property.
type onDisk struct {
	*search
	disk        Disk
	sets        [visitedParts]*sorted.Set
	parts       *partsFile
	from        *levelReader // the level that is expanded
	to          *levelWriter // the next one
	base        uint64       // the candidates of the next level before this number are not in the table, but spilt
	whole       bool         // the table has all states that were found
	pages       []page       // by batch of a round
	next        uint64       // the number of the next state to be expanded, within its level
	written     uint64       // the transitions at the last checkpoint
	marked      *checkpoint  // the beginning of this level, until it is written
	stepsBytes  uint64       // of the levels before the next
	bytesBefore uint64       // these, and the states of the level that is expanded
	unused      []string     // files that are of no use any more, once there is a newer checkpoint
}

// OnDisk describes a search whose states were on disk.
type OnDisk struct {
	// Missed bounds the probability that two of the states have the same 96 bits of their hashes, and one of them
	// was taken for the other; if hashes are as good as random.
	Missed float64 `json:"missed"`
}

// page has the new states of a batch, as they stand in a file.
type page struct {
	text     []byte
	ends     []int    // of each state in the text
	pioneers []uint32 // the successors in which parts are met that were not before the round
}

// The numbers in the table: 0 is a state of an earlier level, or of this one. Others are candidates of the next
// level: 1 and more, from base on.
const ofEarlierLevel = 0

// searchOnDisk returns an error if the folder is not fit.
func searchOnDisk(ctx context.Context, s *space, o Options) (*Result, error) {
	d := &onDisk{search: newSearch(s, o), disk: *o.Disk, whole: true, pages: make([]page, roundBatches)}
	d.expanded = ofEarlierLevel + 1
	d.disk.Checkpoint = cmp.Or(d.disk.Checkpoint, defaultCheckpoint)
	for i := range d.sets {
		d.sets[i] = &sorted.Set{Folder: d.disk.Folder, Name: fmt.Sprintf("visited-%02d", i)}
	}
	lock, err := d.open()
	if err != nil {
		return nil, err
	}
	defer lock.Close()
	err = d.run(ctx)
	d.hasRoom()
	if r := d.result; err == nil {
		for _, v := range d.found.nearest() {
			run, failed := d.counterexample(v)
			if failed != nil {
				err = failed
				break
			}
			r.found(run)
		}
		r.Complete = d.from.fresh == 0 && err == nil && r.Stopped == nil
		r.Endless = d.mayGoOn()
	}
	if err != nil {
		d.result.Stopped = &FolderError{d.disk.Folder, err}
	}
	d.result.OnDisk = &OnDisk{Missed: missed(d.result.States)}
	d.result.judge(d.seen, false)
	d.close()
	return d.result, nil
}

// missed bounds the probability that any two of so many states have the same bits of their hashes, if these are
// as good as random.
func missed(states uint64) float64 {
	return float64(states) / 2 * float64(max(states, 1)-1) / (1 << 48) / (1 << 48)
}

// run searches level by level.
func (d *onDisk) run(ctx context.Context) (err error) {
	if d.from == nil {
		err = d.begin()
	}
	for err == nil && d.from.fresh > 0 && !d.found.enough() {
		var whole bool
		if whole, err = d.level(ctx); err != nil || !whole {
			break
		}
		d.result.Depth++
		err = d.turn()
	}
	if err == nil && d.result.Stopped != nil && d.marked != nil {
		err = d.checkpoint()
	}
	d.result.Depth = max(d.result.Depth-1, 0)
	d.result.Memory = d.stored()
	d.result.Reduced = d.Rotations
	return err
}

// begin makes the level of the roots.
func (d *onDisk) begin() (err error) {
	if d.parts, err = newPartsFile(d.space, d.disk.Folder, 0); err == nil {
		d.to, err = d.newLevel(0)
	}
	if err != nil {
		return err
	}
	for root := range d.roots {
		st := d.space.begin(root)
		h := d.recognised(&st)
		if _, added := d.visited[partOf(h)].add(h, uint32(d.to.candidates)+1); !added {
			continue
		}
		b := &batch{found: d.found.none()}
		b.found.at(d.watched(st.words).broken, violation{state: d.to.candidates})
		d.notice(b, st.words)
		d.account(b)
		d.to.add(uint64(root), 0, appendState(nil, &st))
		d.parts.root(root, &st)
	}
	return d.turn()
}

// level expands the states of a level, and reports whether it has expanded all of them.
func (d *onDisk) level(ctx context.Context) (whole bool, err error) {
	if d.stopped(ctx) {
		return false, nil
	}
	if d.to, err = d.newLevel(d.result.Depth + 1); err != nil {
		return false, err
	}
	for d.next = 0; !d.stopped(ctx); {
		blocks, err := d.read()
		if err != nil || len(blocks) == 0 {
			return err == nil, err
		}
		if err := d.round(blocks); err != nil {
			return false, err
		}
		if err := d.makeRoom(); err != nil {
			return false, err
		}
		d.progress()
	}
	return false, nil
}

// read reads the states of a round.
func (d *onDisk) read() (blocks []*block, err error) {
	for len(blocks) < roundBatches {
		b := d.emptyBlock(d.next)
		for b.count < batchStates {
			st := b.state(b.count, d.layout.size)
			more, err := d.from.read(&st)
			if err != nil {
				return nil, err
			}
			if !more {
				break
			}
			b.prints[b.count] = st.print
			b.count++
		}
		d.next += uint64(b.count)
		if b.count == 0 {
			d.spare = append(d.spare, b)
			return blocks, nil
		}
		blocks = append(blocks, b)
	}
	return blocks, nil
}

// round expands some blocks, and writes the states that the table does not know.
func (d *onDisk) round(blocks []*block) error {
	round, workers := d.lookUp(blocks)
	d.each(len(round), workers, func(x *expander, i int) { d.encode(x, round[i], &d.pages[i]) })
	for i, b := range round {
		d.write(b, &d.pages[i])
	}
	d.each(visitedParts, workers, func(_ *expander, part int) { d.renumber(round, part) })
	for _, b := range round {
		d.account(b)
	}
	d.spare = append(d.spare, blocks...)
	return cmp.Or(d.to.err, d.parts.err)
}

// encode looks at the new states of a batch, and makes the text of each.
func (d *onDisk) encode(x *expander, b *batch, to *page) {
	st := &x.next
	to.text, to.ends, to.pioneers = to.text[:0], to.ends[:0], to.pioneers[:0]
	begin := uint32(0)
	for i := range uint32(len(b.successors)) {
		s := &b.successors[i]
		if !b.isNew(i) {
			b.cyclic = b.cyclic || s.number < d.expanded
		} else {
			parent := b.successor(st, i)
			b.found.at(d.watched(st.words).broken, violation{depth: d.result.Depth + 1, state: parent, by: anyMove})
			d.notice(b, st.words)
			to.text = appendState(to.text, st)
			to.ends = append(to.ends, len(to.text))
			if d.parts.news(b.changes[begin:s.end]) {
				to.pioneers = append(to.pioneers, i)
			}
		}
		begin = s.end
	}
}

// write writes the new states of a batch.
func (d *onDisk) write(b *batch, from *page) {
	k, begin, nth, origin := 0, 0, uint32(0), uint32(0)
	pioneers := from.pioneers
	for i := range uint32(len(b.successors)) {
		if s := &b.successors[i]; s.origin != origin {
			nth, origin = 0, s.origin
		}
		if b.isNew(i) {
			d.to.add(b.from.first+uint64(origin), nth, from.text[begin:from.ends[k]])
			begin = from.ends[k]
			k++
			d.assigned[b.first+i] = uint32(d.to.candidates - d.base)
			if len(pioneers) > 0 && pioneers[0] == i {
				d.parts.successor(b, i, nth)
				pioneers = pioneers[1:]
			}
		}
		nth++
	}
}

// stateBytes is about what the table takes for a state: a slot, and the room that a table has when it has grown.
const stateBytes = 24

// makeRoom forgets hashes if there are too many in the table: those of earlier levels, or all, when those of the
// next level are spilt.
func (d *onDisk) makeRoom() error {
	candidates, used := d.to.candidates-d.base, uint64(0)
	for i := range d.visited {
		used += uint64(d.visited[i].used)
	}
	if used < d.mostInTable() && candidates < inRound/2 {
		return nil
	}
	d.whole = false
	if candidates < used/2 {
		d.each(visitedParts, len(d.workers), func(_ *expander, part int) { d.visited[part].forget(ofEarlierLevel) })
		return nil
	}
	err := d.inParts(func(part int) error { return d.sets[part].Spill(d.candidates(part)) })
	for i := range d.visited {
		d.visited[i].clear()
	}
	d.base = d.to.candidates
	return err
}

// mostInTable is how many states the table may have.
func (d *onDisk) mostInTable() uint64 {
	if d.disk.table > 0 {
		return d.disk.table
	}
	return (d.options.MaxMemory - min(d.options.MaxMemory, d.bytes+d.reserved)) / 2 / stateBytes
}

// candidates are the states of the next level in a part of the table, in the order of their hashes.
func (d *onDisk) candidates(part int) iter.Seq[sorted.Entry] {
	return func(yield func(sorted.Entry) bool) {
		for _, s := range d.visited[part].slots {
			if s.number > ofEarlierLevel+1 && !yield(sorted.Entry{Key: sorted.Key{First: s.print, More: s.more}, Number: d.base + uint64(s.number-2)}) {
				return
			}
		}
	}
}

// turn ends a level: what was found becomes the level that is expanded next.
func (d *onDisk) turn() error {
	fresh := make([]uint64, d.to.candidates/64+1)
	var had [visitedParts]uint64
	err := d.inParts(func(part int) (err error) {
		had[part], err = d.sets[part].Merge(d.candidates(part), d.whole, func(number uint64) {
			atomic.OrUint64(&fresh[number/64], 1<<(number%64))
		})
		d.visited[part].settle(ofEarlierLevel)
		return err
	})
	if err != nil {
		return err
	}
	d.stepsBytes += d.to.stepsBytes
	d.bytesBefore = d.stepsBytes + d.to.bytes
	if d.from != nil {
		d.unused = append(d.unused, d.from.file.Name())
		d.from.file.Close()
	}
	d.base, d.reserved = 0, 8*uint64(len(fresh))
	if d.from, err = d.to.close(fresh); err != nil {
		return err
	}
	d.to = nil
	d.cyclic = d.cyclic || slices.Max(had[:]) > 0
	d.result.States += d.from.fresh
	if d.found.enough() {
		return nil // a search that goes on from here would not find it again
	}
	if most := d.options.MaxStates; most > 0 && d.result.States > most {
		d.result.Stopped = &StatesError{most}
	}
	d.mark()
	if d.result.Transitions-d.written >= d.disk.Checkpoint {
		return d.checkpoint()
	}
	return nil
}

// inParts does something in each part of the table.
func (d *onDisk) inParts(do func(part int) error) error {
	var failed [visitedParts]error
	d.each(visitedParts, len(d.workers), func(_ *expander, part int) { failed[part] = do(part) })
	return cmp.Or(failed[:]...)
}

// progress reports the progress of the search.
func (d *onDisk) progress() {
	if d.options.Progress == nil {
		return
	}
	p := Progress{States: d.result.States, Transitions: d.result.Transitions, Depth: d.result.Depth, Waiting: d.to.candidates, Memory: d.size()}
	p.Disk = d.bytesBefore + d.to.bytes + d.to.stepsBytes
	for _, s := range d.sets {
		p.Disk += s.Bytes()
	}
	d.options.Progress(p)
}

// counterexample is a run that leads to a violation.
func (d *onDisk) counterexample(v violation) (*Run, error) {
	level := v.depth
	if v.by > 0 {
		level--
	}
	root, moves, err := d.wayTo(level, v.state)
	if err != nil {
		return nil, err
	}
	f := &follower{x: newExpander(d.space), at: d.space.begin(root), run: &Run{Property: -1, Root: root}}
	for i, nth := range moves {
		f.step(fmt.Sprintf("to state %d of the path", i+1), func(move) bool { nth--; return nth == -1 })
	}
	return d.ending(f, v), nil
}

// wayTo is the way to a state of a level: a root, and which of its moves each state on the way takes.
func (d *onDisk) wayTo(level int, number uint64) (root int, moves []int, err error) {
	for ; ; level-- {
		parent, nth, err := d.howFound(level, number)
		if err != nil {
			return 0, nil, err
		}
		if level == 0 {
			return int(parent), moves, nil
		}
		moves = append([]int{int(nth)}, moves...)
		number = parent
	}
}
