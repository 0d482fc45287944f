import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { loadFactors } from '../../functions/impact/factors.ts';
import { closedModels } from '../../functions/impact/footprint/closedModels.ts';
import { ZONE_OF_REGION } from '../../functions/impact/footprint/cloudRegions.ts';
import { DATA_CENTRES, PUE_OF_REGION } from '../../functions/impact/footprint/dataCentre.ts';
import { ROUTING_AREAS } from '../../functions/impact/footprint/grid.ts';
import { PARAMETERS_VERSION } from '../../functions/impact/footprint/modelParameters.ts';
import { openModels } from '../../functions/impact/footprint/openModels.ts';
import { EMBEDDING_CLASS, SIZES_BY_NAME } from '../../functions/impact/footprint/sizeClasses.ts';
import water from '../../functions/impact/footprint/water.json' with { type: 'json' };
import { assessImpact, IMPACT_RULES_VERSION } from '../../functions/impact/impact.ts';
import {
  FIREWORKS_SIZES,
  FIREWORKS_VERSION,
  VENDOR_PRICED,
} from '../../functions/impact/price/lists/resellerPrices.ts';
import { KNOWN_ALIASES } from '../../functions/impact/price/priceMatch.ts';
import { STANDARD_NAMES } from '../../functions/impact/price/rules/serviceTier.ts';
import { publishedAliases } from '../../functions/impact/usage/aliasLists.ts';
import { PROVIDER_SPELLINGS } from '../../functions/impact/usage/modelIdentity.ts';
import limits from '../../functions/impact/usage/modelLimits.json' with { type: 'json' };
import { call, MID_JULY } from './calls.ts';

/** JSON replacer for maps, sets and regular expressions. */
const jsonReplacer = (_: string, value: unknown): unknown => {
  if (value instanceof Map || value instanceof Set) return [...value];
  return value instanceof RegExp ? String(value) : value;
};

const digestOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value, jsonReplacer)).digest('hex').slice(0, 12);

const places = { ZONE_OF_REGION, ROUTING_AREAS, DATA_CENTRES, PUE_OF_REGION };
const names = { PROVIDER_SPELLINGS, KNOWN_ALIASES, VENDOR_PRICED };
const tiers = { STANDARD_NAMES };
const sizes = { openModels, closedModels, SIZES_BY_NAME, EMBEDDING_CLASS, publishedAliases };

const MODELS = [
  ['openai', 'gpt-4o-2024-08-06'],
  ['openai', 'gpt-4o-mini'],
  ['openai', 'o4-mini'],
  ['openai', 'text-embedding-3-small'],
  ['openai', 'gpt-4o-audio-preview'],
  ['openai', 'unheard-of'],
  ['azure.ai.openai', 'gpt-35-turbo'],
  ['anthropic', 'claude-sonnet-4-5'],
  ['aws.bedrock', 'eu.anthropic.claude-haiku-4-5-20251001-v1:0'],
  ['gcp.vertex_ai', 'gemini-2.5-pro'],
  ['deepseek', 'deepseek-chat'],
  ['groq', 'openai/gpt-oss-120b'],
  ['perplexity', 'sonar-deep-research'],
] as const;

const USAGES = [
  {},
  { cached_input_tokens: 400, cache_write_tokens: 100, output_tokens: 900, reasoning_tokens: 500 },
  { input_tokens: 300_000, cached_input_tokens: undefined, latency_ms: 900 },
  { output_tokens: undefined },
  { energy_wh: '1.5', estimated_cost_usd: '0.02', cost_breakdown: { input: '0.01' } },
  { carbon_gco2e: '0.7' },
];

const SETTINGS = [
  {},
  { batch: true, region: 'East US 2' },
  { service_tier: 'flex', region: 'europe-west4' },
  { service_tier: 'priority', region: 'us-east-1a' },
  { service_tier: 'fast', region: 'global' },
  { service_tier: 'scale', operation: 'image_generation' },
];

/** The same versions must give the same figures for years. When a digest changes, change the version too. */
describe('an unchanged version has unchanged', () => {
  it.each([
    ['rules', IMPACT_RULES_VERSION, { places, names, tiers, limits }, 'impact-rules-2026.11-20 2b3026f2a627'],
    ['prices by size', FIREWORKS_VERSION, FIREWORKS_SIZES, 'fireworks-sizes-2026.11 87e3cb160de1'],
    ['water', water.version, [water.on_site, water.electricity], 'water-2026.11-2 5018564ef769'],
    ['model sizes', PARAMETERS_VERSION, sizes, 'parameters-2026.11-9 d2fe52735164'],
  ])('%s', (_, version, tables, known) => {
    expect(`${version} ${digestOf(tables)}`).toBe(known);
  });

  it('figures for all kinds of calls', async () => {
    const factors = await loadFactors();

    const figures = MODELS.flatMap(([provider, requested_model]) =>
      USAGES.flatMap((usage) =>
        SETTINGS.map((setting) =>
          assessImpact(call({ provider, requested_model, ...usage, ...setting }), MID_JULY, factors),
        ),
      ),
    );

    // The version of the price lists contains a digest of their content.
    expect(factors.version.split('+').filter((one) => !one.startsWith('prices-'))).toEqual([
      'genai-prices@0.1.8',
      'fireworks-sizes-2026.11',
      'impact-rules-2026.11-20',
      'ecologits-0.9.3-8bit',
      'parameters-2026.11-9',
      'co2js@0.19.0',
    ]);
    const named = figures.map((figure) =>
      JSON.stringify(figure).replaceAll(/prices-[\d-]+-[\da-f]+/g, 'prices'),
    );
    expect(digestOf(named)).toBe('63d7378d1614');
  });
});
