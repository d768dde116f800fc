#if Images
import SockeyeCore

/// A named function that makes a new image, such as a thumbnail, from a decoded image.
///
/// ```swift
/// let avatar = try await downloader.image(
///     url, filter: .aspectFill(width: 96, height: 96).then(.circle))
/// let small = try ImageFilter.aspectFit(width: 200, height: 150).applied(
///     to: raster)
/// ```
///
/// Sizes are in points: pixels are points times ``Raster/scale``, rounded. The filters of this library apply the
/// image's ``Raster/orientation`` and return it upright. They average colours as stored (gamma-encoded), weighted by
/// opacity, so that the colours of transparent pixels do not bleed into others.
///
/// ``applied(to:)`` runs a filter on the caller's thread; an ``ImageDownloader`` runs it on a separate thread.
/// Cancellation does not interrupt a filter.
public struct ImageFilter: Sendable, Hashable, CustomStringConvertible {
    /// The identity of the filter, part of the key of an ``ImageCache`` (AFNetworking's additional identifier). Filters
    /// with the same identity must return the same result.
    public let id: String
    private let apply: @Sendable (Raster) throws -> Raster

    /// Creates a custom filter.
    ///
    /// - Parameters:
    ///   - id: See ``id``; must include the filter's parameters.
    ///   - apply: Returns the new image; see ``Raster/init(width:height:pixels:of:orientation:)``. An error that the
    ///     closure throws fails the download.
    public init(id: String, apply: @escaping @Sendable (Raster) throws -> Raster) {
        self.id = id
        self.apply = apply
    }

    /// Returns the filtered image.
    ///
    /// - Throws: The errors of a custom filter. The filters of this library throw ``ImageError``:
    ///   ``ImageError/Kind-swift.struct/tooLarge`` for a result of more pixels than ``Raster/defaultLimits``,
    ///   ``ImageError/Kind-swift.struct/emptyImage`` for a result without pixels.
    public func applied(to raster: Raster) throws -> Raster { try apply(raster) }

    /// Returns a filter that applies this one, then `next`.
    public func then(_ next: ImageFilter) -> ImageFilter {
        ImageFilter(id: "\(id)|\(next.id)") { try next.apply(apply($0)) }
    }

    /// The identity.
    public var description: String { id }

    /// Returns true if both have the same identity.
    public static func == (left: ImageFilter, right: ImageFilter) -> Bool { left.id == right.id }

    /// Feeds the identity to the hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension ImageFilter {
    /// Scales to exactly this size, ignoring proportions.
    ///
    /// Shrinking averages the area that becomes a pixel (box filter); enlarging interpolates linearly.
    public static func scaled(width: Int, height: Int) -> ImageFilter {
        ImageFilter(id: "scaled(\(width)x\(height))") { raster in
            let size = try PixelSize(width, height, for: raster)
            return Resampler(of: raster, to: size).resampled().upright
        }
    }

    /// Scales to the largest size that fits into the given size and keeps the proportions. Adds no margins.
    public static func aspectFit(width: Int, height: Int) -> ImageFilter {
        ImageFilter(id: "aspectFit(\(width)x\(height))") { raster in
            let size = try PixelSize(width, height, for: raster)
            return Resampler(of: raster, to: size.fitted(raster)).resampled().upright
        }
    }

    /// Scales proportionally and crops to exactly this size: the excess is cut off equally at two sides.
    public static func aspectFill(width: Int, height: Int) -> ImageFilter {
        ImageFilter(id: "aspectFill(\(width)x\(height))") { raster in
            let size = try PixelSize(width, height, for: raster)
            return Resampler(of: raster, to: size, filling: true).resampled().upright
        }
    }

    /// Rounds the corners, with smooth edges; the outside becomes transparent.
    ///
    /// - Parameter radius: In points. A radius above half of the shorter side is reduced to that half. Zero or less
    ///   rounds nothing.
    public static func roundedCorners(radius: Double) -> ImageFilter {
        ImageFilter(id: "roundedCorners(\(radius))") { raster in
            raster.upright.roundingCorners(radius: radius * raster.scale)
        }
    }

    /// Crops to the largest centred square and makes everything outside its inscribed circle transparent.
    public static let circle = ImageFilter(id: "circle") { $0.circle.upright }

    /// Rotates and mirrors the pixels by the orientation.
    public static let upright = ImageFilter(id: "upright") { $0.upright }
}

/// The size of a result in stored pixels, before the orientation is applied.
struct PixelSize: Hashable {
    var width: Int
    var height: Int

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// - Parameters:
    ///   - width: In points, as displayed.
    ///   - height: In points, as displayed.
    init(_ width: Int, _ height: Int, for raster: Raster) throws(ImageError) {
        guard width > 0, height > 0 else {
            throw ImageError(
                .emptyImage, raster.format, "a filter would make an empty image, of \(width) × \(height) points")
        }
        let (wide, high) = (Double(width) * raster.scale, Double(height) * raster.scale)
        guard wide * high <= Double(Raster.defaultLimits.maximumPixels) else {
            throw Self.tooLarge(width, height, raster.format)
        }
        let sides = (max(1, Int(wide.rounded())), max(1, Int(high.rounded())))
        // Checked again, since a side of less than a pixel becomes one pixel.
        guard sides.0.multipliedSaturated(by: sides.1) <= Raster.defaultLimits.maximumPixels else {
            throw Self.tooLarge(width, height, raster.format)
        }
        (self.width, self.height) = raster.orientation.swapsSides ? (sides.1, sides.0) : sides
    }

    private static func tooLarge(_ width: Int, _ height: Int, _ format: ImageInfo.Format?) -> ImageError {
        let limit = Raster.defaultLimits.maximumPixels
        return ImageError(
            .tooLarge, format,
            "a filter would make an image of \(width) × \(height) points, above the limit of \(limit) pixels")
    }

    /// Returns the largest size that has the raster's proportions and fits into this size.
    func fitted(_ raster: Raster) -> PixelSize {
        let (wide, high) = (Double(raster.width), Double(raster.height))
        let factor = min(Double(width) / wide, Double(height) / high)
        return PixelSize(
            width: min(width, max(1, Int((wide * factor).rounded()))),
            height: min(height, max(1, Int((high * factor).rounded()))))
    }
}
#endif
