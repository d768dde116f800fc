import Glibc

// A separate process for tests of the disk store, which kill it or measure its memory.
//
// Commands:
// - DiskCacheProbe store FOLDER PARENT: stores, changes and removes responses until it is killed, or until the process
//   PARENT, which has started it, has ended.
// - DiskCacheProbe transfer FOLDER BYTES: writes and reads one response of BYTES, and prints the cost as JSON.
// - DiskCacheProbe measure FOLDER BYTES: does the same, and prints text (`make bench-disk`).

#if DiskCache
let arguments = CommandLine.arguments
if arguments.count == 4, arguments[1] == "store", let parent = Int32(arguments[3]) {
    try await StoringLoop(path: arguments[2], parent: parent).run()
} else if arguments.count == 4, ["transfer", "measure"].contains(arguments[1]), let size = Int(arguments[3]) {
    let report = try await TransferMeasurement(folder: arguments[2], size: size).run()
    print(arguments[1] == "transfer" ? report.json : report.text)
} else {
    print("usage: DiskCacheProbe store FOLDER PARENT | transfer FOLDER BYTES | measure FOLDER BYTES")
    exit(2)
}
#else
print("built without the trait DiskCache")
exit(2)
#endif
