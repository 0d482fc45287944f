import type { AttributeMap, AttributeValue, LogRecord, Origin, Skipped } from '../../spans/telemetry.ts';
import type { ExportBudget } from '../exportBudget.ts';
import { BODY_DEPTH_MAXIMUM, countingBody } from '../logBody.ts';
import { readAttribute, readValue } from './attributes.ts';
import { readExport } from './export.ts';
import type { WireReader } from './wire.ts';

const readLogRecord = (
  message: WireReader,
  origin: Origin,
  skipped: Skipped,
  { items }: ExportBudget,
): LogRecord => {
  const attributes = new Map<string, AttributeValue>();
  const record = { traceId: '', spanId: '', eventName: '', time: 0n };
  let observed = 0n;
  let body: AttributeValue | AttributeMap | undefined;
  while (message.next()) {
    if (message.field === 1) record.time = message.fixed64();
    else if (message.field === 5) body = readValue(message.message(), BODY_DEPTH_MAXIMUM);
    else if (message.field === 6) readAttribute(message.message(), attributes, skipped);
    else if (message.field === 9) record.traceId = message.hex();
    else if (message.field === 10) record.spanId = message.hex();
    else if (message.field === 11) observed = message.fixed64();
    else if (message.field === 12) record.eventName = message.text();
    else message.skip();
  }
  const time = record.time === 0n ? observed : record.time;
  return { ...origin, ...record, time, attributes, ...countingBody(body, items) };
};

/** The records of an `ExportLogsServiceRequest` (opentelemetry-proto 1.x). Throws a MalformedExportError. */
export const readProtobufLogs = (bytes: Buffer, budget: ExportBudget, skipped: Skipped): LogRecord[] =>
  readExport(bytes, budget, skipped, (message, origin) => readLogRecord(message, origin, skipped, budget));
