//! Generates load by tasks with a loop of requests each, in turns or once.

use std::future::Future;
use std::io::{BufRead, Write};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use tokio::runtime::{Builder, Runtime};

use crate::options::Options;
use crate::phase::Phase;
use crate::tally::Tally;
use crate::usage::Usage;
use crate::{sample, Error};

/// The seconds of requests at the beginning of a turn.
const OPENING_SECONDS: f64 = 0.02;

/// A client with its options.
pub trait Load: Sized + Send + Sync + 'static {
    fn open(options: Options) -> Result<Self, Error>;
    /// Returns the same client, with the same connections, for other requests.
    fn retargeted(&self, options: Options) -> Result<Self, Error>;
}

/// Runs a client as the options say and prints the result. On failure, prints the reason and ends the process with
/// status 1. `exchange` sends one request, reads the whole response, checks it and returns the number of body bytes
/// moved.
pub fn run<L, F, Answer>(options: Options, exchange: F)
where
    L: Load,
    F: Fn(Arc<L>) -> Answer + Copy + Send + Sync + 'static,
    Answer: Future<Output = Result<u64, Error>> + Send + 'static,
{
    if let Err(error) = try_to_run(options, exchange) {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

fn try_to_run<L, F, Answer>(options: Options, exchange: F) -> Result<(), Error>
where
    L: Load,
    F: Fn(Arc<L>) -> Answer + Copy + Send + Sync + 'static,
    Answer: Future<Output = Result<u64, Error>> + Send + 'static,
{
    let runtime = match options.threads {
        true => Builder::new_multi_thread().enable_all().build()?,
        false => Builder::new_current_thread().enable_all().build()?,
    };
    let _entered = runtime.enter();
    let load = Arc::new(L::open(options.clone())?);
    let send = |load: &Arc<L>, workers, phase| runtime.block_on(send(load.clone(), exchange, workers, phase, &runtime));

    if let Some(small) = options.small() {
        let tally = send(&Arc::new(load.retargeted(small)?), 1, Phase::new(60.0, 1, 1));
        if let Some(error) = tally.first_error {
            return Err(format!("the small request before the others failed: {error}").into());
        }
    }
    let idle = Usage::current();
    if options.warmup > 0.0 {
        // If a request takes long, the warm-up has one request for each connection at most.
        let limit = if options.requests == u64::MAX { u64::MAX } else { options.connections as u64 };
        send(&load, options.connections, Phase::new(options.warmup, 1, limit));
    }
    let (first, start) = (Usage::current(), Instant::now());
    let mut whole = Tally::new();
    let mut turn = |fewest| {
        let (before, start) = (Usage::current(), Instant::now());
        let tally = send(&load, options.connections, Phase::new(options.seconds, fewest, options.requests));
        let seconds = start.elapsed().as_secs_f64();
        whole.merge(&tally);
        sample::json(&tally, seconds, &before, &Usage::current(), &idle)
    };
    if !options.turns {
        return say(&turn(1));
    }
    say("ready")?;
    for line in std::io::stdin().lock().lines() {
        line?;
        // These requests are not counted. They open connections again that were closed in the pause, and fill caches.
        if options.requests == u64::MAX {
            send(&load, options.connections, Phase::new(OPENING_SECONDS, 1, u64::MAX));
        }
        say(&turn(10))?;
    }
    say(&sample::json(&whole, start.elapsed().as_secs_f64(), &first, &Usage::current(), &idle))
}

fn say(line: &str) -> Result<(), Error> {
    let mut output = std::io::stdout();
    writeln!(output, "{line}")?;
    Ok(output.flush()?)
}

/// Makes workers send requests until the phase ends. They share a few tallies, so that histograms are not most of the
/// measured memory.
async fn send<L, F, Answer>(load: Arc<L>, exchange: F, workers: usize, phase: Phase, runtime: &Runtime) -> Tally
where
    L: Load,
    F: Fn(Arc<L>) -> Answer + Copy + Send + Sync + 'static,
    Answer: Future<Output = Result<u64, Error>> + Send + 'static,
{
    let phase = Arc::new(phase);
    let tallies: Vec<_> = (0..workers.min(16)).map(|_| Arc::new(Mutex::new(Tally::new()))).collect();
    let tasks: Vec<_> = (0..workers)
        .map(|index| {
            let tally = tallies[index % tallies.len()].clone();
            runtime.spawn(work(load.clone(), exchange, phase.clone(), tally))
        })
        .collect();
    for task in tasks {
        task.await.expect("a worker panicked");
    }
    let mut sum = Tally::new();
    for tally in &tallies {
        sum.merge(&tally.lock().unwrap());
    }
    sum
}

async fn work<L, F, Answer>(load: Arc<L>, exchange: F, phase: Arc<Phase>, tally: Arc<Mutex<Tally>>)
where
    L: Load,
    F: Fn(Arc<L>) -> Answer + Copy + Send + Sync + 'static,
    Answer: Future<Output = Result<u64, Error>> + Send + 'static,
{
    let mut start = Instant::now();
    let mut count = 0;
    while phase.admits(start, count) {
        count += 1;
        match exchange(load.clone()).await {
            Ok(bytes) => {
                let end = Instant::now();
                tally.lock().unwrap().record(bytes, end.duration_since(start).as_nanos() as u64);
                start = end;
            }
            Err(error) => {
                if tally.lock().unwrap().record_error(error) {
                    return;
                }
                start = Instant::now();
            }
        }
    }
}
