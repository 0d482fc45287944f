import type { PriceChange } from '../typescript/src/types.ts';

const KINDS = [
  { kind: 'uncached_input', name: 'input' },
  { kind: 'cached_input', name: 'cached input' },
  { kind: 'cache_write', name: 'cache writes' },
  { kind: 'output', name: 'output' },
] as const;

/** Which prices of a model changed, from what to what. `format` writes an amount in USD. */
export const priceChangeText = (
  { served_model, provider, before, now }: PriceChange,
  format: (usd: string) => string,
): string => {
  const usd = (price: string | null): string => (price === null ? 'none' : format(price));
  const parts = KINDS.flatMap(({ kind, name }) =>
    before[kind] === now[kind] ? [] : [`${name} from ${usd(before[kind])} to ${usd(now[kind])}`],
  );
  return `List price of ${served_model} at ${provider}: ${parts.join(', ')} a million tokens`;
};
