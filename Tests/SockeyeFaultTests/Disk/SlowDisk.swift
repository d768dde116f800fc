import Dispatch
import Glibc
import Sockeye
import Synchronization

/// A disk with an empty page cache, on which every call blocks until the test releases it.
final class SlowDisk: Sendable {
    private let gate = DispatchGroup()
    private let waits = Atomic(0)
    /// A random device number, so that no other test shares this disk's queue.
    private let device = UInt64.random(in: .min ... .max)

    init() {
        gate.enter()
    }

    /// The number of calls so far.
    var callCount: Int { waits.load(ordering: .relaxed) }

    func wake() {
        gate.leave()
    }

    private func wait() {
        waits.add(1, ordering: .relaxed)
        gate.wait()
    }

    var calls: FileCalls {
        var calls = FileCalls.system
        calls.device = device
        unsafe calls.write = { descriptor, bytes, position in
            self.wait()
            return unsafe FileCalls.system.write(descriptor, bytes, position)
        }
        calls.synchronize = { descriptor in
            self.wait()
            return FileCalls.system.synchronize(descriptor)
        }
        unsafe calls.read = { descriptor, bytes, position in
            self.wait()
            return unsafe FileCalls.system.read(descriptor, bytes, position)
        }
        unsafe calls.readCached = { _, _, _ in -Int(EAGAIN) }
        calls.cachedPrefix = { _, _, _ in 0 }
        return calls
    }

    /// Calls of which only the removal of files blocks.
    var slowRemoval: FileCalls {
        var calls = FileCalls.system
        calls.device = device
        calls.remove = { path in
            self.wait()
            FileCalls.system.remove(path)
        }
        return calls
    }
}
