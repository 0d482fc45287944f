import { type Stretch, stretchOf } from '../../http/paging.ts';
import { timeOfUlid } from '../../shared/ulid.ts';
import { isInLane } from '../../tenancy/lane.ts';
import type { LedgerReader, Version } from '../ledger.store.ts';
import { partitionsOfMonth } from '../ledgerKey.ts';
import { type Filter, type FilterOperator, matches } from './filter.ts';
import { conditionAt } from './filterCondition.ts';
import { merge } from './sortMerge.ts';
import { behind, KNOWN, orderly, type PlaceRange, type SortField, UNKNOWNS, ulidAt } from './sortPlace.ts';
import { pastKey } from './versionChoice.ts';
import { SETTLED_MILLISECONDS, visibleAt } from './visibility.ts';
import { examinedMost, monthsWithin, type WalkRequest } from './walk.ts';

export interface SortedWalkRequest extends WalkRequest {
  readonly field: SortField;
}

/** The ranges of an order that filters on its own field leave, in the order of a walk: what is unknown comes last. */
const rangesOf = (filters: readonly Filter[], field: SortField): PlaceRange[] => {
  const asked = (...operators: readonly FilterOperator[]): string[] =>
    filters
      .filter((filter) => filter.field === field && operators.includes(filter.operator))
      .flatMap(({ values }) => values);
  const [lower, upper] = [asked('eq', 'gt', 'gte'), asked('eq', 'lt', 'lte')];
  const known = {
    from: lower.map(orderly).sort().at(-1) ?? KNOWN.from,
    to: upper.map(behind).sort()[0] ?? KNOWN.to,
  };
  const exists = asked('exists');
  return [
    ...(exists.includes('false') ? [] : [known]),
    ...(exists.includes('true') || lower.length > 0 || upper.length > 0 ? [] : [UNKNOWNS]),
  ];
};

/** What of the ranges a walk has yet to visit. */
const rangesAhead = ({ filters = [], field, descending, after }: SortedWalkRequest): PlaceRange[] => {
  const ranges = rangesOf(filters, field);
  if (after === undefined) return ranges;
  const isAmongUnknown = after >= UNKNOWNS.from;
  return ranges
    .filter((range) => range === UNKNOWNS || !isAmongUnknown)
    .map((range) => {
      if ((range === UNKNOWNS) !== isAmongUnknown) return range;
      return descending ? { ...range, to: after } : { ...range, from: after };
    });
};

/**
 * The next versions of a tenant's records by cost or confidence, of equal ones by time, unknown costs last: for each
 * record the version that held when the walk had settled, where it is in the period and the lane and the filters hold
 * for it. A record's versions lie apart here, so each is taken or left by its own validity, which
 * {@link SETTLED_MILLISECONDS} after its beginning nothing changes any more.
 * Every page reads each partition the period touches.
 */
export const sortedWalk = async (
  ledger: LedgerReader,
  request: SortedWalkRequest,
): Promise<Stretch<Version>> => {
  const { tenant, period, field, descending, residency, filters = [], limit } = request;
  const at = request.asOf - SETTLED_MILLISECONDS;
  const wanted = limit + 1;
  const condition = conditionAt(filters, residency, at);
  const budget = { left: examinedMost(wanted, true) };
  const months = monthsWithin(await ledger.months(tenant.tenant_id), period);
  const partitions = months.flatMap((month) => partitionsOfMonth(tenant, month));
  const isShown = (version: Version): boolean => {
    const occurredAt = timeOfUlid(ulidAt(version.key));
    if (occurredAt < period.from || occurredAt >= period.to || !visibleAt(version.validity, at)) return false;
    const { record } = version.attribution;
    return isInLane(record, residency) && matches(filters, record);
  };

  const found: Version[] = [];
  if (partitions.length === 0) return { items: found, resume: null };
  for (const range of rangesAhead(request)) {
    if (range.from > range.to) continue;
    const merged = merge(ledger, {
      ...range,
      tenantId: tenant.tenant_id,
      partitions,
      wanted: wanted - found.length,
      descending,
      order: field,
      condition,
      budget,
    });
    while (found.length < wanted) {
      const next = await merged.next();
      if (next === undefined) break;
      if (isShown(next)) found.push(next);
    }
    if (found.length >= wanted) break;
    const place = merged.place();
    if (place !== undefined) return { items: found, resume: place };
  }
  return stretchOf(found, limit, ({ key }) => pastKey(key, descending));
};
