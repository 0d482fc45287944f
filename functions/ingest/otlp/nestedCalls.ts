import type { Span } from '../spans/telemetry.ts';
import { ancestorsOf, type ParentOf } from './leafSpans.ts';

/** The calls above each lowest call that have no other lowest call below them, nearest first: they report the same call. */
export const callsAbove = (
  lowest: readonly Span[],
  { isCall, isBoundary }: Readonly<Record<'isCall' | 'isBoundary', (span: Span) => boolean>>,
  parentOf: ParentOf,
): ((span: Span) => readonly Span[]) => {
  const above = new Map<Span, readonly Span[]>();
  const covered = new Map<Span, number>();
  for (const span of lowest) {
    const ancestors = ancestorsOf(span, parentOf);
    const end = ancestors.findIndex(isBoundary);
    const calls = (end === -1 ? ancestors : ancestors.slice(0, end)).filter(isCall);
    above.set(span, calls);
    for (const call of calls) covered.set(call, (covered.get(call) ?? 0) + 1);
  }
  return (span) => (above.get(span) ?? []).filter((call) => covered.get(call) === 1);
};
