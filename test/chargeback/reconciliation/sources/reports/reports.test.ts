import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { anthropicCosts } from '../../../../../functions/chargeback/reconciliation/sources/reports/anthropicCosts.ts';
import { anthropicUsage } from '../../../../../functions/chargeback/reconciliation/sources/reports/anthropicUsage.ts';
import {
  chargesOfDay,
  toBillLines,
} from '../../../../../functions/chargeback/reconciliation/sources/reports/dayReport.ts';
import { openaiCosts } from '../../../../../functions/chargeback/reconciliation/sources/reports/openaiCosts.ts';

const DAY = Date.parse('2026-11-20T00:00:00Z');
const origin = { account: null, day: DAY, rates: null };
const fixture = (name: string): Buffer => readFileSync(new URL(`fixtures/${name}`, import.meta.url));

describe('a page of OpenAI costs', () => {
  const { buckets, next } = openaiCosts.parsePage(fixture('openai-costs.json'));
  const rows = toBillLines(chargesOfDay(buckets, DAY), { ...origin, providerName: 'OpenAI' });

  it('gives the exact text of each amount, and the model of each line item that names one', () => {
    expect(rows.map(({ model, cost }) => [model, cost])).toEqual([
      ['gpt-4o', '0.06412499999999999'],
      ['gpt-4o', '1.2'],
      ['gpt-4o-mini', '0.0000054'],
      [null, '0.03'],
      [null, '0.000000000000000001'],
    ]);
    expect(rows.every(({ provider }) => provider === 'openai')).toBe(true);
  });

  it('has the token of the next page', () => {
    expect(next).toBe('AAAAAGdGxdEiJdKOAAAAAGcqsYA=');
  });

  it('keeps the charges of a project whose id looks like a secret, without the id', () => {
    const secret = `sk-proj-${'a1'.repeat(20)}`;
    const charge = { BilledCost: '1', BillingCurrency: 'USD', SubAccountId: secret };

    const [row] = toBillLines([charge], { ...origin, providerName: 'OpenAI' });

    expect(row?.cost).toBe('1');
    expect(row?.key).toBe(
      toBillLines([{ BilledCost: '1', BillingCurrency: 'USD' }], { ...origin, providerName: 'OpenAI' })[0]
        ?.key,
    );
  });
});

/** Line items as the API has them: the tier before the name of the model, the modality after it. */
it.each([
  ['gpt-5-mini-2025-08-07, cached input', 'gpt-5-mini', 'cached_input', undefined],
  ['gpt-5.6-sol, cache writes', 'gpt-5-6-sol', 'cache_write', undefined],
  ['gpt-5.6-terra, batch input', 'gpt-5-6-terra', 'input', 'batch'],
  ['flex | gpt-5-mini, output', 'gpt-5-mini', 'output', 'flex'],
  ['priority | gpt-5.6-sol, output, long context', 'gpt-5-6-sol', 'output', 'priority'],
  ['gpt-5.6-sol, output, long context', 'gpt-5-6-sol', 'output', 'long context'],
  ['gpt-image-2 text, input', 'gpt-image-2', 'input', undefined],
  ['gpt-audio-mini-2025-12-15 audio, input', 'gpt-audio-mini', undefined, undefined],
  ['gpt-4o-2024-08-06', 'gpt-4o', undefined, undefined],
  ['Web search tool calls', null, undefined, undefined],
  ['Codex', null, undefined, undefined],
])('reads the line item "%s"', (line_item, model, kind, tier) => {
  const charge = { amount: { value: 1, currency: 'usd' }, line_item, quantity: 7 };
  const bucket = { start_time: DAY / 1_000, end_time: DAY / 1_000 + 86_400, results: [charge] };
  const { buckets } = openaiCosts.parsePage(Buffer.from(JSON.stringify({ data: [bucket], has_more: false })));

  const [row] = toBillLines(chargesOfDay(buckets, DAY), { ...origin, providerName: 'OpenAI' });

  expect([row?.model, row?.tokens?.kind, row?.tier]).toEqual([model, kind, tier]);
});

describe('a page of the Anthropic cost report', () => {
  const { buckets, next } = anthropicCosts.parsePage(fixture('anthropic-cost-report.json'));
  const rows = toBillLines(chargesOfDay(buckets, DAY), { ...origin, providerName: 'Anthropic' });

  it('converts cents to dollars exactly, and adds charges that differ in no column', () => {
    expect(rows.map(({ model, cost }) => [model, cost])).toEqual([
      ['claude-sonnet-4', '1.2378912'],
      ['claude-sonnet-4', '0.00000001'],
      [null, '0.3'],
    ]);
    expect(next).toBeNull();
  });

  it('has the tier of each charge: its service tier, and whether its context has another price', () => {
    expect(rows.map(({ tier }) => tier)).toEqual([undefined, 'batch', undefined]);
    const page = JSON.parse(fixture('anthropic-cost-report.json').toString());
    const [charge, ...others] = page.data[0].results;
    const long = (service_tier: string) => ({ ...charge, service_tier, context_window: '200k-1M' });
    page.data[0].results = [long('standard'), long('batch'), ...others];
    const { buckets: ofLong } = anthropicCosts.parsePage(Buffer.from(JSON.stringify(page)));

    const tiers = toBillLines(chargesOfDay(ofLong, DAY), { ...origin, providerName: 'Anthropic' });

    expect(tiers.map(({ tier }) => tier)).toEqual(['long context', 'batch long context', 'batch', undefined]);
  });
});

describe('a page of the Anthropic usage report', () => {
  const { buckets } = anthropicCosts.parsePage(fixture('anthropic-cost-report.json'));
  const { tokens, next } = anthropicUsage.parsePage(fixture('anthropic-usage-report.json'));
  const tokensOf = (charged: typeof buckets) =>
    toBillLines(chargesOfDay(anthropicUsage.addTokens(charged, tokens), DAY), {
      ...origin,
      providerName: 'Anthropic',
    }).map((line) => line.tokens);

  it('adds the tokens of each charge of the same workspace, model, tier and token type', () => {
    expect(next).toBeNull();
    expect(tokensOf(buckets)).toEqual([
      { kind: 'input', count: 412_630, region: undefined },
      { kind: 'output', count: 7, region: 'us' },
      undefined,
    ]);
  });

  it('adds them once when charges differ in their region only', () => {
    const twice = buckets.map((bucket) => ({
      ...bucket,
      charges: bucket.charges.flatMap((charge) => [charge, { ...charge, RegionId: 'eu' }]),
    }));

    expect(tokensOf(twice).map((row) => row?.count)).toEqual([412_630, 0, 7, 0, undefined, undefined]);
  });

  it('leaves the tokens of a charge without usage unknown', () => {
    const elsewhere = buckets.map((bucket) => ({
      ...bucket,
      charges: bucket.charges.map((charge) => ({ ...charge, SubAccountId: 'wrkspc_other' })),
    }));

    expect(tokensOf(elsewhere)).toEqual([undefined, undefined, undefined]);
  });
});

it.each([
  ['a bucket of an hour', { start_time: DAY / 1_000, end_time: DAY / 1_000 + 3_600 }],
  ['a bucket that begins at noon', { start_time: DAY / 1_000 + 43_200, end_time: DAY / 1_000 + 129_600 }],
])('refuses %s', (_, period) => {
  const page = { data: [{ ...period, results: [] }], has_more: false };
  const { buckets } = openaiCosts.parsePage(Buffer.from(JSON.stringify(page)));

  expect(() => chargesOfDay(buckets, DAY)).toThrow(RangeError);
});

it('leaves out a bucket of another day, which is requested by itself', () => {
  const start_time = DAY / 1_000 + 86_400;
  const charge = { amount: { value: 1, currency: 'usd' } };
  const page = { data: [{ start_time, end_time: start_time + 86_400, results: [charge] }], has_more: false };
  const { buckets } = openaiCosts.parsePage(Buffer.from(JSON.stringify(page)));

  expect(chargesOfDay(buckets, DAY)).toEqual([]);
});

it.each([
  ['no currency', { amount: { value: 1, currency: '' } }],
  ['an amount that is not a number', { amount: { value: 'free', currency: 'usd' } }],
  ['an exponent of a million', { amount: { value: '1e1000000', currency: 'usd' } }],
  ['no amount', {}],
])('refuses a charge with %s', (_, result) => {
  const page = { data: [{ start_time: 0, end_time: 86_400, results: [result] }], has_more: false };

  expect(() => openaiCosts.parsePage(Buffer.from(JSON.stringify(page)))).toThrow();
});

it.each(['', '{', 'null', '[]', '<html>', '{"data":[]}'])('refuses the response %j', (text) => {
  expect(() => openaiCosts.parsePage(Buffer.from(text))).toThrow();
  expect(() => anthropicCosts.parsePage(Buffer.from(text))).toThrow();
});

it('refuses a page that has a next one without its token', () => {
  for (const { parsePage } of [openaiCosts, anthropicCosts]) {
    expect(() => parsePage(Buffer.from('{"data":[],"has_more":true,"next_page":null}'))).toThrow(RangeError);
  }
});

it('adds the charges of a model over its projects when it has more than 500 rows', () => {
  const charge = (project: number) => ({
    BilledCost: '0.1',
    BillingCurrency: 'USD',
    x_Model: 'gpt-4o',
    SubAccountId: `proj_${project}`,
  });
  const few = Array.from({ length: 500 }, (_, project) => charge(project));

  const rowsOf = (charges: typeof few) => toBillLines(charges, { ...origin, providerName: 'OpenAI' });

  expect(rowsOf(few)).toHaveLength(500);
  expect(rowsOf([...few, charge(500)]).map(({ cost }) => cost)).toEqual(['50.1']);
});

it('requests one UTC day of either provider, and the next page of it', () => {
  expect(openaiCosts.pathOf(DAY, 'a b')).toBe(
    '/v1/organization/costs?start_time=1795132800&end_time=1795219200&bucket_width=1d&group_by=line_item&group_by=project_id&page=a+b',
  );
  expect(anthropicCosts.pathOf(DAY, null)).toBe(
    '/v1/organizations/cost_report?starting_at=2026-11-20T00%3A00%3A00.000Z&ending_at=2026-11-21T00%3A00%3A00.000Z&bucket_width=1d&group_by%5B%5D=workspace_id&group_by%5B%5D=description',
  );
});
