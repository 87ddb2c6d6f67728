// Package mutex declares the built-in algorithms for mutual exclusion.
package mutex

import "bullring/experiments/trial"

// All returns the algorithms: first those by permission, then those by token. One of them
// replaces its coordinator by an election of the registry.
func All(elections *trial.Registry) []trial.Algorithm {
	return []trial.Algorithm{
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
		reverseLinkAlgorithm(),
	}
}
