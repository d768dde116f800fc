package main

import (
	"sync"
	"sync/atomic"
	"time"
)

// A stretch of time in which a client sends requests; see Phase of BenchmarkKit.
type phase struct {
	end       time.Time
	latestEnd time.Time
	fewest    int64
	remaining *atomic.Int64
}

// newPhase takes how many requests each worker has in any case, unless that takes five times as long, and how many there are at
// most, of all workers together.
func newPhase(seconds float64, fewest, requests int64) *phase {
	start, length := time.Now(), time.Duration(seconds*1e9)
	phase := &phase{end: start.Add(length), latestEnd: start.Add(5 * length), fewest: fewest}
	if requests != unlimited {
		phase.remaining = new(atomic.Int64)
		phase.remaining.Store(requests)
	}
	return phase
}

// admits tells whether one more request may begin at a time, of a worker that has had so many.
func (phase *phase) admits(now time.Time, had int64) bool {
	if !now.Before(phase.end) && had != 0 && (had >= phase.fewest || !now.Before(phase.latestEnd)) {
		return false
	}
	return phase.remaining == nil || phase.remaining.Add(-1) >= 0
}

// load has workers send requests until the phase is over. They share a few tallies, so that histograms are not most of the
// memory that is measured.
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
