import BenchmarkKit
import CCurl
import Glibc

/// One easy handle, which each request of its worker reuses.
final class CurlTransfer {
    let handle: UnsafeMutableRawPointer
    var started: UInt64 = 0
    /// The number of requests begun in the phase.
    var count = 0
    private let job: Job
    private var received = 0
    private var answer: [UInt8] = []
    private var unsent = 0
    private var extraFields: UnsafeMutablePointer<curl_slist>?
    private var file: UnsafeMutablePointer<FILE>?
    private var form: OpaquePointer?

    init(_ options: ClientOptions) throws {
        guard let handle = curl_easy_init() else { throw CurlError(description: "curl_easy_init failed") }
        self.handle = handle
        job = options.job
        _ = options.url.withCString { bench_curl_set_pointer(handle, CURLOPT_URL, $0) }
        bench_curl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        _ = options.roots?.withCString { bench_curl_set_pointer(handle, CURLOPT_CAINFO, $0) }
        let context = Unmanaged.passUnretained(self).toOpaque()
        bench_curl_set_pointer(handle, CURLOPT_PRIVATE, context)
        bench_curl_set_pointer(handle, CURLOPT_WRITEDATA, context)
        if let proxy = options.proxy { setUpProxy(proxy, roots: options.roots) }
        _ = options.coding?.withCString { bench_curl_set_pointer(handle, CURLOPT_ACCEPT_ENCODING, $0) }
        bench_curl_set_function(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            Unmanaged<CurlTransfer>.fromOpaque(context!).takeUnretainedValue().receive(bytes!, size * count)
        }
        if case .form = job {
            setUpForm(file: options.uploadFile ?? "")
        } else {
            try setUpUpload(context, file: options.uploadFile)
        }
    }

    /// Sets the proxy; the scheme of its URL determines the protocol. A TLS proxy has its own root.
    private func setUpProxy(_ url: String, roots: String?) {
        _ = url.withCString { bench_curl_set_pointer(handle, CURLOPT_PROXY, $0) }
        _ = roots?.withCString { bench_curl_set_pointer(handle, CURLOPT_PROXY_CAINFO, $0) }
    }

    /// Sets a form, as `curl -F title=Benchmark -F file=@…` does.
    private func setUpForm(file path: String) {
        form = curl_mime_init(handle)
        let title = curl_mime_addpart(form)
        curl_mime_name(title, "title")
        curl_mime_data(title, "Benchmark", 9)
        let file = curl_mime_addpart(form)
        curl_mime_name(file, "file")
        curl_mime_filedata(file, path)
        curl_mime_type(file, "application/octet-stream")
        bench_curl_set_pointer(handle, CURLOPT_MIMEPOST, UnsafeRawPointer(form))
        // The other clients send no Expect field either.
        extraFields = curl_slist_append(nil, "Expect:")
        bench_curl_set_pointer(handle, CURLOPT_HTTPHEADER, extraFields)
    }

    /// True if the response contains the number of received bytes.
    private var isUpload: Bool {
        switch job {
        case .upload, .form: true
        case .get, .json: false
        }
    }

    private func setUpUpload(_ context: UnsafeMutableRawPointer, file path: String?) throws {
        guard case .upload(let bytes, let chunked) = job else { return }
        bench_curl_set_long(handle, CURLOPT_UPLOAD, 1)
        if chunked {
            extraFields = curl_slist_append(nil, "Transfer-Encoding: chunked")
            bench_curl_set_pointer(handle, CURLOPT_HTTPHEADER, extraFields)
        } else {
            bench_curl_set_size(handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(bytes))
        }
        if let path {
            // Without a read function, libcurl reads the file with `fread`.
            file = fopen(path, "re")
            guard file != nil else { throw CurlError(description: "cannot open \(path)") }
            bench_curl_set_pointer(handle, CURLOPT_READDATA, file)
            return
        }
        bench_curl_set_pointer(handle, CURLOPT_READDATA, context)
        bench_curl_set_function(handle, CURLOPT_READFUNCTION) { bytes, size, count, context in
            Unmanaged<CurlTransfer>.fromOpaque(context!).takeUnretainedValue().send(bytes!, size * count)
        }
    }

    /// Prepares the next request.
    func begin(at now: UInt64) {
        started = now
        received = 0
        answer = []
        if case .upload(let bytes, _) = job { unsent = bytes }
        if let file { rewind(file) }
    }

    /// Checks the response and returns the number of body bytes moved.
    func finish(_ result: CURLcode) throws -> Int {
        guard result == CURLE_OK else { throw CurlError(description: String(cString: curl_easy_strerror(result))) }
        var bytes = received
        if isUpload { bytes = WrongAnswer.received(answer) }
        try WrongAnswer.check(status: bench_curl_status(handle), bytes: bytes, for: job)
        return bytes
    }

    private func receive(_ bytes: UnsafeMutablePointer<CChar>, _ count: Int) -> Int {
        received += count
        if isUpload {
            answer += UnsafeRawBufferPointer(start: bytes, count: count)
        }
        return count
    }

    private func send(_ buffer: UnsafeMutablePointer<CChar>, _ capacity: Int) -> Int {
        let count = min(capacity, unsent)
        memset(buffer, 0, count)
        unsent -= count
        return count
    }

    deinit {
        curl_easy_cleanup(handle)
        curl_mime_free(form)
        curl_slist_free_all(extraFields)
        if let file { fclose(file) }
    }
}

/// A failure that libcurl reports.
struct CurlError: Error, CustomStringConvertible {
    let description: String
}
