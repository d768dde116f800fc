//! The resources that this process has used so far.

pub struct Usage {
    /// CPU seconds in user mode and in the kernel.
    pub user: f64,
    pub system: f64,
    /// The number of times that a thread yielded or lost its core.
    pub switches: i64,
    /// The maximum of the process's resident memory (`VmHWM`).
    pub peak_kib: i64,
    /// Calls of malloc and similar functions; None unless the library that counts them is loaded.
    pub allocations: Option<u64>,
}

impl Usage {
    pub fn current() -> Usage {
        // Safe: the call fills the structure, and all-zero bytes are a valid value of it.
        let usage = unsafe {
            let mut usage: libc::rusage = std::mem::zeroed();
            libc::getrusage(libc::RUSAGE_SELF, &mut usage);
            usage
        };
        Usage {
            user: seconds(usage.ru_utime),
            system: seconds(usage.ru_stime),
            switches: usage.ru_nvcsw + usage.ru_nivcsw,
            peak_kib: peak_resident_kib(),
            allocations: allocations(),
        }
    }
}

fn seconds(time: libc::timeval) -> f64 {
    time.tv_sec as f64 + time.tv_usec as f64 / 1e6
}

fn peak_resident_kib() -> i64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim_end_matches("kB").trim().parse().ok()).unwrap_or(0)
}

/// Reads the count of the library AllocationCounter; None unless the driver preloads it.
fn allocations() -> Option<u64> {
    // Safe: if the symbol exists, it is a function of this type.
    unsafe {
        let symbol = libc::dlsym(libc::RTLD_DEFAULT, b"bench_allocations\0".as_ptr().cast());
        if symbol.is_null() {
            return None;
        }
        let read: extern "C" fn() -> u64 = std::mem::transmute(symbol);
        Some(read())
    }
}
