import CLibFuzzer
import Glibc

// One program for all fuzz targets. SOCKEYE_FUZZ_TARGET names the target to run, and the arguments are libFuzzer's.
guard ChosenTarget.target != nil else {
    for name in FuzzTargets.all.keys.sorted() { print(name, FuzzTargets.shares[name] ?? 1) }
    exit(ChosenTarget.name == nil ? EXIT_SUCCESS : EXIT_FAILURE)
}

var count = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = unsafe CommandLine.unsafeArgv
exit(
    unsafe LLVMFuzzerRunDriver(&count, &arguments) { data, size in
        ChosenTarget.target?(unsafe Array(UnsafeRawBufferPointer(start: data, count: size)))
        return 0
    })
