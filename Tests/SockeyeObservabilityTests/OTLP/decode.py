#!/usr/bin/env python3
"""Decodes requests to an OTLP collector, by the classes of OpenTelemetry's own `.proto` files, and prints a line for each
span, metric and log record. Fields that these files do not define are an error.

usage: decode.py TRACES METRICS LOGS
"""
import sys

from google.protobuf.unknown_fields import UnknownFieldSet
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.logs.v1.logs_pb2 import SeverityNumber
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status


def check(message):
    """Exits if a message, or one inside of it, has unknown fields."""
    if len(UnknownFieldSet(message)):
        sys.exit(f"decode: {message.DESCRIPTOR.full_name} has unknown fields")
    for field, value in message.ListFields():
        if field.message_type:
            for inner in value if hasattr(value, "__len__") else [value]:
                check(inner)


def read(kind, path):
    with open(path, "rb") as file:
        request = kind.FromString(file.read())
    check(request)
    return request


def value(any_value):
    kind = any_value.WhichOneof("value")
    if kind == "array_value":
        return "[" + ",".join(value(item) for item in any_value.array_value.values) + "]"
    return str(getattr(any_value, kind))


def attributes(item):
    return "".join(f" {pair.key}={value(pair.value)}" for pair in item.attributes)


def spans(request):
    found = [span for group in request.resource_spans for scope in group.scope_spans for span in scope.spans]
    names = {span.span_id: span.name for span in found}
    # The spans of a trace are printed together. Their start times are based on one reading of the system's clock, which
    # may be set back before the next trace.
    traces = {}
    for span in found:
        traces.setdefault(span.trace_id, len(traces))
    for span in sorted(found, key=lambda span: (traces[span.trace_id], span.start_time_unix_nano)):
        assert len(span.trace_id) == 16 and len(span.span_id) == 8, span
        assert span.start_time_unix_nano <= span.end_time_unix_nano, span
        status = Status.StatusCode.Name(span.status.code).removeprefix("STATUS_CODE_").lower()
        kind = Span.SpanKind.Name(span.kind).removeprefix("SPAN_KIND_").lower()
        parent = f" in {names[span.parent_span_id]}" if span.parent_span_id else ""
        yield f"{kind} span {span.name}{parent}, status {status}:{attributes(span)}"


def metrics(request):
    for metric in (m for group in request.resource_metrics for scope in group.scope_metrics for m in scope.metrics):
        kind = metric.WhichOneof("data")
        for point in getattr(metric, kind).data_points:
            figure = ""
            if kind == "histogram":
                assert sum(point.bucket_counts) == point.count, metric
                assert len(point.bucket_counts) == len(point.explicit_bounds) + 1, metric
                figure = f" of {point.count}"
            unit = f" in {metric.unit}" if metric.unit else ""
            bounds = f", {len(point.explicit_bounds)} boundaries" if figure and point.explicit_bounds else ""
            yield f"{kind}{figure} {metric.name}{unit}{bounds}:{attributes(point)}"


def logs(request):
    for record in (r for group in request.resource_logs for scope in group.scope_logs for r in scope.log_records):
        level = SeverityNumber.Name(record.severity_number).removeprefix("SEVERITY_NUMBER_").lower()
        yield f"{level} record {value(record.body)}:{attributes(record)}"


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    for line in spans(read(ExportTraceServiceRequest, sys.argv[1])):
        print(line)
    for line in sorted(metrics(read(ExportMetricsServiceRequest, sys.argv[2]))):
        print(line)
    for line in logs(read(ExportLogsServiceRequest, sys.argv[3])):
        print(line)


if __name__ == "__main__":
    main()
