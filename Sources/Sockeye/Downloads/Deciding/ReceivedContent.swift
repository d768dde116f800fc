/// What a response has become whose ``ResponseDisposition`` was decided on at its head.
public enum ReceivedContent<Value> {
    /// The value that was asked for.
    case value(Value)
    /// A file.
    case file(DownloadedFile)
}

extension ReceivedContent: Sendable where Value: Sendable {}
