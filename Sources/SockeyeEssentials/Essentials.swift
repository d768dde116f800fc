// The part of Foundation that the library uses, such as `Data`, `Date`, `URL` and the JSON coders. On Linux it is a
// module of its own, so that a program does not link the rest of Foundation with its locale data (ICU). Apple's systems
// have only Foundation as a whole.
#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif
