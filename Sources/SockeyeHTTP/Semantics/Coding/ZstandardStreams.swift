#if Zstandard
import CZstandard
import SockeyeCore

/// A Zstandard decoder (RFC 8878) with a window of at most 8 MiB, as RFC 9659 requires of the content coding. Frames
/// that need a dictionary are refused, because there is no dictionary.
@safe final class ZstandardDecompressor: Decompressor {
    /// The base-two logarithm of the largest window.
    private static let windowLog: Int32 = 23

    private let context: OpaquePointer
    private(set) var totalConsumed = 0

    init() throws(CodecError) {
        guard let context = unsafe ZSTD_createDCtx() else { throw .outOfMemory }
        unsafe self.context = context
        let result = unsafe ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, Self.windowLog)
        guard ZSTD_isError(result) == 0 else { throw .misuse }
    }

    deinit {
        unsafe ZSTD_freeDCtx(context)
    }

    func decompress(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> DecompressionStep {
        var source = unsafe ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var target = unsafe ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let result = unsafe ZSTD_decompressStream(context, &target, &source)
        unsafe totalConsumed += source.pos
        let outcome: DecompressionStep.Outcome =
            if ZSTD_isError(result) != 0 { .failed(CodecError(zstandard: result)) } else {
                result == 0 ? .ended : .more
            }
        return unsafe DecompressionStep(consumed: source.pos, produced: target.pos, outcome: outcome)
    }

    func restart() {
        unsafe ZSTD_DCtx_reset(context, ZSTD_reset_session_only)
        totalConsumed = 0
    }
}

/// A Zstandard encoder. Levels up to 19 use windows of at most 8 MiB.
@safe final class ZstandardCompressor: Compressor {
    private let context: OpaquePointer

    init(level: Int) throws(CodecError) {
        guard let context = unsafe ZSTD_createCCtx() else { throw .outOfMemory }
        unsafe self.context = context
        let result = unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, Int32(clamping: level))
        guard ZSTD_isError(result) == 0 else { throw .misuse }
    }

    deinit {
        unsafe ZSTD_freeCCtx(context)
    }

    func compress(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, isLast: Bool
    ) throws(CodecError) -> CompressionStep {
        var source = unsafe ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var target = unsafe ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let left = unsafe ZSTD_compressStream2(context, &target, &source, isLast ? ZSTD_e_end : ZSTD_e_continue)
        guard ZSTD_isError(left) == 0 else { throw CodecError(zstandard: left) }
        return unsafe CompressionStep(
            consumed: source.pos, produced: target.pos, hasEnded: isLast && left == 0)
    }
}

extension CodecError {
    fileprivate init(zstandard result: Int) {
        self =
            if ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation {
                .outOfMemory
            } else {
                unsafe .corrupt(reason: "Zstandard: " + String(cString: ZSTD_getErrorName(result)))
            }
    }
}
#endif
