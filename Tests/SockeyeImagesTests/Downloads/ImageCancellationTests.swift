#if Images
import SockeyeImages
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("Image downloads that end early", .timeLimit(.minutes(1)))
struct ImageCancellationTests {
    private static func downloader(
        _ client: HTTPClient = HTTPClient(), _ change: (inout ImageDownloader.Options) -> Void = { _ in }
    ) -> ImageDownloader {
        var options = ImageDownloader.Options()
        change(&options)
        return ImageDownloader(client: client, options: options)
    }

    private func code(_ receipt: ImageDownloader.Receipt) async -> SockeyeError.Code? {
        do throws(SockeyeError) {
            _ = try await receipt.value
            return nil
        } catch {
            return error.code
        }
    }

    @Test("cancelling one receipt leaves the others, and cancelling the last one ends the exchange")
    func last() async throws {
        let images = ImageServer(holds: true)
        try await images.run { server in
            let downloader = Self.downloader()
            let receipts = (0..<3).map { _ in downloader.download(server.url("/a")) }
            await images.awaitRequests(1)
            receipts[1].cancel()
            #expect(await code(receipts[1]) == .cancelled)
            receipts[1].cancel()
            #expect(receipts[0].result == nil)
            #expect(downloader.activeDownloads == 1)
            receipts[0].cancel()
            receipts[2].cancel()
            await eventually("the end of the exchange") { downloader.activeDownloads == 0 }
            // The client has closed the connection instead of keeping it for another exchange.
            images.release("/a")
            try await server.wait { $0.openConnections == 0 }
            #expect(images.paths.count == 1)
        }
    }

    @Test("other receipts get their image after one was cancelled")
    func others() async throws {
        let images = ImageServer(holds: true)
        try await images.run { server in
            let downloader = Self.downloader()
            let gone = downloader.download(server.url("/a"))
            let kept = downloader.download(server.url("/a"), filter: .circle)
            await images.awaitRequests(1)
            gone.cancel()
            images.release("/a")
            try await expect(kept, width: 2)
            // A cancellation has no effect after the end of the receipt.
            kept.cancel()
            #expect(await code(kept) == nil)
        }
    }

    @Test("a download that is cancelled in the queue is never sent")
    func waiting() async throws {
        let images = ImageServer(holds: true)
        try await images.run { server in
            let downloader = Self.downloader { $0.maximumActiveDownloads = 1 }
            let receipts = ["/a", "/b", "/c"].map { downloader.download(server.url($0)) }
            receipts[1].cancel()
            #expect(await code(receipts[1]) == .cancelled)
            #expect(downloader.waitingDownloads == 1)
            for path in ["/a", "/b", "/c"] { images.release(path) }
            #expect(await code(receipts[0]) == nil)
            #expect(await code(receipts[2]) == nil)
            #expect(images.paths == ["/a", "/c"])
        }
    }

    @Test("a new receipt for the URL of an abandoned download gets its own exchange")
    func requestAfterAbandonedDownload() async throws {
        let images = ImageServer(holds: true)
        try await images.run { server in
            let downloader = Self.downloader { $0.maximumActiveDownloads = 1 }
            let first = downloader.download(server.url("/a"))
            await images.awaitRequests(1)
            first.cancel()
            let second = downloader.download(server.url("/a"))
            images.release("/a")
            #expect(await code(first) == .cancelled)
            #expect(await code(second) == nil)
            #expect(images.paths.count == 2)
        }
    }

    @Test("cancelling a task cancels the download if the task awaits an image, but not if it awaits a receipt")
    func tasks() async throws {
        let images = ImageServer(holds: true)
        try await images.run { server in
            let downloader = Self.downloader()
            let receipt = downloader.download(server.url("/a"))
            let watching = Task { try await receipt.value }
            let asking = Task { try await downloader.image(server.url("/b")) }
            await images.awaitRequests(2)
            watching.cancel()
            asking.cancel()
            await #expect(throws: SockeyeError.self) { try await watching.value }
            await #expect(throws: SockeyeError.self) { try await asking.value }
            await eventually("the end of the exchange") { downloader.activeDownloads == 1 }
            images.release("/a")
            #expect(await code(receipt) == nil)
        }
    }

    @Test("a deadline ends each receipt, queued or not, and the exchange ends with its last receipt")
    func deadline() async throws {
        let images = ImageServer(holds: true)
        let clock = ManualClock()
        try await images.run { server in
            var timeouts = Timeouts()
            timeouts.head = .seconds(3600)
            let downloader = Self.downloader(HTTPClient(clock: clock).scoped(timeouts: timeouts)) {
                $0.maximumActiveDownloads = 1
            }
            let early = downloader.download(server.url("/a"))
            let inLine = downloader.download(server.url("/b"))
            await images.awaitRequests(1)
            clock.advance(by: .seconds(30))
            let late = downloader.download(server.url("/a"))
            clock.advance(by: .seconds(30))
            for (receipt, phase) in [(early, SockeyeError.Phase.body), (inLine, .pool)] {
                let error = await #expect(throws: SockeyeError.self) { try await receipt.value }
                #expect(error?.code == .timeout)
                #expect(error?.phase == phase)
                #expect(error?.limit?.configured == "60.0 seconds")
            }
            #expect(late.result == nil)
            #expect(downloader.activeDownloads == 1)
            clock.advance(by: .seconds(30))
            #expect(await code(late) == .timeout)
            await eventually("the end of the exchange") { downloader.activeDownloads == 0 }
            #expect(images.paths == ["/a"])
        }
    }

    @Test(
        "if receipts are cancelled at random moments, each ends, at most three downloads are active and none is left",
        arguments: 0..<8)
    func races(seed: UInt64) async throws {
        let images = ImageServer()
        try await images.run { server in
            let downloader = Self.downloader {
                $0.cache = nil
                $0.maximumActiveDownloads = 3
                $0.prioritization = seed % 2 == 0 ? .fifo : .lifo
            }
            let filters: [ImageFilter?] = [nil, .circle, .scaled(width: 9, height: 9)]
            try await withThrowingTaskGroup { group in
                for worker in 0..<4 {
                    group.addTask {
                        var generator = SplitMix(seed: seed << 8 | UInt64(worker))
                        for _ in 0..<60 {
                            let path =
                                ["/0", "/1", "/2", "/3", "/4", "/missing"].randomElement(using: &generator) ?? "/"
                            let filter = filters[Int.random(in: 0..<3, using: &generator)]
                            let receipt = downloader.download(server.url(path), filter: filter)
                            for _ in 0..<Int.random(in: 0..<40, using: &generator) { await Task.yield() }
                            if Bool.random(using: &generator) { receipt.cancel() }
                            #expect(downloader.activeDownloads <= 3)
                            switch await code(receipt) {
                            case nil, .cancelled: break
                            case .unacceptableStatus: #expect(path == "/missing")
                            case let code: Issue.record("\(code as Any)")
                            }
                            #expect(receipt.result != nil)
                        }
                    }
                }
                try await group.waitForAll()
            }
            await eventually("the end of all downloads") {
                downloader.activeDownloads == 0 && downloader.waitingDownloads == 0
            }
            // An abandoned exchange may still get its answer while the next one begins.
            #expect(images.paths.count <= 240)
        }
    }

    @Test("a released downloader ends with its last download")
    func lifetime() async throws {
        let images = ImageServer(holds: true)
        try await images.run { server in
            weak var weakDownloader: ImageDownloader?
            let receipt: ImageDownloader.Receipt? = {
                let downloader = Self.downloader()
                weakDownloader = downloader
                return downloader.download(server.url("/a"))
            }()
            #expect(weakDownloader != nil)
            images.release("/a")
            if let receipt { #expect(await code(receipt) == nil) }
            _ = consume receipt
            await eventually("the end of the downloader") { weakDownloader == nil }
        }
    }
}
#endif
