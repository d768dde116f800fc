import Glibc

// What tests of the disk store need a process of their own for: to be killed, and to have its memory measured.
//
// usage: DiskCacheProbe store FOLDER            stores, changes and removes responses until it is killed
//        DiskCacheProbe transfer FOLDER BYTES   one response of so many bytes in and out, and what it cost, as JSON
//        DiskCacheProbe measure FOLDER BYTES    the same for people (`make bench-disk`)

#if DiskCache
let arguments = CommandLine.arguments
if arguments.count == 3, arguments[1] == "store" {
    try await StoringLoop(path: arguments[2]).run()
} else if arguments.count == 4, ["transfer", "measure"].contains(arguments[1]), let size = Int(arguments[3]) {
    let report = try await TransferMeasurement(folder: arguments[2], size: size).run()
    print(arguments[1] == "transfer" ? report.json : report.text)
} else {
    print("usage: DiskCacheProbe store FOLDER | transfer FOLDER BYTES | measure FOLDER BYTES")
    exit(2)
}
#else
print("built without the trait DiskCache")
exit(2)
#endif
