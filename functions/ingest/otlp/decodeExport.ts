import { CONTENT_DEPTH_MAXIMUM, parseJson } from '../../platform/shared/json.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { fullerEvent } from '../formats/fullerUsage.ts';
import type { Warnings } from '../formats/observedCall.ts';
import { isUncountedCall } from '../formats/uncountedCall.ts';
import { eventOfSpan, isIdentified } from '../spans/spanEvent.ts';
import { callsOnItsOwn, kindOfSpan } from '../spans/spanKind.ts';
import { MalformedExportError, type Skipped, type Span } from '../spans/telemetry.ts';
import { type ExportBudget, exportBudget } from './exportBudget.ts';
import { readJsonLogs, readJsonSpans } from './json.ts';
import { ancestorsOf, callerBeyond, parentsIn, spansAbove, spansBelow } from './leafSpans.ts';
import { readLog } from './logEvent.ts';
import { callsAbove } from './nestedCalls.ts';
import { readProtobufLogs } from './protobuf/logs.ts';
import { readProtobufSpans } from './protobuf/traces.ts';
import { uncountedTwins } from './uncountedTwins.ts';
import { countByScope, type UnreadUsage } from './unreadUsage.ts';

export const PROTOBUF = 'application/x-protobuf';

/** What an export tells of inference calls. */
export interface DecodedExport {
  /** One event for each call. Not yet validated. */
  readonly events: readonly Record<string, unknown>[];
  /** Names of attributes with content, which were skipped. */
  readonly content: readonly string[];
  /** Number of calls that no id identifies. They are rejected, because a repeated export would record them again. */
  readonly unidentified: number;
  /** What has token counts and made no event, by scope. */
  readonly unread: UnreadUsage;
  /** Number of calls that state no token counts, although they were answered. */
  readonly uncounted: number;
  /** How values of accepted calls were changed. */
  readonly warnings: readonly string[];
}

/** Reads the body of an export. `receivedAt` is in epoch milliseconds. Throws INVALID_REQUEST or PAYLOAD_TOO_LARGE. */
export type ExportDecoder = (bytes: Buffer, mediaType: string, receivedAt: number) => DecodedExport;

/** Reads a body. A body that is no export becomes INVALID_REQUEST. */
export const refuseMalformed = <Result>(read: () => Result): Result => {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof MalformedExportError)) throw error;
    throw new ProblemError('INVALID_REQUEST', error.message);
  }
};

/** The JSON value of an export. */
export const parseExport = (bytes: Buffer, { items }: ExportBudget): unknown =>
  parseJson(bytes, items, CONTENT_DEPTH_MAXIMUM);

const decoder =
  (
    read: (
      bytes: Buffer,
      isProtobuf: boolean,
      budget: ExportBudget,
      skipped: Skipped,
      receivedAt: string,
      warnings: Warnings,
    ) => Pick<DecodedExport, 'events' | 'unidentified' | 'unread' | 'uncounted'>,
  ) =>
  (bytes: Buffer, mediaType: string, receivedAt: number): DecodedExport => {
    const skipped = { content: new Set<string>() };
    const warnings: Warnings = new Set();
    // An empty message is valid in protobuf. Some senders test a connection with an empty body of either type.
    if (bytes.byteLength === 0)
      return { events: [], unidentified: 0, unread: new Map(), uncounted: 0, content: [], warnings: [] };
    const calls = refuseMalformed(() =>
      read(
        bytes,
        mediaType === PROTOBUF,
        exportBudget(),
        skipped,
        new Date(receivedAt).toISOString(),
        warnings,
      ),
    );
    return { ...calls, content: [...skipped.content], warnings: [...warnings] };
  };

const TWINS =
  'Calls without token counts were left out, because another instrumentation of the service reported them with their counts';

const UNCOUNTED =
  'Calls without token counts were recorded with an unknown cost, until another instrumentation reports them with their counts in the same trace. Outside of it, each would be one call too many: export one of both';

/** The neighbours of a call in its trace that have no record. */
const neighbourMembers = (caller: string | undefined, covered: readonly string[] = []) => ({
  ...(caller !== undefined && { caller_span_id: caller }),
  ...(covered.length > 0 && { covered_span_ids: covered }),
});

/** Decodes an `ExportTraceServiceRequest`. */
export const decodeTraces: ExportDecoder = decoder(
  (bytes, isProtobuf, budget, skipped, receivedAt, warnings) => {
    const spans = isProtobuf
      ? readProtobufSpans(bytes, budget, skipped)
      : readJsonSpans(parseExport(bytes, budget), budget, skipped);
    const parentOf = parentsIn(spans);
    const known = spans.map((span) => ({ span, found: kindOfSpan(span) }));
    const calls = known.flatMap(({ span, found }) =>
      found.kind === 'call' ? [{ span, operation: found.operation }] : [],
    );
    const isCall = new Set(calls.map(({ span }) => span));
    const boundaries = new Set(spans.filter(callsOnItsOwn));
    const isBoundary = (span: Span) => boundaries.has(span);
    const repeats = spansAbove([...isCall], parentOf, isBoundary);
    const lowestCalls = calls.filter(({ span }) => !repeats.has(span));
    const twins = uncountedTwins(lowestCalls.map(({ span }) => span));
    if (twins.size > 0) warnings.add(TWINS);
    const leaves = lowestCalls.filter(({ span }) => !twins.has(span));
    const identified = leaves.filter(({ span }) => isIdentified(span));
    const lowest = new Set(leaves.map(({ span }) => span));
    const below = spansBelow(
      calls.length === 0 ? [] : spans,
      { isCall: (span) => isCall.has(span), isLowest: (span) => lowest.has(span) },
      parentOf,
      isBoundary,
    );
    const eventOf = (span: Span, operation: string, told: Warnings) =>
      eventOfSpan(
        span,
        operation,
        ancestorsOf(span, parentOf),
        ['span', span.traceId, span.spanId],
        receivedAt,
        told,
      );
    const above = callsAbove([...lowest], { isCall: (span) => isCall.has(span), isBoundary }, parentOf);
    const events = identified.map(({ span, operation }) => ({
      ...fullerEvent(
        eventOf(span, operation, warnings),
        above(span).map((upper) => eventOf(upper, operation, new Set())),
      ),
      ...neighbourMembers(callerBeyond(span, parentOf, isBoundary), below.get(span)),
    }));
    // A span above or below a call repeats it, through an agent too.
    const repeating = spansAbove([...isCall], parentOf, () => false);
    const unread = known.flatMap(({ span, found }) =>
      found.kind === 'unread' &&
      !repeating.has(span) &&
      !ancestorsOf(span, parentOf).some((ancestor) => isCall.has(ancestor))
        ? [span.scope]
        : [],
    );
    const uncounted = events.filter(isUncountedCall).length;
    if (uncounted > 0) warnings.add(UNCOUNTED);
    return {
      events,
      unidentified: leaves.length - identified.length,
      unread: countByScope(unread),
      uncounted,
    };
  },
);

/** Decodes an `ExportLogsServiceRequest`. */
export const decodeLogs: ExportDecoder = decoder(
  (bytes, isProtobuf, budget, skipped, receivedAt, warnings) => {
    const records = isProtobuf
      ? readProtobufLogs(bytes, budget, skipped)
      : readJsonLogs(parseExport(bytes, budget), budget, skipped);
    const read = records.map((record) => readLog(record, receivedAt, warnings, budget.items));
    return {
      events: read.flatMap((one) => (one.kind === 'call' ? one.events : [])),
      unidentified: 0,
      uncounted: 0,
      unread: countByScope(read.flatMap((one) => (one.kind === 'unread' ? [one.scope] : []))),
    };
  },
);
