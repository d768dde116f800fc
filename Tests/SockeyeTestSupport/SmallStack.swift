#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Runs code that must not need more stack than a given size.
package enum SmallStack {
    /// The stack size of threads in musl, which the tested code must not exceed.
    package static let size = 128 << 10

    /// Runs `body` on a thread with a stack of `size` bytes. Returns its result and the number of stack bytes used.
    package static func run<Result: Sendable>(
        size: Int = size, _ body: @escaping @Sendable () -> Result
    ) -> (result: Result, used: Int) {
        // The page below the stack is inaccessible, so an overflow crashes instead of overwriting other memory.
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        guard let block = unsafe mmap(nil, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            unsafe block != MAP_FAILED
        else { fatalError("no memory for a stack") }
        defer { unsafe munmap(block, size + page) }
        unsafe mprotect(block, page, PROT_NONE)
        let stack = unsafe UnsafeMutableRawBufferPointer(start: block + page, count: size)
        unsafe memset(block + page, pattern, size)
        let work = Work(body)
        unsafe start(work, on: stack)
        let untouched = unsafe stack.firstIndex { $0 != UInt8(pattern) } ?? size
        guard let result = work.result else { fatalError("the thread has no result") }
        return (result, size - untouched)
    }

    private static let pattern: Int32 = 0xA5

    private static func start<Result>(_ work: Work<Result>, on stack: UnsafeMutableRawBufferPointer) {
        unsafe withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { room in
            guard let attributes = room.baseAddress, unsafe pthread_attr_init(attributes) == 0 else {
                fatalError("no attributes")
            }
            defer { unsafe pthread_attr_destroy(attributes) }
            guard let base = stack.baseAddress, unsafe pthread_attr_setstack(attributes, base, stack.count) == 0 else {
                fatalError("the stack is too small")
            }
            var thread = pthread_t()
            let context = unsafe Unmanaged.passRetained(work as AnyWork).toOpaque()
            let status = unsafe pthread_create(&thread, attributes, run, context)
            guard status == 0 else { fatalError("no thread") }
            pthread_join(thread, nil)
        }
    }

    private static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
        if let context = unsafe context { unsafe Unmanaged<AnyWork>.fromOpaque(context).takeRetainedValue().run() }
        return nil
    }
}

private class AnyWork {
    func run() {}
}

private final class Work<Result>: AnyWork {
    private let body: () -> Result
    private(set) var result: Result?

    init(_ body: @escaping () -> Result) {
        self.body = body
    }

    override func run() {
        result = body()
    }
}
