import { expect, it } from 'vitest';
import { billedModelOf } from '../../../../functions/chargeback/reconciliation/rows/billedModel.ts';
import { BillRow } from '../../../../schemas/chargeback/reconciliation.ts';

const aRow = (members: Record<string, unknown>) =>
  BillRow.parse({
    BilledCost: '1',
    BillingCurrency: 'USD',
    ProviderName: 'OpenAI',
    ChargePeriodStart: '2026-04-01T00:00:00Z',
    ChargePeriodEnd: '2026-04-02T00:00:00Z',
    ...members,
  });

it.each([
  [{ x_Model: 'gpt-4o', SkuId: 'sku-1' }, 'gpt-4o'],
  [{ x_ServedModelId: 'gpt-4o', ResourceId: 'res-1' }, 'gpt-4o'],
  [{ SkuId: 'gpt-4o-2024-08-06' }, 'gpt-4o'],
  [{ SkuId: 'openai/gpt-4o/input' }, 'gpt-4o'],
  [{ SkuId: 'gpt-4o-2024-08-06, cached input' }, 'gpt-4o'],
  [{ SkuId: null, ResourceId: 'gpt-4o' }, 'gpt-4o'],
  [{}, null],
])('reads from a bill row with %o the model %s', (members, model) => {
  expect(billedModelOf(aRow(members))).toEqual({ provider: 'openai', model });
});

it('prefers the provider column of FOCUS 1.4 to that of older versions', () => {
  expect(billedModelOf(aRow({ ServiceProviderName: 'Anthropic' })).provider).toBe('anthropic');
});

/** A row as the cloud writes it: its SKU has an id, and only words describe the meter. */
const CLOUD_ROWS = {
  Microsoft: { SkuId: 'DZH318Z09V7F/0020', ResourceId: '/subscriptions/1/providers/accounts/ai' },
  'Google Cloud': { SkuId: 'F3A6-D7B7-9BDA' },
  AWS: { SkuId: 'QJ4MKZV6YQ8RD3TS', ResourceId: 'arn:aws:bedrock:us-east-1:1:imported-model/x' },
  Oracle: { SkuId: 'B108077' },
} as const;

it.each([
  ['Microsoft', { x_SkuMeterName: 'gpt 4o 0513 Input global Tokens' }, 'gpt-4o'],
  ['Microsoft', { SkuMeter: 'gpt 4o 1120 cached Inp glbl Tokens' }, 'gpt-4o'],
  ['Microsoft', { SkuMeter: 'gpt 4o mini 0718 Outp regnl Tokens' }, 'gpt-4o-mini'],
  ['Microsoft', { SkuMeter: 'gpt-4o-mini-0718-Input-Data Zone Tokens' }, 'gpt-4o-mini'],
  ['Microsoft', { SkuMeter: 'gpt 4.1 nano cached Inp glbl Tokens' }, 'gpt-4-1-nano'],
  ['Microsoft', { SkuMeter: 'GPT 5 outpt Glbl 1M Tokens' }, 'gpt-5'],
  ['Microsoft', { SkuMeter: '5.4 inp Gl 1M Tokens' }, 'gpt-5-4'],
  ['Microsoft', { SkuMeter: '5.5 ShortCo opt Dz 1M Tokens' }, 'gpt-5-5'],
  ['Microsoft', { SkuMeter: 'o4-mini 0416 Inp glbl Tokens' }, 'o4-mini'],
  ['Microsoft', { SkuMeter: 'gpt 4o 0806 Batch Inp Data Zone Tokens' }, 'gpt-4o'],
  ['Microsoft', { SkuMeter: 'text embedding 3 large glbl Tokens' }, 'text-embedding-3-large'],
  ['Microsoft', { SkuMeter: 'gpt-oss-120B Outp glbl Tokens' }, 'gpt-oss-120b'],
  ['Microsoft', { SkuMeter: 'Codestral Inp glbl Tokens' }, 'codestral'],
  ['Microsoft', { SkuMeter: 'Az-GPT-4-Turbo-128K-Input Tokens' }, 'gpt-4-turbo'],
  ['Microsoft', { SkuMeter: 'gpt 4o Inp glbl Tokens', ChargeDescription: 'o3 Inp' }, 'gpt-4o'],
  ['Microsoft', { SkuMeter: 'Provisioned Managed Global Unit' }, null],
  ['Microsoft', { SkuMeter: 'Standard Text Records' }, null],
  ['Microsoft', { SkuMeter: 'Hot LRS Data Stored' }, null],
  ['Google Cloud', { SkuMeter: 'Gemini 2.5 Flash Text Input - Predictions' }, 'gemini-2-5-flash'],
  [
    'Google Cloud',
    { SkuMeter: 'Gemini 2.5 Flash Lite Text Output (Batch) - Predictions' },
    'gemini-2-5-flash-lite',
  ],
  ['Google Cloud', { SkuMeter: 'Generate content output token count gemini 2.5 flash' }, 'gemini-2-5-flash'],
  ['Google Cloud', { ChargeDescription: 'Gemini 2.5 Pro Text Output - Predictions' }, 'gemini-2-5-pro'],
  ['Google Cloud', { SkuMeter: 'Claude Sonnet 4.5 - Input Tokens' }, 'claude-sonnet-4-5'],
  ['Google Cloud', { SkuMeter: 'Gemini 2.5 Flash Image Input - Predictions' }, null],
  ['Microsoft', { ChargeDescription: 'gpt 4o Input - US East' }, null],
  ['Google Cloud', { SkuMeter: 'N2 Instance Core running in Iowa' }, null],
  ['AWS', { x_UsageType: 'USE1-Claude4.6Sonnet-input-tokens' }, 'anthropic-claude-sonnet-4-6'],
  ['AWS', { SkuMeter: 'USE1-Llama3-3-70B-output-tokens' }, 'meta-llama3-3-70b-instruct'],
  ['AWS', { ServiceName: 'Claude Sonnet 4.5 (Amazon Bedrock Edition)' }, 'anthropic-claude-sonnet-4-5'],
  [
    'AWS',
    { ResourceId: 'arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-sonnet-4-5-20250929-v1:0' },
    'anthropic-claude-sonnet-4-5',
  ],
  ['AWS', { x_UsageType: 'USE1-BoxUsage:m5.large' }, null],
  ['Oracle', { SkuMeter: 'OCI - Generative AI - Large Cohere' }, null],
] as const)(
  'reads from a row of %s with %o the model %s, and never the id of its SKU',
  (cloud, members, model) => {
    const row = aRow({ ProviderName: cloud, ...CLOUD_ROWS[cloud], ...members });

    expect(billedModelOf(row).model).toBe(model);
    expect(billedModelOf(aRow({ ...row, x_Model: 'own-name' })).model).toBe('own-name');
  },
);
