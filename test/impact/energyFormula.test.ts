import { beforeAll, describe, expect, it } from 'vitest';
import { loadFactors } from '../../functions/impact/factors.ts';
import { assessImpact, type Factors } from '../../functions/impact/impact.ts';
import { call, MID_JULY } from './calls.ts';
import { ecologitsReference, PROVIDERS } from './ecologitsReference.ts';

type Ends = readonly [least: number, most: number];

/** Published values: provider, model, evidence class, active and total parameters in billions, PUE. */
const MODELS: readonly (readonly [string, string, string, Ends, Ends, Ends])[] = [
  ['openai', 'gpt-4o', 'C', [44, 132], [440, 440], [1.2, 1.2]],
  ['openai', 'gpt-4o-mini', 'C', [8, 28], [8, 28], [1.2, 1.2]],
  ['openai', 'gpt-5', 'C', [30, 90], [300, 300], [1.2, 1.2]],
  ['openai', 'gpt-5.2', 'C', [42, 126], [420, 420], [1.2, 1.2]],
  ['openai', 'gpt-5-pro', 'C', [360, 1080], [3600, 3600], [1.2, 1.2]],
  ['azure', 'gpt-5.4', 'C', [45, 150], [450, 450], [1.2, 1.2]],
  ['anthropic', 'claude-sonnet-4-5', 'C', [44, 132], [440, 440], [1.09, 1.14]],
  ['anthropic', 'claude-opus-4-1', 'C', [200, 600], [2000, 2000], [1.09, 1.14]],
  ['anthropic', 'claude-opus-4-6', 'C', [67, 200], [670, 670], [1.09, 1.14]],
  ['anthropic', 'claude-haiku-4-5', 'C', [10, 35], [10, 35], [1.09, 1.14]],
  ['google', 'gemini-2.5-pro', 'C', [200, 600], [2000, 2000], [1.09, 1.09]],
  ['google', 'gemini-3-pro-preview', 'C', [120, 360], [1200, 1200], [1.09, 1.09]],
  ['mistral', 'mistral-large-2407', 'B', [122.6, 122.6], [122.6, 122.6], [1.16, 1.16]],
  ['cohere', 'command-r-plus', 'B', [104, 104], [104, 104], [1.09, 1.09]],
  ['huggingface', 'meta-llama/Llama-3.1-8B-Instruct', 'B', [8.03, 8.03], [8.03, 8.03], [1.09, 1.14]],
  ['groq', 'llama-3.3-70b-versatile', 'B', [70.6, 70.6], [70.6, 70.6], [1.09, 1.2]],
  ['aws', 'meta.llama3-1-405b-instruct-v1:0', 'B', [405.9, 405.9], [405.9, 405.9], [1.1, 1.1]],
  ['aws', 'openai.gpt-oss-120b-1:0', 'B', [5.13, 5.13], [116.8, 116.8], [1.1, 1.1]],
  ['openai', 'gpt-5.6', 'D', [44, 132], [440, 440], [1.2, 1.2]],
  ['anthropic', 'claude-opus-5', 'D', [67, 200], [670, 670], [1.09, 1.14]],
  ['openai', 'gpt-5.6-mini', 'D', [25, 70], [25, 70], [1.2, 1.2]],
];

/** Bytes of a weight of models that are published in 4 bits: GB of the checkpoint over its parameters. */
const QUANTIZED: ReadonlyMap<string, number> = new Map([['openai.gpt-oss-120b-1:0', 0.56]]);

/** Input tokens, cached input tokens, output tokens, and latency in milliseconds if known. */
const CALLS: readonly (readonly [number, number, number, number | undefined])[] = [
  [0, 0, 300, undefined],
  [0, 0, 300, 8_457],
  [12_345, 2_345, 4_096, undefined],
  [200_000, 150_000, 64, 700],
  [1_000, 1_000, 32_000, 3_600_000],
];

const CASES = MODELS.flatMap((model) => CALLS.map((tokens) => [...model, ...tokens] as const));

const midpoint = (one: number, other: number): number => (one + other) / 2;
/** Prefill: 9.83e-7 Wh for each token and billion active parameters at 16 bits, and a tenth of that for a cached token. */
const prefill = (active: number, pue: number, read: number, cached: number): number =>
  pue * 9.83e-7 * 0.5 * 0.6 * active * (read - cached + cached / 10);

const off = (value: string | undefined, reference: number): number =>
  reference === 0 ? Math.abs(Number(value)) : Math.abs(Number(value) / reference - 1);

describe('the energy and hardware carbon of a call', () => {
  let factors: Factors;
  beforeAll(async () => {
    factors = await loadFactors();
  });

  it.each(CASES)(
    'follow the published formula: %s %s (%s, active %j of %j billion, PUE %j), %d input, %d cached, %d output, %s ms',
    (provider, model, evidence, active, total, pue, read, cached, generated, latency) => {
      const event = call({
        provider,
        requested_model: model,
        input_tokens: read,
        cached_input_tokens: cached,
        output_tokens: generated,
        latency_ms: latency,
        region: 'eu-north-1',
      });

      const { energy, carbon } = assessImpact(event, MID_JULY, factors);

      const seconds = latency === undefined ? undefined : latency / 1_000;
      const serving = { ...PROVIDERS, weightBytes: QUANTIZED.get(model) ?? PROVIDERS.weightBytes };
      const least = ecologitsReference(active[0], total[0], generated, pue[0], seconds, serving);
      const most = ecologitsReference(active[1], total[1], generated, pue[1], seconds, serving);
      const output = midpoint(least.wh, most.wh);
      const input = midpoint(
        prefill(active[0], pue[0], read, cached),
        prefill(active[1], pue[1], read, cached),
      );
      const embodied = midpoint(least.embodied, most.embodied);
      expect(energy).toMatchObject({ method: 'ecologits-0.9.3-8bit', class: evidence });
      expect(off(energy?.components?.output_wh, output)).toBeLessThan(1e-9);
      // Figures have twelve digits after the point.
      expect(Math.abs(Number(energy?.components?.input_wh) - input)).toBeLessThan(1e-12);
      expect(off(energy?.central, output + input)).toBeLessThan(1e-9);
      // Sweden: 21 g/kWh
      expect(off(carbon?.components?.usage_gco2e, ((output + input) * 21) / 1_000)).toBeLessThan(1e-7);
      expect(Math.abs(Number(carbon?.components?.embodied_gco2e) - embodied)).toBeLessThan(1e-12);
    },
  );
});
