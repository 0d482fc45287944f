import type { TokenKind } from '../../../../schemas/chargeback/suggestedPrices.ts';
import { TIER_WORDS } from '../rows/billTier.ts';
import type { MeterReading } from './meterReading.ts';

/**
 * The names of the kinds on bills, in lower case with single spaces. Other tokens, such as those of audio, are missing:
 * their price is not the one that a contract price has.
 */
const KINDS: ReadonlyMap<string, TokenKind> = new Map([
  ['input', 'input'],
  ['uncached input', 'input'],
  ['input no cache', 'input'],
  ['prompt', 'input'],
  ['cached input', 'cached_input'],
  ['cached', 'cached_input'],
  ['input cached', 'cached_input'],
  ['cache read', 'cached_input'],
  ['cache read input', 'cached_input'],
  ['input cache read', 'cached_input'],
  ['cache write', 'cache_write'],
  ['cache writes', 'cache_write'],
  ['cache write input', 'cache_write'],
  ['input cache write', 'cache_write'],
  ['cache creation input', 'cache_write'],
  ['cache creation ephemeral input', 'cache_write'],
  ['output', 'output'],
  ['completion', 'output'],
  ['reasoning', 'reasoning'],
  ['output reasoning', 'reasoning'],
  ['reasoning output', 'reasoning'],
]);

/** A meter, such as `Input Tokens`, `cache_read_input_tokens` or `output, long context`. */
export const readMeter = (meter: string): Pick<MeterReading, 'kind' | 'tier'> => {
  const words = (meter.toLowerCase().match(/[a-z0-9]+/g) ?? []).filter(
    // A cache write for five minutes is the one that a contract price has.
    (word) => !/^(?:tokens?|count|5m)$/.test(word),
  );
  const isTier = (word: string): boolean => TIER_WORDS.has(word);
  const kind = KINDS.get(words.filter((word) => !isTier(word)).join(' ')) ?? null;
  // The name of a model can have such a word too, so it only counts beside a kind.
  return { kind, tier: kind === null ? null : words.filter(isTier).join(' ') || null };
};
