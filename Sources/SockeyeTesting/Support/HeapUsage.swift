import SockeyePlatform

/// The heap memory that this process has in use.
public enum HeapUsage {
    /// Returns the bytes that `malloc` has allocated and not freed, in all arenas and mapped blocks; 0 if the C
    /// library does not report it.
    ///
    /// Tests that run concurrently allocate as well, so compare values only in a process that runs no other test.
    public static func current() -> Int { SystemMemory.allocatedBytes }
}
