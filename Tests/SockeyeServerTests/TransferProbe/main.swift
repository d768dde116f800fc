import Glibc
import Sockeye
import SockeyeTestSupport

// Transfers one large body and reports its cost as one line of JSON. It is a separate process because the memory of a
// test process is shared by all its tests.
//
// usage: TransferProbe download|upload|upload-chunked URL BYTES WARM-UP-URL [ROOTS.pem]
//        TransferProbe fetch URL FILE STATE
//        TransferProbe write FILE BYTES STALL-AFTER-BYTES
//        TransferProbe multipart URL BYTES WARM-UP-URL FILE
//        TransferProbe throttled URL BYTES WARM-UP-URL BYTES-PER-SECOND

let arguments = CommandLine.arguments
if arguments.count == 5, arguments[1] == "fetch" {
    try await Fetch(url: arguments[2], path: arguments[3], state: arguments[4]).run()
    exit(0)
}
if arguments.count == 5, arguments[1] == "write", let size = Int(arguments[3]), let stall = Int(arguments[4]) {
    try await FormWriting(path: arguments[2], size: size, stall: stall).run()
    exit(0)
}
guard arguments.count >= 5, let size = Int(arguments[3]) else {
    print("usage: TransferProbe download|upload|upload-chunked URL BYTES WARM-UP-URL [ROOTS.pem]")
    exit(2)
}
var tls = TLSOptions()
let detail = arguments.count > 5 ? arguments[5] : nil
if let detail, !["multipart", "throttled"].contains(arguments[1]) { tls.roots = .file(detail) }
let transfer = BodyTransfer(client: HTTPClient(configuration: .init(tls: tls)), url: arguments[2], size: size)

// One small exchange loads code, starts threads and reads trusted roots. The peak of the transfer is compared with the
// memory of the process after this exchange.
_ = try await transfer.client.get(arguments[4]).bytes()
ProcessMeter.forgetPeak()
let before = ProcessMeter.status("VmRSS")
let started = ProcessMeter.now
let moved: Int
switch arguments[1] {
case "download": moved = try await transfer.download()
case "upload": moved = try await transfer.upload(length: size)
case "multipart": moved = try await transfer.uploadForm(file: detail ?? "")
case "throttled": moved = try await transfer.upload(bytesPerSecond: detail.flatMap { Int($0) } ?? 1)
default: moved = try await transfer.upload(length: nil)
}
let seconds = ProcessMeter.now - started
let fields = [
    "\"bytes\":\(moved)", "\"before\":\(before)", "\"peak\":\(ProcessMeter.status("VmHWM"))", "\"seconds\":\(seconds)",
    "\"cpu\":\(ProcessMeter.processorTime)",
]
print("{\(fields.joined(separator: ","))}")
