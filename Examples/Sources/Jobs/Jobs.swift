import Foundation
import Sockeye
import SockeyeTransfers

/// Runs each of twenty jobs of an HTTP client once, against servers in the same process, and prints the lines of its
/// code.
///
///     swift run --package-path Examples jobs
///
/// `jobs download URL PATH SHA256` runs only the download job. If it is interrupted, the same command continues it.
@main
struct Jobs {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "download", arguments.count == 4 {
            await download(arguments[2], to: arguments[3], sha256: arguments[4])
        } else {
            await runAll()
        }
    }

    private static func runAll() async {
        var failed = false
        for (index, job) in Job.all.enumerated() {
            do {
                let result = try await job.run()
                print("\(index + 1). \(job.title): \(try job.lines()) lines, ok: \(result)")
            } catch {
                failed = true
                print("\(index + 1). \(job.title): failed: \(error)")
            }
        }
        exit(failed ? 1 : 0)
    }

    private static func download(_ url: String, to path: String, sha256: String) async {
        do {
            let file = try await fetch(url, to: path, sha256: sha256) { progress in
                say("\(progress.completed) of \(progress.total ?? -1) bytes, resumed at \(progress.resumedAt ?? 0)")
            }
            say("done: \(file.count) bytes")
        } catch {
            say("\(error)")
            exit(1)
        }
    }

    private static func say(_ line: String) {
        FileHandle.standardError.write(Data("\(line)\n".utf8))
    }
}
