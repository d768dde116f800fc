// Neither comparing nor hashing calls itself: whoever asks may be on a thread with a small stack.

extension XMLElement: Hashable {
    /// Whether names, attributes, declared namespaces and all that is in them are the same, in the same order.
    public static func == (left: XMLElement, right: XMLElement) -> Bool {
        var pending = [(left, right)]
        while let (left, right) = pending.popLast() {
            guard left.tag == right.tag, left.children.count == right.children.count else { return false }
            for (one, other) in zip(left.children, right.children) {
                if case .element(let one) = one, case .element(let other) = other {
                    pending.append((one, other))
                } else {
                    guard one == other else { return false }
                }
            }
        }
        return true
    }

    /// Feeds the element and all that is in it to the hasher.
    public func hash(into hasher: inout Hasher) {
        var pending = [self]
        while let element = pending.popLast() {
            hasher.combine(element.tag)
            hasher.combine(element.children.count)
            for child in element.children {
                if case .element(let element) = child { pending.append(element) } else { hasher.combine(child) }
            }
        }
    }
}
