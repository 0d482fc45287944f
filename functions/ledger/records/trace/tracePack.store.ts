import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as z from 'zod';
import { ulidTime } from '../../../platform/shared/ulid.ts';
import { expiryOf, keyIn, type Row, spanKey } from './traceRow.store.ts';
import { Span, type TraceLane } from './traceSpan.ts';

/**
 * A pack is one row with the spans of a trace that a worker stores together. Most traces have few spans, which come in one
 * or a few exports, so they cost one write for each export, and one query reads them all:
 *
 *   !b#          the first pack, with the spans of all lanes. `indexed`: the trace has outgrown its packs. Its spans have rows of
 *                their own
 *   !b#time#id   a further pack
 */
export const PACKS = '!b#';
/** Whoever inserts it knows that no other span of the trace is stored. */
export const FIRST_PACK = '';
/** JSON of at most this length is stored as text. Its row is below one write unit anyway. */
const TEXT_MAXIMUM = 700;

type Trace = Omit<TraceLane, 'lane'>;

/** Packs are in order of time. The clocks of processes differ, so this is an order that all agree about, and no more. */
export const newPackId = (at: number, id: string): string => `${ulidTime(at)}#${id}`;
export const packKey = (pack: string): string => `${PACKS}${pack}`;

export const toPackRow = (
  trace: Trace,
  spans: readonly Span[],
  { pack, writeId, at }: { readonly pack: string; readonly writeId: string; readonly at: number },
): Row => {
  const text = JSON.stringify(spans);
  return {
    ...keyIn(trace, packKey(pack)),
    spans: text.length <= TEXT_MAXIMUM ? { S: text } : { B: deflateRawSync(text) },
    write: { S: writeId },
    ttl: expiryOf(at),
  };
};

/** The first pack of a trace whose spans have rows of their own. */
export const toIndexedRow = (trace: Trace, at: number): Row => ({
  ...keyIn(trace, packKey(FIRST_PACK)),
  indexed: { BOOL: true },
  ttl: expiryOf(at),
});
export const isIndexed = (row: Row | undefined): boolean => row?.['indexed']?.BOOL === true;

const spansOfRow = ({ spans }: Row): Span[] =>
  z
    .array(Span)
    .parse(
      JSON.parse(spans?.B === undefined ? (spans?.S ?? '[]') : inflateRawSync(spans.B).toString('utf8')),
    );

/**
 * The spans of packs, in their order. A span that was delivered again is in several of them. If one of these has no caller, the
 * span was detached from it. If one has no evidence, the record has learned more than the event said.
 */
export const fromPackRows = (rows: readonly Row[]): Span[] => {
  const known = new Map<string, Span>();
  for (const row of rows) {
    const pack = row['sk']?.S?.slice(PACKS.length) ?? '';
    for (const span of spansOfRow(row)) {
      const before = known.get(spanKey(span));
      const isDetached = before?.parent_span_id === null || span.parent_span_id === null;
      const isTold = before !== undefined && before.evidence === undefined;
      known.set(spanKey(span), {
        ...span,
        evidence: isTold ? undefined : span.evidence,
        parent_span_id: isDetached ? null : span.parent_span_id,
        packs: [...(before?.packs ?? []), pack],
      });
    }
  }
  return [...known.values()];
};
