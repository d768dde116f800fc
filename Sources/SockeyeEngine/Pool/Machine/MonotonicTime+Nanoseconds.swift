import SockeyeCore

extension MonotonicTime {
    /// This time moved by whole nanoseconds, saturating; without the divisions that taking a `Duration` apart costs.
    func advanced(byNanoseconds nanoseconds: Int64) -> MonotonicTime {
        let (sum, overflow) = self.nanoseconds.addingReportingOverflow(nanoseconds)
        return overflow ? (nanoseconds < 0 ? .zero : .distantFuture) : MonotonicTime(nanoseconds: sum)
    }
}
