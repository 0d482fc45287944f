import { mayInform } from '../dedup/statementPolicy.ts';
import { calledKey, keysOf, type SpanEntry } from './traceRow.store.ts';
import { callersOf, ownIdsOf, type Span } from './traceSpan.ts';

const idsIn = ({ lane }: Span, ids: readonly string[]): string[] =>
  ids.map((id) => JSON.stringify([lane, id]));

/**
 * The entries of spans in order of their keys, as if each span had rows of its own. Each span without usage is also listed with
 * usage under its callers, if a span below it reports some.
 */
export const packedEntries = (spans: readonly Span[]): SpanEntry[] => {
  const entries = spans.flatMap((span) => keysOf(span).map((sk) => ({ sk, span })));
  const byId = Map.groupBy(
    spans.flatMap((span) => idsIn(span, ownIdsOf(span)).map((id) => ({ id, span }))),
    ({ id }) => id,
  );
  const pending = spans.filter(({ reportsUsage }) => reportsUsage);
  const told = new Set(pending);
  for (const span of pending) {
    for (const { span: above } of idsIn(span, callersOf(span)).flatMap((id) => byId.get(id) ?? [])) {
      if (told.has(above) || !mayInform(span.connector ?? null, above.connector ?? null)) continue;
      told.add(above);
      pending.push(above);
      entries.push(
        ...callersOf(above).map((caller) => ({ sk: calledKey(above, caller, true), span: above })),
      );
    }
  }
  return entries.toSorted((one, other) => (one.sk < other.sk ? -1 : 1));
};
