package explore

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"bullring/internal/regular"
)

// A row has numbers of parts: states of processes, sets of timers, contents of channels, watches. The parts are
// values of the program and cannot be written to a file. But each of them was first met in some step, and there are
// far fewer of them than of states. So a file has these steps: the row of a state, which of its moves it was, and the
// row to which it led. A search that goes on takes them once more, and then has all parts again, by other numbers.

// kinds are the kinds of parts.
const (
	processPart = iota
	timersPart
	contentPart
	watchPart
	kinds
	noPart = -1
)

// partsFile has the steps in which parts were met first. It keeps its first error.
type partsFile struct {
	space *space
	file  *os.File
	out   *bufio.Writer
	bytes int64
	kind  []int           // of the part at each position of a row, or noPart
	met   [kinds][]uint64 // a bit for each number of a part that is met in some row of the file
	next  state
	err   error
}

func newPartsFile(s *space, folder string, level int) (*partsFile, error) {
	f, err := os.Create(filepath.Join(folder, levelFile("parts", level)))
	if err != nil {
		return nil, err
	}
	p := &partsFile{space: s, file: f, out: bufio.NewWriterSize(f, fileBuffer), kind: kindsOf(s), next: state{words: make([]uint32, s.layout.size)}}
	return p, nil
}

// kindsOf are the kinds of the parts of a row.
func kindsOf(s *space) []int {
	kind := make([]int, s.layout.size)
	for i := range kind {
		kind[i] = noPart
	}
	for p := range s.n {
		kind[s.layout.process+p], kind[s.layout.timers+p] = processPart, timersPart
	}
	for c := range s.channels.list {
		kind[s.layout.channel+c] = contentPart
	}
	kind[s.layout.watch] = watchPart
	return kind
}

// news reports whether one of the parts is not met in the file.
func (p *partsFile) news(parts []part) bool {
	for _, c := range parts {
		if k := p.kind[c.position]; k != noPart && !p.has(k, c.value) {
			return true
		}
	}
	return false
}

func (p *partsFile) has(kind int, number uint32) bool {
	set := p.met[kind]
	return int(number/64) < len(set) && set[number/64]>>(number%64)&1 == 1
}

func (p *partsFile) meet(kind int, number uint32) {
	for int(number/64) >= len(p.met[kind]) {
		p.met[kind] = append(p.met[kind], 0)
	}
	p.met[kind][number/64] |= 1 << (number % 64)
}

// root writes the beginning of a run.
func (p *partsFile) root(root int, st *state) {
	p.write(binary.AppendUvarint(nil, uint64(root)+1), st)
}

// successor writes the step to a successor, if a part is met in it for the first time.
func (p *partsFile) successor(b *batch, i, nth uint32) {
	begin := uint32(0)
	if i > 0 {
		begin = b.successors[i-1].end
	}
	if !p.news(b.changes[begin:b.successors[i].end]) {
		return // another batch of the round has met them
	}
	b.successor(&p.next, i)
	at := b.from.state(int(b.successors[i].origin), p.space.layout.size)
	p.step(&at, uint64(nth), &p.next)
}

// step writes a step.
func (p *partsFile) step(from *state, nth uint64, to *state) {
	text := binary.AppendUvarint([]byte{0}, nth)
	p.write(appendState(text, from), to)
}

func (p *partsFile) write(text []byte, to *state) {
	for position, number := range to.words {
		if k := p.kind[position]; k != noPart {
			p.meet(k, number)
		}
	}
	text = appendState(text, to)
	_, err := p.out.Write(text)
	p.err = cmp.Or(p.err, err)
	p.bytes += int64(len(text))
}

// sync writes the file through to the disk.
func (p *partsFile) sync() error { return cmp.Or(p.err, p.out.Flush(), p.file.Sync()) }

// errOther says that the files are not of this program.
var errOther = errors.New("the program, or the algorithm, is not the one that wrote them: begin anew in another folder")

// numbers translates numbers of parts to those of this search: by kind and number, 1 + the new number.
type numbers struct {
	kind []int
	of   [kinds][]uint32
}

func (n *numbers) note(kind int, was, is uint32) {
	for int(was) >= len(n.of[kind]) {
		n.of[kind] = append(n.of[kind], 0)
	}
	n.of[kind][was] = is + 1
}

// row translates a row. It fails if a part was not met.
func (n *numbers) row(words []uint32) error {
	for position, number := range words {
		k := n.kind[position]
		if k == noPart {
			continue
		}
		if int(number) >= len(n.of[k]) || n.of[k][number] == 0 {
			return fmt.Errorf("a part of a state is in none of the steps of the file of parts: %w", errOther)
		}
		words[position] = n.of[k][number] - 1
	}
	return nil
}

// again takes the steps of an older file of parts once more, of that many bytes, and writes them to this one. It
// returns what the numbers in rows have become.
func (p *partsFile) again(path string, bytes int64) (*numbers, error) {
	file, err := regular.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	in := &partsReader{in: bufio.NewReaderSize(io.LimitReader(file, bytes), fileBuffer), most: 2*(hashBytes+p.space.layout.size/8+1+binary.MaxVarintLen32*p.space.layout.size) + 2*binary.MaxVarintLen64}
	n := &numbers{kind: p.kind}
	x := newExpander(p.space)
	size := p.space.layout.size
	from, was := state{words: make([]uint32, size)}, state{words: make([]uint32, size)}
	for {
		root, nth, err := in.read(&from, &was)
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		var is *state
		if root >= 0 && root < len(p.space.roots) {
			st := p.space.begin(root)
			is = &st
			p.root(root, is)
		} else if root < 0 {
			if err := n.row(from.words); err != nil {
				return nil, err
			}
			if is = nthMove(x, &from, nth); is != nil {
				p.step(&from, nth, is)
			}
		}
		if is == nil || is.print != was.print {
			return nil, errOther
		}
		for position, number := range was.words {
			if k := p.kind[position]; k != noPart {
				n.note(k, number, is.words[position])
			}
		}
	}
}

// nthMove is the state to which a move of a state leads, nil if it has fewer moves.
func nthMove(x *expander, from *state, nth uint64) (to *state) {
	i := uint64(0)
	x.expand(from, everyone, func(move) {
		if i == nth {
			to = &state{append([]uint32(nil), x.next.words...), x.next.print}
		}
		i++
	})
	return to
}

// partsReader reads a file of parts.
type partsReader struct {
	in   *bufio.Reader
	most int
}

// read reads a step: from a state by one of its moves to another; or that a root, 0 or more, begins in a state.
func (r *partsReader) read(from, to *state) (root int, nth uint64, err error) {
	text, err := r.in.Peek(r.most)
	if len(text) == 0 {
		return 0, 0, err
	}
	kind, at := binary.Uvarint(text)
	root = int(kind) - 1
	ok := at > 0
	if ok && root < 0 {
		var size int
		nth, size = binary.Uvarint(text[at:])
		ok = size > 0
		at += max(size, 0)
		size = readState(text[at:], from)
		ok = ok && size > 0
		at += size
	}
	size := readState(text[min(at, len(text)):], to)
	if !ok || size == 0 {
		return 0, 0, io.ErrUnexpectedEOF
	}
	_, err = r.in.Discard(at + size)
	return root, nth, err
}
