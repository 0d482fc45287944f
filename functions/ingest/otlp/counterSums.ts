import { UNREAD_USAGE } from '../../../schemas/tenants/counters.ts';
import type { UnreadUsage } from '../../../schemas/tenants/diagnostics.ts';
import { unreadUsageHint } from './unreadUsage.ts';

/** The sums of counters by name. */
export type CounterSums = ReadonlyMap<string, number>;

interface Counted {
  readonly subject: string;
  readonly count: number;
}

/** The sums of the counters whose name begins with a prefix, by the rest of the name, most first. */
export const countsAfter = (sums: CounterSums, prefix: string): Counted[] =>
  [...sums]
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, count]) => ({ subject: name.slice(prefix.length), count }))
    .toSorted((one, other) => other.count - one.count || (one.subject < other.subject ? -1 : 1));

/** The scopes whose token counts made no record, most first. */
export const unreadUsageOf = (sums: CounterSums): UnreadUsage[] =>
  countsAfter(sums, UNREAD_USAGE).map(({ subject, count }) => ({
    scope: subject,
    count,
    hint: unreadUsageHint(subject),
  }));
