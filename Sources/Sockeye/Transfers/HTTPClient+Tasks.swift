public import HTTPTypes
public import SockeyeEngine
public import SockeyeHTTP
public import SockeyeSerialization

extension HTTPClient {
    /// Begins a task whose response becomes a value.
    ///
    /// - Parameters:
    ///   - method: The request method.
    ///   - url: Absolute, or relative to the client's base.
    ///   - content: What is sent. Default nothing.
    ///   - query: What is added to the query of the URL.
    ///   - headers: Fields of this call, which go before those of the scope.
    ///   - options: Deadlines, limits and policies of this call alone; priority, dependencies.
    ///   - serializer: What makes the value, and says which responses are acceptable.
    /// - Throws: ``SockeyeError/Code-swift.struct/encodingFailed`` for content that cannot be encoded, and
    ///   ``SockeyeError/Code-swift.struct/invalidURL``.
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

    /// Begins a task that sends content. Its progress counts the bytes that the system has taken.
    ///
    /// ```swift
    /// let task = try client.uploadTask(.put, "blob", .file(path))
    /// ```
    ///
    /// - Parameters:
    ///   - method: The request method.
    ///   - url: Absolute, or relative to the client's base.
    ///   - content: What is sent. A request that is redirected, challenged or repeated asks for it again, where its
    ///     body is ``OutgoingRequest/Body/isReplayable`` (`needNewBodyStream`).
    ///   - query: What is added to the query of the URL.
    ///   - headers: Fields of this call, which go before those of the scope.
    ///   - options: Deadlines, limits and policies of this call alone; priority, dependencies.
    ///   - serializer: What makes the value of the response; by default its content.
    /// - Throws: ``SockeyeError/Code-swift.struct/encodingFailed`` for content that cannot be encoded,
    ///   ``SockeyeError/Code-swift.struct/bodyFailed`` for a file that cannot be read, and
    ///   ``SockeyeError/Code-swift.struct/invalidURL``.
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
            let response = try await send(request.pausable(by: control))
            return try await response.received(by: control).value(as: serializer)
        }
    }
}

extension OutgoingRequest {
    /// The request as a task sends it: its content held up while that is paused, and counted as the system takes it.
    func pausable(by control: TransferControl) -> OutgoingRequest {
        var request = self
        request.change { values in
            let total = values.body.length
            let report = values.options.onBodyProgress
            values.body = values.body.passing(control.gate)
            values.options.gate = control.gate
            values.options.collectsMetrics = true
            values.options.onBodyProgress = { count in
                control.upload.update(count, of: total)
                report?(count)
            }
        }
        control.upload.update(0, of: request.body.length)
        return request
    }
}

extension IncomingResponse {
    /// The response with its content held up while a task is paused, and counted.
    func received(by control: TransferControl) -> IncomingResponse {
        control.download.update(0, of: body.expectedLength)
        control.download.add(wrapSource { PausableSource($0, control.gate, counting: control.download) })
        control.received(self)
        return self
    }
}
