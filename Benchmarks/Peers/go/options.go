package main

import (
	"fmt"
	"math"
	"strconv"
)

// What one request of a scenario is: a GET whose body must have so many bytes, or a PUT of so many.
type job struct {
	bytes    int64
	isUpload bool
	chunked  bool
}

const unlimited = int64(math.MaxInt64)

// The command line, as ClientOptions of BenchmarkKit writes it.
type options struct {
	url string
	job job
	// Whether there are turns, each of which begins when it is asked for on standard input.
	turns bool
	// The most connections that may be open, and requests at a time; no tasks for as many as connections.
	connections int
	tasks       int
	// Where a small request goes before all others, and how many bytes its answer has; empty for none.
	smallURL   string
	smallBytes int64
	seconds    float64
	requests   int64
	warmup     float64
	// A PEM file with the only trusted root.
	roots string
	// The URL of a proxy; empty for none.
	proxy string
	// A file whose content is uploaded.
	uploadFile string
	// Whether goroutines run on all cores at a time, instead of on one.
	threads bool
}

// parseOptions takes pairs of a name and a value, in any order.
func parseOptions(arguments []string) (options, error) {
	options := options{connections: 1, seconds: 1, requests: unlimited, warmup: 0.2}
	for len(arguments) > 1 {
		if err := options.set(arguments[0], arguments[1]); err != nil {
			return options, fmt.Errorf("cannot use %s %s: %w", arguments[0], arguments[1], err)
		}
		arguments = arguments[2:]
	}
	return options, nil
}

func (options *options) set(name, value string) (err error) {
	switch name {
	case "--url":
		options.url = value
	case "--get":
		options.job.bytes, err = strconv.ParseInt(value, 10, 64)
	case "--upload", "--upload-chunked":
		options.job.isUpload, options.job.chunked = true, name == "--upload-chunked"
		options.job.bytes, err = strconv.ParseInt(value, 10, 64)
	case "--mode":
		options.turns = value == "turns"
		if value != "turns" && value != "load" {
			err = fmt.Errorf("no such mode")
		}
	case "--connections":
		options.connections, err = strconv.Atoi(value)
	case "--tasks":
		options.tasks, err = strconv.Atoi(value)
	case "--small-url":
		options.smallURL = value
	case "--small-bytes":
		options.smallBytes, err = strconv.ParseInt(value, 10, 64)
	case "--seconds":
		options.seconds, err = strconv.ParseFloat(value, 64)
	case "--requests":
		options.requests, err = strconv.ParseInt(value, 10, 64)
	case "--warmup":
		options.warmup, err = strconv.ParseFloat(value, 64)
	case "--proxy":
		options.proxy = value
	case "--roots":
		options.roots = value
	case "--upload-file":
		options.uploadFile = value
	case "--coding":
		// net/http asks for gzip and undoes it unless it is told not to.
	case "--instructions":
		// The driver counts what it can from outside.
	case "--variant":
		options.threads = value == "threads"
	default:
		err = fmt.Errorf("no such option")
	}
	return err
}

func (options options) workers() int {
	if options.tasks > 0 {
		return options.tasks
	}
	return options.connections
}

// small is the request before all others.
func (options options) small() options {
	options.url, options.job, options.tasks = options.smallURL, job{bytes: options.smallBytes}, 1
	return options
}
