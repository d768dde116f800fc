import CSockeyeXML

// What the C parser calls. Each function finds its object, reads what the pointers point to, and hands values on; see
// `XMLContext` for why the pointers are good.

extension XMLContext {
    static var callbacks: sockeye_xml_callbacks {
        var callbacks = sockeye_xml_callbacks()
        callbacks.start_element = { handler, local, prefix, namespaceCount, namespaces, count, defaultCount, values in
            let tag = XMLTag(
                XMLReading.name(local, prefix), attributes: XMLReading.attributes(values, Int(count)),
                namespaces: XMLReading.namespaces(namespaces, Int(namespaceCount)))
            XMLReading.context(handler).report { collector throws(XMLFault) in
                try collector.startElement(tag, defaultCount: Int(defaultCount))
            }
        }
        callbacks.end_element = { handler in
            XMLReading.context(handler).report { $0.endElement() }
        }
        callbacks.text = { handler, text, count in
            let text = XMLReading.string(text, Int(count))
            XMLReading.context(handler).report { $0.appendText(text) }
        }
        callbacks.cdata = { handler, text, count in
            let text = XMLReading.string(text, Int(count))
            XMLReading.context(handler).report { $0.append(.cdata(text)) }
        }
        callbacks.comment = { handler, text in
            let text = XMLReading.string(text) ?? ""
            XMLReading.context(handler).report { $0.append(.comment(text)) }
        }
        callbacks.processing_instruction = { handler, target, data in
            let target = XMLReading.string(target) ?? ""
            let data = XMLReading.string(data) ?? ""
            XMLReading.context(handler).report { $0.append(.processingInstruction(target: target, data: data)) }
        }
        addDeclarations(to: &callbacks)
        callbacks.fault = { handler, fault, message in
            XMLReading.context(handler).report(fault, XMLReading.message(message))
        }
        return callbacks
    }

    private static func addDeclarations(to callbacks: inout sockeye_xml_callbacks) {
        callbacks.declare_entity = { handler, name, kind, content in
            let name = XMLReading.string(name) ?? ""
            let text = XMLReading.string(content) ?? ""
            XMLReading.context(handler).report { collector throws(XMLFault) in
                switch kind {
                case SOCKEYE_XML_INTERNAL: collector.declareEntity(name, .text(text))
                case SOCKEYE_XML_EXTERNAL: collector.declareEntity(name, .external)
                case SOCKEYE_XML_UNPARSED: collector.declareEntity(name, .unparsed)
                default: throw XMLFault(.parameterEntity, "the DTD has parameter entities, which are not supported")
                }
            }
        }
        callbacks.default_namespace = { handler in
            XMLReading.context(handler).report { $0.declareDefaultNamespace() }
        }
        callbacks.check_entity = { handler, name in
            let context = XMLReading.context(handler)
            let name = XMLReading.string(name) ?? ""
            context.report { collector throws(XMLFault) in try collector.checkEntity(name) }
            return context.failure == nil ? 1 : 0
        }
        callbacks.parameter_entity = { handler, _ in
            XMLReading.context(handler).report { _ throws(XMLFault) in
                throw XMLFault(.parameterEntity, "the DTD refers to a parameter entity, which is not supported")
            }
        }
        callbacks.reference = { handler, name in
            let name = XMLReading.string(name) ?? ""
            XMLReading.context(handler).report { collector throws(XMLFault) in try collector.reference(name) }
        }
    }
}
