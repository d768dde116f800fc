#if Images
import Sockeye
import SockeyeCache
import SockeyeHTTP

/// The state machine of an ``ImageDownloader``: groups receipts into downloads, and decides which downloads are active
/// and which wait. No I/O. A receipt stands for one request of a caller for an image.
///
/// States of a download: waiting → active → settling → ended, or waiting → ended, or active → abandoned → ended, or
/// active → ended if all results come from the image cache. A download is settling from its first fetched result on:
/// its receipts get their results one ``Group`` after the other. A receipt that is added later starts another download,
/// because its caller expects the server's current version. An active download is abandoned when its last receipt is
/// removed before the first fetched result. Settling and abandoned downloads count against the limit of active
/// downloads until they end.
struct ImageDownloadMachine {
    /// The properties that receipts of a download share: the request, and the caches that may answer it.
    struct Identity: Hashable {
        let url: HTTPURL
        let headers: Headers
        let cacheMode: CachePolicy.Mode?
    }

    /// The decision about a new receipt.
    enum Admission: Hashable {
        /// The receipt joins an existing download.
        case joined(UInt64)
        /// A new download, which the downloader has to start.
        case start(UInt64)
        /// A new download, which waits for its turn.
        case waits(UInt64)
        /// The receipt is refused, because too many downloads are waiting.
        case refused
    }

    /// The action after a receipt was removed.
    enum Withdrawal: Hashable {
        case nothing
        /// No receipt wants the active download any more: cancel it.
        case cancel(UInt64)
    }

    /// Receipts of one download that want the same filtered image.
    struct Group: Hashable {
        let filter: ImageFilter?
    }

    private struct Download {
        let identity: Identity
        var isActive = false
        /// The filter of each receipt, by the receipt's id; nil for the unchanged image.
        var receipts: [UInt64: ImageFilter?] = [:]
    }

    let prioritization: ImageDownloader.Prioritization
    let activeLimit: Int
    let waitingLimit: Int
    private var downloads: [UInt64: Download] = [:]
    /// The downloads that a receipt may still join.
    private var downloadsByIdentity: [Identity: UInt64] = [:]
    /// The ids of downloads, by the id of the receipt. Contains only receipts that still expect a result.
    private var downloadsByReceipt: [UInt64: UInt64] = [:]
    /// The waiting downloads, the oldest first.
    private var waiting: [UInt64] = []
    private var lastDownload: UInt64 = 0
    private(set) var activeCount = 0

    init(prioritization: ImageDownloader.Prioritization, activeLimit: Int, waitingLimit: Int) {
        self.prioritization = prioritization
        self.activeLimit = max(1, activeLimit)
        self.waitingLimit = max(0, waitingLimit)
    }

    var waitingCount: Int { waiting.count }

    /// The identity of a download; nil after it has ended.
    func identity(of download: UInt64) -> Identity? { downloads[download]?.identity }

    /// The URL of a receipt; nil if the receipt has got its result or was removed.
    func url(of receipt: UInt64) -> HTTPURL? {
        downloadsByReceipt[receipt].flatMap { downloads[$0]?.identity.url }
    }

    /// Returns true if a receipt's download waits for its turn.
    func isWaiting(_ receipt: UInt64) -> Bool {
        downloadsByReceipt[receipt].map { downloads[$0]?.isActive == false } ?? false
    }

    // MARK: Receipts

    mutating func add(_ receipt: UInt64, for identity: Identity, _ filter: ImageFilter?) -> Admission {
        if let id = downloadsByIdentity[identity] {
            enter(receipt, id, filter)
            return .joined(id)
        }
        let canStart = activeCount < activeLimit
        guard canStart || waiting.count < waitingLimit else { return .refused }
        lastDownload += 1
        let id = lastDownload
        downloads[id] = Download(identity: identity, isActive: canStart)
        downloadsByIdentity[identity] = id
        enter(receipt, id, filter)
        if canStart { activeCount += 1 } else { waiting.append(id) }
        return canStart ? .start(id) : .waits(id)
    }

    private mutating func enter(_ receipt: UInt64, _ download: UInt64, _ filter: ImageFilter?) {
        downloads[download]?.receipts[receipt] = .some(filter)
        downloadsByReceipt[receipt] = download
    }

    /// Removes a receipt. A download without receipts ends: a waiting one at once, an active one when its work ends.
    mutating func remove(_ receipt: UInt64) -> Withdrawal {
        guard let id = downloadsByReceipt.removeValue(forKey: receipt), var download = downloads[id] else {
            return .nothing
        }
        download.receipts[receipt] = nil
        downloads[id] = download
        guard download.receipts.isEmpty else { return .nothing }
        close(download.identity, id)
        if download.isActive { return .cancel(id) }
        downloads[id] = nil
        waiting.removeAll { $0 == id }
        return .nothing
    }

    /// Closes a download for further receipts: the next receipt for the same image starts another download.
    private mutating func close(_ identity: Identity, _ download: UInt64) {
        if downloadsByIdentity[identity] == download { downloadsByIdentity[identity] = nil }
    }

    // MARK: Downloads

    /// Returns the group of the oldest receipt. If the download has no receipt left, closes it for further receipts and
    /// returns nil. Also nil if the download has ended.
    mutating func nextGroup(of id: UInt64) -> Group? {
        guard let download = downloads[id] else { return nil }
        if let first = download.receipts.min(by: { $0.key < $1.key }) { return Group(filter: first.value) }
        close(download.identity, id)
        return nil
    }

    /// Removes and returns the receipts of a group that has a result.
    ///
    /// - Parameter isFetched: True if the download fetched the result, false if the image cache had it. A fetched
    ///   result closes the download for further receipts.
    mutating func take(_ group: Group, of id: UInt64, isFetched: Bool = true) -> [UInt64] {
        if isFetched { close(id) }
        return take(of: id) { $0 == group.filter }
    }

    /// Closes a failed download for further receipts. Removes all of its receipts and returns them.
    mutating func takeAll(of id: UInt64) -> [UInt64] {
        close(id)
        return take(of: id) { _ in true }
    }

    private mutating func close(_ id: UInt64) {
        if let identity = downloads[id]?.identity { close(identity, id) }
    }

    private mutating func take(of id: UInt64, where isMeant: (ImageFilter?) -> Bool) -> [UInt64] {
        let taken = downloads[id]?.receipts.filter { isMeant($0.value) }.keys.sorted() ?? []
        for receipt in taken {
            downloads[id]?.receipts.removeValue(forKey: receipt)
            downloadsByReceipt[receipt] = nil
        }
        return taken
    }

    /// Ends an active download. Returns the waiting download to start instead; nil if no download is waiting, or if
    /// `id` is not an active download.
    mutating func end(_ id: UInt64) -> UInt64? {
        guard let ended = downloads.removeValue(forKey: id), ended.isActive else { return nil }
        close(ended.identity, id)
        for receipt in ended.receipts.keys { downloadsByReceipt[receipt] = nil }
        activeCount -= 1
        guard activeCount < activeLimit, !waiting.isEmpty else { return nil }
        let next =
            switch prioritization {
            case .fifo: waiting.removeFirst()
            case .lifo: waiting.removeLast()
            }
        downloads[next]?.isActive = true
        activeCount += 1
        return next
    }
}
#endif
