import type { listAttribution } from '../../../../sdk/typescript/src/operations.ts';
import { DAY_MS, isoDay, lastDayOf } from '../../format/time.ts';
import { choice, codec, day, text } from '../../url/codec.ts';

export const STATES = [
  'deterministically_resolved',
  'strongly_inferred',
  'weakly_inferred',
  'allocated',
  'manually_overridden',
  'unresolved',
] as const;
export const BANDS = ['chargeback_ready', 'provisional', 'estimated'] as const;
export const SORTS = [
  '-occurred_at',
  'occurred_at',
  '-cost_usd',
  'cost_usd',
  '-confidence',
  'confidence',
] as const;

export const recordsCodec = codec({
  owner: text(),
  service: text(),
  user: text(),
  provider: text(),
  model: text(),
  state: choice(['any', ...STATES], 'any'),
  band: choice(['any', ...BANDS], 'any'),
  price: choice(['any', 'known', 'unknown', 'implausible_cost'], 'any'),
  outcome: choice(['any', 'ok', 'error', 'incomplete'], 'any'),
  named: choice(['any', 'owner', 'nobody'], 'any'),
  served: choice(['any', 'service', 'none'], 'any'),
  trace: text(),
  from: day(),
  to: day(),
  sort: choice(SORTS, '-occurred_at'),
});

export type RecordFilters = ReturnType<typeof recordsCodec.read>;

type Query = NonNullable<Parameters<typeof listAttribution>[1]>;

/** The filters as the API takes them. The last day of the period is included. */
export const queryOf = (filters: RecordFilters): Query => ({
  sort: filters.sort,
  ...(filters.owner !== '' && { owner: filters.owner }),
  ...(filters.service !== '' && { service: filters.service }),
  ...(filters.user !== '' && { end_user: filters.user }),
  ...(filters.provider !== '' && { provider: filters.provider }),
  ...(filters.model !== '' && { served_model: filters.model }),
  ...(filters.trace !== '' && { trace_id: filters.trace }),
  ...(filters.state !== 'any' && { output_state: filters.state }),
  ...(filters.band !== 'any' && { confidence_band: filters.band }),
  ...(filters.price === 'known' && { 'cost_usd[exists]': 'true' }),
  ...(filters.price === 'unknown' && { 'cost_usd[exists]': 'false' }),
  ...(filters.price === 'implausible_cost' && { cost_unknown: filters.price }),
  ...(filters.outcome !== 'any' && { status: filters.outcome }),
  ...(filters.named !== 'any' && { 'owner[exists]': filters.named === 'owner' ? 'true' : 'false' }),
  ...(filters.served !== 'any' && { 'service[exists]': filters.served === 'service' ? 'true' : 'false' }),
  ...(filters.from !== null && { 'occurred_at[gte]': `${filters.from}T00:00:00Z` }),
  ...(filters.to !== null && {
    'occurred_at[lt]': new Date(Date.parse(filters.to) + DAY_MS).toISOString(),
  }),
});

/** The calls that match these filters. */
export const recordsLink = (members: Partial<RecordFilters>): string => {
  const search = recordsCodec.write({ ...recordsCodec.read(''), ...members });
  return search === '' ? '/records' : `/records?${search}`;
};

/** The days of a period, whose end is exclusive. */
export const daysOf = ({
  from,
  to,
}: {
  readonly from: string;
  readonly to: string;
}): Pick<RecordFilters, 'from' | 'to'> => ({
  from: isoDay(Date.parse(from)),
  to: isoDay(lastDayOf(to)),
});

/** How many filters are set, the order aside. */
export const countOf = (filters: RecordFilters): number => Object.keys(queryOf(filters)).length - 1;
