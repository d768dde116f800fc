import CShortage
import Glibc
import SockeyeEssentials

// A case is repeated for each of its calls that allocate memory or open a descriptor, and that call then fails. LIMIT
// sets the maximum number of calls that fail in a case; the default is 200. ONLY selects the cases whose names contain
// its value. Status 0 means that nothing went wrong.
let environment = ProcessInfo.processInfo.environment
let folder = "/tmp/sockeye-shortage-\(getpid())"
let run = ShortageRun(limit: environment["LIMIT"].flatMap { Int($0) } ?? 200)
do {
    try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let cases =
        CodingCases.all + DocumentCases.all(images: environment["IMAGES"] ?? "Tests/SockeyeFuzz/Corpora/rasters")
        + DescriptorCases.all(folder: folder) + (try TLSCases(folder: folder).all)
    for owner in cases where environment["ONLY"].map({ $0.isEmpty || owner.name.contains($0) }) ?? true {
        await run.run(owner)
    }
} catch {
    print("shortage: \(error)")
    exit(EXIT_FAILURE)
}
try? FileManager.default.removeItem(atPath: folder)
print(run.faults.isEmpty ? "shortage: all is well" : "shortage: \(run.faults.count) faults")
exit(run.faults.isEmpty ? EXIT_SUCCESS : EXIT_FAILURE)
