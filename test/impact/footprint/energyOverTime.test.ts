import { describe, expect, it } from 'vitest';
import { loadFactors } from '../../../functions/impact/factors.ts';
import { assessImpact } from '../../../functions/impact/impact.ts';
import { call } from '../calls.ts';

const factors = await loadFactors();
const energyOf = (fields: Record<string, unknown>, day = '2026-07-15') =>
  assessImpact(call(fields), new Date(`${day}T12:00:00Z`), factors).energy;

describe('the energy of a moving alias', () => {
  it.each([
    ['mistral-large-latest', '2025-06-01', 'mistral-large-2411'],
    ['mistral-large-latest', '2025-12-02', 'mistral-large-2512'],
    ['mistral-small-latest', '2025-06-30', 'mistral-small-2506'],
    ['mistral-small-latest', '2026-03-16', 'mistral-small-2603'],
  ])('of %s on %s is that of %s', (alias, day, model) => {
    const ofAlias = energyOf({ provider: 'mistral', requested_model: alias }, day);

    expect(ofAlias).toEqual(energyOf({ provider: 'mistral', requested_model: model }, day));
    expect(ofAlias?.class).toBe('B');
  });
});

describe('the energy by region', () => {
  it.each([
    ['ap-south-1', 1.42 / 1.15],
    ['eu-north-1', 1.1 / 1.15],
    ['eu-west-3', 1],
  ])('of Bedrock in %s has the PUE that AWS publishes for it', (region, factor) => {
    const model = { provider: 'aws', requested_model: 'meta.llama3-3-70b-instruct-v1:0' };

    const ratio = Number(energyOf({ ...model, region })?.central) / Number(energyOf(model)?.central);

    expect(ratio).toBeCloseTo(factor, 6);
  });
});

it('has a wider range where reading the input dominates', () => {
  const model = { provider: 'mistral', requested_model: 'mistral-nemo' };

  expect(energyOf(model)?.gsd).toBe(2);
  expect(energyOf({ ...model, input_tokens: 100_000 })?.gsd).toBe(3);
});
