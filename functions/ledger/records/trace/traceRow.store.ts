import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { sha256Of } from '../../../platform/shared/hash.ts';
import { RETENTION_MILLISECONDS } from '../ledgerItem.ts';
import { tracePartition } from './tracePartition.ts';
import { callersOf, ownIdsOf, Span, type TraceLane } from './traceSpan.ts';

/**
 * The rows of a span in a trace of many spans. Each event has one under its record, one under its span id and one under the id
 * of who called it, so that a reader finds the spans next to a span without reading the trace:
 *
 *   record    [~~lane#][~connector#]ULID[#observer]              lists the records of a trace, in order of time
 *   own id    !s#lane#digest of the span id#[~connector]#ULID#   who reports this span
 *   callers   !c#lane#digest of the caller#u|n#[~connector]#…    who was called by it; `u`: it, or a span below it, reports usage
 *
 * Rows of other keys begin with `!`, so that they sort before those of the records.
 */

/** Spans are kept as long as their records, because records are looked up by trace through them. */
const RETENTION_SECONDS = RETENTION_MILLISECONDS / 1_000;

/** Identifies the spans of a record within its trace. */
export type RecordRef = Pick<Span, 'record' | 'lane' | 'connector'>;
/** Identifies what one observer says about a span. */
type SpanKey = RecordRef & Pick<Span, 'observer'>;
export type Row = Record<string, AttributeValue>;

const LANE = '~~';
const CONNECTOR = '~';
/** Characters of a digest of a span id: 132 bits. */
const DIGEST_LENGTH = 22;

/** The name of a lane may contain the separator. */
const laneKey = (lane: string | undefined): string => (lane === undefined ? '' : encodeURIComponent(lane));
const connectorKey = (connector: string | undefined): string =>
  connector === undefined ? '' : `${CONNECTOR}${connector}`;
const digestOf = (spanId: string): string =>
  sha256Of('span', spanId).toString('base64url').slice(0, DIGEST_LENGTH);

/** The first key of a record in a trace: those of the tenant in its home lane, of connectors there, of other lanes. */
export const FIRST_RECORD_KEY = '0';
export const recordRange = (lane: string | undefined): readonly [from: string, to: string] =>
  lane === undefined ? [FIRST_RECORD_KEY, LANE] : [`${LANE}${laneKey(lane)}#`, `${LANE}${laneKey(lane)}#~~`];

export const recordKey = ({ record, lane, connector }: RecordRef): string =>
  [
    ...(lane === undefined ? [] : [`${LANE}${laneKey(lane)}`]),
    ...(connector === undefined ? [] : [connectorKey(connector)]),
    record,
  ].join('#');
export const spanKey = ({ observer, ...ref }: SpanKey): string =>
  [recordKey(ref), ...(observer === undefined ? [] : [observer])].join('#');

/** The ULID of the record, and the observer, at the end of the key of a record. */
export const RECORD_NAME = /(?:^|#)(?<record>[0-9A-HJKMNP-TV-Z]{26})(?:#(?<observer>[\w-]+))?$/;

/** The spans of one party with a span id. Undefined connector: those of the tenant. */
export const ownIdPrefix = (
  lane: string | undefined,
  spanId: string,
  connector: string | undefined,
): string => `!s#${laneKey(lane)}#${digestOf(spanId)}#${connectorKey(connector)}#`;
/** The spans of all parties with a span id. */
export const ownIdRange = (lane: string | undefined, spanId: string): string =>
  `!s#${laneKey(lane)}#${digestOf(spanId)}#`;
/** The spans that a span called. */
export const callerRange = (lane: string | undefined, spanId: string): string =>
  `!c#${laneKey(lane)}#${digestOf(spanId)}#`;
const WITH_USAGE = 'u#';
export const usagePrefix = (
  lane: string | undefined,
  spanId: string,
  connector: string | undefined,
): string => `${callerRange(lane, spanId)}${WITH_USAGE}${connectorKey(connector)}#`;
/** Whether a span under its caller reports usage, or has such a span below it. */
export const isUsageEntry = ({ sk }: SpanEntry, range: string): boolean =>
  sk.startsWith(`${range}${WITH_USAGE}`);
/**
 * What the spans of a trace may agree about: owner and service, the end user, or the credential. Without a row, no span of
 * another credential calls, or is called by, one of this trace.
 */
export type AgreementSubject = 'names' | 'end_user' | 'credential';
const SUBJECTS: Readonly<Record<AgreementSubject, string>> = { names: 'n', end_user: 'e', credential: 'k' };
export const agreementKey = (
  lane: string | undefined,
  connector: string | undefined,
  subject: AgreementSubject,
): string => `!${SUBJECTS[subject]}#${laneKey(lane)}#${connectorKey(connector)}`;
export const passKey = (lane: string | undefined): string => `!p#${laneKey(lane)}`;

const endOf = ({ connector, record, observer }: SpanKey): string =>
  `${connectorKey(connector)}#${record}#${observer ?? ''}`;

export const partitionOf = ({ tenantId, traceId }: Omit<TraceLane, 'lane'>): string =>
  tracePartition(tenantId, traceId);
export const keyIn = (trace: Omit<TraceLane, 'lane'>, sk: string) => ({
  pk: { S: partitionOf(trace) },
  sk: { S: sk },
});

/** Expiry of a row that was written, or was written first, at this time (epoch milliseconds). */
export const expiryOf = (at: number): AttributeValue => ({
  N: String(Math.ceil(at / 1_000) + RETENTION_SECONDS),
});

/** A span under one of its keys. */
export interface SpanEntry {
  readonly sk: string;
  readonly span: Span;
}

/** The keys under which a span is found, that of its record first. */
export const keysOf = (span: Span): string[] => [
  spanKey(span),
  ...ownIdsOf(span).map((id) => `${ownIdRange(span.lane, id)}${endOf(span)}`),
  ...callersOf(span).map((caller) => calledKey(span, caller, span.reportsUsage)),
];

/** The key of a span under one that called it. `hasUsage`: it, or a span below it, reports usage. */
export const calledKey = (span: Span, caller: string, hasUsage: boolean): string =>
  `${callerRange(span.lane, caller)}${hasUsage ? 'u' : 'n'}#${endOf(span)}`;

/** A row of a span under one key. */
export const toRow = (trace: Omit<TraceLane, 'lane'>, sk: string, span: Span, at: number): Row => ({
  ...keyIn(trace, sk),
  span: { S: JSON.stringify(span) },
  ttl: expiryOf(at),
});

/**
 * The rows of a span, that of its record first. `writeId` shows whether others have touched it since. `at`: when they are
 * written, or were written first, in epoch milliseconds.
 */
export const toSpanRows = (
  trace: Omit<TraceLane, 'lane'>,
  span: Span,
  { writeId, at }: { readonly writeId: string; readonly at: number },
): Row[] =>
  keysOf(span).map((sk, index) => ({
    ...toRow(trace, sk, span, at),
    ...(index === 0 && { write: { S: writeId } }),
  }));

/** The row that tells who called a span that a span below it reports usage. */
export const toUsageRow = (trace: Omit<TraceLane, 'lane'>, span: Span, caller: string, at: number): Row =>
  toRow(trace, calledKey(span, caller, true), span, at);

export const fromSpanRow = (row: Row): SpanEntry => ({
  sk: row['sk']?.S ?? '',
  span: Span.parse(JSON.parse(row['span']?.S ?? '{}')),
});

export const nameOf = ({ pk, sk }: Row): string => `${pk?.S} ${sk?.S}`;
