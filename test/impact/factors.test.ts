import { describe, expect, it } from 'vitest';
import { loadFactors } from '../../functions/impact/factors.ts';
import { assessImpact } from '../../functions/impact/impact.ts';
import type { PriceSource } from '../../functions/impact/price/priceSheet.ts';
import { call, MID_JULY, onePrice } from './calls.ts';

describe('the order of price sources', () => {
  it('uses the contract before overrides and catalogue, and continues when it has no price', async () => {
    const agreed = onePrice({ input: '1', output: '4', source: 'contract', catalogue: 'acme-2026' });
    const prices: PriceSource = {
      find: (provider, model, at, tokens) =>
        model === 'gpt-4o' ? agreed.find(provider, model, at, tokens) : null,
    };

    const factors = await loadFactors({ contract: { version: 'acme-2026', prices } });

    const contract = assessImpact(call(), MID_JULY, factors).cost;
    const catalogue = assessImpact(call({ requested_model: 'gpt-5' }), MID_JULY, factors).cost;
    expect(contract).toMatchObject({ source: 'contract', catalogue: 'acme-2026', central: '0.0022' });
    expect(catalogue).toMatchObject({ source: 'catalogue' });
  });

  it('uses an override before the catalogue', async () => {
    const event = call({ provider: 'deepseek', requested_model: 'deepseek-chat' });

    const { cost } = assessImpact(event, MID_JULY, await loadFactors());

    expect(cost).toMatchObject({ source: 'override', price_match: 'exact', priced_model: 'deepseek-chat' });
  });

  it('has a different version for each contract', async () => {
    const prices = onePrice({});
    const plain = await loadFactors();
    const first = await loadFactors({ contract: { version: 'a-1', prices } });
    const second = await loadFactors({ contract: { version: 'a-2', prices } });

    expect(new Set([plain.version, first.version, second.version]).size).toBe(3);
  });
});
