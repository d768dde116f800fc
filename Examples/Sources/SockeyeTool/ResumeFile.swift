import Foundation
import Sockeye
import SockeyeTransfers

/// The file with the resume data of a download, in the folder of the downloaded file.
struct ResumeFile {
    private static let pause = Duration.seconds(1)
    private static let ending = ".sockeye-resume"
    /// The maximum of bytes in the name of a file (NAME_MAX of Linux).
    private static let longestName = 255

    private let path: String
    /// The last attempt to write the file.
    private var attempt: (data: ResumeData, time: ContinuousClock.Instant, isWritten: Bool)?
    /// True if the file exists and belongs to this download: this run has read or written it.
    private var isOwn = false

    init(for output: String) {
        path = Self.path(beside: output)
    }

    /// Returns the last component of the URL's path, for downloads with a file name from the server.
    static func name(for url: String) -> String {
        let path = (try? HTTPURL(url))?.path ?? ""
        return path.split(separator: "/").last.map(String.init) ?? "download"
    }

    /// Returns the path of the file. If its name would be too long, it has only the first bytes of the output's name,
    /// and a hash (FNV-1a) that is different for other names.
    static func path(beside output: String) -> String {
        let name = output.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard name.utf8.count + ending.utf8.count > longestName else { return output + ending }
        let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let end = "-\(String(hash, radix: 16))\(ending)"
        var start = name
        while start.utf8.count + end.utf8.count > longestName { start.removeLast() }
        return output[..<name.startIndex] + start + end
    }

    /// Returns the resume data of an earlier download of the same URL. That of another URL is discarded with the bytes
    /// that it keeps.
    ///
    /// - Parameter report: Called with discarded data.
    /// - Throws: An error if another user or a server may have made the file (``ResumeData/read(from:)``).
    mutating func load(for url: String, discarding report: (ResumeData) -> Void) async throws -> ResumeData? {
        guard let asked = try? HTTPURL(url), let data = try await ResumeData.read(from: path) else { return nil }
        isOwn = true
        if data.url == asked.removingUserInfo.withFragment(nil).description { return data }
        report(data)
        await data.discard()
        remove()
        return nil
    }

    /// Saves the resume data if it has changed, at most once a second.
    mutating func save(_ data: ResumeData?) async {
        guard let data else { return }
        if let attempt, ContinuousClock.now - attempt.time < Self.pause { return }
        await write(data)
    }

    /// Saves the resume data of a download that has stopped. If that fails and no older file of the same download
    /// exists, it discards the bytes of the download, because no later run would find them.
    ///
    /// - Returns: True if a later run can continue the download.
    mutating func keep(_ data: ResumeData?) async -> Bool {
        guard let data else { return false }
        await write(data)
        if !isOwn { await data.discard() }
        return isOwn
    }

    private mutating func write(_ data: ResumeData) async {
        if let attempt, attempt.isWritten, attempt.data == data { return }
        let isWritten: Bool
        do {
            try await data.write(to: path)
            isWritten = true
        } catch {
            isWritten = false
        }
        attempt = (data, ContinuousClock.now, isWritten)
        // If it cannot be replaced, an older file of the same download is still valid.
        isOwn = isOwn || isWritten
    }

    /// Removes the file unless it belongs to another download.
    mutating func remove() {
        guard isOwn else { return }
        try? FileManager.default.removeItem(atPath: path)
        isOwn = false
    }
}
