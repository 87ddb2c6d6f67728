package results

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"bullring/internal/regular"
)

// tableReader reads a table of a folder. It bounds the length of a row: a forged table must
// not fill the memory.
type tableReader struct {
	*csv.Reader
	source *boundedSource
}

// newTableReader reads a table in CSV.
func newTableReader(r io.Reader) *tableReader {
	source := &boundedSource{r: r}
	return &tableReader{csv.NewReader(source), source}
}

// Read reads a row, as csv.Reader does.
func (t *tableReader) Read() ([]string, error) {
	t.source.left = regular.MaxInput
	return t.Reader.Read()
}

// boundedSource returns at most left bytes.
type boundedSource struct {
	r    io.Reader
	left int
}

func (s *boundedSource) Read(p []byte) (int, error) {
	if s.left <= 0 {
		return 0, fmt.Errorf("a row has more than %d bytes, which is the most that is read of it", regular.MaxInput)
	}
	n, err := s.r.Read(p[:min(len(p), s.left)])
	s.left -= n
	return n, err
}

// Table reads a table of the folder, but no more than most rows of it. more says that
// there are further ones. A missing table has no columns.
func (f *Folder) Table(name string, most int) (columns []string, rows [][]string, more bool, err error) {
	file, err := regular.Open(filepath.Join(f.Dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, false, nil
	}
	if err != nil {
		return nil, nil, false, err
	}
	defer file.Close()
	in := newTableReader(file)
	for {
		row, err := in.Read()
		switch {
		case err == io.EOF:
			return columns, rows, false, nil
		case err != nil:
			return nil, nil, false, fmt.Errorf("%s: %w", file.Name(), err)
		case columns == nil:
			for _, header := range row {
				columns = append(columns, ColumnName(header))
			}
		case len(rows) == most:
			return columns, rows, true, nil
		default:
			rows = append(rows, row)
		}
	}
}
