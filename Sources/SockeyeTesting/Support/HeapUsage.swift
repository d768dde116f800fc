import SockeyePlatform

/// How much heap this process has in use.
public enum HeapUsage {
    /// The bytes that `malloc` has handed out and not got back, in all arenas and mapped blocks (`mallinfo2`).
    ///
    /// Other tests that run at the same time count too: compare values of a test process that does nothing else.
    public static func current() -> Int { SystemMemory.allocatedBytes }
}
