public import HTTPTypes
public import SockeyeEngine
public import SockeyeHTTP
public import SockeyeSerialization

extension HTTPClient {
    /// Starts a task that makes a value from its response.
    ///
    /// - Parameters:
    ///   - method: The request method.
    ///   - url: An absolute URL, or one relative to the client's base.
    ///   - content: The content to send. Default: none.
    ///   - query: Parameters to append to the URL's query.
    ///   - headers: Fields of this call. They override the client's default fields of the same names.
    ///   - options: Deadlines, limits and policies of this call, and the task's priority and dependencies.
    ///   - serializer: Makes the value, and decides which responses are acceptable.
    /// - Throws: ``/Sockeye/SockeyeError/Code-swift.struct/encodingFailed`` if the content or the query cannot be
    ///   encoded, ``/Sockeye/SockeyeError/Code-swift.struct/bodyFailed`` if a file cannot be read, and
    ///   ``/Sockeye/SockeyeError/Code-swift.struct/invalidURL``.
    public func dataTask<Serializer: ResponseSerializer>(
        _ method: HTTPRequest.Method, _ url: some HTTPURL.Convertible, _ content: Content? = nil,
        query: RequestParameters = [:], headers: Headers = [:],
        options: OutgoingRequest.Options = OutgoingRequest.Options(),
        as serializer: Serializer
    ) throws(SockeyeError) -> TransferTask<Serializer.Value> {
        let headers = addingAccept(serializer.accept, in: headers)
        let request = try makeRequest(method, url, content, query: query, headers: headers, options: options)
        return task(.data, request, as: serializer)
    }

    /// Starts a task that sends content. Its progress counts the bytes that the kernel has accepted.
    ///
    /// ```swift
    /// let task = try client.uploadTask(.put, "blob", .file(path))
    /// ```
    ///
    /// - Parameters:
    ///   - method: The request method.
    ///   - url: An absolute URL, or one relative to the client's base.
    ///   - content: The content to send. After a redirect, a challenge or a failure it is sent again if the body is
    ///     ``/Sockeye/OutgoingRequest/Body/isReplayable``. This replaces URLSession's `needNewBodyStream`.
    ///   - query: Parameters to append to the URL's query.
    ///   - headers: Fields of this call. They override the client's default fields of the same names.
    ///   - options: Deadlines, limits and policies of this call, and the task's priority and dependencies.
    ///   - serializer: Makes the value of the response. Default: the response's content.
    /// - Throws: ``/Sockeye/SockeyeError/Code-swift.struct/encodingFailed`` if the content or the query cannot be
    ///   encoded, ``/Sockeye/SockeyeError/Code-swift.struct/bodyFailed`` if a file cannot be read, and
    ///   ``/Sockeye/SockeyeError/Code-swift.struct/invalidURL``.
    public func uploadTask<Serializer: ResponseSerializer>(
        _ method: HTTPRequest.Method, _ url: some HTTPURL.Convertible, _ content: Content,
        query: RequestParameters = [:],
        headers: Headers = [:], options: OutgoingRequest.Options = OutgoingRequest.Options(),
        as serializer: Serializer = BodySerializer<Bytes>.bytes
    ) throws(SockeyeError) -> TransferTask<Serializer.Value> {
        let headers = addingAccept(serializer.accept, in: headers)
        let request = try makeRequest(method, url, content, query: query, headers: headers, options: options)
        return task(.upload, request, as: serializer)
    }

    private func task<Serializer: ResponseSerializer>(
        _ kind: TransferKind, _ request: OutgoingRequest, as serializer: Serializer
    ) -> TransferTask<Serializer.Value> {
        TransferTask(kind, request, scope: scope) { control throws(SockeyeError) in
            let deadline = startDeadline(of: request)
            let response = try await send(request.pausable(by: control))
            return try await response.received(by: control, until: deadline).value(as: serializer)
        }
    }

    /// Starts the total deadline of a request now.
    func startDeadline(of request: OutgoingRequest) -> TransferDeadline {
        let usual = scope.sockets?.configuration.timeouts ?? Timeouts()
        let own = (request.options.timeouts ?? Timeouts()).over(scope.settings.timeouts ?? Timeouts())
        return TransferDeadline(PhaseLimits(own.over(usual)), clock: scope.settings.clock)
    }
}

extension OutgoingRequest {
    /// Returns the request with content that is not sent while the task is paused. The content's bytes are counted
    /// when the kernel accepts them.
    func pausable(by control: TransferControl) -> OutgoingRequest {
        // The length after compression is unknown.
        let total = options.compression?.changes(self) == true ? nil : body.length
        var request = self
        request.change { values in
            let report = values.options.onBodyProgress
            values.body = values.body.passing(control.gate)
            values.options.gate = control.gate
            values.options.collectsMetrics = true
            values.options.onBodyProgress = { count in
                control.upload.update(count, of: total)
                report?(count)
            }
        }
        control.upload.update(0, of: total)
        return request
    }
}

extension IncomingResponse {
    /// Returns the response with content that is not read while the task is paused. Bytes that have arrived with the
    /// head are counted now, all others when they are read.
    ///
    /// - Parameter deadline: The total deadline of the task, which also ends a pause. The connection itself could not
    ///   end the pause: it checks the deadline only during reads, and a paused task does not read.
    func received(by control: TransferControl, until deadline: TransferDeadline) -> IncomingResponse {
        control.download.update(0, of: body.expectedLength)
        let count = wrapSource { PausableSource($0, control.gate, until: deadline, counting: control.download) }
        control.download.add(count ?? 0)
        control.received(self)
        return self
    }
}
