import type { AttributeValue, Origin, Skipped, Span } from '../../spans/telemetry.ts';
import type { ExportBudget } from '../exportBudget.ts';
import { readAttribute } from './attributes.ts';
import { readExport } from './export.ts';
import type { WireReader } from './wire.ts';

const STATUS_ERROR = 2;

const readIsError = (status: WireReader): boolean => {
  let code = 0;
  while (status.next()) {
    if (status.field === 3) code = status.int64();
    else status.skip();
  }
  return code === STATUS_ERROR;
};

const readSpan = (message: WireReader, origin: Origin, skipped: Skipped): Span => {
  const attributes = new Map<string, AttributeValue>();
  const span = { traceId: '', spanId: '', parentSpanId: '', kind: 0, start: 0n, end: 0n, isError: false };
  while (message.next()) {
    if (message.field === 1) span.traceId = message.hex();
    else if (message.field === 2) span.spanId = message.hex();
    else if (message.field === 4) span.parentSpanId = message.hex();
    else if (message.field === 6) span.kind = message.int64();
    else if (message.field === 7) span.start = message.fixed64();
    else if (message.field === 8) span.end = message.fixed64();
    else if (message.field === 9) readAttribute(message.message(), attributes, skipped);
    else if (message.field === 15) span.isError = readIsError(message.message());
    else message.skip();
  }
  return { ...origin, ...span, attributes };
};

/** The spans of an `ExportTraceServiceRequest` (opentelemetry-proto 1.x). Throws a MalformedExportError. */
export const readProtobufSpans = (bytes: Buffer, budget: ExportBudget, skipped: Skipped): Span[] =>
  readExport(bytes, budget, skipped, readSpan);
