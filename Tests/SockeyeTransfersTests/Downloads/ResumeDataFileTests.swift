import Foundation
import Glibc
import Sockeye
import SockeyeTestSupport
import SockeyeTransfers
import Testing

/// Files that are accepted or refused as the state of a download.
@Suite("Files of resume data", .timeLimit(.minutes(1))) struct ResumeDataFileTests {
    private static let part = ".sockeye-1abc.part"

    private func data(in folder: TemporaryFolder) throws -> ResumeData {
        let text = """
            {"version":1,"url":"https://example.com/f?sig=secret","validator":"\\"v1\\"","bytesWritten":1,"totalBytes":10,\
            "temporaryPath":"\(folder(Self.part))"}
            """
        return try JSONDecoder().decode(ResumeData.self, from: Data(text.utf8))
    }

    private func failure(reading path: String) async -> SockeyeError? {
        do throws(SockeyeError) {
            _ = try await ResumeData.read(from: path)
            return nil
        } catch {
            return error
        }
    }

    @Test("a file of resume data is private, replaces another file and can be read again")
    func roundTrip() async throws {
        let folder = try TemporaryFolder()
        let data = try data(in: folder)
        #expect(try await ResumeData.read(from: folder("state")) == nil)
        try folder.write("older", to: "state")
        unsafe #expect(chmod(folder("state"), 0o644) == 0)
        try await data.write(to: folder("state"))
        #expect(try FileManager.default.attributesOfItem(atPath: folder("state"))[.posixPermissions] as? Int == 0o600)
        #expect(try await ResumeData.read(from: folder("state")) == data && folder.names == ["state"])
    }

    /// Unsafe files at the path of the state.
    enum Trap: CaseIterable {
        case readableByGroup, writableByOthers, secondName, link, otherOwner, otherFolder, otherContent, folder

        static var possible: [Trap] { allCases.filter { $0 != .otherOwner || geteuid() == 0 } }

        /// Creates the file and returns the path to read.
        func create(in folder: TemporaryFolder, _ data: ResumeData) async throws -> String {
            let path = folder("state")
            if self == .folder {
                unsafe #expect(mkdir(path, 0o700) == 0)
                return path
            }
            try await data.write(to: path)
            switch self {
            case .readableByGroup: unsafe #expect(chmod(path, 0o640) == 0)
            case .writableByOthers: unsafe #expect(chmod(path, 0o602) == 0)
            case .secondName: unsafe #expect(Glibc.link(path, folder("second")) == 0)
            case .link:
                unsafe #expect(symlink(path, folder("link")) == 0)
                return folder("link")
            case .otherOwner: unsafe #expect(chown(path, 4711, 4711) == 0)
            case .otherFolder:
                unsafe #expect(mkdir(folder("other"), 0o700) == 0)
                unsafe #expect(rename(path, folder("other/state")) == 0)
                return folder("other/state")
            case .otherContent: try "{}".write(toFile: path, atomically: false, encoding: .utf8)
            case .folder: break
            }
            return path
        }
    }

    @Test("a file of resume data that a server or another user may have made is refused", arguments: Trap.possible)
    func refused(trap: Trap) async throws {
        let folder = try TemporaryFolder()
        let path = try await trap.create(in: folder, data(in: folder))
        let error = await failure(reading: path)
        #expect(error?.code == .badConfiguration && error?.message.contains("secret") == false, "\(error as Any)")
    }

    @Test("resume data is written only to the folder of its part file")
    func elsewhere() async throws {
        let folder = try TemporaryFolder()
        let data = try data(in: folder)
        unsafe #expect(mkdir(folder("other"), 0o700) == 0)
        let error = await #expect(throws: SockeyeError.self) { try await data.write(to: folder("other/state")) }
        #expect(error?.code == .badConfiguration && folder.names == ["other"])
    }
}
