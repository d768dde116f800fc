import Foundation
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("OpenSSL at the end of a process", .timeLimit(.minutes(2)))
struct FirstUseTests {
    #if compiler(>=6.3)  // Exit tests accept values since this version (ST-0012).
    @Test(
        "a process that exits keeps OpenSSL's state for its threads, whichever function used OpenSSL first",
        arguments: FirstUse.allCases)
    func keepsState(_ use: FirstUse) async throws {
        let authority = try Credentials.authority.get()
        let (pem, der) = (authority.pem, [UInt8](authority.certificate.der))
        let folder = try TemporaryFolder()
        let list = folder("list.pem")
        try authority.revocationList().write(toFile: list, atomically: false, encoding: .utf8)
        let child = ChildProcess()
        await #expect(processExitsWith: .success, "\(child.report)") {
            [
                child = child as ChildProcess, use = use as FirstUse, pem = pem as String, der = der as [UInt8],
                list = list as String
            ] in
            await child.run { try use.run(pem, der: der, revocationList: list) }
        }
    }
    #endif
}
