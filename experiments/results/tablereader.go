package results

import (
	"encoding/csv"
	"fmt"
	"io"

	"bullring/internal/regular"
)

// TableReader reads a table of a folder. It bounds the length of a row: a forged table must
// not fill the memory.
type TableReader struct {
	*csv.Reader
	source *boundedSource
}

// NewTableReader reads a table in CSV.
func NewTableReader(r io.Reader) *TableReader {
	source := &boundedSource{r: r}
	return &TableReader{csv.NewReader(source), source}
}

// Read reads a row, as csv.Reader does.
func (t *TableReader) Read() ([]string, error) {
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
