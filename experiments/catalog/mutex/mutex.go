// Package mutex declares the built-in algorithms for mutual exclusion.
package mutex

import "bullring/experiments"

// All returns the algorithms: first those by permission, then those by token. One of them
// replaces its coordinator by an election of the registry.
func All(elections *experiments.Registry) []experiments.Algorithm {
	return []experiments.Algorithm{
		centralizedAlgorithm(),
		centralizedFailoverAlgorithm(elections),
		decentralizedAlgorithm(),
		lamportAlgorithm(),
		ricartAgrawalaAlgorithm(),
		carvalhoRoucairolAlgorithm(),
		maekawaAlgorithm(),
		majorityAlgorithm(),
		tokenRingAlgorithm(),
		regeneratingRingAlgorithm(),
		suzukiKasamiAlgorithm(),
		raymondAlgorithm(),
	}
}
