import Glibc
import HTTPTypes
import Sockeye
import SockeyeEngine
import SockeyeEssentials
import SockeyeTesting

/// Recorded exchanges, which people edit and which are part of a repository.
enum RecordingTargets {
    /// Reads recordings, replays them through a client, and writes them again.
    static let recordings: FuzzTarget = { bytes in
        let text = FuzzInput(bytes).text
        let exchanges: [RecordedExchange]
        do {
            exchanges = try RecordingReader.exchanges(in: text)
        } catch let error as TestServerError {
            return require(!error.message.utf8.contains { $0 < 0x20 || $0 == 0x7F }, error.message.debugDescription)
        } catch {
            fatalError("an error of another type: \(error)")
        }
        let written = RecordingWriter.text(exchanges)
        let again = try? RecordingReader.exchanges(in: written)
        require(again.map(RecordingWriter.text) == written, "a recording is written differently the second time")
        replay(text, urls: urls(in: text))
    }

    private static let file = "\(FileManager.default.temporaryDirectory.path())sockeye-fuzz-recording-\(getpid())"

    /// The targets of the first requests of a recording.
    private static func urls(in text: String) -> [(method: HTTPRequest.Method, url: String)] {
        text.split(separator: "\n").prefix(40).compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 3, words[0] == ">", let method = HTTPRequest.Method(rawValue: String(words[1])) else {
                return nil
            }
            return (method, String(words[2]))
        }
    }

    private static func replay(_ text: String, urls: [(method: HTTPRequest.Method, url: String)]) {
        guard (try? Data(text.utf8).write(to: URL(filePath: file))) != nil,
            let recorded = try? RecordedTransport(file, mode: .replay)
        else { return }
        let client = HTTPClient(transport: recorded)
        let limit = Duration.milliseconds(300)
        for (method, url) in urls.prefix(4) {
            _ = FuzzRun.value {
                await FuzzRun.call(deadline: limit, "replay of \(method) \(url)", mayHaveLines: true) {
                    let response = try await client.request(method, url, options: .timeout(total: limit))
                    _ = (response.status, Array(response.headers), response.minorVersion, response.body.expectedLength)
                    return try await response.bytes().count
                }
            }
        }
    }
}
