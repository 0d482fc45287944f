import { METRIC_DAYS_MAXIMUM } from '../../../schemas/insight/businessMetrics.ts';
import { sha256Of } from '../../platform/shared/hash.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { ulidOfDigest } from '../../platform/shared/ulid.ts';
import type { StoredMetric } from './metric.store.ts';

/** The ULID of a metric: name, owner, service and lane make it. */
export const metricUlid = ({
  name,
  owner,
  service,
  residency,
}: Pick<StoredMetric, 'name' | 'owner' | 'service' | 'residency'>): string =>
  ulidOfDigest(sha256Of('metric', JSON.stringify([name, owner, service, residency])));

/** The numbers after new ones. Null removes a day. Throws VALIDATION_FAILED for too many days. */
export const mergeNumbers = (
  current: StoredMetric['numbers'],
  sent: readonly { readonly date: string; readonly value: string | null }[],
): StoredMetric['numbers'] => {
  const numbers = new Map(Object.entries(current));
  for (const { date, value } of sent) {
    if (value === null) numbers.delete(date);
    else numbers.set(date, value);
  }
  if (numbers.size > METRIC_DAYS_MAXIMUM) {
    const detail = `a metric has numbers of at most ${METRIC_DAYS_MAXIMUM} days`;
    throw new ProblemError('VALIDATION_FAILED', 'Too many days. Remove the number of others first.', {
      errors: [{ pointer: '/numbers', detail }],
    });
  }
  return Object.fromEntries([...numbers].toSorted(([one], [other]) => (one < other ? -1 : 1)));
};
