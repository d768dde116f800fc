@_exported public import Sockeye
