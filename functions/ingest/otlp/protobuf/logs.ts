import type { AttributeValue, LogRecord, Origin, Skipped } from '../../spans/telemetry.ts';
import type { ExportBudget } from '../exportBudget.ts';
import { readAttribute } from './attributes.ts';
import { readExport } from './export.ts';
import type { WireReader } from './wire.ts';

/** The body (field 5) is skipped: it is text for people, and may hold content. */
const readLogRecord = (message: WireReader, origin: Origin, skipped: Skipped): LogRecord => {
  const attributes = new Map<string, AttributeValue>();
  const record = { traceId: '', spanId: '', eventName: '', time: 0n };
  let observed = 0n;
  while (message.next()) {
    if (message.field === 1) record.time = message.fixed64();
    else if (message.field === 6) readAttribute(message.message(), attributes, skipped);
    else if (message.field === 9) record.traceId = message.hex();
    else if (message.field === 10) record.spanId = message.hex();
    else if (message.field === 11) observed = message.fixed64();
    else if (message.field === 12) record.eventName = message.text();
    else message.skip();
  }
  return { ...origin, ...record, time: record.time === 0n ? observed : record.time, attributes };
};

/** The records of an `ExportLogsServiceRequest` (opentelemetry-proto 1.x). Throws a MalformedExportError. */
export const readProtobufLogs = (bytes: Buffer, budget: ExportBudget, skipped: Skipped): LogRecord[] =>
  readExport(bytes, budget, skipped, readLogRecord);
