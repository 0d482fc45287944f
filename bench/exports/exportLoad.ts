import { typicalMappings } from '../attribution/benchMappings.ts';
import type { LedgerLoad } from '../ledger/ledgerLoader.ts';
import { benchEvent } from '../support/traffic.ts';

/** Enough services for about a thousand rows per day, and few enough that each has many calls per month. */
const SERVICES = 80;
/** Larger than the minimum cohort, so that no group is suppressed. */
const PERSONS = 47;
/** Every model has a price, because unpriced calls are not exported. */
const MODELS = [
  ['openai', 'gpt-4o'],
  ['openai', 'gpt-4o-mini'],
  ['anthropic', 'claude-sonnet-4-5'],
  ['google', 'gemini-2.5-flash'],
] as const;

/** Name of a key that one of the typical mappings matches exactly. Two in ten mappings use another field. */
const keyOf = (service: number): string => `key-${Math.floor(service / 8) * 10 + 2 + (service % 8)}`;

/**
 * Calls that are almost all exported: a mapping resolves owner and service from the key, each service has many users, and
 * each call has three meters.
 */
export const exportLoad = (): LedgerLoad => ({
  eventAt: (index) => {
    const round = Math.floor(index / SERVICES);
    const [provider, requested_model] = MODELS[round % MODELS.length] ?? MODELS[0];
    const { attributed_identity: _owner, attributed_service: _service, ...event } = benchEvent();
    return {
      ...event,
      provider,
      requested_model,
      api_key_name: keyOf(index % SERVICES),
      attributed_identity: `person-${round % PERSONS}`,
      input_tokens: 400 + (index % 1_000),
      output_tokens: 50 + (index % 777),
    };
  },
  context: { mappings: typicalMappings() },
});
