import * as z from 'zod';
import { EVENT_FAULT, faultOutcomes } from '../../../schemas/tenants/counters.ts';
import { EVENT_FAULTS_MAXIMUM } from '../../../schemas/tenants/diagnostics.ts';
import { type CounterSums, countsAfter } from '../../ingest/otlp/counterSums.ts';

/** Outcome, member and producer of a fault. */
const Subject = z.tuple([z.enum(faultOutcomes), z.string(), z.string().nullable()]);

/**
 * The events with a fault, most first. The producers are named only to callers that see single calls: what one key sent is a
 * figure about the person behind it.
 */
export const eventFaultsOf = (sums: CounterSums, seesProducers: boolean) => {
  const shown = new Map<string, number>();
  for (const { subject, count } of countsAfter(sums, EVENT_FAULT)) {
    const [outcome = '', member = '', ...producer] = subject.split(' ');
    const key = JSON.stringify([outcome, member, seesProducers ? producer.join(' ') : null]);
    shown.set(key, (shown.get(key) ?? 0) + count);
  }
  return [...shown]
    .toSorted(([one, many], [other, more]) => more - many || (one < other ? -1 : 1))
    .slice(0, EVENT_FAULTS_MAXIMUM)
    .map(([key, count]) => {
      const [outcome, member, producer] = Subject.parse(JSON.parse(key));
      return { outcome, member, producer, count };
    });
};
