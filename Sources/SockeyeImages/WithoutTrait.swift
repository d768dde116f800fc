#if !Images
/// The pixels of an image. Unavailable without the package's trait `Images`, which links the image libraries that
/// decode them.
@available(*, unavailable, message: "enable the package's trait Images; the article Traits lists its libraries")
public struct Raster: Sendable {}

/// A downloader of images. Unavailable without the package's trait `Images`, which links the image libraries.
@available(*, unavailable, message: "enable the package's trait Images; the article Traits lists its libraries")
public struct ImageDownloader: Sendable {}
#endif
