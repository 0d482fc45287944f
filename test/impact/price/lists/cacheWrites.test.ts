import * as library from '@pydantic/genai-prices';
import { expect, it } from 'vitest';
import { loadFactors } from '../../../../functions/impact/factors.ts';
import { listCost } from '../../../../functions/impact/price/listCost.ts';
import file from '../../../../functions/impact/price/lists/priceList.json' with { type: 'json' };
import { modelIdentity } from '../../../../functions/impact/usage/modelIdentity.ts';
import { expectNoFaults } from '../../../support/faults.ts';
import { call } from '../../calls.ts';

const factors = await loadFactors();
const AT = new Date('2026-11-20T12:00:00Z');

const models = new Set([
  ...(library.findProvider({ providerId: 'google' })?.models.map(({ id }) => id) ?? []),
  ...[...file.lists, ...file.completions, ...file.disagreements].flatMap((list) =>
    list.provider === 'google' ? Object.keys(list.models) : [],
  ),
]);

const costOf = (model: string, usage: Record<string, unknown>) => {
  const event = call({ provider: 'google', requested_model: model, ...usage });
  const cost = listCost(event, modelIdentity('google', model), AT, factors);
  return typeof cost === 'string' ? null : [cost.low, cost.central, cost.high];
};

/** https://docs.cloud.google.com/vertex-ai/generative-ai/docs/context-cache/context-cache-overview: storage is a charge of its own. */
it('charges the tokens with which Gemini creates a cache as input, in every length of context and tier', async () => {
  const gemini = [...models].filter((model) => model.startsWith('gemini-'));
  const uses = [10_000, 300_000].flatMap((input_tokens) =>
    [undefined, 'batch', 'flex', 'priority'].map((service_tier) => ({ input_tokens, service_tier })),
  );

  expect(gemini.length).toBeGreaterThan(40);
  await expectNoFaults(
    gemini.flatMap((model) => uses.map((use) => ({ model, use }))),
    ({ model, use }) => `${model} ${JSON.stringify(use)}`,
    ({ model, use }) => {
      const written = costOf(model, { ...use, cache_write_tokens: use.input_tokens - 1_000 });
      const read = costOf(model, use);
      return JSON.stringify(written) === JSON.stringify(read) ? [] : [`${written}, and ${read} as input`];
    },
  );
});
