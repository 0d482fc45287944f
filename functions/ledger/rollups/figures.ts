import {
  type Figures,
  NO_LONG_CALLS,
  NO_OUTCOMES,
  type OutcomeFigures,
  type Outcomes,
  PERSONS_MAXIMUM,
  type Quantity,
} from '../../../schemas/ledger/rollup.ts';
import { PERSON_HASH_DIGITS } from '../records/person.ts';
import { sumLongCalls } from './longCalls.ts';
import { sumQuantities } from './sumQuantities.ts';

const ZERO_QUANTITY: Quantity = { low: '0', central: '0', high: '0', unknown: 0 };

/** The figures of an empty set of records. */
export const noFigures: Figures = {
  invocations: 0,
  cost_usd: ZERO_QUANTITY,
  energy_wh: ZERO_QUANTITY,
  carbon_gco2e: ZERO_QUANTITY,
  input_tokens: 0,
  cached_input_tokens: 0,
  cache_write_tokens: 0,
  output_tokens: 0,
  reasoning_tokens: 0,
  persons: [],
  impersonal: 0,
  implausible: 0,
  outcomes: NO_OUTCOMES,
  long_calls: NO_LONG_CALLS,
};

const sumOutcome = (
  one: OutcomeFigures | undefined,
  other: OutcomeFigures | undefined,
): OutcomeFigures | undefined => {
  if (one === undefined) return other;
  if (other === undefined) return one;
  return {
    invocations: one.invocations + other.invocations,
    paid: one.paid + other.paid,
    cost_usd: sumQuantities(one.cost_usd, other.cost_usd),
  };
};

const sumOutcomes = (one: Outcomes, other: Outcomes): Outcomes => ({
  examined: one.examined + other.examined,
  error: sumOutcome(one.error, other.error),
  incomplete: sumOutcome(one.incomplete, other.incomplete),
});

/** Merges two k-minimum-values sketches: the k smallest distinct hashes of both. Sketches are ascending. */
const mergeSketches = (one: readonly string[], other: readonly string[]): string[] => {
  if (one.length === 0) return [...other];
  if (other.length === 0) return [...one];
  return [...new Set([...one, ...other])].sort().slice(0, PERSONS_MAXIMUM);
};

/** Adds the figures of two disjoint sets of records. Sums are exact and do not depend on the order. */
export const addFigures = (one: Figures, other: Figures): Figures => ({
  invocations: one.invocations + other.invocations,
  cost_usd: sumQuantities(one.cost_usd, other.cost_usd),
  energy_wh: sumQuantities(one.energy_wh, other.energy_wh),
  carbon_gco2e: sumQuantities(one.carbon_gco2e, other.carbon_gco2e),
  input_tokens: one.input_tokens + other.input_tokens,
  cached_input_tokens: one.cached_input_tokens + other.cached_input_tokens,
  cache_write_tokens: one.cache_write_tokens + other.cache_write_tokens,
  output_tokens: one.output_tokens + other.output_tokens,
  reasoning_tokens: one.reasoning_tokens + other.reasoning_tokens,
  persons: mergeSketches(one.persons, other.persons),
  impersonal: one.impersonal + other.impersonal,
  implausible: one.implausible + other.implausible,
  outcomes: sumOutcomes(one.outcomes, other.outcomes),
  long_calls: sumLongCalls(one.long_calls, other.long_calls),
});

const HASH_RANGE = 16 ** PERSON_HASH_DIGITS;

/**
 * Number of distinct persons from the k-minimum-values sketch. Exact while the sketch has fewer than `PERSONS_MAXIMUM` (k)
 * hashes. Otherwise estimated as (k - 1) / (largest hash / hash range), Bar-Yossef et al. 2002.
 */
export const personCount = ({ persons }: Pick<Figures, 'persons'>): { count: number; exact: boolean } => {
  const kthMinimum = persons.at(-1);
  if (persons.length < PERSONS_MAXIMUM || kthMinimum === undefined)
    return { count: persons.length, exact: true };
  const share = (Number.parseInt(kthMinimum, 16) + 1) / HASH_RANGE;
  return { count: Math.round((PERSONS_MAXIMUM - 1) / share), exact: false };
};
