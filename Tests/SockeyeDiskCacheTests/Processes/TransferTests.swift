#if DiskCache
import Testing

@Suite("A large response in a store on disk", .timeLimit(.minutes(2))) struct TransferTests {
    @Test("a large response is written and read in constant memory")
    func memory() throws {
        let scene = try DiskCacheScene()
        let report = try DiskCacheProbe.transfer(scene.parentFolder, 128 << 20)
        print(report)
        // On a busy machine more threads run at the same time, and each may keep blocks of memory of its own.
        #expect(report.additional < 8 << 20 && report.heap < 1 << 20, "\(report)")
    }
}
#endif
