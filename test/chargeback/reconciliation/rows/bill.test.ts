import { describe, expect, it } from 'vitest';
import {
  billedOf,
  billedTogether,
  toBillLine,
} from '../../../../functions/chargeback/reconciliation/rows/bill.ts';
import { isSamePurchase } from '../../../../functions/chargeback/reconciliation/rows/purchase.ts';
import { readBillRow, readRows } from '../../../../functions/chargeback/reconciliation/rows/readRows.ts';
import { neutralizeFormula } from '../../../../functions/platform/shared/formulaGuard.ts';
import { line, row } from './billRow.ts';

describe('a bill row', () => {
  it.each([
    ['x_Model', '@cf/meta/llama-3.1-8b-instruct'],
    ['BillingAccountId', '-5, =x; +y'],
    ['SubAccountId', 'a, -b'],
    ['BilledCost', '-5.5'],
  ])('has the same %s in a file that guards formulas', (column, text) => {
    const read = (cell: string) => readRows([row({ [column]: cell })], null);

    expect(neutralizeFormula(text)).not.toBe(text);
    expect(read(neutralizeFormula(text))).toEqual(read(text));
    expect(read(text).rejected).toEqual([]);
  });

  it('has its model, the day it starts on, and the amount without exponent and trailing zeros', () => {
    expect(line()).toMatchObject({
      biller: 'openai',
      provider: 'openai',
      model: 'gpt-4o',
      day: '2026-05-01',
      cost: '1.5',
      usage: true,
      end: Date.parse('2026-05-01T11:00:00Z'),
    });
    expect(line({ BilledCost: '-1.2E-7' }).cost).toBe('-0.00000012');
  });

  it.each([
    ['Usage', true],
    [null, true],
    ['Tax', false],
    ['Credit', false],
  ])('of the category %s counts as usage: %s', (ChargeCategory, usage) => {
    expect(line({ ChargeCategory }).usage).toBe(usage);
  });

  const files: readonly [string, Record<string, unknown>][] = [
    ['an amount', { BilledCost: '2', ConsumedQuantity: '7' }],
    ['the form of the time', { ChargePeriodStart: '2026-05-01T12:00:00+02:00' }],
    ['an invoice', { InvoiceId: 'INV-7', InvoiceDetailId: 'INV-7-1', InvoiceIssuerName: 'OpenAI' }],
    ['a text', { ChargeDescription: 'GPT-4o input', SkuPriceDetails: '{}', Tags: '{"team":"a"}' }],
    ['the spelling of the provider', { ServiceProviderName: ' openai ' }],
    [
      'FOCUS 1.2, which names the provider in another column',
      { ServiceProviderName: null, ProviderName: 'OPENAI' },
    ],
    ['FOCUS 1.0, which has no meters', { SkuMeter: undefined }],
    ['the spelling of the meter', { SkuMeter: 'input_tokens' }],
    ['the default category', { ChargeCategory: 'Usage', PricingCategory: 'Standard' }],
    ['an empty column', { RegionId: '' }],
  ];
  it.each(files)('is the same purchase with %s', (_, change) => {
    const { data } = readBillRow(row(change));

    expect(data && isSamePurchase(toBillLine(data), line())).toBe(true);
  });

  it.each([
    { ChargePeriodStart: '2026-05-01T10:30:00Z' },
    { ChargePeriodEnd: '2026-05-01T11:30:00Z' },
    { SkuMeter: 'Output Tokens' },
    { SkuId: 'gpt-4o-mini' },
    { SkuPriceId: 'long' },
    { RegionId: 'us-east-1' },
    { SubAccountId: 'proj_1' },
    { ResourceId: 'deployment' },
    { BillingAccountId: 'org-1' },
    { ServiceProviderName: 'Azure' },
    { ChargeCategory: 'Credit' },
    { ChargeClass: 'Correction' },
    { PricingCategory: 'batch' },
    { x_RowId: '2' },
  ])('is another purchase with %o', (change) => {
    expect(isSamePurchase(line(change), line())).toBe(false);
  });

  it('is one correction for each bill that has it', () => {
    const of = (BillingPeriodStart: string) => line({ ChargeClass: 'Correction', BillingPeriodStart });

    expect(isSamePurchase(of('2026-06-01T00:00:00Z'), of('2026-07-01T00:00:00Z'))).toBe(false);
    expect(isSamePurchase(of('2026-06-01T00:00:00Z'), of('2026-06-01T00:00:00Z'))).toBe(true);
  });
});

describe('billed amounts', () => {
  const billed = (cost: string, usage: boolean, end: number, at: number) => ({ cost, usage, end, at });
  const usageDay = {
    rows: [billed('0.1', true, 5, 30), billed('0.2', true, 9, 10), billed('-1', false, 7, 20)],
  };
  const taxDay = { rows: [billed('3', false, 20, 5)] };

  it('are exact sums of usage and of other charges, with the newest charge and arrival', () => {
    expect(billedOf(usageDay)).toEqual({ usage: '0.3', other: '-1', until: 9, at: 30 });
  });

  it('have no usage when no usage was billed', () => {
    expect(billedOf(taxDay)).toMatchObject({ usage: null, other: '3' });
    expect(billedTogether([taxDay])).toMatchObject({ usage: null });
  });

  it('of several days are their sums, and null without a bill', () => {
    expect(billedTogether([usageDay, taxDay])).toEqual({ usage: '0.3', other: '2', until: 20, at: 30 });
    expect(billedTogether([])).toBeNull();
  });
});
