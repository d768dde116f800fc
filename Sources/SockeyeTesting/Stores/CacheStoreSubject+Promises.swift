import HTTPTypes
import Sockeye
import SockeyeCache
import SockeyeCore
import SockeyeHTTP

extension CacheStoreSubject {
    func checkWholeOrNothing() async throws {
        let key = key("a")
        for count in [0, 10, 200_000] {
            let response = try Self.response("whole-\(count)")
            guard let writer = try await store.writer(for: response, key: key) else {
                return try demand(false, "the store refuses a response of \(count) bytes")
            }
            try await Self.write(Self.content(response.id, count), to: writer, pieces: 4096)
            try await demandGone(response, under: key)
            try await writer.commit()
            try await demandStored(response.id, count, under: key)
            let abandoned = try Self.response("abandoned-\(count)", foo: "\(count)")
            let other = try await store.writer(for: abandoned, key: key)
            if let other { try await Self.write(Self.content(abandoned.id, count), to: other, pieces: 4096) }
            other?.abandon()
            try await demandGone(abandoned, under: key)
        }
    }

    /// Sizes around the thresholds at which stores change their storage format.
    private static let sizes = [
        0, 1, 4095, 65_535, 65_536, 65_537, 262_143, 262_144, 262_145, 524_288, 600_001, 1 << 20,
    ]

    func checkExactContent() async throws {
        for (index, size) in Self.sizes.enumerated() {
            let key = key("size-\(index)")
            try await store(
                Self.response("content-\(size)"), size, under: key, pieces: [7777, 1 << 20, 65_536][index % 3])
            try await demandStored("content-\(size)", size, under: key)
            try await store.removeAll(for: key)
        }
        try await store(Self.response("bytewise"), 3000, under: key("bytes"), pieces: 1)
        try await demandStored("bytewise", 3000, under: key("bytes"))
    }

    func checkRanges() async throws {
        for size in [1, 65_536, 600_001] {
            let (key, id) = (key("range-\(size)"), "range-\(size)")
            try await store(Self.response(id), size, under: key)
            guard let found = try await find(id, under: key) else { return try demand(false, "\(id) is not stored") }
            let whole = Self.content(id, size)
            let edges = [0, 1, 1000, 65_535, 262_143, 262_144, 262_145, 524_288, size - 1, size].filter { $0 <= size }
            for start in edges {
                for end in edges where start < end {
                    let part = try await read(found, under: key, start..<end)
                    try demand(
                        part == whole.slice(start..<end),
                        "bytes \(start)..<\(end) of \(size) differ from the bytes written")
                }
            }
        }
    }

    func checkExactHeads() async throws {
        var headers: Headers = [:]
        for value in [
            "", "a, b", "\"quoted, \\\" string\"", "caf\u{E9}", "\u{9}tab", String(repeating: "x", count: 8000),
        ] {
            headers.append("X-Field", value)
        }
        headers[.eTag] = "W/\"1\""
        var response = try Self.response("head", foo: "v\u{FC}, w", headers: headers, partition: "p")
        response.age = 1 << 31
        response.reason = "Tr\u{E8}s bien"
        for status in [200, 404, 599] {
            response.status = status
            try await store(response, status, under: key("head"))
            var expected = response
            expected.bodyLength = status
            let found = try await find("head", under: key("head"))
            try demand(found == expected, "the stored head differs: \(String(describing: found))")
        }
    }

    func checkReplacement() async throws {
        let key = key("a")
        for (id, foo) in [("1", "a"), ("2", "b"), ("3", "a")] {
            try await store(Self.response(id, foo: foo), 100, under: key)
        }
        try await store(Self.response("4", foo: "a", partition: "p"), 100_000, under: key)
        try await demandGone(try Self.response("1", foo: "a"), under: key)
        for (id, count) in [("2", 100), ("3", 100), ("4", 100_000)] { try await demandStored(id, count, under: key) }
        try await store(Self.response("5", foo: "a", partition: "p"), 70_000, under: key)
        let ids = try await Set(store.responses(for: key).map(\.id))
        try demand(ids == ["2", "3", "5"], "the stored responses are \(ids.sorted())")
    }

    func checkRemoval() async throws {
        let (one, other) = (key("one"), key("other"))
        for (index, count) in [10, 100_000, 20].enumerated() {
            try await store(Self.response("\(index)", foo: "\(index)"), count, under: one)
        }
        try await store(Self.response("o"), 10, under: other)
        let removed = try Self.response("1", foo: "1")
        try await store.remove(removed, for: one)
        try await store.remove(removed, for: one)
        try await demandGone(removed, under: one)
        try await demandStored("0", 10, under: one)
        try await store.removeAll(for: one)
        try await store.removeAll(for: one)
        try demand(try await store.responses(for: one).isEmpty, "responses exist under a key that was removed")
        try await demandStored("o", 10, under: other)
        try await store(Self.response("again"), 5, under: one)
        try await demandStored("again", 5, under: one)
    }

    func checkRemovalEndsWriting() async throws {
        let key = key("a")
        for count in [10, 300_000] {
            let response = try Self.response("late-\(count)")
            let writer = try await store.writer(for: response, key: key)
            try await writer?.write(Self.content(response.id, count))
            try await store.removeAll(for: key)
            do { try await writer?.commit() } catch { writer?.abandon() }
            try await demandGone(response, under: key)
            // An entry that is written after the removal is kept.
            try await store(Self.response("next-\(count)"), count, under: key)
            try await demandStored("next-\(count)", count, under: key)
        }
    }

    func checkUpdate() async throws {
        let key = key("a")
        for count in [10, 100_000] {
            let id = "update-\(count)"
            try await store(Self.response(id), count, under: key)
            guard var found = try await find(id, under: key) else { return try demand(false, "\(id) is not stored") }
            found.headers[.eTag] = "\"2\""
            found.responseTime += 100
            try await store.update(found, for: key)
            let updated = try await find(id, under: key)
            try demand(updated == found, "the head was not updated")
            try await demandStored(id, count, under: key)
            try await store.remove(found, for: key)
            try await store.update(found, for: key)
            try await demandGone(found, under: key)
        }
    }

    func checkUnknown() async throws {
        let response = try Self.response("unknown")
        try demand(try await store.responses(for: key("none")).isEmpty, "a response exists under an unknown key")
        try await demandGone(response, under: key("none"))
        try await store.remove(response, for: key("none"))
        try await store.update(response, for: key("none"))
        try await store.removeAll(for: key("none"))
        try await store(Self.response("known"), 10, under: key("some"))
        // The response is stored, but under another key.
        let known = try await find("known", under: key("some"))
        if let known { try await demandGone(known, under: key("none")) }
    }

    func checkOpenContent() async throws {
        let key = key("a")
        for count in [1000, 600_001] {
            let id = "open-\(count)"
            try await store(Self.response(id), count, under: key)
            guard let found = try await find(id, under: key), let body = try await store.body(of: found, for: key)
            else {
                return try demand(false, "\(id) is not stored")
            }
            try await store.removeAll(for: key)
            try await store(Self.response("new-\(count)"), count, under: key)
            let content = try? await Self.read(body, 0..<count)
            try demand(
                content == nil || content == Self.content(id, count),
                "\(id) was served truncated, or with the content of another entry")
        }
    }

    func checkConcurrency() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    for round in 0..<20 { try await step("\(worker)-\(round)", worker * 20 + round) }
                }
            }
            try await group.waitForAll()
        }
    }

    private func step(_ id: String, _ number: Int) async throws {
        let key = key("\(number % 5)")
        switch number % 4 {
        case 0: try await store.removeAll(for: key)
        case 1:
            // An entry that another task removes meanwhile is not stored; the store may throw then.
            let size = number * 1237 % 150_000
            let writer = try await store.writer(for: try Self.response(id), key: key)
            do {
                if let writer { try await Self.write(Self.content(id, size), to: writer, pieces: 10_000) }
                try await writer?.commit()
            } catch {
                writer?.abandon()
            }
        default:
            for found in try await store.responses(for: key) {
                guard let content = try? await read(found, under: key) else { continue }
                try demand(
                    content == Self.content(found.id, found.bodyLength),
                    "\(found.id) was served truncated, or with the content of another entry")
            }
        }
    }
}
