/// The style sheet of charts, with dark colours if the viewer prefers them.
enum ChartStyle {
    static let css = """

            text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
              font-size: 12px; fill: #1f2328 }
            .background { fill: #ffffff; stroke: #d8dee4 }
            .title { font-size: 18px; font-weight: 600 }
            .panel { font-size: 13px; font-weight: 600 }
            .hint, .subtitle, .footnote, .tick, .absent { fill: #59636e }
            .hint, .tick, .footnote { font-size: 11px }
            .name { fill: #424a53 }
            .ours { font-weight: 600; fill: #b23a22 }
            .value { font-size: 11px; font-variant-numeric: tabular-nums; stroke: #ffffff; stroke-width: 3px;
              paint-order: stroke }
            .grid { stroke: #e6eaef }
            .base { stroke: #afb8c1 }
            .sockeye { fill: #e4572e }
            .variant { fill: #f2a08a }
            .peer { fill: #8c9bab }
            .limit { fill: #eef1f4; stroke: #8c9bab; stroke-dasharray: 3 2 }
            .range { stroke: #1f2328; stroke-opacity: 0.75; fill: none }
            .break { stroke: #ffffff; stroke-width: 2; fill: none }
            @media (prefers-color-scheme: dark) {
              text { fill: #e6edf3 }
              .background { fill: #0d1117; stroke: #30363d }
              .hint, .subtitle, .footnote, .tick, .absent { fill: #9198a1 }
              .name { fill: #c4ccd4 }
              .ours { fill: #ff9d83 }
              .grid { stroke: #21262d }
              .base { stroke: #57606a }
              .sockeye { fill: #f0633a }
              .variant { fill: #a8452b }
              .peer { fill: #6b7a8a }
              .limit { fill: #161b22; stroke: #8c9bab }
              .range { stroke: #e6edf3 }
              .break, .value { stroke: #0d1117 }
            }
          
        """

    /// Returns the CSS class of a client's bar.
    static func bar(of client: String) -> String {
        if client == ClientName.wrk { return "limit" }
        if client == ClientName.sockeye { return "sockeye" }
        return ClientName.isOurs(client) ? "variant" : "peer"
    }
}
