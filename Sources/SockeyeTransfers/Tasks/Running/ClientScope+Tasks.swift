import Sockeye

extension ClientScope {
    /// The tasks of the client and all its scopes (clients made from it with `scoped`).
    var tasks: TransferRegistry {
        settings.objects.object {
            TransferRegistry(limit: settings.runningTasks.map { max(1, $0) }, clock: settings.clock)
        }
    }
}
