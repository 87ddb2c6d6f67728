package plots

import "bullring/plots/internal/page"

// ErrNoReceipt is the error of [ReadMeta] for pictures of other programs.
var ErrNoReceipt = page.ErrNoReceipt

// ReadMeta returns the metadata of a picture that this package wrote: the title, if there
// is one, and the entries of [Figure.Meta] or of a diagram, unchanged and in order. The
// extension of the path gives the format: see [CheckPicture].
// Another program may have saved a PNG or SVG again if it kept the metadata.
//
// It fails for a picture of another program, with [ErrNoReceipt] or because the format is
// not that of the extension, and for a picture that is damaged, cut short, or larger than
// 100 MB.
func ReadMeta(path string) ([]Meta, error) { return page.ReadMeta(path) }
