import { describe, expect, it } from 'vitest';
import { effectivePrice } from '../../../../functions/chargeback/reconciliation/prices/effectivePrice.ts';
import type { BilledDay } from '../../../../functions/chargeback/reconciliation/rows/bill.ts';
import { statementOf } from '../../../../functions/chargeback/reconciliation/sources/aws/statement.ts';
import { toBillLines } from '../../../../functions/chargeback/reconciliation/sources/reports/dayReport.ts';
import { assessImpact } from '../../../../functions/impact/impact.ts';
import { contractPriceSource } from '../../../../functions/impact/price/contractPrices.ts';
import { publishedRules } from '../../../../functions/impact/price/rules/publishedRules.ts';
import type { ContractPrice } from '../../../../schemas/attribution/contractPrices.ts';
import type { Rollup } from '../../../../schemas/ledger/rollup.ts';
import { anEvent } from '../../../attribution/engine/events.ts';
import { MILLION, suggest } from '../priceFixtures.ts';
import { aDay, aGroup } from '../rollupFixtures.ts';
import { aRow, type CurRow } from '../sources/aws/curFile.ts';

const DAY = '2026-05-09';
const MODEL = 'us.anthropic.claude-sonnet-4-6';
const LISTED: ContractPrice = {
  provider: 'aws',
  model: MODEL,
  from: '2026-01-01T00:00:00Z',
  input: '3',
  output: '15',
};

/** The bill of the model that an import stores for these rows of an export. */
const imported = (rows: readonly CurRow[]): BilledDay[] => {
  const statement = statementOf('2026-05');
  for (const row of rows) statement.add((column) => row[column]);
  const day = Date.parse(DAY);
  const origin = { providerName: 'Amazon Web Services', account: null, day, rates: null };
  const lines = toBillLines(statement.byDay().get(day) ?? [], origin);
  const billed = lines.map((line) => ({ ...line, at: day + 90_000_000 }));
  const [first] = billed;
  return first ? [{ provider: first.provider, model: first.model, day: DAY, rows: billed }] : [];
};
const charge = (meter: string, thousands: number, cost: number, region = 'us-east-1'): CurRow =>
  aRow({
    line_item_usage_type: `${region === 'us-east-1' ? 'USE1' : 'USW2'}-Claude4.6Sonnet-${meter}-tokens`,
    line_item_usage_amount: thousands,
    line_item_unblended_cost: cost,
    product_region_code: region,
  });
/** A million input and 200,000 output tokens at a tenth less than listed. */
const discounted = (region?: string) => [
  charge('input', 1_000, 2.7, region),
  charge('output', 200, 2.7, region),
];
/** The same tokens, recorded at contract prices by calls in some regions. */
const recorded = (prices: readonly ContractPrice[], regions: readonly (string | undefined)[]): Rollup => {
  const factors = {
    version: 'test',
    prices: contractPriceSource([...prices]),
    rules: publishedRules,
    aliases: new Map(),
  };
  return aDay(
    DAY,
    regions.map((region) => {
      const tokens = {
        input_tokens: MILLION / regions.length,
        output_tokens: 200_000 / regions.length,
      };
      const event = anEvent({
        provider: 'aws.bedrock',
        served_model: MODEL,
        ...tokens,
        ...(region !== undefined && { region }),
      });
      const { cost } = assessImpact(event, new Date(`${DAY}T12:00:00Z`), factors);
      return aGroup({
        provider: 'aws.bedrock',
        served_model: MODEL,
        cost: cost?.central ?? '0',
        tokens,
      });
    }),
  );
};

describe('the price that imported rows of Amazon Bedrock suggest', () => {
  it('is the one of the bill, without a region, if no entry of a region exists', () => {
    const [suggestion] = suggest([recorded([LISTED], ['us-east-1'])], imported(discounted()), [LISTED]);

    expect(suggestion).toMatchObject({
      price: { provider: 'aws', model: MODEL, input: '2.7', output: '13.5' },
      overridden_in: [],
      evidence: { billed_usd: '5.4', recorded_usd: '6' },
    });
    expect(suggestion?.price.region).toBeUndefined();
  });

  it('names the region of the bill if an entry of that region would win', () => {
    const regional = { ...LISTED, region: 'us-east-1', input: '3.3', output: '16.5' };
    const prices = [LISTED, regional];

    const bills = imported(discounted());
    const [suggestion] = suggest([recorded(prices, ['us-east-1'])], bills, prices);

    expect(suggestion).toMatchObject({
      price: { model: MODEL, region: 'us-east-1', input: '2.7', output: '13.5' },
      overridden_in: [],
    });
    const after = suggestion ? [...prices, suggestion.price] : [];
    expect(suggest([recorded(after, ['us-east-1'])], bills, after)).toEqual([]);
  });

  it('has no region if the entry of another region exists', () => {
    const prices = [LISTED, { ...LISTED, region: 'eu-central-1', input: '3.3' }];

    const [suggestion] = suggest([recorded(prices, ['us-east-1'])], imported(discounted()), prices);

    expect(suggestion?.price.region).toBeUndefined();
    expect(suggestion?.overridden_in).toEqual([]);
  });

  it('says which regions have an entry that wins, if the bill has several regions', () => {
    const regional = { ...LISTED, region: 'us-west-2', input: '3.3', output: '16.5' };
    const prices = [LISTED, regional];
    const rows = ['us-east-1', 'us-west-2'].flatMap((region) => [
      charge('input', 500, 1.35, region),
      charge('output', 100, 1.35, region),
    ]);

    const [suggestion] = suggest([recorded(prices, ['us-east-1', 'us-west-2'])], imported(rows), prices);

    expect(suggestion?.price.region).toBeUndefined();
    expect(suggestion).toMatchObject({ price: { input: '2.7' }, overridden_in: ['us-west-2'] });
  });

  it('ignores an entry of a region that has the same prices already', () => {
    const regional = { ...LISTED, region: 'us-east-1', input: '2.70', output: '13.5' };
    const prices = [LISTED, regional];

    // Half of the calls name no region, so the entry of the region does not apply to them.
    const rollup = recorded(prices, ['us-east-1', undefined]);
    const [suggestion] = suggest([rollup], imported(discounted()), prices);

    expect(suggestion?.price.region).toBeUndefined();
    expect(suggestion).toMatchObject({ price: { input: '2.7' }, overridden_in: [] });
  });

  it('says which regions have an entry that wins, if the bill names no region', () => {
    const regional = { ...LISTED, region: 'US-West-2', input: '3.3', output: '16.5' };
    const prices = [LISTED, regional];
    const rows = discounted().map((row) => ({ ...row, product_region_code: null }));

    const [suggestion] = suggest([recorded(prices, ['us-east-1'])], imported(rows), prices);

    expect(suggestion).toMatchObject({ price: { input: '2.7' }, overridden_in: ['us-west-2'] });
  });

  it('says nothing of existing entries to a caller that may not read them', () => {
    const regional = { ...LISTED, region: 'us-east-1', input: '3.3', output: '16.5' };
    const prices = [LISTED, regional];

    const [suggestion] = suggest([recorded(prices, ['us-east-1'])], imported(discounted()), null);

    expect(suggestion).toMatchObject({ price: { input: '2.7', output: '13.5' } });
    expect([suggestion?.price.region, suggestion?.overridden_in]).toEqual([undefined, undefined]);
  });

  it('is missing if regions, routes or tiers have prices of their own on the bill', () => {
    const twoRegions = [
      charge('input', 500, 1.35),
      charge('input', 500, 1.485, 'us-west-2'),
      charge('output', 200, 2.7),
    ];
    const batch = [
      ...discounted(),
      aRow({ line_item_usage_type: 'USE1-Claude4.6Sonnet-input-tokens-batch' }),
    ];
    const rollup = recorded([LISTED], ['us-east-1']);

    expect(suggest([rollup], imported(twoRegions), [LISTED])).toEqual([]);
    expect(suggest([rollup], imported(batch), [LISTED])).toEqual([]);
  });
});

describe('the region of a suggested price', () => {
  const price = { provider: 'aws', model: MODEL, from: `${DAY}T00:00:00Z`, input: '2.7' };
  const entry = (members: Partial<ContractPrice>): ContractPrice => ({ ...LISTED, ...members });
  const effective = (
    existing: readonly ContractPrice[],
    regions: readonly (string | null)[],
    days: readonly string[] = [DAY],
  ) => {
    const result = effectivePrice(price, { models: [MODEL], days, regions }, [...existing]);
    return [result?.price.region, result?.overridden_in];
  };

  it('is missing for a bill of several regions, in whatever order its rows come', () => {
    const west = entry({ region: 'us-west-2' });

    expect(effective([west], ['us-west-2', 'us-east-1'])).toEqual([undefined, ['us-west-2']]);
    expect(effective([west], ['us-east-1', 'us-west-2'])).toEqual([undefined, ['us-west-2']]);
  });

  it('is missing if the entry of the region starts later on a day of the evidence, so it would still win', () => {
    const later = entry({ region: 'us-east-1', from: `${DAY}T06:00:00Z` });

    expect(effective([later], ['us-east-1'])).toEqual([undefined, ['us-east-1']]);
  });

  it('is missing if the entry of the region starts after the evidence', () => {
    const later = entry({ region: 'us-east-1', from: '2026-05-10T00:00:00Z' });

    expect(effective([later], ['us-east-1'])).toEqual([undefined, []]);
    expect(effective([later], ['us-east-1'], [DAY, '2026-05-10'])).toEqual([undefined, ['us-east-1']]);
  });

  it('is missing if an entry without a region, of another model or of another provider applies', () => {
    const others = [
      entry({ from: `${DAY}T06:00:00Z` }),
      entry({ model: 'us.anthropic.claude-opus-4-6', region: 'us-east-1' }),
      entry({ provider: 'anthropic', model: 'claude-sonnet-4-6', region: 'us-east-1' }),
    ];

    expect(effective(others, ['us-east-1'])).toEqual([undefined, []]);
  });

  it('is listed once for rows without a region, sorted, in the spelling of records', () => {
    const entries = [
      entry({}),
      entry({ region: 'US West 2' }),
      entry({ region: 'eu-central-1' }),
      entry({ region: 'eu-central-1', from: '2026-02-01T00:00:00Z' }),
    ];

    expect(effective(entries, [null, 'us-east-1'])).toEqual([undefined, ['eu-central-1', 'uswest2']]);
  });

  it('is needed if a kind of tokens has a price in the entry of the region only', () => {
    expect(effective([entry({ region: 'us-east-1', input: '2.7' })], ['us-east-1'])).toEqual([
      'us-east-1',
      [],
    ]);
  });
});
