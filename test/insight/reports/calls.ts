import * as fc from 'fast-check';
import { hashOfPerson } from '../../../functions/ledger/records/person.ts';
import { noFigures } from '../../../functions/ledger/rollups/figures.ts';
import { LENGTH, startOf } from '../../../functions/ledger/rollups/grain.ts';
import type { RollupReader } from '../../../functions/ledger/rollups/rollup.store.ts';
import { sumGroups } from '../../../functions/ledger/rollups/rollup.ts';
import { COHORT_MINIMUM } from '../../../schemas/insight/reports.ts';
import {
  Dimensions,
  type Figures,
  type LongCalls,
  NO_LONG_CALLS,
  NO_OUTCOMES,
  type Rollup,
  type RollupGrain,
  type RollupGroup,
} from '../../../schemas/ledger/rollup.ts';

export const TENANT = 'acme';

/** The values of a call that reports use. */
export interface Call {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly person?: string | undefined;
  readonly owner?: string | null;
  readonly service?: string | null;
  readonly provider?: string;
  readonly model?: string;
  readonly region?: string | null;
  readonly pathway?: Dimensions['pathway_category'];
  readonly lane?: string | null;
  readonly tags?: readonly string[];
  /** Values of the cost allocation tags in force on its day. */
  readonly costAllocation?: Record<string, string | null>;
  readonly state?: Dimensions['output_state'];
  readonly band?: Dimensions['confidence_band'];
  /** USD. Null if the price is unknown. */
  readonly cost?: string | null;
  readonly invocations?: number;
  /** The status of all its invocations. Default: `ok`. Null in sums that were stored before it was read. */
  readonly status?: 'ok' | 'error' | 'incomplete' | null;
  /** How many of its invocations read more than a number of tokens. Null in sums that were stored before that was read. */
  readonly long?: LongCalls['above'] | null;
  /** Tokens of all its invocations. Default: one of input for each. */
  readonly tokens?: Partial<
    Pick<Figures, 'input_tokens' | 'cached_input_tokens' | 'cache_write_tokens' | 'output_tokens'>
  >;
}

export const hashOf = (person: string): string => hashOfPerson(TENANT, person);

const hashes = new Map<string, string>();
const cachedHashOf = (person: string): string => {
  const hash = hashes.get(person) ?? hashOf(person);
  hashes.set(person, hash);
  return hash;
};

const groupOf = (call: Call): RollupGroup => {
  const {
    cost = '1',
    invocations = 1,
    state = 'deterministically_resolved',
    band = 'chargeback_ready',
    status = 'ok',
  } = call;
  const quantity =
    cost === null
      ? { low: '0', central: '0', high: '0', unknown: invocations }
      : { low: cost, central: cost, high: cost, unknown: 0 };
  return {
    dimensions: Dimensions.parse({
      owner: call.owner ?? null,
      service: call.service ?? null,
      provider: call.provider ?? 'openai',
      served_model: call.model ?? 'gpt-5',
      pathway_category: call.pathway ?? 'application_direct',
      region: call.region ?? null,
      residency: call.lane ?? null,
      tags: [...(call.tags ?? [])],
      cost_allocation_tags: call.costAllocation ?? {},
      output_state: state,
      confidence_band: band,
    }),
    figures: {
      ...noFigures,
      invocations,
      cost_usd: quantity,
      energy_wh: quantity,
      carbon_gco2e: quantity,
      input_tokens: invocations,
      ...call.tokens,
      outcomes: {
        ...NO_OUTCOMES,
        examined: status === null ? 0 : invocations,
        ...(status !== null &&
          status !== 'ok' && {
            [status]: {
              invocations,
              paid: cost === null || cost === '0' ? 0 : invocations,
              cost_usd: quantity,
            },
          }),
      },
      long_calls: call.long === null ? NO_LONG_CALLS : { examined: invocations, above: call.long ?? {} },
      persons: call.person === undefined ? [] : [cachedHashOf(call.person)],
      impersonal: call.person === undefined ? invocations : 0,
    },
  };
};

/** A reader of the rollups of these calls. */
export const rollupReaderOf = (calls: readonly Call[]): RollupReader =>
  rollupReaderOfGroups(calls.map((call) => ({ at: call.at, group: groupOf(call) })));

/** A reader of the totals of calls at instants (epoch milliseconds), of which each is a group. */
export const rollupReaderOfGroups = (
  groups: readonly { readonly at: number; readonly group: RollupGroup }[],
): RollupReader => {
  const rollupsOf = (grain: RollupGrain): Rollup[] =>
    [...Map.groupBy(groups, ({ at }) => startOf(grain, at))]
      .map(([start, inside]) => ({
        start,
        grain,
        asOf: start + LENGTH[grain],
        groups: sumGroups(inside.map(({ group }) => group)),
      }))
      .sort((one, other) => one.start - other.start);
  const rollups = { minute: rollupsOf('minute'), hour: rollupsOf('hour'), day: rollupsOf('day') };
  return {
    read: async (_tenantId, { grain, from, to }) =>
      rollups[grain].filter(({ start }) => from <= start && start < to),
  };
};

/** Names of the persons of a team. */
export const team = (name: string, size: number): string[] =>
  Array.from({ length: size }, (_, index) => `${name}-${index}`);

/** Days of two months, including the last day of the first month and the first day of the second. */
const DAYS = ['2026-03-01', '2026-03-02', '2026-03-31', '2026-04-01'];
const HOURS = [9, 10];
/** Some calls of an hour are in another quarter, and some on both sides of an end within a quarter. */
const MINUTES = [0, 16, 22, 45];
/** The first day on which `env` is a cost allocation tag. */
const TAGGED_FROM = Date.parse('2026-03-02');

/** The person of a call: its identity, or its owner if that is a known identity. */
export const personOf = (
  { person, owner }: Call,
  known: ReadonlySet<string | undefined>,
): string | undefined => person ?? (typeof owner === 'string' && known.has(owner) ? owner : undefined);

/** Few persons and few groups, the hardest case for suppression. Each call has its own bit in the sums. */
export const smallTenant = (callsMaximum: number) => {
  const person = fc.constantFrom(...team('person', 8));
  const call = fc.record({
    at: fc
      .tuple(fc.constantFrom(...DAYS), fc.constantFrom(...HOURS), fc.constantFrom(...MINUTES))
      .map(([day, hour, minute]) => Date.parse(day) + hour * LENGTH.hour + minute * LENGTH.minute),
    person: fc.option(person, { nil: undefined, freq: 6 }),
    owner: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom('ads', 'search', null) },
      { weight: 1, arbitrary: person },
    ),
    service: fc.constantFrom('ranking', null),
    provider: fc.constantFrom('openai', 'anthropic'),
    model: fc.constantFrom('large', 'small'),
    lane: fc.constantFrom('eu', 'us'),
    tags: fc.constantFrom<readonly string[]>([], ['x']),
    region: fc.constantFrom('eu-west-1', 'us-east-1', null),
    env: fc.constantFrom('prod', 'dev', null),
    state: fc.constantFrom(
      'deterministically_resolved' as const,
      'strongly_inferred' as const,
      'unresolved' as const,
    ),
    band: fc.constantFrom('chargeback_ready' as const, 'provisional' as const),
  });
  // At most three dimensions differ. With more, suppression would merge all groups.
  const dimensions = [
    'owner',
    'service',
    'provider',
    'model',
    'lane',
    'tags',
    'region',
    'env',
    'state',
    'band',
    'at',
  ] as const;
  const differing = fc.subarray([...dimensions], { minLength: 1, maxLength: 3 });
  return fc
    .tuple(fc.array(call, { minLength: 8, maxLength: callsMaximum, size: 'max' }), differing)
    .map(([calls, names]): Call[] => {
      const [first] = calls;
      return calls.map((one, index) => {
        const call = {
          ...one,
          ...Object.fromEntries(
            dimensions.map((name) => [name, (names.includes(name) ? one : first)?.[name]]),
          ),
        };
        return {
          ...call,
          costAllocation: call.at < TAGGED_FROM ? {} : { env: call.env },
          invocations: 2 ** index,
          cost: String(2 ** index),
        };
      });
    });
};

/** Whether a number of persons is above zero and below the cohort minimum. */
export const isBelowMinimum = (persons: number): boolean => persons > 0 && persons < COHORT_MINIMUM;
