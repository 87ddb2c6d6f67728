package sweep

import (
	"path/filepath"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
	"bullring/experiments/trial"
	"bullring/internal/wholefile"
)

// Source is what a sweep is read from, and what it was read as.
type Source struct {
	Registry     *trial.Registry
	Spec         *spec.Spec // of results.ParseSpec
	Text         []byte     // that Spec was read from
	File         string     // the file of Text, for messages
	OutsideModel bool       // run cells even if the algorithm's guarantees do not apply there

	trials string // see trialsHash; "" until it is needed
}

// outsideModel reports whether the caller or the spec allows cells outside the model.
func (src *Source) outsideModel() bool { return src.OutsideModel || src.Spec.OutsideModel }

// trialsHash is the hash of what decides the trials: see results.TrialsHash.
func (src *Source) trialsHash() string {
	if src.trials == "" {
		src.trials = results.TrialsHash(src.Spec, src.Spec.Cells())
	}
	return src.trials
}

// sourceFile is a file that a sweep is read from, and its name in the folder of results.
type sourceFile struct {
	file, kept string
	text       []byte
}

// sources are the file of the sweep and the file that it includes.
func (src *Source) sources() []sourceFile {
	list := []sourceFile{{src.File, results.SpecFile, src.Text}}
	if in := src.Spec.Included; in != nil {
		list = append(list, sourceFile{in.File, in.Name, in.Text})
	}
	return list
}

func (src *Source) replicates(c *spec.Cell) *trial.Replicates {
	return results.ReplicatesOf(src.Registry, c, src.outsideModel())
}

// name enters the name of the sweep and its sources into a manifest.
func (src *Source) name(m *results.Manifest) {
	m.Name, m.Title, m.Included = src.Spec.Name, src.Spec.Title, nil
	m.Spec = results.FileInfo{Info: wholefile.InfoOf(filepath.Base(src.File), src.Text)}
	if in := src.Spec.Included; in != nil {
		m.Included = &results.FileInfo{Info: wholefile.InfoOf(in.Name, in.Text)}
	}
}
