import type { VariantRule } from '../../../../schemas/attribution/publishedPrices.ts';
import { decimal } from '../../../platform/shared/decimal.ts';
import { canonicalProvider } from '../../usage/modelIdentity.ts';
import { isSold } from '../catalogue.ts';
import { type PriceSheet, type PriceSource, tokenKinds } from '../priceSheet.ts';
import { patternOf } from '../rules/priceRules.ts';

/**
 * Models that only their vendor licenses, by the part of the id after the host's path. Clouds and resellers sell some of
 * them at the vendor's price or near it.
 */
export const VENDORS: readonly (readonly [RegExp, string])[] = [
  [/^claude-/, 'anthropic'],
  [/^(?:chatgpt-|gpt-(?!oss|j|neo)|o[1345](?:-|$)|text-embedding-(?:3|ada)|codex-)/, 'openai'],
  [/^gemini-/, 'google'],
  [/^grok-/, 'x-ai'],
  [/^(?:command-|c4ai-|embed-(?:english|multilingual|v4)|rerank-(?:english|multilingual|v3))/, 'cohere'],
  [/^(?:mistral-(?:large|medium)|codestral|magistral-medium|pixtral-large)/, 'mistral'],
  [/^sonar/, 'perplexity'],
  [/^deepseek-(?:chat|reasoner)$/, 'deepseek'],
  [/^(?:moonshot-v1|kimi-(?:latest|thinking))/, 'moonshotai'],
  [/^qwen[\d.]*-(?:max|plus|turbo|flash|coder-(?:plus|flash))/, 'dashscope'],
  [/^voyage-/, 'voyageai'],
];

/**
 * How OpenRouter names the vendors of models whose price lists are our own names otherwise. It charges what its hosts do, without a
 * markup (https://openrouter.ai/docs/faq), and the vendor is one of them.
 */
const AUTHORS: ReadonlyMap<string, string> = new Map([
  ['dashscope', 'qwen'],
  ['zai', 'z-ai'],
  ['mistral', 'mistralai'],
  ['hunyuan', 'tencent'],
  ['step', 'stepfun'],
]);

/** Of a model at OpenRouter, the name that a call of the vendor itself has. Null if another host serves the call. */
const atOpenRouter = (provider: string, host: string, id: string): string | null => {
  const isRouted = provider === 'litellm' || provider === 'unknown';
  const vendor = isRouted ? host : provider;
  // What runs on the machines of NVIDIA's customers, and open weights of OpenAI, nobody bills by the call.
  if (vendor === '' || vendor === 'nvidia' || !isSold(vendor, id)) return null;
  return `${AUTHORS.get(vendor) ?? vendor}/${id}`;
};

/**
 * Servers of one's own machines, and subscriptions. Whatever they call a model, its vendor bills nothing for a call.
 */
const NOT_BY_CALL =
  /^(?:github-copilot|ollama|vllm|hosted_vllm|sglang|lm[-_ ]?studio|llama[-_.]?cpp|llamafile|localai|tgi|triton|xinference|local)/;

const bounded = (sheet: PriceSheet, { low, high, request }: VariantRule): PriceSheet => ({
  ...sheet,
  match: sheet.match === 'family' ? 'family' : 'alias',
  ...(low !== high && { tokenFactors: { low, high } }),
  ...(request !== undefined && { requestHigh: request }),
});

/** What a vendor gives away, such as open weights to try, is not free where others sell it. */
const isFree = (sheet: PriceSheet): boolean =>
  tokenKinds.every((kind) => sheet[kind] === null || decimal(sheet[kind]).eq('0'));

/** Vendors, hosts and clients spell the version of a model with a dot or a hyphen: `grok-4.1-fast`, `grok-4-1-fast`. */
export const versionSpellings = (model: string): readonly string[] =>
  [model.replace(/(?<=\d)\.(?=\d)/g, '-'), model.replace(/(?<=\D\d)-(?=\d(?!\d))/, '.')].filter(
    (spelling) => spelling !== model,
  );

const withVersionSpellings = (prices: PriceSource): PriceSource => ({
  find(provider, model, ...call) {
    const own = prices.find(provider, model, ...call);
    if (own !== null) return own;
    for (const spelling of versionSpellings(model)) {
      const sheet = prices.find(provider, spelling, ...call);
      if (sheet !== null) return { ...sheet, match: sheet.match === 'family' ? 'family' : 'alias' };
    }
    return null;
  },
});

/**
 * Adds prices that follow from the name of a model alone: of a variant, from its model; of a model that only one vendor
 * licenses, from that vendor; of a vendor without a list, from OpenRouter. Who sold such a call is unknown, so its price is that of
 * a family, which is a range.
 */
export const inferredPrices = (variants: readonly VariantRule[], listed: PriceSource): PriceSource => {
  const prices = withVersionSpellings(listed);
  const ofVariant: PriceSource = {
    find(provider, model, at, contextTokens, region) {
      const own = prices.find(provider, model, at, contextTokens, region);
      // A catalogue finds some variants by the start of their id, at the price of another one.
      if (own !== null && own.match !== 'family') return own;
      for (const variant of variants) {
        if (variant.providers?.includes(provider) === false) continue;
        const base = model.replace(patternOf(variant.suffix), '');
        const sheet = base === model ? null : prices.find(provider, base, at, contextTokens, region);
        if (sheet !== null) return bounded(sheet, variant);
      }
      return own;
    },
  };
  return {
    find(provider, model, at, contextTokens, region) {
      const own = ofVariant.find(provider, model, at, contextTokens, region);
      if (own !== null || NOT_BY_CALL.test(provider)) return own;
      const slash = model.lastIndexOf('/');
      const [host, id] = [model.slice(0, Math.max(slash, 0)), model.slice(slash + 1)];
      const vendor = VENDORS.find(([ids]) => ids.test(id))?.[1];
      const author = canonicalProvider(host);
      const routed = atOpenRouter(provider, author, id);
      const sellers = [[author, id], [vendor, id], ...(routed === null ? [] : [['openrouter', routed]])];
      for (const [seller, name] of sellers) {
        if (seller === undefined || name === undefined || seller === '' || seller === provider) continue;
        const sheet = ofVariant.find(seller, name, at, contextTokens, region);
        if (sheet !== null && !isFree(sheet)) {
          return { ...sheet, match: 'family', ...(provider === 'unknown' && { soldBy: seller }) };
        }
      }
      return null;
    },
  };
};
