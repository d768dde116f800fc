import Foundation
import SockeyePlatform
import Testing

@testable import sockeye_benchmark

/// Runs the program itself, which is built beside the tests.
@Suite("The benchmark's program", .serialized)
struct BenchmarkProgramTests {
    @Test(
        "the program's report has every figure, over http and https", .timeLimit(.minutes(2)),
        arguments: [[], ["--tls"]])
    func measures(_ arguments: [String]) async throws {
        let end = try await ProgramEnd(of: arguments + ["--seconds", "0.1", "--json"])
        try #require(end.status == 0, "\(end.errors)")
        let report = try JSONDecoder().decode(BenchmarkReport.self, from: end.output)
        #expect(report.tls == !arguments.isEmpty)
        #expect(report.requests.map(\.connections) == [1, 64])
        for figures in report.requests {
            #expect(figures.requestsPerSecond > 0)
            #expect(figures.userMicrosecondsPerRequest + figures.systemMicrosecondsPerRequest > 0)
            #expect(figures.latencyMicroseconds.p50 > 0)
            #expect(figures.latencyMicroseconds.max >= figures.latencyMicroseconds.p999)
        }
        for stream in [report.download, report.upload] {
            #expect(stream.gigabytesPerSecond > 0)
            #expect(stream.cpuSecondsPerGigabyte > 0)
        }
        let isMeasured = SystemFeature.allocatedBytes.isSupported
        #expect(report.memory.peakHeapBytes > 0 || !isMeasured)
        #expect(try #require(report.memory.heapBytesPerIdleConnection) > 0 || !isMeasured)
    }

    @Test("the program's server ends when its standard input ends", .timeLimit(.minutes(1)))
    func serverEnds() async throws {
        let end = try await ProgramEnd(of: ["--serve"])
        #expect(end.status == 0, "\(end.errors)")
        let greeting = ServerGreeting(String(decoding: end.output, as: UTF8.self))
        #expect(greeting?.url.hasPrefix("http://127.0.0.1:") == true)
    }

    @Test("an unknown argument ends the program with status 2 and a message", .timeLimit(.minutes(1)))
    func unknownArgument() async throws {
        let end = try await ProgramEnd(of: ["--fast"])
        #expect(end.status == 2)
        #expect(end.output.isEmpty)
        #expect(end.errors == "sockeye-benchmark: unknown argument '--fast'; see --help\n")
    }
}

/// The result of a run of the program with an empty standard input.
private struct ProgramEnd {
    let status: Int32
    let output: Data
    let errors: String

    init(of arguments: [String]) async throws {
        let process = Process()
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "sockeye-benchmark")
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        status = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Int32, any Error>) in
                process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
                do { try process.run() } catch { continuation.resume(throwing: error) }
            }
        } onCancel: {
            if process.isRunning { process.terminate() }
        }
        // Each output has only a few lines, so both fit into the pipes.
        self.output = output.fileHandleForReading.readDataToEndOfFile()
        self.errors = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }
}
