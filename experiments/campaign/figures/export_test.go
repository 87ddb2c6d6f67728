package figures

import "bullring/experiments/trial"

// CheckReceipt reads the receipt in the metadata of a figure, with its digests.
func CheckReceipt(r *trial.Registry, meta map[string]string) error {
	p, err := receiptOf(r, "figure.svg", meta)
	if err == nil {
		_, err = p.Blocks()
	}
	return err
}
