import { typicalMappings } from '../attribution/benchMappings.ts';
import type { LedgerLoad } from '../ledger/ledgerLoader.ts';
import { benchEvent } from '../support/traffic.ts';

/** Most services: the keys of the typical mappings. */
const SERVICES_MAXIMUM = 80;
/** Calls of a service in the 60 days of the loader: 20 a day, by as many persons, so that no group of a day is suppressed. */
const CALLS_PER_SERVICE = 1_200;
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
 * Calls that are all exported by themselves: a mapping resolves owner and service from the key, each service has one model and
 * many users on each day, and each call has two meters. `records`: of the smallest ledger.
 */
export const exportLoad = (records: number): LedgerLoad => ({
  eventAt: (index) => {
    const services = Math.min(SERVICES_MAXIMUM, Math.max(1, Math.floor(records / CALLS_PER_SERVICE)));
    const service = index % services;
    const round = Math.floor(index / services);
    const [provider, requested_model] = MODELS[service % MODELS.length] ?? MODELS[0];
    const { attributed_identity: _owner, attributed_service: _service, ...event } = benchEvent();
    return {
      ...event,
      provider,
      requested_model,
      api_key_name: keyOf(service),
      attributed_identity: `person-${round % PERSONS}`,
      input_tokens: 400 + (index % 1_000),
      output_tokens: 50 + (index % 777),
    };
  },
  context: { mappings: typicalMappings() },
});
