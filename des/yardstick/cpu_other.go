//go:build !linux

package yardstick

import "time"

func ProcessorTime() time.Duration { return wallTime() }
