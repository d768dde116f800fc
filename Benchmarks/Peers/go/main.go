// Go's net/http as a client of the benchmark. It has the same command line, loop, clock and result as the clients built
// on BenchmarkKit, and the same protocol with the driver.
package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"time"
)

// The seconds of requests at the beginning of a turn.
const openingSeconds = 0.02

func main() {
	options, err := parseOptions(os.Args[1:])
	if err == nil {
		err = run(options)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run measures as the options say and prints the result.
func run(options options) error {
	if !options.threads {
		runtime.GOMAXPROCS(1)
	}
	client, err := newClient(options)
	if err != nil {
		return err
	}
	if options.smallURL != "" {
		small := client.retargeted(options.small())
		if tally := load(small, newPhase(60, 1, 1)); tally.firstError != nil {
			return fmt.Errorf("the small request before the others failed: %w", tally.firstError)
		}
	}
	idle := currentUsage()
	if options.warmup > 0 {
		// If a request takes long, the warm-up has one request for each connection at most.
		limit := options.requests
		if limit != unlimited {
			limit = int64(options.connections)
		}
		load(client, newPhase(options.warmup, 1, limit))
	}
	first, start := currentUsage(), time.Now()
	whole := newTally()
	turn := func(fewest int64) string {
		before, start := currentUsage(), time.Now()
		tally := load(client, newPhase(options.seconds, fewest, options.requests))
		seconds := time.Since(start).Seconds()
		whole.merge(tally)
		return sample(tally, seconds, before, currentUsage(), idle)
	}
	if !options.turns {
		fmt.Println(turn(1))
		return nil
	}
	fmt.Println("ready")
	for input := bufio.NewScanner(os.Stdin); input.Scan(); {
		// These requests are not counted. They open connections again that were closed in the pause, and fill caches.
		if options.requests == unlimited {
			load(client, newPhase(openingSeconds, 1, unlimited))
		}
		fmt.Println(turn(10))
	}
	fmt.Println(sample(whole, time.Since(start).Seconds(), first, currentUsage(), idle))
	return nil
}
