import BenchmarkKit
import CCurl

/// The multi interface of libcurl on one thread, with default settings except for the trusted root and the size of the
/// connection cache.
struct CurlLoad: LoadClient {
    let options: ClientOptions
    let multi: UnsafeMutableRawPointer
    let transfers: [UnsafeMutableRawPointer: CurlTransfer]

    init(_ options: ClientOptions) throws {
        curl_global_init(Int(CURL_GLOBAL_ALL))
        guard let multi = curl_multi_init() else { throw CurlError(description: "curl_multi_init failed") }
        bench_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, options.connections)
        if options.workers > options.connections {
            bench_curl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, options.connections)
        }
        try self.init(options, multi: multi)
    }

    private init(_ options: ClientOptions, multi: UnsafeMutableRawPointer) throws {
        self.options = options
        self.multi = multi
        let all = try (0..<options.workers).map { _ in try CurlTransfer(options) }
        transfers = Dictionary(uniqueKeysWithValues: all.map { ($0.handle, $0) })
    }

    func retargeted(_ options: ClientOptions) throws -> CurlLoad { try CurlLoad(options, multi: multi) }

    func load(_ phase: Phase) throws -> Tally {
        var tally = Tally()
        var active = 0
        for transfer in transfers.values {
            transfer.count = 0
            if begin(transfer, in: phase, at: MonotonicClock.now) { active += 1 }
        }
        while active > 0 {
            var running: Int32 = 0
            var began = false
            curl_multi_perform(multi, &running)
            var result = CURLE_OK
            while let handle = bench_curl_done(multi, &result), let transfer = transfers[handle] {
                let now = MonotonicClock.now
                do {
                    tally.record(bytes: try transfer.finish(result), nanoseconds: now - transfer.started)
                } catch {
                    tally.record(error: error)
                }
                curl_multi_remove_handle(multi, handle)
                if !tally.isHopeless, begin(transfer, in: phase, at: now) {
                    began = true
                } else {
                    active -= 1
                }
            }
            if active > 0, !began { curl_multi_poll(multi, nil, 0, 1000, nil) }
        }
        return tally
    }

    private func begin(_ transfer: CurlTransfer, in phase: Phase, at now: UInt64) -> Bool {
        guard phase.admits(at: now, had: transfer.count) else { return false }
        transfer.count += 1
        transfer.begin(at: now)
        return curl_multi_add_handle(multi, transfer.handle) == CURLM_OK
    }

    func shutDown() {
        curl_multi_cleanup(multi)
    }
}
