#if XML
extension XMLDocument {
    /// An element of a document with all its content. It is a value without references to its parent or to the parser.
    public struct Element: Sendable {
        /// The name, the attributes, and the namespaces that the element declares.
        public let tag: XMLEvent.Tag
        /// The content, in order.
        public internal(set) var children: [XMLDocument.Node]

        package init(_ tag: XMLEvent.Tag, children: [XMLDocument.Node] = []) {
            self.tag = tag
            self.children = children
        }

        /// The name.
        public var name: XMLEvent.Name { tag.name }

        /// The attributes in their order.
        public var attributes: [XMLEvent.Attribute] { tag.attributes }

        /// The child elements, in order.
        public var elements: [XMLDocument.Element] {
            children.compactMap { if case .element(let element) = $0 { element } else { nil } }
        }

        /// All text of the element and its descendants, joined.
        public var text: String {
            var text = ""
            // An explicit stack: recursion could overflow the thread's stack.
            var rest = [children[...]]
            while var children = rest.popLast() {
                guard let child = children.popFirst() else { continue }
                rest.append(children)
                switch child {
                case .text(let run), .cdata(let run): text += run
                case .element(let element): rest.append(element.children[...])
                case .comment, .processingInstruction: continue
                }
            }
            return text
        }

        // MARK: Queries

        /// The value of an attribute by its local name; nil if there is no such attribute.
        ///
        /// - Parameters:
        ///   - attribute: The local name.
        ///   - namespace: The URI of its namespace. If nil, the first attribute with that local name is returned.
        public subscript(attribute: String, namespace namespace: String? = nil) -> String? {
            tag[attribute, namespace: namespace]
        }

        /// Returns the child elements with a local name, in order.
        ///
        /// - Parameters:
        ///   - name: The local name.
        ///   - namespace: The URI of their namespace; nil for any.
        public func children(named name: String, namespace: String? = nil) -> [XMLDocument.Element] {
            children.compactMap { child in
                guard case .element(let element) = child, element.name.matches(name, in: namespace) else { return nil }
                return element
            }
        }

        /// Returns the first child element with a local name; nil if there is no such element.
        ///
        /// - Parameters:
        ///   - name: The local name.
        ///   - namespace: The URI of its namespace; nil for any.
        public func first(named name: String, namespace: String? = nil) -> XMLDocument.Element? {
            for case .element(let element) in children where element.name.matches(name, in: namespace) {
                return element
            }
            return nil
        }

        /// Returns the elements at a path of local names, in order, such as all titles at `channel/item/title`. `*`
        /// stands for any name; the empty path is this element.
        public func elements(at path: String) -> [XMLDocument.Element] {
            path.split(separator: "/").reduce([self]) { found, step in
                found.flatMap { step == "*" ? $0.elements : $0.children(named: String(step)) }
            }
        }

        /// Returns the first element at a path, or nil if there is no such element; see ``elements(at:)``.
        public func first(at path: String) -> XMLDocument.Element? {
            first(at: path.split(separator: "/")[...])
        }

        private func first(at steps: ArraySlice<Substring>) -> XMLDocument.Element? {
            guard let step = steps.first else { return self }
            for case .element(let element) in children where step == "*" || element.name.matches(String(step), in: nil)
            {
                if let found = element.first(at: steps.dropFirst()) { return found }
            }
            return nil
        }
    }
}

// Comparing and hashing are not recursive, because the caller's thread may have a small stack.

extension XMLDocument.Element: Hashable {
    /// Returns true if names, attributes, declared namespaces and contents are equal, in the same order.
    public static func == (left: XMLDocument.Element, right: XMLDocument.Element) -> Bool {
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

    /// Feeds the element and all its content to the hasher.
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

extension XMLDocument {
    /// A part of an element's content.
    @nonexhaustive public indirect enum Node: Sendable, Hashable {
        /// Another element.
        case element(XMLDocument.Element)
        /// Text, with references replaced. Two texts are never adjacent.
        case text(String)
        /// Text of a CDATA section, if ``XMLDocument/Options/mergesCDATA`` is false.
        case cdata(String)
        /// A comment, without its delimiters.
        case comment(String)
        /// A processing instruction.
        case processingInstruction(target: String, data: String)
    }
}
#endif
