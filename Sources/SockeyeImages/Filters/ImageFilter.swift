#if Images
import SockeyeCore

/// What is made of an image once it is decoded, such as a thumbnail: a function with a name.
///
/// ```swift
/// let avatar = try await downloader.image(url, filter: .aspectFill(width: 96, height: 96).then(.circle))
/// let small = try ImageFilter.aspectFit(width: 200, height: 150).applied(to: raster)
/// ```
///
/// Sizes are in points: pixels are points times ``Raster/scale``, rounded. Every filter here shows the image as its
/// ``Raster/orientation`` says and returns it upright. Colours are averaged as they are encoded, each by its opacity, so that what
/// is hidden under transparent pixels does not bleed into others. Filters run on the caller's thread, in time proportional to
/// the pixels that they read and write, and are not interrupted when the task is cancelled.
public struct ImageFilter: Sendable, Hashable, CustomStringConvertible {
    /// The identity of the filter, part of the key under which an ``ImageCache`` has what came of it: filters of one identity must
    /// do the same (AFNetworking's additional identifier).
    public let id: String
    private let apply: @Sendable (Raster) throws -> Raster

    /// Makes a filter of your own.
    ///
    /// - Parameters:
    ///   - id: See ``id``; with the parameters of the filter in it.
    ///   - apply: Makes the image; see ``Raster/init(width:height:pixels:of:orientation:)``. What it throws ends the download.
    public init(id: String, apply: @escaping @Sendable (Raster) throws -> Raster) {
        self.id = id
        self.apply = apply
    }

    /// The image that the filter makes of another.
    ///
    /// - Throws: What the filter throws; those of this library an ``ImageError``: ``ImageError/Kind-swift.struct/tooLarge`` for a
    ///   result of more pixels than ``Raster/defaultLimits`` has, ``ImageError/Kind-swift.struct/emptyImage`` for one without any.
    public func applied(to raster: Raster) throws -> Raster { try apply(raster) }

    /// This filter, and another one behind it.
    public func then(_ next: ImageFilter) -> ImageFilter {
        ImageFilter(id: "\(id)|\(next.id)") { try next.apply(apply($0)) }
    }

    /// The identity.
    public var description: String { id }

    /// Whether both have the same identity.
    public static func == (left: ImageFilter, right: ImageFilter) -> Bool { left.id == right.id }

    /// Feeds the identity to the hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension ImageFilter {
    /// Exactly this size, whatever comes of the proportions.
    ///
    /// Shrinking averages the area that becomes a pixel (box filter); enlarging interpolates linearly.
    public static func scaled(width: Int, height: Int) -> ImageFilter {
        ImageFilter(id: "scaled(\(width)x\(height))") { raster in
            let size = try PixelSize(width, height, for: raster)
            return Resampler(of: raster, to: size).resampled().upright
        }
    }

    /// As large as fits in this size, in its proportions. The result has no margins, so one side may be shorter.
    public static func aspectFit(width: Int, height: Int) -> ImageFilter {
        ImageFilter(id: "aspectFit(\(width)x\(height))") { raster in
            let size = try PixelSize(width, height, for: raster)
            return Resampler(of: raster, to: size.fitted(raster)).resampled().upright
        }
    }

    /// Exactly this size, filled in proportion: what is too much on two sides is cut off, equally.
    public static func aspectFill(width: Int, height: Int) -> ImageFilter {
        ImageFilter(id: "aspectFill(\(width)x\(height))") { raster in
            let size = try PixelSize(width, height, for: raster)
            return Resampler(of: raster, to: size, filling: true).resampled().upright
        }
    }

    /// Rounds the corners, with smooth edges: what lies outside becomes transparent.
    ///
    /// - Parameter radius: In points; at most half of the shorter side counts.
    public static func roundedCorners(radius: Double) -> ImageFilter {
        ImageFilter(id: "roundedCorners(\(radius))") { raster in
            raster.upright.roundingCorners(radius: radius * raster.scale)
        }
    }

    /// The largest circle in the middle of the image; its square's corners are transparent.
    public static let circle = ImageFilter(id: "circle") { $0.circle.upright }

    /// Turns and mirrors the pixels as the orientation says.
    public static let upright = ImageFilter(id: "upright") { $0.upright }
}

/// The size of a result in pixels as they are stored, that is, before they are turned.
struct PixelSize: Hashable {
    var width: Int
    var height: Int

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// - Parameters:
    ///   - width: Points, as shown.
    ///   - height: Points, as shown.
    init(_ width: Int, _ height: Int, for raster: Raster) throws(ImageError) {
        guard width > 0, height > 0 else {
            throw ImageError(.emptyImage, raster.format, "a filter makes an image of \(width) × \(height)")
        }
        let (wide, high) = (Double(width) * raster.scale, Double(height) * raster.scale)
        guard wide * high <= Double(Raster.defaultLimits.maximumPixels) else {
            throw ImageError(.tooLarge, raster.format, "a filter makes an image of \(width) × \(height)")
        }
        let sides = (max(1, Int(wide.rounded())), max(1, Int(high.rounded())))
        // Again, for a side of less than a pixel counts as one.
        guard sides.0.multipliedSaturated(by: sides.1) <= Raster.defaultLimits.maximumPixels else {
            throw ImageError(.tooLarge, raster.format, "a filter makes an image of \(width) × \(height)")
        }
        (self.width, self.height) = raster.orientation.swapsSides ? (sides.1, sides.0) : sides
    }

    /// The largest size of the raster's proportions in this one.
    func fitted(_ raster: Raster) -> PixelSize {
        let (wide, high) = (Double(raster.width), Double(raster.height))
        let factor = min(Double(width) / wide, Double(height) / high)
        return PixelSize(
            width: min(width, max(1, Int((wide * factor).rounded()))),
            height: min(height, max(1, Int((high * factor).rounded()))))
    }
}
#endif
