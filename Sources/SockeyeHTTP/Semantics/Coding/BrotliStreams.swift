#if Brotli
import CBrotli
import SockeyeCore

/// A Brotli decoder (RFC 7932). The stream chooses the window, up to 16 MiB. The library's extension of the RFC for
/// larger windows is disabled.
@safe final class BrotliDecompressor: Decompressor {
    private let state: OpaquePointer
    private(set) var totalConsumed = 0

    init() throws(CodecError) {
        guard let state = unsafe BrotliDecoderCreateInstance(nil, nil, nil) else { throw .outOfMemory }
        unsafe self.state = state
    }

    deinit {
        unsafe BrotliDecoderDestroyInstance(state)
    }

    func decompress(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> DecompressionStep {
        var nextIn = unsafe input.assumingMemoryBound(to: UInt8.self).baseAddress
        var nextOut = unsafe output.assumingMemoryBound(to: UInt8.self).baseAddress
        var (given, room) = (input.count, output.count)
        let result = unsafe BrotliDecoderDecompressStream(state, &given, &nextIn, &room, &nextOut, nil)
        let consumed = input.count - given
        totalConsumed += consumed
        let outcome: DecompressionStep.Outcome =
            switch result {
            case BROTLI_DECODER_RESULT_SUCCESS: .ended
            case BROTLI_DECODER_RESULT_ERROR: .failed(failure)
            default: .more
            }
        return DecompressionStep(consumed: consumed, produced: output.count - room, outcome: outcome)
    }

    /// Never called, because nothing may follow a Brotli stream.
    func restart() {}

    private var failure: CodecError {
        let code = unsafe BrotliDecoderGetErrorCode(state)
        // The lowest codes are failed allocations. The very lowest, UNREACHABLE, is an internal fault of the library.
        let isOfAllocation = code.rawValue <= BROTLI_DECODER_ERROR_ALLOC_CONTEXT_MODES.rawValue
        if isOfAllocation, code != BROTLI_DECODER_ERROR_UNREACHABLE { return .outOfMemory }
        return unsafe .corrupt(reason: "Brotli: " + String(cString: BrotliDecoderErrorString(code)))
    }
}

/// A Brotli encoder with the library's default window of 4 MiB.
@safe final class BrotliCompressor: Compressor {
    private let state: OpaquePointer

    init(level: Int) throws(CodecError) {
        guard let state = unsafe BrotliEncoderCreateInstance(nil, nil, nil) else { throw .outOfMemory }
        unsafe self.state = state
        guard unsafe BrotliEncoderSetParameter(state, BROTLI_PARAM_QUALITY, UInt32(clamping: level)) != 0 else {
            throw .misuse
        }
    }

    deinit {
        unsafe BrotliEncoderDestroyInstance(state)
    }

    func compress(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, isLast: Bool
    ) throws(CodecError) -> CompressionStep {
        var nextIn = unsafe input.assumingMemoryBound(to: UInt8.self).baseAddress
        var nextOut = unsafe output.assumingMemoryBound(to: UInt8.self).baseAddress
        var (given, room) = (input.count, output.count)
        let operation = isLast ? BROTLI_OPERATION_FINISH : BROTLI_OPERATION_PROCESS
        guard unsafe BrotliEncoderCompressStream(state, operation, &given, &nextIn, &room, &nextOut, nil) != 0 else {
            throw .outOfMemory
        }
        return unsafe CompressionStep(
            consumed: input.count - given, produced: output.count - room,
            hasEnded: BrotliEncoderIsFinished(state) != 0)
    }
}
#endif
