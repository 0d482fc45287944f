import { usualMappings } from './benchMappings.ts';
import type { LedgerLoad } from './ledgerLoader.ts';
import { benchEvent } from './traffic.ts';

/** Enough that a day at its usual grain has a thousand rows, and few enough that each has many calls a month. */
const SERVICES = 80;
/** More than a cohort of persons needs, so that groups stand for themselves. */
const PERSONS = 47;
/** All of them have a price: what has none is in no row. */
const MODELS = [
  ['openai', 'gpt-4o'],
  ['openai', 'gpt-4o-mini'],
  ['anthropic', 'claude-sonnet-4-5'],
  ['google', 'gemini-2.5-flash'],
] as const;

/** Of the usual mappings those that name a key, by its number: two in ten name something else. */
const keyOf = (service: number): string => `key-${Math.floor(service / 8) * 10 + 2 + (service % 8)}`;

/**
 * Calls that nearly all come into a file: a mapping surely tells owner and service by their key, many persons stand behind
 * each, and each is charged by three meters.
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
  context: { mappings: usualMappings() },
});
