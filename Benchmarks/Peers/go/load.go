package main

import (
	"sync"
	"sync/atomic"
	"time"
)

// phase is a period in which a client sends requests; see Phase of BenchmarkKit.
type phase struct {
	end       time.Time
	latestEnd time.Time
	fewest    int64
	remaining *atomic.Int64
}

// newPhase makes a phase. fewest is the minimum of requests of each worker, unless they take five times as long as the
// phase. requests is the maximum of requests of all workers together.
func newPhase(seconds float64, fewest, requests int64) *phase {
	start, length := time.Now(), time.Duration(seconds*1e9)
	phase := &phase{end: start.Add(length), latestEnd: start.Add(5 * length), fewest: fewest}
	if requests != unlimited {
		phase.remaining = new(atomic.Int64)
		phase.remaining.Store(requests)
	}
	return phase
}

// admits returns true if a worker that has sent a number of requests may begin one more at the given time.
func (phase *phase) admits(now time.Time, had int64) bool {
	if !now.Before(phase.end) && had != 0 && (had >= phase.fewest || !now.Before(phase.latestEnd)) {
		return false
	}
	return phase.remaining == nil || phase.remaining.Add(-1) >= 0
}

// load makes workers send requests until the phase ends. They share a few tallies, so that histograms are not most of
// the measured memory.
func load(client *client, phase *phase) *tally {
	workers := client.options.workers()
	tallies := make([]*tally, min(workers, 16))
	for index := range tallies {
		tallies[index] = newTally()
	}
	var group sync.WaitGroup
	for index := 0; index < workers; index++ {
		group.Add(1)
		go func(tally *tally) {
			defer group.Done()
			work(client, phase, tally)
		}(tallies[index%len(tallies)])
	}
	group.Wait()
	sum := newTally()
	for _, tally := range tallies {
		sum.merge(tally)
	}
	return sum
}

func work(client *client, phase *phase, tally *tally) {
	start := time.Now()
	for count := int64(0); phase.admits(start, count); count++ {
		bytes, err := client.exchange()
		end := time.Now()
		if err != nil && tally.recordError(err) {
			return
		}
		if err == nil {
			tally.record(bytes, end.Sub(start))
		}
		start = end
	}
}

func min(one, other int) int {
	if one < other {
		return one
	}
	return other
}
