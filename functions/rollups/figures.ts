import { type Figures, type InvocationTotals, PERSONS_MAXIMUM, type Quantity } from '../../schemas/rollup.ts';
import { decimal } from '../shared/decimal.ts';

const NOTHING: Quantity = { low: '0', central: '0', high: '0', unknown: 0 };

/** What no records sum to. */
export const noFigures: Figures = {
  invocations: 0,
  cost_usd: NOTHING,
  energy_wh: NOTHING,
  carbon_gco2e: NOTHING,
  input_tokens: 0,
  cached_input_tokens: 0,
  cache_write_tokens: 0,
  output_tokens: 0,
  reasoning_tokens: 0,
  states: {},
  bands: {},
  persons: [],
  impersonal: 0,
};

/** The exact sum of two decimal strings. */
export const addDecimals = (one: string, other: string): string =>
  one === '0' ? other : other === '0' ? one : decimal(one).plus(other).toFixed();

const sumQuantities = (one: Quantity, other: Quantity): Quantity => ({
  low: addDecimals(one.low, other.low),
  central: addDecimals(one.central, other.central),
  high: addDecimals(one.high, other.high),
  unknown: one.unknown + other.unknown,
});

const addTotalsByKey = <Key extends string>(
  one: Partial<Record<Key, InvocationTotals>>,
  other: Partial<Record<Key, InvocationTotals>>,
): Partial<Record<Key, InvocationTotals>> => {
  const summed = { ...one };
  for (const key in other) {
    const [mine, theirs] = [summed[key], other[key]];
    if (theirs === undefined) continue;
    summed[key] =
      mine === undefined
        ? theirs
        : {
            invocations: mine.invocations + theirs.invocations,
            cost_usd: addDecimals(mine.cost_usd, theirs.cost_usd),
          };
  }
  return summed;
};

/** The smallest of two ascending lists together, each once. */
const mergeSketches = (one: readonly string[], other: readonly string[]): string[] => {
  if (one.length === 0) return [...other];
  if (other.length === 0) return [...one];
  return [...new Set([...one, ...other])].sort().slice(0, PERSONS_MAXIMUM);
};

/** What two sets of records without a record in common sum to. Exact, whatever the order. */
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
  states: addTotalsByKey(one.states, other.states),
  bands: addTotalsByKey(one.bands, other.bands),
  persons: mergeSketches(one.persons, other.persons),
  impersonal: one.impersonal + other.impersonal,
});

/** Bits of a person's hash: enough that two persons of a tenant hardly ever share one, exact in a double. */
const HASH_DIGITS = 12;
const HASH_RANGE = 16 ** HASH_DIGITS;

/** Distinct persons of some records, and whether that is a count or, beyond the set's room, an estimate. */
export const personCount = ({ persons }: Pick<Figures, 'persons'>): { count: number; exact: boolean } => {
  const last = persons.at(-1);
  if (persons.length < PERSONS_MAXIMUM || last === undefined) return { count: persons.length, exact: true };
  const share = (Number.parseInt(last, 16) + 1) / HASH_RANGE;
  return { count: Math.round((PERSONS_MAXIMUM - 1) / share), exact: false };
};

/** How a person is remembered: by a hash that means nothing outside the tenant. */
export const personHash = (digest: Uint8Array): string =>
  Buffer.from(digest).toString('hex').slice(0, HASH_DIGITS);
