package main

import (
	"fmt"
	"math"
	"strconv"
)

// job is the request of a scenario: a GET with the expected size of its body, or a PUT of a number of bytes.
type job struct {
	bytes    int64
	isUpload bool
	chunked  bool
}

const unlimited = int64(math.MaxInt64)

// options is the command line, in the format of ClientOptions of BenchmarkKit.
type options struct {
	url string
	job job
	// True for turns, each of which begins with a line on standard input.
	turns bool
	// The maximum of open connections, and the number of simultaneous requests; 0 tasks for the number of connections.
	connections int
	tasks       int
	// The URL of a small request before all others, and the bytes of its response; empty for none.
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
	// True if goroutines run on all cores, instead of on one.
	threads bool
}

// parseOptions takes pairs of a name and a value, in any order.
func parseOptions(arguments []string) (options, error) {
	options := options{connections: 1, seconds: 1, requests: unlimited, warmup: 0.2}
	for len(arguments) > 1 {
		if err := options.set(arguments[0], arguments[1]); err != nil {
			return options, fmt.Errorf("invalid option %s %s: %w", arguments[0], arguments[1], err)
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
		// net/http requests gzip and decodes it by default.
	case "--instructions":
		// Only the driver counts, from outside of the process.
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

// small returns the options of the request before all others.
func (options options) small() options {
	options.url, options.job, options.tasks = options.smallURL, job{bytes: options.smallBytes}, 1
	return options
}
