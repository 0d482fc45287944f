import { bedrockModelOf } from './bedrockModels.ts';
import type { MeterReading } from './meterReading.ts';
import { readMeter } from './tokenMeter.ts';

/** The short name of a region, such as `USE1-` or `EU-`. */
const REGION = /^[A-Z]{2,4}\d{0,2}-/;
/** AWS Marketplace: `MP:USE1_InputTokenCount_Global-Units`, `MP:USE1_input_tokens_standard-Units`. */
const MARKETPLACE = /^MP:[A-Z]{2,4}\d{0,2}_(.+)-Units$/;
/**
 * `Claude4.6Sonnet-input-tokens-batch`, `openai.gpt-oss-120b-mantle-output-tokens-standard`, `NovaSonic-text-input-tokens`.
 */
const METERED = /^(.+?)(?:-mantle)?-((?:(?:text|speech)-)?(?:cache-(?:read|write)|input|output)-.+)$/;
const TOKENS = /^tokens?$/;
/** Words after the tokens that name a route or the standard tier. A route in another area can have another price. */
const STANDARD_WORDS: ReadonlySet<string> = new Set([
  'standard',
  'cross',
  'region',
  'regional',
  'geo',
  'global',
]);

/** The words of a meter: `CacheReadInputTokenCount_Global` and `cache-read-input-token-count-global` have the same. */
const wordsOf = (meter: string): string[] =>
  meter
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/(Write)(1h)/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');

const readTokens = (meter: string): Pick<MeterReading, 'kind' | 'tier'> => {
  const words = wordsOf(meter);
  const tokens = words.findIndex((word) => TOKENS.test(word));
  if (tokens < 0) return { kind: null, tier: null };
  const end = words[tokens + 1] === 'count' ? tokens + 2 : tokens + 1;
  const { kind, tier } = readMeter(words.slice(0, end).join(' '));
  const rest = words
    .slice(end)
    .filter((word) => !STANDARD_WORDS.has(word) && !(word === '5m' && kind === 'cache_write'));
  const names = [...(tier === null ? [] : [tier]), ...rest];
  return { kind, tier: names.length === 0 ? null : names.join(' ') };
};

/** Later meters of AWS Marketplace, `input_tokens_standard`, are all priced by the million. */
const BY_MILLION = /^[a-z0-9]+(?:_[a-z0-9]+)*$/;

/**
 * The unit of tokens that AWS Marketplace calls `Units`, by what describes the charge: `AWS Marketplace software
 * usage|us-west-2|Million Input Tokens`. Null if nothing says how many tokens one has.
 */
export const unitOfMarketplace = (usageType: string, description: string | null): string | null => {
  const meter = MARKETPLACE.exec(usageType.replace(REGION, ''))?.[1];
  if (meter === undefined) return null;
  const block = /\b(?:1 ?)?(million|thousand)\b/i.exec(description ?? '')?.[1]?.toLowerCase();
  if (block !== undefined) return `1 ${block} tokens`;
  return BY_MILLION.test(meter) ? '1 million tokens' : null;
};

/** Reads a usage type. `productName` is the name of the product, which AWS Marketplace needs for the model. */
export const readBedrockUsage = (usageType: string, productName: string | null): MeterReading => {
  const bare = usageType.replace(REGION, '');
  const marketplaceMeter = MARKETPLACE.exec(bare)?.[1];
  if (marketplaceMeter !== undefined) {
    return {
      model: productName === null ? null : bedrockModelOf(productName),
      ...readTokens(marketplaceMeter),
    };
  }
  const [, name, meter] = METERED.exec(bare) ?? [];
  if (name === undefined || meter === undefined) return { model: null, kind: null, tier: null };
  return { model: bedrockModelOf(name), ...readTokens(meter) };
};
