import SockeyePlatform
import Testing

@Suite("Errors and features of the system")
struct ErrorTests {
    private static let errors: [SystemError] = [
        .wouldBlock, .interrupted, .inProgress, .connectionReset, .connectionAborted, .connectionRefused,
        .hostUnreachable, .networkUnreachable, .notConnected, .timedOut, .brokenPipe, .accessDenied, .notPermitted,
        .invalidArgument, .busy, .familyNotSupported, .notSupported, .noSuchOption, .addressInUse,
        .addressNotAvailable, .noMemory, .noBuffers, .tooManyDescriptors, .tooManyFiles, .badDescriptor, .noSpace,
        .notFound, .exists, .isFolder, .notAFolder, .nameTooLong, .symbolicLink, .quotaExceeded, .fileTooLarge,
        .inputOutput, .stale, .readOnlyFileSystem,
    ]

    @Test("errors have different positive numbers and texts of their own")
    func numbers() {
        #expect(Set(Self.errors).count == Self.errors.count)
        #expect(Self.errors.allSatisfy { $0.code > 0 && !$0.text.isEmpty })
        #expect(Set(Self.errors.map { $0.text }).count == Self.errors.count)
    }

    @Test("a negative result is an error, and any other result is a count")
    func results() {
        #expect(SystemError(ofResult: -Int(SystemError.brokenPipe.code)) == .brokenPipe)
        #expect(SystemError(ofResult: 0) == nil && SystemError(ofResult: 5) == nil)
        #expect(SystemError(ofResult: .min + 1)?.code == .max)
    }

    @Test("only a lack of descriptors, files, buffers or memory is a lack of resources")
    func resources() {
        let resources: Set<SystemError> = [.tooManyDescriptors, .tooManyFiles, .noBuffers, .noMemory]
        #expect(Set(Self.errors.filter { $0.isOutOfResources }) == resources)
    }

    @Test("only errors before a connection is made count as errors of connecting")
    func connecting() {
        let connecting: Set<SystemError> = [.connectionRefused, .hostUnreachable, .networkUnreachable]
        #expect(Set(Self.errors.filter { $0.isConnectError }) == connecting)
        let refusals: Set<SystemError> = [.notSupported, .noSuchOption]
        #expect(Set(Self.errors.filter { $0.isRefusalOfOption }) == refusals)
    }

    @Test("no shortage is reported while descriptors are available")
    func shortage() {
        #expect(SystemError.descriptorShortage == nil)
    }

    @Test("each call has a name for error texts")
    func calls() {
        let calls: [SystemCall] = [
            .connect, .sendfile, .threadCreate, .bindToInterface, .queueCreate, .queueWakeup, .queueWatch,
        ]
        #expect(calls.allSatisfy { !$0.name.isEmpty } && SystemCall.connect.name == "connect")
    }

    @Test("without routes, opening a route socket is not supported")
    func routes() {
        guard !SystemFeature.routes.isSupported else { return }
        for listens in [false, true] {
            #expect(RouteSocket.open(listening: listens) < 0 && SystemError.last == .notSupported)
        }
    }
}
