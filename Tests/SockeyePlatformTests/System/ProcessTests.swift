import Foundation
import SockeyePlatform
import Testing

@Suite("The process and its memory", .timeLimit(.minutes(1)))
struct ProcessTests {
    @Test("the ids of the process and of its effective user are reported")
    func identity() {
        #expect(SystemProcess.identifier == ProcessInfo.processInfo.processIdentifier)
        #expect(SystemProcess.user == geteuid())
    }

    @Test("a variable of the environment has its value, and a missing one has none")
    func environment() {
        #expect(SystemProcess.environment("PATH") == ProcessInfo.processInfo.environment["PATH"])
        #expect(SystemProcess.environment("SOCKEYE_NO_SUCH_VARIABLE") == nil)
    }

    @Test("the system has a name and a release")
    func system() {
        let parts = SystemProcess.system.split(separator: " ")
        #expect(parts.count >= 2 && parts[0].allSatisfy { $0.isLetter })
    }

    @Test("the creation mask holds permission bits, or is unknown")
    func mask() {
        let mask = SystemProcess.creationMask
        #expect((mask ?? 0) & ~0o777 == 0)
        if !SystemFeature.creationMask.isSupported { #expect(mask == nil) }
    }

    @Test("open descriptors are counted")
    func descriptors() throws {
        guard SystemProcess.descriptorCount != nil else { return }
        // Concurrent tests also open descriptors.
        let files = try (0..<200).map { _ in try SystemFile.open("/", for: .folder) }
        #expect(try #require(SystemProcess.descriptorCount) >= 200)
        for file in files { SystemFile.close(file) }
    }

    @Test("the largest resident set is at least a megabyte, or unknown")
    func resident() {
        #expect(SystemProcess.peakResidentBytes ?? .max > 1 << 20)
    }

    @Test("allocated memory is counted, or reported as 0 if unknown")
    func heap() {
        guard SystemFeature.allocatedBytes.isSupported else {
            #expect(SystemMemory.allocatedBytes == 0)
            return
        }
        let block = UnsafeMutableRawPointer.allocate(byteCount: 64 << 20, alignment: 16)
        defer { unsafe block.deallocate() }
        #expect(SystemMemory.allocatedBytes >= 64 << 20)
    }

    @Test("the paths of the bundles of root certificates are absolute")
    func roots() {
        #expect(!SystemProcess.rootBundles.isEmpty)
        #expect(
            SystemProcess.rootBundles.allSatisfy { $0.hasPrefix("/") && ($0.hasSuffix(".crt") || $0.hasSuffix(".pem")) }
        )
    }

    @Test("random bytes differ between calls, and fill the whole buffer", arguments: [16, 255, 256])
    func random(count: Int) {
        func fill() -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: count)
            unsafe bytes.withUnsafeMutableBytes { unsafe SystemRandom.fill($0) }
            return bytes
        }
        let (first, second) = (fill(), fill())
        #expect(first != second)
        #expect(first.suffix(8) != [UInt8](repeating: 0, count: 8)[...])
    }

    @Test("memory is compared and searched within its bounds")
    func memory() {
        unsafe [UInt8](0..<100).withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            #expect(unsafe SystemMemory.isEqual(base, base, count: 100))
            #expect(unsafe !SystemMemory.isEqual(base, base + 1, count: 1))
            #expect(unsafe SystemMemory.isEqual(base, base + 1, count: 0))
            #expect(unsafe SystemMemory.offset(of: 7, in: base, from: 0, to: 100) == 7)
            #expect(unsafe SystemMemory.offset(of: 7, in: base, from: 8, to: 100) == nil)
            #expect(unsafe SystemMemory.offset(of: 7, in: base, from: 0, to: 7) == nil)
        }
    }
}
