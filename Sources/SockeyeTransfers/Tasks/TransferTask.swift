public import SockeyeEngine

/// A transfer in the background that can be observed, paused, resumed and cancelled.
///
/// ```swift
/// let task = try client.uploadTask(.put, "blob", .file(path))
/// for await progress in task.progress { bar.update(progress) }
/// let receipt = try await task.value
/// ```
///
/// A task starts automatically when its dependencies have ended and fewer tasks run than
/// ``/Sockeye/ClientConfiguration/runningTasks`` allows. It runs to its end even if no reference to it is kept. The
/// counterparts are `NSURLSessionTask` and the tasks of AFNetworking's `AFURLSessionManager`, which start suspended.
public actor TransferTask<Value: Sendable> {
    /// A number that is unique among the tasks of the process.
    public nonisolated let id: UInt64
    /// The purpose of the task.
    public nonisolated let kind: TransferKind
    /// The request as the caller made it. Redirects and policies send further requests.
    public nonisolated let request: OutgoingRequest
    /// The values that the caller attached to the task; see ``/Sockeye/OutgoingRequest/Options/context``. The
    /// counterpart of AFNetworking's `userInfo`.
    public nonisolated var context: OutgoingRequest.Context { request.options.context }

    private let registry: TransferRegistry
    nonisolated let control: TransferControl
    private nonisolated let outcome = TransferPromise<Value>()
    private nonisolated let turn = TransferTurn()
    private let perform: @Sendable (TransferControl) async throws(SockeyeError) -> Value
    private let monitors: [any EventMonitor]
    /// True if a monitor may receive events of the task's calls.
    private let isObserved: Bool
    private var machine = TransferMachine()
    private var work: Task<Void, Never>?
    /// The rank among the waiting tasks.
    public private(set) var priority: TransferPriority

    init(
        _ kind: TransferKind, _ request: OutgoingRequest, scope: ClientScope, resuming resumeData: ResumeData? = nil,
        perform: @escaping @Sendable (TransferControl) async throws(SockeyeError) -> Value
    ) {
        id = TransferRegistry.nextID()
        self.kind = kind
        self.request = request
        priority = request.options.priority
        registry = scope.tasks
        control = TransferControl(
            id, kind, request, time: scope.settings.clock.time, timer: registry.timer, resuming: resumeData)
        isObserved = scope.chain.isObserved
        monitors = scope.settings.monitors
        self.perform = perform
        if registry.add(self, priority: priority, after: Set(request.options.dependencies)) {
            // The work inherits priority and task-local values from here, not from a task that gives up its turn.
            Task { await self.start() }
        } else {
            outcome.fulfill(.failure(SockeyeError.shutDown(.prepare).with { $0.resumeData = resumeData }))
            control.end()
        }
    }

    // MARK: State

    /// The state of the task.
    public var state: TransferState { outcome.result == nil ? machine.state : .ended }

    /// The bytes sent by an upload, or received by any other task.
    public nonisolated var progress: TransferProgress.Updates {
        TransferProgress.Updates(kind == .upload ? control.upload : control.download)
    }

    /// The progress of the request's content, in bytes that the kernel has accepted.
    public nonisolated var uploadProgress: TransferProgress.Updates { TransferProgress.Updates(control.upload) }

    /// The progress of the response's content, in bytes received.
    public nonisolated var downloadProgress: TransferProgress.Updates { TransferProgress.Updates(control.download) }

    /// The latest response; nil before the first head has arrived. Do not read its content, which belongs to the task.
    public nonisolated var response: IncomingResponse? { control.response }

    /// The metrics of the call that returned the latest ``response``; nil before the first response. When a download
    /// continues after an interruption, it makes another call, which has its own metrics. For a download in parts, the
    /// requests for the further parts are not included.
    public nonisolated var metrics: CallMetrics? { control.response?.metrics }

    /// The error of a failed task; otherwise nil.
    public nonisolated var error: SockeyeError? {
        if case .failure(let error) = outcome.result { error } else { nil }
    }

    nonisolated var hasEnded: Bool { outcome.result != nil }

    /// The value of the task. Waits until the task has ended.
    ///
    /// - Throws: The error of the task; ``/Sockeye/SockeyeError/Code-swift.struct/cancelled`` if it was cancelled. Also
    ///   `cancelled` if the waiting Swift task is cancelled; this `TransferTask` then continues.
    public nonisolated var value: Value {
        get async throws(SockeyeError) { try await outcome.value() }
    }

    // MARK: Control

    /// Pauses the transfer until ``resume()``. A task that has not started does not start while it is paused.
    ///
    /// No more content is read or sent. The connection stays open, but the peer may close it. A download in one piece
    /// that can be resumed closes its connection instead, and later continues with `Range` and `If-Range`. A download
    /// in parts keeps its connections. The deadlines ``/Sockeye/Timeouts/head`` and ``/Sockeye/Timeouts/stall`` begin
    /// anew after the pause; all others keep running. A task that has started still counts toward
    /// ``/Sockeye/ClientConfiguration/runningTasks``. Has no effect on a task that is paused, was cancelled or has
    /// ended.
    public func pause() {
        guard !hasEnded, case .suspend = machine.pause() else { return }
        control.pause()
        if !machine.hasBegun, registry.pause(id) { turn.withdraw() }
        monitors.tell(.taskPaused, .taskPaused(control.observed))
    }

    /// Resumes a paused transfer. Has no effect on a transfer that is not paused.
    public func resume() {
        guard !hasEnded, case .resume = machine.resume() else { return }
        control.gate.open()
        if !machine.hasBegun { registry.resume(id) }
        monitors.tell(.taskResumed, .taskResumed(control.observed))
    }

    /// Cancels the task, which ends with ``/Sockeye/SockeyeError/Code-swift.struct/cancelled``. If its work is about to
    /// end, it may still succeed or fail with another error. Has no effect on a task that has ended.
    public func cancel() {
        // A task that the registry refused has ended, but its machine still has the state `waiting`.
        guard !hasEnded else { return }
        switch machine.cancel() {
        case .cancel: work?.cancel()
        case .endUnstarted:
            end(.failure(SockeyeError(.cancelled, phase: .prepare).with { $0.resumeData = control.resumeData }))
        case .none, .begin, .suspend, .resume: break
        }
    }

    /// Changes the priority. Has no effect on a task that has started.
    public func setPriority(_ priority: TransferPriority) {
        self.priority = priority
        registry.setPriority(priority, of: id)
    }

    // MARK: Execution

    /// Waits for the turn of the task and begins its work.
    private func start() async {
        // In a loop, because a pause may withdraw a turn before this method continues.
        while !turn.isGiven, !hasEnded { await turn.wait() }
        begin()
    }

    private func begin() {
        guard case .begin = machine.mayStart() else { return }
        monitors.tell(.taskResumed, .taskResumed(control.observed))
        // Only monitors need to know the task of a call.
        work = CallObserver.$runningTask.withValue(isObserved ? id : nil) { Task { await self.run() } }
    }

    private nonisolated func run() async {
        let result: Result<Value, SockeyeError>
        do throws(SockeyeError) {
            result = .success(try await perform(control))
        } catch {
            result = .failure(error)
        }
        await end(result)
    }

    private func end(_ result: Result<Value, SockeyeError>) {
        machine.end()
        work = nil
        // A failed task discards the rest of the response: a caller that holds the response would otherwise keep the
        // connection busy. If the error is `bodyConsumed`, nothing is discarded: another reader still uses the body.
        if case .failure(let error) = result, error.code != .bodyConsumed { control.response?.discard() }
        // Monitors get the event first: before a caller gets the value, and before the client's `invalidate()` returns.
        let value = result.map { $0 as any Sendable }
        monitors.tell(.taskEnded, .taskEnded(.init(task: control.observed, outcome: value, response: control.response)))
        // `fulfill` sets the result, calls the closure and then resumes the callers that wait for the value. So the
        // result can be read as soon as the progress ends or a dependent task starts. The resumed callers find the task
        // already removed from the client's tasks.
        outcome.fulfill(result) {
            control.end()
            registry.remove(id)
        }
        turn.close()
    }
}

extension TransferControl {
    /// The task as a value for events.
    var observed: ClientEvent.Transfer {
        ClientEvent.Transfer(id: id, kind: kind, request: request)
    }
}

extension TransferTask: TransferHandle {
    package nonisolated func takeTurn() {
        turn.give()
    }

    package nonisolated func waitUntilEnded() async {
        _ = try? await value
    }
}
