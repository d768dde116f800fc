#if !Images
/// The pixels of an image. They cannot be decoded while the package's trait `Images` is off: no image library is linked then.
@available(
    *, unavailable,
    message: "enable the package's trait Images; it needs libpng-dev, libjpeg-dev, libwebp-dev and libgif-dev"
)
public struct Raster: Sendable {}

/// A downloader of images. It cannot be used while the package's trait `Images` is off: no image library is linked then.
@available(
    *, unavailable,
    message: "enable the package's trait Images; it needs libpng-dev, libjpeg-dev, libwebp-dev and libgif-dev"
)
public struct ImageDownloader: Sendable {}
#endif
