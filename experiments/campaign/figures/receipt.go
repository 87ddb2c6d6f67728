package figures

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"
	"strconv"
	"strings"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
	"bullring/experiments/trial"
	"bullring/internal/wholefile"
	"bullring/netem"
	"bullring/plots"
)

// Keys of a figure's metadata. With these a figure can be verified without its folder.
const (
	specKey    = "Spec"     // text of the sweep
	includeKey = "Include"  // text of the file that it includes
	ReceiptKey = "Manifest" // a receipt
)

// Receipt says which trials a figure shows, with digests of their results. It is the same
// for the same results: it has no date and no place.
type Receipt struct {
	Version  string        `json:"version"` // of the program that drew the figure
	Epoch    int           `json:"epoch"`
	Outside  bool          `json:"outside_model"`
	Figure   string        `json:"figure"`
	Trials   int           `json:"trials"`
	Complete bool          `json:"complete"`
	Results  string        `json:"results_sha256"`
	Hash     string        `json:"trials_sha256,omitempty"` // see results.TrialsHash; earlier versions have none
	Block    int           `json:"block"`                   // trials in a digest
	Cells    []cellDigests `json:"digests"`
}

// cellDigests are the digests of the trials of a cell.
type cellDigests struct {
	Cell   int    `json:"cell"` // from 1
	Trials int    `json:"trials"`
	Blocks string `json:"blocks"` // eight hexadecimal digits each
}

// mostDigests is the largest number of digests in a receipt, unless it has more cells: a
// receipt should be small compared with its figure.
const mostDigests = 4096

// digests are the digests of trials, by cell.
type digests map[int][]uint32

// add adds the trial of a row. text is the value that the figure draws.
func (d digests) add(r *results.Record, text string) error {
	seed, err := r.Field("seed")
	if err != nil {
		return err
	}
	print, err := r.Field("fingerprint")
	if err != nil {
		return err
	}
	d[r.Cell] = append(d[r.Cell], digestOf(seed, print, text))
	return nil
}

// digestOf is the CRC-32C of the words, joined by commas.
func digestOf(words ...string) uint32 {
	return checksum([]byte(strings.Join(words, ",")))
}

// checksum is the CRC-32C. Its table is made when it is first needed.
func checksum(text []byte) uint32 { return crc32.Checksum(text, crc32.MakeTable(crc32.Castagnoli)) }

// BlockDigest is the digest of several trials. A single trial has its own digest.
func BlockDigest(trials []uint32) uint32 {
	if len(trials) == 1 {
		return trials[0]
	}
	var all []byte
	for _, digest := range trials {
		all = binary.BigEndian.AppendUint32(all, digest)
	}
	return checksum(all)
}

// block returns the number of trials in a digest: see blockOf.
func (d digests) block() int {
	var trials []int
	for _, of := range d {
		trials = append(trials, len(of))
	}
	return blockOf(trials)
}

// blockOf returns how many trials share a digest, if the cells have so many trials: the
// least power of two that leaves at most mostDigests, or one digest a cell.
func blockOf(trials []int) int {
	for size := 1; ; size *= 2 {
		count, longest := 0, 0
		for _, n := range trials {
			count += (n + size - 1) / size
			longest = max(longest, n)
		}
		if count <= mostDigests || size >= longest {
			return size
		}
	}
}

// receipt returns the receipt of the figure.
func (d *drawing) receipt() *Receipt {
	r := &Receipt{
		Version: d.WriterVersion(), Epoch: netem.Epoch, Outside: d.Manifest.Outside, Figure: d.Name,
		Complete: d.Manifest.Complete, Results: d.Results, Hash: d.TrialsHash(), Block: d.digests.block(),
	}
	for _, cell := range slices.Sorted(maps.Keys(d.digests)) {
		trials := d.digests[cell]
		c := cellDigests{Cell: cell + 1, Trials: len(trials)}
		for block := range slices.Chunk(trials, r.Block) {
			c.Blocks += fmt.Sprintf("%08x", BlockDigest(block))
		}
		r.Trials += len(trials)
		r.Cells = append(r.Cells, c)
	}
	return r
}

func (r *Receipt) text() string {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(r); err != nil {
		panic(err) // JSON has all of its types
	}
	return strings.TrimSpace(text.String())
}

// Picture is a figure with its receipt, read from its file.
type Picture struct {
	*Receipt
	Path     string
	Spec     *spec.Spec
	AllCells []spec.Cell
	Drawn    *spec.Figure
	Others   []string // keys of its metadata that bullring does not write
	text     []byte   // of the receipt
}

// Keys returns the keys of the receipt that are not those of this program.
func (p *Picture) Keys() (results.Keys, error) { return results.KeysOf(p.text, p.Receipt) }

// metaKeys are the keys of the metadata of figures.
var metaKeys = []string{"Title", "Software", "Epoch", "Sweep", "Seed", "Spec-SHA256", includeKey, specKey, ReceiptKey, "Incomplete", "Row", "Fingerprint"}

// ReadReceipt reads the receipt in the metadata of a picture. It refuses a receipt that
// does not fit its sweep.
func ReadReceipt(r *trial.Registry, path string) (*Picture, error) {
	entries, err := plots.ReadMeta(path)
	if err != nil {
		return nil, err
	}
	meta := map[string]string{}
	for _, m := range entries {
		meta[m.Key] = m.Value
	}
	return receiptOf(r, path, meta)
}

// receiptOf reads the receipt in metadata.
func receiptOf(r *trial.Registry, path string, meta map[string]string) (p *Picture, err error) {
	for _, key := range []string{ReceiptKey, specKey} {
		if _, ok := meta[key]; !ok {
			return nil, fmt.Errorf("%s is no figure of a sweep, or one of an earlier version: its metadata have no %s", path, key)
		}
	}
	p = &Picture{Receipt: &Receipt{}, Path: path, text: []byte(meta[ReceiptKey])}
	for _, key := range slices.Sorted(maps.Keys(meta)) {
		if !slices.Contains(metaKeys, key) {
			p.Others = append(p.Others, key)
		}
	}
	if err := json.Unmarshal([]byte(meta[ReceiptKey]), p.Receipt); err != nil {
		return nil, fmt.Errorf("%s: the %s in its metadata: %w", path, ReceiptKey, err)
	}
	if strings.ContainsFunc(p.Version, results.Unprintable) {
		return nil, fmt.Errorf("%s: its receipt is damaged: the version is %q, which is no line of text", path, p.Version)
	}
	if p.Epoch != netem.Epoch {
		return nil, &results.EpochError{Path: path, Version: p.Version, Epoch: p.Epoch}
	}
	if wholefile.Hash([]byte(meta[specKey])) != meta["Spec-SHA256"] {
		return nil, fmt.Errorf("%s: the %s in its metadata does not have the hash beside it: one of them was changed", path, specKey)
	}
	p.Spec, err = results.ParseKept(r, results.SpecFile, []byte(meta[specKey]), func(name string) ([]byte, error) {
		text, ok := meta[includeKey]
		if !ok {
			return nil, fmt.Errorf("the metadata have no %s", includeKey)
		}
		return []byte(text), nil
	})
	if err != nil {
		return nil, fmt.Errorf("%s: the sweep in its metadata: %w", path, err)
	}
	p.AllCells = p.Spec.Cells()
	if p.Hash != "" && p.Hash != results.TrialsHash(p.Spec, p.AllCells) {
		return nil, fmt.Errorf("%s: the trials of the sweep in its metadata do not have the hash in its receipt: one of them was changed", path)
	}
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("%s: its receipt is damaged: %w", path, err)
	}
	return p, p.checkMeta(meta)
}

// check finds the figure in the sweep, and returns an error if the receipt does not fit it.
func (p *Picture) check() error {
	i := slices.IndexFunc(p.Spec.Figures, func(f spec.Figure) bool { return f.Name == p.Figure })
	if i < 0 {
		return fmt.Errorf("the sweep has no figure %q", p.Figure)
	}
	p.Drawn = &p.Spec.Figures[i]
	if p.Block < 1 || p.Block&(p.Block-1) != 0 {
		return fmt.Errorf("%d trials share a digest; that takes a power of two", p.Block)
	}
	var trials []int
	all, before := 0, 0
	for _, c := range p.Cells {
		switch {
		case c.Cell <= before || c.Cell > len(p.AllCells) || !p.Drawn.Matches(p.AllCells[c.Cell-1]):
			return fmt.Errorf("it has digests of cell %d, behind those of cell %d; of %d cells, the figure does not draw that, or not there", c.Cell, before, len(p.AllCells))
		case c.Trials < 1 || c.Trials > p.Spec.Replicates:
			return fmt.Errorf("it has %d trials of cell %d; the sweep has 1 to %d", c.Trials, c.Cell, p.Spec.Replicates)
		case len(c.Blocks) != 8*((c.Trials-1)/p.Block+1):
			return fmt.Errorf("of cell %d, the digests of %d trials, %d together, have %d digits", c.Cell, c.Trials, p.Block, len(c.Blocks))
		}
		before = c.Cell
		all += c.Trials
		trials = append(trials, c.Trials)
	}
	if all != p.Trials || all == 0 {
		return fmt.Errorf("it says that there are %d trials, and has digests of %d", p.Trials, all)
	}
	if block := blockOf(trials); p.Block != block {
		return fmt.Errorf("%d trials share a digest; of so many trials, %d do", p.Block, block)
	}
	return p.checkComplete()
}

// checkComplete returns an error if trials are missing in the receipt. A complete sweep has
// all trials that it asks for. A sweep that was stopped has whole cells, in its order,
// except the last.
func (p *Picture) checkComplete() error {
	least, next := results.LeastTrials(p.Spec), 0
	for i := range p.AllCells {
		if !p.Drawn.Matches(p.AllCells[i]) {
			continue
		}
		if next == len(p.Cells) && !p.Complete {
			return nil
		}
		trials := 0
		if next < len(p.Cells) && p.Cells[next].Cell == i+1 {
			trials = p.Cells[next].Trials
			next++
		}
		if trials < least && (p.Complete || next < len(p.Cells)) {
			return fmt.Errorf("it has digests of %d trials of cell %d (%s), and the sweep asks for %d", trials, i+1, results.CellName(&p.AllCells[i]), least)
		}
	}
	return nil
}

// checkMeta compares the other metadata with the sweep and the receipt.
func (p *Picture) checkMeta(meta map[string]string) error {
	for _, m := range []plots.Meta{
		{Key: "Software", Value: "bullring " + p.Version},
		{Key: "Epoch", Value: strconv.Itoa(p.Epoch)},
		{Key: "Sweep", Value: p.Spec.Name},
		{Key: "Seed", Value: strconv.FormatUint(p.Spec.Seed, 10)},
	} {
		if meta[m.Key] != m.Value {
			return fmt.Errorf("%s: the %s in its metadata is %q, but its receipt and its sweep make it %q", p.Path, m.Key, meta[m.Key], m.Value)
		}
	}
	if _, partial := meta["Incomplete"]; partial == p.Complete {
		return fmt.Errorf("%s: its metadata and its receipt do not agree on whether the sweep is complete", p.Path)
	}
	return nil
}

// Block is a stretch of trials of a cell, and the digest of their results.
type Block struct {
	Cell       int // from 0
	First, End int // replicates, from 1; End is exclusive
	Digest     uint32
}

// Blocks returns the blocks of the receipt, in order.
func (p *Picture) Blocks() ([]Block, error) {
	var all []Block
	for _, c := range p.Cells {
		text, err := hex.DecodeString(c.Blocks)
		if err != nil {
			return nil, fmt.Errorf("%s: its receipt is damaged: the digests of cell %d: %w", p.Path, c.Cell, err)
		}
		for i := 0; i < len(text)/4; i++ {
			all = append(all, Block{
				Cell: c.Cell - 1, First: i*p.Block + 1, End: min((i+1)*p.Block, c.Trials) + 1,
				Digest: binary.BigEndian.Uint32(text[4*i:]),
			})
		}
	}
	return all, nil
}

// Column returns the column that the figure draws, or those of its panels as one.
func (p *Picture) Column(r *trial.Registry, l results.Layout) (results.TextColumn[*results.Trial], error) {
	var columns []results.TextColumn[*results.Trial]
	for _, name := range p.Drawn.Metrics() {
		m, err := results.MetricOf(r, p.Spec, name)
		if err == nil {
			err = results.Unmeasured(l.Algorithms, m)
		}
		if err != nil {
			return results.TextColumn[*results.Trial]{}, fmt.Errorf("%s: %w", p.Path, err)
		}
		columns = append(columns, results.MetricColumn(m))
	}
	return results.Joined(columns), nil
}

// Digest is the digest of a trial that has run. drawn is the column that the figure draws.
func Digest(t *results.Trial, drawn results.TextColumn[*results.Trial]) uint32 {
	return digestOf(strconv.FormatUint(t.Instance.Setting.Seed, 10), fmt.Sprintf("%016x", t.Fingerprint), drawn.Text(t))
}

// meta is the metadata of the figure, from which it can be made again.
func (d *drawing) meta(rows int) []plots.Meta {
	meta := []plots.Meta{
		{Key: "Software", Value: "bullring " + d.WriterVersion()},
		{Key: "Epoch", Value: strconv.Itoa(netem.Epoch)},
		{Key: "Sweep", Value: d.Spec.Name},
		{Key: "Seed", Value: strconv.FormatUint(d.Spec.Seed, 10)},
		{Key: "Spec-SHA256", Value: wholefile.Hash(d.Text)},
	}
	if in := d.Spec.Included; in != nil {
		meta = append(meta, plots.Meta{Key: includeKey, Value: string(in.Text)})
	}
	meta = append(meta, plots.Meta{Key: specKey, Value: string(d.Text)}, plots.Meta{Key: ReceiptKey, Value: d.receipt().text()})
	if !d.Manifest.Complete {
		meta = append(meta, plots.Meta{Key: "Incomplete", Value: fmt.Sprintf("%d of %d trials", rows, d.Manifest.Trials)})
	}
	return meta
}
