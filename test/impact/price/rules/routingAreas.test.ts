import { expect, it } from 'vitest';
import { loadFactors } from '../../../../functions/impact/factors.ts';
import { assessImpact } from '../../../../functions/impact/impact.ts';
import lists from '../../../../functions/impact/price/lists/priceList.json' with { type: 'json' };
import { decimal } from '../../../../functions/platform/shared/decimal.ts';
import { expectNoFaults } from '../../../support/faults.ts';
import { call } from '../../calls.ts';

const factors = await loadFactors();
const NOON = new Date('2026-11-20T12:00:00Z');

const costOf = (model: string, region: string | undefined) => {
  const event = call({ provider: 'aws.bedrock', requested_model: model, region, output_tokens: 500 });
  return assessImpact(event, NOON, factors).cost;
};

const ids = new Set(
  lists.lists.flatMap(({ provider, models }) => (provider === 'aws' ? Object.keys(models) : [])),
);
/** Models that a list has both without an area and in one of these profiles. */
const profiles = [...ids].flatMap((model) =>
  ['us', 'global']
    .filter((area) => ids.has(`${area}.${model}`))
    .map((area) => ({ model, profile: `${area}.${model}` })),
);

it('gives a Bedrock id without a routing area a range over its profiles, which a producer can have left out', async () => {
  expect(profiles.length).toBeGreaterThan(20);
  const calls = profiles.flatMap((pair) => [undefined, 'us-east-1'].map((region) => ({ ...pair, region })));
  await expectNoFaults(
    calls,
    ({ model, region }) => `${model} in ${region ?? 'no region'}`,
    ({ model, profile, region }) => {
      const [bare, routed] = [costOf(model, region), costOf(profile, region)];
      if (bare === null || routed === null) return [];
      const isWithin = decimal(bare.low).lte(routed.central) && decimal(bare.high).gte(routed.central);
      return isWithin ? [] : [`${bare.low} to ${bare.high}, as ${profile} ${routed.central}`];
    },
  );
});
