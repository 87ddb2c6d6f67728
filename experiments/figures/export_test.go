package figures

import "bullring/experiments"

// CheckReceipt reads the receipt in the metadata of a figure, with its digests.
func CheckReceipt(r *experiments.Registry, meta map[string]string) error {
	p, err := receiptOf(r, "figure.svg", meta)
	if err == nil {
		_, err = p.Blocks()
	}
	return err
}
