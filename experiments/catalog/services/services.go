// Package services declares the built-in algorithms that are neither elections nor mutual
// exclusion: snapshots, ordered multicast, clocks and superpeers.
package services

import "bullring/experiments/trial"

// All returns the algorithms by family. One of them replaces its sequencer by an election of
// the registry.
func All(elections *trial.Registry) []trial.Algorithm {
	return []trial.Algorithm{
		chandyLamportAlgorithm(),
		sequencerAlgorithm(),
		sequencerFailoverAlgorithm(elections),
		berkeleyAlgorithm(),
		dhtAlgorithm(),
		repellingAlgorithm(),
	}
}
