import { describe, expect, it } from 'vitest';
import { assessEnergy, modelCall } from '../../../functions/impact/footprint/energy.ts';
import { generate } from '../../../functions/impact/footprint/generation.ts';
import { gpuCount, inferenceRates } from '../../../functions/impact/footprint/inferenceRates.ts';
import { modelParameters } from '../../../functions/impact/footprint/modelParameters.ts';
import { modelIdentity } from '../../../functions/impact/usage/modelIdentity.ts';
import { call } from '../calls.ts';
import { ecologitsReference, PROVIDERS } from '../ecologitsReference.ts';

const energyOf = (fields: Record<string, unknown>) => {
  const event = call(fields);
  const identity = modelIdentity(event.provider, event.served_model ?? event.requested_model);
  return assessEnergy(event, modelCall(event, identity));
};

const METHOD_SERVING = { weightBytes: '2', energyFactor: '1' };

const relative = (value: string, reference: number) => Math.abs(Number(value) / reference - 1);

describe('the energy of output tokens', () => {
  it('has the published values for gpt-4o and 300 tokens at the fitted speed', () => {
    const rates = inferenceRates(
      { total: { min: '440', max: '440' }, active: { min: '44', max: '132' } },
      { min: '1.2', max: '1.2' },
      METHOD_SERVING,
    );

    const { energyWh } = generate(rates, 300, undefined);

    expect(Number(energyWh.min.toFixed())).toBeCloseTo(0.637605, 5);
    expect(Number(energyWh.central.toFixed())).toBeCloseTo(0.893872, 5);
    expect(Number(energyWh.max.toFixed())).toBeCloseTo(1.15014, 5);
  });

  it.each([
    [8.03, 8.03, 1, 1.2, undefined],
    [8.03, 8.03, 500, 1.09, undefined],
    [8.03, 8.03, 500, 1.09, 2_500],
    [70.6, 70.6, 500, 1.16, undefined],
    [70.6, 70.6, 500, 1.16, 100],
    [5.13, 116.8, 500, 1.15, undefined],
    [3.61, 20.9, 12_345, 1.2, 60_000],
    [12.9, 46.7, 77, 1.14, undefined],
    [39.1, 140.6, 4_096, 1.09, 90_000],
    [37, 671, 1_000, 1.2, undefined],
    [37, 671, 1_000, 1.2, 1],
    [32, 1_000, 250, 1.09, 10_000],
    [405.9, 405.9, 333, 1.15, undefined],
    [405.9, 405.9, 333, 1.15, 30_000],
    [44, 440, 300, 1.2, 11_340],
    [132, 440, 300, 1.2, 11_340],
    [600, 2_000, 10_000, 1.14, undefined],
    [200, 2_000, 10_000, 1.09, 120_000],
    [1_080, 3_600, 64, 1.2, undefined],
    [0.5, 0.5, 100_000, 1.2, undefined],
    [52, 1_000, 1_000_000, 1.16, 3_600_000],
    [18.5, 18.5, 31, 1.2, 700],
    [28, 28, 4_000, 1.09, 44_000],
    [122.6, 122.6, 400, 1.16, undefined],
  ])(
    'follows the published formula for %s of %s billion, %s tokens, PUE %s, %s ms',
    (active, total, tokens, pue, latency) => {
      const known = (value: number) => ({ min: String(value), max: String(value) });
      const rates = inferenceRates(
        { total: known(total), active: known(active) },
        known(pue),
        METHOD_SERVING,
      );

      const { energyWh, embodiedG } = generate(rates, tokens, latency);

      const reference = ecologitsReference(active, total, tokens, pue, latency && latency / 1_000);
      expect(relative(energyWh.central.toFixed(), reference.wh)).toBeLessThan(1e-12);
      expect(relative(embodiedG.central.toFixed(), reference.embodied)).toBeLessThan(1e-12);
      expect(energyWh.min.eq(energyWh.max)).toBe(true);
    },
  );

  it('combines lower bounds as minimum, upper bounds as maximum, and uses their midpoint as central value', () => {
    const fields = {
      provider: 'anthropic',
      requested_model: 'claude-opus-4-6',
      input_tokens: 0,
      output_tokens: 500,
    };

    const energy = energyOf(fields);

    const midpoint =
      (ecologitsReference(67, 670, 500, 1.09, undefined, PROVIDERS).wh +
        ecologitsReference(200, 670, 500, 1.14, undefined, PROVIDERS).wh) /
      2;
    if (typeof energy === 'string') throw new Error(energy);
    expect(relative(energy.central, midpoint)).toBeLessThan(1e-9);
  });

  it('ignores a latency of zero', () => {
    expect(energyOf({ latency_ms: 0 })).toEqual(energyOf({ latency_ms: undefined }));
  });

  it.each([
    ['1', '2', 1],
    ['33.3', '2', 1],
    ['33.4', '2', 2],
    ['66.6', '2', 2],
    ['70.6', '2', 4],
    ['100', '2', 4],
    ['440', '2', 16],
    ['2000', '2', 64],
    ['66.6', '1', 1],
    ['70.6', '1', 2],
    ['440', '1', 8],
  ])('assumes for %s billion parameters of %s bytes %d GPUs', (total, weightBytes, gpus) => {
    expect(gpuCount(total, weightBytes)).toBe(gpus);
  });
});

describe('the energy of input tokens', () => {
  it('increases with uncached tokens, and by a tenth of that with cached tokens', () => {
    const cached = energyOf({ input_tokens: 10_000, cached_input_tokens: 10_000, output_tokens: 1 });
    const uncached = energyOf({ input_tokens: 10_000, output_tokens: 1 });

    // 9.83e-7 Wh per token and billion active parameters at 16 bits, 88 on average, PUE 1.2; half of it at 8 bits, times 0.6
    expect(uncached).toMatchObject({ components: { input_wh: '0.3114144' } });
    expect(cached).toMatchObject({ components: { input_wh: '0.03114144' } });
  });

  it('is the total energy of an embedding', () => {
    const embedding = {
      requested_model: 'text-embedding-3-small',
      operation: 'embeddings',
      output_tokens: undefined,
    };

    expect(energyOf(embedding)).toMatchObject({
      method: 'prefill-flops',
      class: 'D',
      components: { output_wh: '0' },
    });
  });
});

describe('the evidence class', () => {
  it.each([
    ['meta.llama3-3-70b-instruct-v1:0', 'B', '70.6', '70.6'],
    ['meta-llama/Llama-3.1-8B-Instruct', 'B', '8.03', '8.03'],
    ['accounts/fireworks/models/llama-v3p1-405b-instruct', 'B', '405.9', '405.9'],
    ['openai/gpt-oss-120b', 'B', '116.8', '5.13'],
    ['deepseek.r1-v1:0', 'B', '671', '37'],
    ['deepseek-r1-distill-llama-70b', 'B', '70.6', '70.6'],
    ['Qwen/Qwen3-235B-A22B', 'B', '235', '22'],
    ['gpt-4o-2024-08-06', 'C', '440', '44'],
    ['gpt-4o-mini', 'C', '8', '8'],
    ['gpt-5', 'C', '300', '30'],
    ['gpt-5.1-codex', 'C', '300', '30'],
    ['gpt-5-pro', 'C', '3600', '360'],
    ['gpt-5.4', 'C', '450', '45'],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'C', '440', '44'],
    ['claude-opus-4-20250514', 'C', '2000', '200'],
    ['claude-opus-4-1', 'C', '2000', '200'],
    ['claude-opus-4-6', 'C', '670', '67'],
    ['claude-haiku-4-5', 'C', '10', '10'],
    ['gemini-2.5-flash', 'C', '440', '44'],
    ['gemini-3-pro-preview', 'C', '1200', '120'],
    ['gpt-5.6', 'D', '440', '44'],
    ['gpt-5.6-luna', 'D', '10', '10'],
    ['gpt-5.5-pro', 'D', '5400', '540'],
    ['claude-opus-4-7', 'D', '670', '67'],
    ['claude-opus-5', 'D', '670', '67'],
    ['claude-sonnet-5', 'D', '440', '44'],
    ['gemini-3.5-flash', 'D', '440', '44'],
    ['gemini-3.5-flash-lite', 'D', '8', '8'],
    ['amazon.nova-micro-v1:0', 'D', '5', '5'],
    ['acme-13b-chat', 'D', '13', '13'],
    ['acme-30b-a3b', 'D', '30', '3'],
  ])('of %s is %s', (model, evidence, total, active) => {
    expect(modelParameters(modelIdentity('gateway', model).model, 'text')).toMatchObject({
      class: evidence,
      total: { min: total },
      active: { min: active },
    });
  });

  it.each(['my-deployment-name', 'chat-bison', 'm', ''])('is unknown for %j', (model) => {
    expect(modelParameters(model, 'text')).toBeNull();
  });
});

describe('the energy of a call', () => {
  it('is the measurement that the producer reports', () => {
    expect(energyOf({ energy_wh: '0.340', requested_model: 'unheard-of' })).toEqual({
      method: 'metered',
      version: 'producer',
      class: 'A',
      gsd: 1.1,
      low: '0.290661794143',
      central: '0.34',
      high: '0.39771308899',
      components: null,
    });
  });

  it.each([
    ['model_unknown', { requested_model: 'my-deployment-name' }],
    ['usage_missing', { input_tokens: undefined, cached_input_tokens: undefined }],
    ['usage_missing', { output_tokens: undefined }],
    ['unsupported_modality', { operation: 'image_generation' }],
    ['unsupported_modality', { operation: 'speech' }],
    ['unsupported_modality', { requested_model: 'whisper-1' }],
    ['unsupported_modality', { requested_model: 'gpt-4o-realtime-preview' }],
  ])('is unknown with reason %s for %o', (reason, fields) => {
    expect(energyOf(fields)).toBe(reason);
  });
});
