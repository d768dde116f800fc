public import SockeyeEngine

/// A transfer that goes on by itself, and can be watched, paused, resumed and cancelled meanwhile.
///
/// ```swift
/// let task = try client.uploadTask(.put, "blob", .file(path))
/// for await progress in task.progress { bar.update(progress) }
/// let receipt = try await task.value
/// ```
///
/// A task begins by itself when it is its turn: when the tasks that it depends on have ended and fewer run than
/// ``ClientConfiguration/runningTasks`` allows. Nobody has to hold on to it; it ends when its transfer does. The
/// counterparts are `NSURLSessionTask` and AFNetworking's task managers, where tasks begin suspended.
public actor TransferTask<Value: Sendable> {
    /// Different for each task of the process.
    public nonisolated let id: UInt64
    /// What the task is for.
    public nonisolated let kind: TransferKind
    /// The request as it was made; redirects and policies send others.
    public nonisolated let request: OutgoingRequest
    /// The values that the caller has given the task; see ``OutgoingRequest/Options/context``. The counterpart of `userInfo`.
    public nonisolated var context: OutgoingRequest.Context { request.options.context }

    private let registry: TransferRegistry
    nonisolated let control: TransferControl
    private nonisolated let outcome = TransferPromise<Value>()
    private let perform: @Sendable (TransferControl) async throws(SockeyeError) -> Value
    private let monitors: [any EventMonitor]
    /// Whether a monitor may listen to the task's calls.
    private let isObserved: Bool
    private var machine = TransferMachine()
    private var work: Task<Void, Never>?
    /// Which of the tasks that wait goes first.
    public private(set) var priority: TransferPriority

    init(
        _ kind: TransferKind, _ request: OutgoingRequest, scope: ClientScope, resuming resumeData: ResumeData? = nil,
        perform: @escaping @Sendable (TransferControl) async throws(SockeyeError) -> Value
    ) {
        id = TransferRegistry.nextID()
        self.kind = kind
        self.request = request
        priority = request.options.priority
        registry = scope.settings.tasks
        control = TransferControl(
            id, kind, request, timer: registry.timer, resuming: resumeData)
        isObserved = scope.chain.isObserved
        monitors = scope.settings.monitors
        self.perform = perform
        if !registry.add(self, priority: priority, after: Set(request.options.dependencies)) {
            outcome.fulfill(.failure(SockeyeError.shutDown(.prepare).with { $0.resumeData = resumeData }))
            control.end()
        }
    }

    // MARK: Looking

    /// Where the task stands.
    public var state: TransferState { outcome.result == nil ? machine.state : .ended }

    /// The bytes that the task is about: sent ones of an upload, received ones of all others.
    public nonisolated var progress: TransferProgress.Updates {
        TransferProgress.Updates(kind == .upload ? control.upload : control.download)
    }

    /// The content of the request, as the system takes it.
    public nonisolated var uploadProgress: TransferProgress.Updates { TransferProgress.Updates(control.upload) }

    /// The content of the response, as it is received.
    public nonisolated var downloadProgress: TransferProgress.Updates { TransferProgress.Updates(control.download) }

    /// The response whose content is received, or was; its content is the task's to read. Nil before its head is there.
    public nonisolated var response: IncomingResponse? { control.response }

    /// Timings and bytes of all exchanges so far; nil before the first response.
    public nonisolated var metrics: CallMetrics? { control.response?.metrics }

    /// Why the task failed; nil while it has not.
    public nonisolated var error: SockeyeError? {
        if case .failure(let error) = outcome.result { error } else { nil }
    }

    nonisolated var hasEnded: Bool { outcome.result != nil }

    /// The value, as soon as there is one.
    ///
    /// - Throws: Why the task failed; ``SockeyeError/Code-swift.struct/cancelled`` when it was cancelled. When it is the
    ///   waiting that is cancelled, that throws the same, and the task goes on.
    public nonisolated var value: Value {
        get async throws(SockeyeError) { try await outcome.value() }
    }

    // MARK: Deciding

    /// Lets the transfer rest until ``resume()``. One that has not begun does not begin.
    ///
    /// No more content is read or sent; the connection stays open, and the peer may close it. A download that can be
    /// resumed gives its connection back instead, and goes on with `Range` and `If-Range`. A ``Timeouts/total`` deadline
    /// goes on. Harmless on a task that is paused or has ended.
    public func pause() {
        guard case .suspend = machine.pause() else { return }
        control.pause()
        registry.hold(id, true)
        monitors.tell(.taskPaused, .taskPaused(control.observed))
    }

    /// Lets a paused transfer go on. Harmless on any other.
    public func resume() {
        guard case .resume = machine.resume() else { return }
        control.gate.open()
        registry.hold(id, false)
        monitors.tell(.taskResumed, .taskResumed(control.observed))
    }

    /// Ends the task, with ``SockeyeError/Code-swift.struct/cancelled`` unless it has ended already.
    public func cancel() {
        switch machine.cancel() {
        case .cancel: work?.cancel()
        case .endUnstarted:
            end(.failure(SockeyeError(.cancelled, phase: .prepare).with { $0.resumeData = control.resumeData }))
        case .none, .begin, .suspend, .resume: break
        }
    }

    /// Changes the priority. It matters until the task begins.
    public func setPriority(_ priority: TransferPriority) {
        self.priority = priority
        registry.setPriority(priority, of: id)
    }

    // MARK: Working

    private func begin() {
        guard case .begin = machine.turn() else { return }
        monitors.tell(.taskResumed, .taskResumed(control.observed))
        // Only monitors ask whose call it is.
        work = TransferControl.$runningTask.withValue(isObserved ? id : nil) { Task { await self.run() } }
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
        // The caller may keep the response of a failed task, whose rest nobody reads.
        if case .failure(let error) = result, error.code != .bodyConsumed { control.response?.discard() }
        // Before the end of the progress, whose readers then find the value set.
        outcome.fulfill(result)
        control.end()
        registry.remove(id)
        let value = result.map { $0 as any Sendable }
        monitors.tell(.taskEnded, .taskEnded(.init(task: control.observed, outcome: value, response: control.response)))
    }
}

extension TransferControl {
    /// The task, for events.
    var observed: ClientEvent.Transfer {
        ClientEvent.Transfer(id: id, kind: kind, request: request)
    }
}

extension TransferTask: TransferHandle {
    package nonisolated func takeTurn() {
        Task { await self.begin() }
    }

    package nonisolated func waitUntilEnded() async {
        _ = try? await value
    }
}
