#if DiskCache
import Sockeye
import SockeyeCache
import SockeyeCore
import SockeyeDiskCache
import SockeyeEngine
import SockeyeEssentials
import SockeyeHTTP

/// Files of a cache on disk that another process has changed.
enum DiskCacheTargets {
    private static let key = "https://a.test/x"

    // MARK: Rows

    /// The head of a row is JSON from the input, with a fitting checksum or a checksum from the input. A client with a
    /// store that returns this row must not trap, and must return only the content.
    static let rows: FuzzTarget = { bytes in
        var input = FuzzInput(bytes)
        let (hasChecksum, length) = (input.flag(), input.choice(below: 64))
        let mode = CachePolicy.Mode.allCases[input.choice(below: 5)]
        let head = Data(input.bytes)
        guard let fitting = try? EntryChecksum.of(head: Bytes(head), id: "1", key: key) else { return }
        let checksum = hasChecksum ? Data(fitting) : Data(input.bytes.prefix(32))
        guard let response = EncodedHead.response(id: Data("1".utf8), head: head, checksum: checksum, key: key) else {
            return
        }
        let content = Bytes([UInt8](repeating: 0x61, count: length))
        let policy = CachePolicy(RowStore(response: response, content: content))
        let client = HTTPClient(transport: Origin(), interceptors: [policy])
        FuzzRun.value {
            for headers in [[:], [.range: "bytes=1-"], [.range: "bytes=-1"]] as [Headers] {
                guard let answer = try? await client.get(key, headers: headers, options: .caching(mode)) else {
                    continue
                }
                require(answer.headers[.setCookie] == nil, "a stored cookie was served")
                let isStored = answer.cacheOutcome?.bytesFromStore ?? 0 > 0
                guard let text = try? await answer.bytes(), isStored else { continue }
                require(text.allSatisfy { $0 == 0x61 } && text.count <= length, "content that was not stored")
            }
        }
    }

    /// A store with one row.
    private struct RowStore: CachePolicy.Store {
        let response: CachedResponse
        let content: Bytes

        func responses(for key: String) -> [CachedResponse] { [response] }
        func body(of response: CachedResponse, for key: String) -> CachedResponse.Body? { .pieces([content]) }
        func writer(for response: CachedResponse, key: String) -> (any CachePolicy.Writer)? { nil }
        func update(_ response: CachedResponse, for key: String) {}
        func remove(_ response: CachedResponse, for key: String) {}
        func removeAll(for key: String) {}
    }

    /// A server that confirms every conditional request.
    private struct Origin: HTTPTransport {
        func send(_ request: OutgoingRequest) -> IncomingResponse {
            let isConditional = request.headers.contains(.ifNoneMatch) || request.headers.contains(.ifModifiedSince)
            return IncomingResponse(status: isConditional ? .notModified : .ok, body: Bytes("b"), url: request.url)
        }
    }

    // MARK: Folders

    /// The size of each entry in the damaged folder. Small content is in the database, and large content is in a
    /// separate file.
    private static let sizes = ["a": 1000, "b": 70_000, "c": 300_000]

    private static func response(_ id: String) -> CachedResponse? {
        guard let url = try? HTTPURL("https://a.test/\(id)"),
            let cacheRequest = CacheRequest(method: .get, url: url, headers: [:], decodes: true)
        else { return nil }
        return CachedResponse(
            id: id, status: 200, reason: "OK", headers: [.cacheControl: "max-age=60"], isDecoded: false,
            to: cacheRequest,
            requestTime: 1, responseTime: 2)
    }

    private static func content(_ id: String, _ count: Int) -> Bytes {
        let seed = Int(id.utf8.first ?? 0)
        return Bytes((0..<count).map { UInt8(truncatingIfNeeded: $0 &* seed ^ $0 >> 7) })
    }

    private static let scratch: String = {
        let root = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : "/tmp"
        return "\(root)/sockeye-fuzz-\(ProcessInfo.processInfo.processIdentifier)"
    }()

    /// The files of a folder, as a store writes them.
    private static let files: [(name: String, bytes: Data)] = {
        let folder = scratch + "-seed"
        FuzzRun.value {
            guard let store = try? DiskCacheStore(at: folder, limit: 16 << 20) else { return }
            for (id, size) in sizes { await Self.store(id, size, in: store) }
            await store.close()
        }
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return paths(in: folder).compactMap { name in
            FileManager.default.contents(atPath: folder + "/" + name).map { (name, $0) }
        }
    }()

    private static func paths(in folder: String) -> [String] {
        let bodies = "sockeye-cache-bodies"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let inner = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/" + bodies)) ?? []
        return (names.filter { $0 != bodies } + inner.map { bodies + "/" + $0 }).sorted()
    }

    private static func store(_ id: String, _ size: Int, in store: DiskCacheStore) async {
        guard let response = response(id), let key = try? HTTPURL("https://a.test/\(id)").description,
            let writer = try? store.writer(for: response, key: key)
        else { return }
        do {
            try await writer.write(content(id, size))
            try await writer.commit()
        } catch {
            writer.abandon()
        }
    }

    /// The input has edits of the files of a folder, each with a file, a position, and bytes or a cut. The store must
    /// open, serve each entry completely or not at all, and accept new entries.
    static let folders: FuzzTarget = { bytes in
        let folder = scratch
        let files = files
        require(files.count >= 4, "the folder could not be made: \(files.map(\.name))")
        try? FileManager.default.removeItem(atPath: folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        guard write(edited(files, by: bytes), to: folder) else { return }
        FuzzRun.value {
            guard let store = try? DiskCacheStore(at: folder, limit: 16 << 20) else { return }
            for (id, size) in sizes { await check(id, size, in: store) }
            await Self.store("new", 100_000, in: store)
            await check("new", 100_000, in: store)
            _ = try? await store.removeAll()
            await store.close()
        }
    }

    private static func edited(_ files: [(name: String, bytes: Data)], by bytes: [UInt8]) -> [(
        name: String, bytes: Data
    )] {
        var (files, rest) = (files.map { ($0.name, [UInt8]($0.bytes)) }, bytes[...])
        while rest.count > 5 {
            let index = Int(rest.removeFirst()) % files.count
            let action = rest.removeFirst()
            let size = files[index].1.count
            let position = rest.prefix(3).reduce(0) { $0 << 8 | Int($1) } % max(1, size)
            rest = rest.dropFirst(3)
            switch action % 4 {
            case 0: files[index].1.removeLast(size - min(position, size))
            case 1: files[index].1 += [UInt8](repeating: action, count: position)
            default:
                let part = rest.prefix(Int(action / 4))
                rest = rest.dropFirst(part.count)
                for (offset, byte) in part.enumerated() where position + offset < files[index].1.count {
                    files[index].1[position + offset] = byte
                }
            }
        }
        return files.map { ($0.0, Data($0.1)) }
    }

    private static func write(_ files: [(name: String, bytes: Data)], to folder: String) -> Bool {
        do {
            try FileManager.default.createDirectory(
                atPath: folder + "/sockeye-cache-bodies", withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            for (name, bytes) in files { try bytes.write(to: URL(filePath: folder + "/" + name)) }
            return true
        } catch {
            return false
        }
    }

    private static func check(_ id: String, _ size: Int, in store: DiskCacheStore) async {
        guard let key = try? HTTPURL("https://a.test/\(id)").description else { return }
        for response in (try? await store.responses(for: key)) ?? [] {
            guard let body = (try? await store.body(of: response, for: key)) ?? nil else { continue }
            var found: [UInt8] = []
            switch body {
            case .pieces(let pieces): for piece in pieces { found += piece }
            case .stream(let open):
                do {
                    for try await piece in open(0..<response.bodyLength) { found += piece }
                } catch {
                    continue
                }
            }
            require(response.id == id && Bytes(found) == content(id, size), "content of \(id) that was not stored")
        }
    }
}
#endif
