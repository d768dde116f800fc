//! The command line of every client, in the format of `ClientOptions` of BenchmarkKit.

use crate::Error;

/// The request of a scenario.
#[derive(Clone, Copy)]
pub enum Job {
    /// GET; the body is read to its end and must have this number of bytes.
    Get { expecting: u64 },
    /// PUT of this number of bytes, with a Content-Length or chunked.
    Upload { bytes: u64, chunked: bool },
}

impl Job {
    /// Returns the number of body bytes that one request moves.
    pub fn bytes(&self) -> u64 {
        match *self {
            Job::Get { expecting } => expecting,
            Job::Upload { bytes, .. } => bytes,
        }
    }
}

#[derive(Clone)]
pub struct Options {
    pub url: String,
    pub job: Job,
    /// True for turns, each of which begins with a line on standard input.
    pub turns: bool,
    /// The number of tasks that send requests, and thus of connections, which neither of the two libraries limits.
    pub connections: usize,
    /// The URL of a small request before all others, and the bytes of its response.
    pub small_url: String,
    pub small_bytes: u64,
    pub seconds: f64,
    pub requests: u64,
    pub warmup: f64,
    /// A PEM file with the only trusted root.
    pub roots: Option<String>,
    /// The URL of a proxy.
    pub proxy: Option<String>,
    /// True if the runtime has a thread for each core, instead of only the calling thread.
    pub threads: bool,
}

impl Options {
    /// Parses `--name value` pairs, in any order.
    pub fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Options, Error> {
        let mut options = Options {
            url: String::new(),
            job: Job::Get { expecting: 0 },
            turns: false,
            connections: 1,
            small_url: String::new(),
            small_bytes: 0,
            seconds: 1.0,
            requests: u64::MAX,
            warmup: 0.2,
            roots: None,
            proxy: None,
            threads: false,
        };
        while let Some(name) = arguments.next() {
            let value = arguments.next().ok_or_else(|| format!("{name} without a value"))?;
            options.set(&name, value)?;
        }
        Ok(options)
    }

    fn set(&mut self, name: &str, value: String) -> Result<(), Error> {
        match (name, value.as_str()) {
            ("--url", _) => self.url = value,
            ("--get", _) => self.job = Job::Get { expecting: value.parse()? },
            ("--upload", _) => self.job = Job::Upload { bytes: value.parse()?, chunked: false },
            ("--upload-chunked", _) => self.job = Job::Upload { bytes: value.parse()?, chunked: true },
            ("--mode", "load") => self.turns = false,
            ("--mode", "turns") => self.turns = true,
            ("--connections", _) => self.connections = value.parse()?,
            ("--tasks", _) if value.parse() == Ok(self.connections) => {}
            ("--small-url", _) => self.small_url = value,
            ("--small-bytes", _) => self.small_bytes = value.parse()?,
            ("--seconds", _) => self.seconds = value.parse()?,
            ("--requests", _) => self.requests = value.parse()?,
            ("--warmup", _) => self.warmup = value.parse()?,
            ("--proxy", _) => self.proxy = Some(value),
            ("--roots", _) => self.roots = Some(value),
            ("--variant", "threads") => self.threads = true,
            // Only the driver counts, from outside of the process.
            ("--instructions", _) => {}
            _ => return Err(format!("unknown option or invalid value: {name} {value}").into()),
        }
        Ok(())
    }

    /// Returns the options of the small request before all others; None without one.
    pub fn small(&self) -> Option<Options> {
        if self.small_url.is_empty() {
            return None;
        }
        let mut small = self.clone();
        small.url = self.small_url.clone();
        small.job = Job::Get { expecting: self.small_bytes };
        small.connections = 1;
        Some(small)
    }
}
