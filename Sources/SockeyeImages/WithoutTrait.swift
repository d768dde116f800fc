#if !Images
/// The pixels of an image. Without the package's trait `Images` no image library is linked, so nothing decodes them.
@available(*, unavailable, message: "enable the package's trait Images; the article Traits lists its libraries")
public struct Raster: Sendable {}

/// A downloader of images. Without the package's trait `Images` no image library is linked, so it cannot be used.
@available(*, unavailable, message: "enable the package's trait Images; the article Traits lists its libraries")
public struct ImageDownloader: Sendable {}
#endif
