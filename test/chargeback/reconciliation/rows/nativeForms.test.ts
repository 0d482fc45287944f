import { expect, it } from 'vitest';
import { NATIVE_FORMS } from '../../../../functions/chargeback/reconciliation/rows/nativeForms.ts';
import { readRows } from '../../../../functions/chargeback/reconciliation/rows/readRows.ts';

/** A row as the export of each provider has it, and what it charges for. */
const ROWS: Readonly<Record<string, readonly [object, object]>> = {
  OpenAI: [
    {
      start_time: '1777593600',
      start_time_iso: '2026-05-01T00:00:00+00:00',
      end_time_iso: '2026-05-02T00:00:00+00:00',
      amount_value: '0.0625',
      amount_currency: 'usd',
      line_item: 'gpt-4o-2024-08-06, cached input',
      project_id: 'proj_1',
      organization_id: 'org-1',
    },
    { provider: 'openai', model: 'gpt-4o', cost: '0.0625', account: 'org-1' },
  ],
  Anthropic: [
    {
      usage_date_utc: '2026-05-01',
      model: 'Claude Sonnet 4.5',
      workspace: 'Default',
      api_key: 'ci',
      usage_type: 'batch',
      context_window: '≤ 200k',
      token_type: 'input_cache_read',
      cost_usd: '0.3',
      list_price_usd: '0.3',
    },
    { provider: 'anthropic', model: 'claude-sonnet-4-5', cost: '0.3', tier: 'batch' },
  ],
  OpenRouter: [
    {
      generation_id: 'gen-1',
      created_at: '2026-05-01 03:46:57.713',
      cost_total: '0.0123',
      tokens_prompt: '10389',
      model_permaslug: 'openai/gpt-oss-120b',
      provider_name: 'Groq',
    },
    { provider: 'openrouter', model: 'openai/gpt-oss-120b', cost: '0.0123' },
  ],
  DeepSeek: [
    {
      start_time_iso: '2026-05-01T00:00:00+00:00',
      end_time_iso: '2026-05-02T00:00:00+00:00',
      model: 'deepseek-chat',
      wallet_type: 'paid',
      cost: '0.5',
      currency: 'USD',
    },
    { provider: 'deepseek', model: 'deepseek-chat', cost: '0.5' },
  ],
  Microsoft: [
    {
      billingAccountId: '9',
      billingCurrency: 'EUR',
      pricingCurrency: 'USD',
      exchangeRatePricingToBilling: '0.8',
      exchangeRateDate: '04/30/2026',
      date: '05/01/2026',
      meterId: 'd8d5a4d3-4908-58b6-ad10-aa8ff748c8e8',
      meterName: '4.6 Outp Glbl Tokens',
      meterSubCategory: 'Azure Grok Models',
      unitOfMeasure: '1K',
      quantity: '1000',
      costInBillingCurrency: '1.6',
      chargeType: 'Usage',
    },
    {
      provider: 'azure',
      model: 'grok-4-6',
      cost: '2',
      tokens: { kind: 'output', count: 1_000 },
      exchange: { rate: '1.25', rate_day: '2026-04-30' },
    },
  ],
  'Google Cloud': [
    {
      billing_account_id: '01AB',
      sku: { id: '0127-F0B7-365E', description: 'Gemini 3 Flash Text Output - Batch Predictions' },
      usage_start_time: '2026-05-01 10:00:00 UTC',
      usage_end_time: '2026-05-01 11:00:00 UTC',
      cost: '3',
      currency: 'USD',
      currency_conversion_rate: '1',
      usage: { amount: '1000000', unit: 'count' },
      cost_type: 'regular',
    },
    {
      provider: 'google',
      model: 'gemini-3-flash',
      cost: '3',
      tier: 'batch',
      tokens: { kind: 'output', count: 1_000_000 },
    },
  ],
  AWS: [
    {
      line_item_usage_type: 'USE1-Claude4.6Sonnet-input-tokens',
      line_item_line_item_type: 'SavingsPlanCoveredUsage',
      line_item_usage_start_date: '2026-05-01T10:00:00.000Z',
      line_item_usage_end_date: '2026-05-01T11:00:00.000Z',
      line_item_usage_amount: '2',
      pricing_unit: '1K tokens',
      line_item_unblended_cost: '0.006',
      line_item_currency_code: 'USD',
      bill_payer_account_id: '111',
      product_region_code: 'us-east-1',
    },
    {
      provider: 'aws',
      model: 'anthropic-claude-sonnet-4-6',
      cost: '0.006',
      tokens: { kind: 'input', count: 2_000, region: 'us-east-1' },
    },
  ],
};

it.each(NATIVE_FORMS.map((form) => [form.provider, form] as const))(
  'reads a row of the export of %s, whatever the letters of its columns',
  (provider, { columns }) => {
    const [row, expected] = ROWS[provider] ?? [{}, {}];
    const upper = Object.fromEntries(Object.entries(row).map(([name, cell]) => [name.toUpperCase(), cell]));
    const read = readRows([row], null);

    expect(read.lines).toMatchObject([{ day: '2026-05-01', usage: true, ...expected }]);
    expect(readRows([upper], null)).toEqual(read);
    // Without its amount, the row is refused by what FOCUS calls it.
    const [amount] = Object.keys(columns);
    expect(readRows([{ ...row, [String(amount)]: '' }], null).rejected[0]?.errors).toMatchObject([
      { pointer: '/rows/0/BilledCost' },
    ]);
  },
);

it('reads the files of Azure of Enterprise Agreements, where the amount is the cost', () => {
  const { costInBillingCurrency: cost, ...row } = { costInBillingCurrency: '', ...ROWS['Microsoft']?.[0] };

  expect(readRows([{ ...row, cost }], null)).toEqual(readRows([ROWS['Microsoft']?.[0]], null));
  expect(readRows([{ ...row, cost: '' }], null).rejected[0]?.errors).toMatchObject([
    { pointer: '/rows/0/BilledCost' },
  ]);
});

it.each([
  ['Microsoft', { chargeType: 'Refund' }],
  ['Microsoft', { chargeType: 'RoundingAdjustment' }],
  ['Google Cloud', { cost_type: 'tax', sku: undefined, currency_conversion_rate: undefined }],
  ['Microsoft', { chargeType: 'Purchase', meterName: undefined }],
  ['AWS', { line_item_line_item_type: 'BundledDiscount' }],
])('compares no charge of %s with calls that is %o', (provider, members) => {
  expect(readRows([{ ...ROWS[provider]?.[0], ...members }], null).lines).toMatchObject([{ usage: false }]);
});

it('counts the hour of a call until the end of its day', () => {
  const { lines } = readRows([ROWS['OpenRouter']?.[0]], null);

  expect(lines).toMatchObject([{ end: Date.parse('2026-05-02') }]);
});

it('reads a FOCUS row as one, whatever other columns it has', () => {
  const row = { ...ROWS['AWS']?.[0], BilledCost: '7' };

  expect(readRows([row], null).rejected).toHaveLength(1);
});

it('reads each credit of a row of Google as a charge of its own, and a row with a credit it cannot read not at all', () => {
  const row = ROWS['Google Cloud']?.[0];
  const credits = [
    { id: 'cud-1', name: 'Committed use discount', type: 'COMMITTED_USAGE_DISCOUNT', amount: '-0.75' },
    { id: null, name: 'Trial', type: 'PROMOTION', full_name: null, amount: '-2.25' },
  ];
  const charges = (list: readonly object[]) => readRows([{ ...row, credits: list }], null);
  const { lines } = charges(credits);

  expect(lines).toMatchObject([
    { cost: '3', usage: true, tokens: { count: 1_000_000 } },
    { cost: '-0.75', usage: false, provider: 'google', model: 'gemini-3-flash' },
    { cost: '-2.25', usage: false },
  ]);
  expect(new Set(lines.map(({ key }) => key)).size).toBe(3);
  expect(charges([])).toEqual(readRows([row], null));
  const upper = Object.fromEntries(
    Object.entries({ ...row, credits }).map(([name, cell]) => [name.toUpperCase(), cell]),
  );
  expect(readRows([upper], null).lines).toEqual(lines);
  expect(charges([{ amount: '-1' }]).lines).toMatchObject([{ cost: '3' }, { cost: '-1', usage: false }]);
  expect(charges([{ name: 'Trial' }]).rejected).toHaveLength(1);
  expect(charges([{ ...credits[0], amount: null }])).toMatchObject({
    lines: [],
    rejected: [{ index: 0, errors: [{ pointer: '/rows/0/BilledCost' }] }],
  });
});

it.each([
  ['JSON in a text file', '[{"id":"cud-1","amount":"-0.75"}]', ['3', '-0.75']],
  ['an empty list', '[]', ['3']],
  ['an empty cell', '', ['3']],
  ['NULL', 'NULL', ['3']],
  ['text that is no JSON', "[{'amount': -0.75}]", []],
  ['JSON that is no list', '-0.75', []],
  ['a number', -0.75, []],
])('reads credits of Google in a cell with %s, and refuses a row that it cannot read', (_, cell, costs) => {
  const { lines, rejected } = readRows([{ ...ROWS['Google Cloud']?.[0], credits: cell }], null);

  expect(lines.map(({ cost }) => cost)).toEqual(costs);
  expect(rejected).toHaveLength(costs.length === 0 ? 1 : 0);
});

it('reads a FOCUS row with a column credits as one charge', () => {
  const row = {
    BilledCost: '7',
    BillingCurrency: 'USD',
    ServiceProviderName: 'Google Cloud',
    ChargePeriodStart: '2026-05-01T00:00:00Z',
    ChargePeriodEnd: '2026-05-02T00:00:00Z',
    credits: [{ amount: '-1' }],
  };

  expect(readRows([row], null).lines).toMatchObject([{ cost: '7', usage: true }]);
});
