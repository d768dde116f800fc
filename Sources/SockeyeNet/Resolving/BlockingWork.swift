/// What a worker thread sees of a ``BlockingCall``.
protocol BlockingWork: AnyObject, Sendable {
    func perform()
}
