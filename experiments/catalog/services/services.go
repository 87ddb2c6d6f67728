// Package services declares the built-in algorithms that are neither elections nor mutual
// exclusion: snapshots, ordered multicast, clocks and superpeers.
package services

import "bullring/experiments"

// All returns the algorithms by family. One of them replaces its sequencer by an election of
// the registry.
func All(elections *experiments.Registry) []experiments.Algorithm {
	return []experiments.Algorithm{
		chandyLamportAlgorithm(),
		sequencerAlgorithm(),
		sequencerFailoverAlgorithm(elections),
		berkeleyAlgorithm(),
		dhtAlgorithm(),
		repellingAlgorithm(),
	}
}
