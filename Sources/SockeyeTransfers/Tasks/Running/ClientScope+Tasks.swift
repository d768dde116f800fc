import Sockeye

extension ClientScope {
    /// The tasks of the client and all its scopes.
    var tasks: TransferRegistry {
        settings.objects.object {
            TransferRegistry(limit: settings.runningTasks.map { max(1, $0) }, clock: settings.clock)
        }
    }
}
