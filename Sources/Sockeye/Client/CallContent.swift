import SockeyeSerialization

/// What a call sends, before it is known how.
enum CallContent {
    /// A value for the JSON encoder of the scope.
    case json(any Encodable)
    /// JSON as it is.
    case jsonValue(JSONValue)
    /// Parameters for a form.
    case form(Parameters)
    /// Parameters for the request serializer of the scope.
    case parameters(Parameters)
}
