#if XML
import CSockeyeXML
import SockeyeCore

// The callbacks of the C parser. Each one finds its `XMLContext`, copies the values behind the pointers, and passes the
// copies to the collector. `XMLContext` explains why the pointers are valid.

extension XMLContext {
    static var callbacks: sockeye_xml_callbacks {
        var callbacks = sockeye_xml_callbacks()
        unsafe callbacks.start_element = {
            handler, local, prefix, namespaceCount, namespaces, count, defaultCount, values in
            unsafe XMLReading.context(handler).report { collector throws(XMLFault) in
                let tag = unsafe XMLEvent.Tag(
                    XMLReading.name(local, prefix), attributes: XMLReading.attributes(values, Int(count)),
                    namespaces: XMLReading.namespaces(namespaces, Int(namespaceCount)))
                try collector.startElement(tag, defaultCount: Int(defaultCount))
            }
        }
        unsafe callbacks.end_element = { handler in
            unsafe XMLReading.context(handler).report { $0.endElement() }
        }
        unsafe callbacks.text = { handler, text, count in
            unsafe XMLReading.context(handler).report { unsafe $0.appendText(XMLReading.string(text, Int(count))) }
        }
        unsafe callbacks.cdata = { handler, text, count in
            unsafe XMLReading.context(handler).report { unsafe $0.append(.cdata(XMLReading.string(text, Int(count)))) }
        }
        unsafe callbacks.comment = { handler, text in
            unsafe XMLReading.context(handler).report { unsafe $0.append(.comment(XMLReading.string(text) ?? "")) }
        }
        unsafe callbacks.processing_instruction = { handler, target, data in
            unsafe XMLReading.context(handler).report { collector in
                let target = unsafe XMLReading.string(target) ?? ""
                let data = unsafe XMLReading.string(data) ?? ""
                collector.append(.processingInstruction(target: target, data: data))
            }
        }
        addDeclarations(to: &callbacks)
        unsafe callbacks.fault = { handler, fault, message in
            unsafe XMLReading.context(handler).report(fault, message)
        }
        return callbacks
    }

    private static func addDeclarations(to callbacks: inout sockeye_xml_callbacks) {
        unsafe callbacks.declare_entity = { handler, name, kind, content in
            unsafe XMLReading.context(handler).report { collector throws(XMLFault) in
                let name = unsafe XMLReading.string(name) ?? ""
                let text = unsafe XMLReading.string(content) ?? ""
                switch kind {
                case SOCKEYE_XML_INTERNAL: collector.declareEntity(name, .text(text))
                case SOCKEYE_XML_EXTERNAL: collector.declareEntity(name, .external)
                case SOCKEYE_XML_UNPARSED: collector.declareEntity(name, .unparsed)
                default: throw XMLFault(.parameterEntity, "the DTD has parameter entities, which are not supported")
                }
            }
        }
        unsafe callbacks.declare_default = { handler, element, isNamespace in
            unsafe XMLReading.context(handler).report { collector throws(XMLFault) in
                try collector.declareDefault(of: UInt(bitPattern: element), isNamespace: isNamespace != 0)
            }
        }
        unsafe callbacks.check_entity = { handler, name in
            let context = unsafe XMLReading.context(handler)
            context.report { collector throws(XMLFault) in
                try unsafe collector.checkEntity(XMLReading.string(name) ?? "")
            }
            return context.failure == nil ? 1 : 0
        }
        unsafe callbacks.parameter_entity = { handler, _ in
            unsafe XMLReading.context(handler).report { _ throws(XMLFault) in
                throw XMLFault(.parameterEntity, "the DTD refers to a parameter entity, which is not supported")
            }
        }
        unsafe callbacks.reference = { handler, name in
            unsafe XMLReading.context(handler).report { collector throws(XMLFault) in
                try unsafe collector.reference(XMLReading.string(name) ?? "")
            }
        }
    }
}

/// Conversions of the callbacks' C arguments to Swift values. This type is part of the unsafe code; see `XMLContext`.
enum XMLReading {
    typealias Text = UnsafePointer<UInt8>

    static func context(_ handler: UnsafeMutableRawPointer?) -> XMLContext {
        // `XMLContext.init` passed the pointer, so it is not nil.
        unsafe Unmanaged<XMLContext>.fromOpaque(handler!).takeUnretainedValue()
    }

    static func string(_ text: Text?) -> String? {
        unsafe text.map { unsafe String(cString: $0) }
    }

    static func string(_ text: Text?, _ count: Int) -> String {
        unsafe String(decoding: UnsafeBufferPointer(start: text, count: text == nil ? 0 : max(count, 0)), as: UTF8.self)
    }

    /// Returns a name without its namespace. Copying the URI for each name could multiply the memory that a document
    /// takes; see ``XMLNamespaceScope``.
    static func name(_ local: Text?, _ prefix: Text?) -> XMLEvent.Name {
        unsafe XMLEvent.Name(string(local) ?? "", prefix: string(prefix))
    }

    /// Returns the namespaces in `values`, which has two pointers for each: prefix and URI.
    static func namespaces(_ values: UnsafeMutablePointer<Text?>?, _ count: Int) -> [XMLEvent.Namespace] {
        guard let values = unsafe values, count > 0 else { return [] }
        return (0..<count).map {
            unsafe XMLEvent.Namespace(prefix: string(values[2 * $0]), uri: string(values[2 * $0 + 1]) ?? "")
        }
    }

    /// Returns the attributes in `values`, which has five pointers for each: local name, prefix, URI, start of the
    /// value, end of the value.
    static func attributes(_ values: UnsafeMutablePointer<Text?>?, _ count: Int) -> [XMLEvent.Attribute] {
        guard let values = unsafe values, count > 0 else { return [] }
        return (0..<count).map { index in
            let fields = unsafe values + 5 * index
            let length = if let start = unsafe fields[3], let end = unsafe fields[4] { unsafe end - start } else { 0 }
            return unsafe XMLEvent.Attribute(name(fields[0], fields[1]), string(fields[3], length))
        }
    }

    /// Returns at most 200 code points of a message, on one line.
    static func message(_ text: UnsafePointer<CChar>?) -> String {
        guard let text = unsafe text else { return "the document is not well-formed" }
        return unsafe String(String(cString: text).start(ofScalars: 200).map { $0.isNewline ? " " : $0 }).trimmedEnd
    }
}

extension String {
    fileprivate var trimmedEnd: String {
        var copy = self
        while copy.last == " " { copy.removeLast() }
        return copy
    }
}
#endif
