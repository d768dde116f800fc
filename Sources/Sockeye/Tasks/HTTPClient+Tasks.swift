public import HTTPTypes
public import SockeyeEngine
public import SockeyeHTTP
public import SockeyeSerialization

extension HTTPClient {
    /// Begins a task whose response becomes a value.
    ///
    /// - Parameters:
    ///   - serializer: What makes the value, and says which responses are acceptable.
    ///   - settings: Priority, dependencies, user information.
    public func dataTask<Serializer: ResponseSerializer>(
        _ method: HTTPRequest.Method, _ url: String, query: Parameters = [:], headers: Headers = [:],
        body: RequestBody = .none, options: RequestOptions = RequestOptions(), as serializer: Serializer,
        settings: TransferSettings = TransferSettings()
    ) throws(SockeyeError) -> DataTask<Serializer.Value> {
        let headers = asking(serializer.accept, in: headers)
        let request = try makeRequest(method, url, query: query, headers: headers, body: body, options: options)
        return task(.data, request, as: serializer, settings)
    }

    /// Begins a task that sends content. Its progress counts the bytes that the system has taken.
    ///
    /// - Parameters:
    ///   - body: The content. A request that is redirected, challenged or repeated asks for it again, where it is
    ///     ``RequestBody/isReplayable`` (`needNewBodyStream`).
    ///   - serializer: What makes the value of the response.
    ///   - settings: Priority, dependencies, user information.
    public func uploadTask<Serializer: ResponseSerializer>(
        _ method: HTTPRequest.Method, _ url: String, query: Parameters = [:], headers: Headers = [:],
        body: RequestBody, options: RequestOptions = RequestOptions(), as serializer: Serializer,
        settings: TransferSettings = TransferSettings()
    ) throws(SockeyeError) -> UploadTask<Serializer.Value> {
        let headers = asking(serializer.accept, in: headers)
        let request = try makeRequest(method, url, query: query, headers: headers, body: body, options: options)
        return task(.upload, request, as: serializer, settings)
    }

    /// As ``uploadTask(_:_:query:headers:body:options:as:settings:)``; the value is the content of the response.
    public func uploadTask(
        _ method: HTTPRequest.Method, _ url: String, query: Parameters = [:], headers: Headers = [:],
        body: RequestBody, options: RequestOptions = RequestOptions(),
        settings: TransferSettings = TransferSettings()
    ) throws(SockeyeError) -> UploadTask<Bytes> {
        try uploadTask(
            method, url, query: query, headers: headers, body: body, options: options, as: .bytes, settings: settings)
    }

    /// As ``uploadTask(_:_:query:headers:body:options:as:settings:)``, of a multipart form. The counterpart of
    /// `uploadTaskWithStreamedRequest:progress:completionHandler:` with a request of `constructingBodyWithBlock:`.
    ///
    /// - Parameter build: Fills the form; see ``MultipartForm``. Called once, before the task is made.
    /// - Throws: ``SockeyeError/Code-swift.struct/encodingFailed`` for a part that cannot be sent and for what `build` throws
    ///   besides the library's own errors, and ``SockeyeError/Code-swift.struct/invalidURL``.
    public func uploadTask<Serializer: ResponseSerializer>(
        _ method: HTTPRequest.Method, _ url: String, multipart build: (inout MultipartForm) throws -> Void,
        query: Parameters = [:], headers: Headers = [:], options: RequestOptions = RequestOptions(),
        as serializer: Serializer, settings: TransferSettings = TransferSettings()
    ) throws(SockeyeError) -> UploadTask<Serializer.Value> {
        let headers = asking(serializer.accept, in: headers)
        let request = try makeRequest(method, url, query: query, headers: headers, options: options)
        return task(.upload, try adding(build, to: request), as: serializer, settings)
    }

    /// As ``uploadTask(_:_:multipart:query:headers:options:as:settings:)``; the value is the content of the response.
    public func uploadTask(
        _ method: HTTPRequest.Method, _ url: String, multipart build: (inout MultipartForm) throws -> Void,
        query: Parameters = [:], headers: Headers = [:], options: RequestOptions = RequestOptions(),
        settings: TransferSettings = TransferSettings()
    ) throws(SockeyeError) -> UploadTask<Bytes> {
        try uploadTask(
            method, url, multipart: build, query: query, headers: headers, options: options, as: .bytes,
            settings: settings)
    }

    private func task<Serializer: ResponseSerializer>(
        _ kind: TransferKind, _ request: Request, as serializer: Serializer, _ settings: TransferSettings
    ) -> TransferTask<Serializer.Value> {
        TransferTask(kind, request, settings: settings, scope: scope) { control throws(SockeyeError) in
            let response = try await send(request.working(for: control))
            return try await response.received(by: control).value(as: serializer)
        }
    }

    /// The tasks of the client and all its scopes that have not ended, the oldest first, by ``TransferTask/id``.
    public func tasks(_ kind: TransferKind? = nil) -> [any TransferListing] {
        scope.settings.tasks.tasks.filter { kind == nil || $0.kind == kind }.compactMap { $0 as? any TransferListing }
    }

    /// Cancels all tasks of the client and its scopes.
    public func cancelTasks() async {
        for task in scope.settings.tasks.tasks { await task.cancel() }
    }

    /// How many tasks may run at a time from now on; see ``ClientConfiguration/runningTasks``.
    public func limitRunningTasks(to limit: Int?) {
        scope.settings.tasks.setLimit(limit)
    }

    /// Takes no more tasks, and returns when those that there are have ended. The counterpart of AFNetworking's
    /// `invalidateSessionCancelingTasks:`.
    ///
    /// Calls that are no tasks go on working; ``shutDown(graceful:within:)`` ends those.
    ///
    /// - Parameter cancelling: Whether the tasks are cancelled instead of being waited for.
    public func invalidateTasks(cancelling: Bool = false) async {
        let tasks = scope.settings.tasks.invalidate()
        for task in tasks {
            if cancelling { await task.cancel() }
            await task.waitUntilEnded()
        }
        for monitor in scope.settings.monitors { monitor.clientDidInvalidateTasks() }
    }
}

extension Request {
    /// The request as a task sends it: its content held up while that is paused, and counted as the system takes it.
    func working(for control: TransferControl) -> Request {
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

extension Response {
    /// The response with its content held up while a task is paused, and counted.
    func received(by control: TransferControl) -> Response {
        control.download.update(0, of: body.expectedLength)
        control.download.add(relay { TransferSource($0, control.gate, counting: control.download) })
        control.received(self)
        return self
    }
}
