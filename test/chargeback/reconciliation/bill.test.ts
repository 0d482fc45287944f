import { describe, expect, it } from 'vitest';
import {
  type BilledDay,
  billedOf,
  billedTogether,
  mergeRows,
  toKeyedRow,
} from '../../../functions/chargeback/reconciliation/bill.ts';
import { BillRow } from '../../../schemas/chargeback/reconciliation.ts';

const AT = Date.parse('2026-05-02T08:00:00Z');
const aRow = (members: Record<string, unknown> = {}): BillRow =>
  BillRow.parse({
    BilledCost: '1.50',
    BillingCurrency: 'USD',
    ServiceProviderName: 'OpenAI',
    ChargePeriodStart: '2026-05-01T10:00:00Z',
    ChargePeriodEnd: '2026-05-01T11:00:00Z',
    x_Model: 'gpt-4o',
    ...members,
  });
const keyed = (members: Record<string, unknown> = {}, at = AT) => toKeyedRow(aRow(members), at);

describe('a bill row', () => {
  it('has its model, the day it starts on, and the amount without exponent and trailing zeros', () => {
    expect(keyed()).toMatchObject({
      line: { provider: 'openai', model: 'gpt-4o' },
      day: '2026-05-01',
      row: { cost: '1.5', usage: true, end: Date.parse('2026-05-01T11:00:00Z'), at: AT },
    });
    expect(keyed({ BilledCost: '-1.2E-7' }).row.cost).toBe('-0.00000012');
  });

  it.each([
    ['Usage', true],
    [null, true],
    ['Tax', false],
    ['Credit', false],
  ])('of the category %s counts as usage: %s', (ChargeCategory, usage) => {
    expect(keyed({ ChargeCategory }).row.usage).toBe(usage);
  });

  it('keeps its key when an amount, the time format or an empty column changes', () => {
    const { rowKey } = keyed();

    for (const same of [
      { BilledCost: '2' },
      { ConsumedQuantity: '7' },
      { ChargePeriodStart: '2026-05-01T12:00:00+02:00' },
      { SkuId: null },
    ]) {
      expect(keyed(same).rowKey).toBe(rowKey);
    }
  });

  it('has another key when any other column changes', () => {
    const changes = [
      {},
      { ChargePeriodStart: '2026-05-01T10:30:00Z' },
      { ChargePeriodEnd: '2026-05-01T11:30:00Z' },
      { x_Model: 'gpt-4o-mini' },
      { RegionId: 'us-east-1' },
      { SkuId: 'us-east-1' },
      { x_RowId: '2' },
    ];

    const keys = changes.map((change) => keyed(change).rowKey);

    expect(new Set(keys).size).toBe(changes.length);
    expect(keys.every((key) => /^[\w-]{22}$/.test(key))).toBe(true);
  });
});

describe('rows merged into a day', () => {
  const day = { line: keyed().line, day: '2026-05-01' };
  const merge = (stored: BilledDay | null, ...rows: ReturnType<typeof keyed>[]) =>
    mergeRows(stored, day, rows);

  it('replace an earlier version, and leave a version that arrived at the same time or later', () => {
    const [first, second] = [keyed({}, AT), keyed({ BilledCost: '2' }, AT + 1)];
    const stored = merge(null, first);

    expect(merge(stored, second)?.rows).toEqual({ [first.rowKey]: second.row });
    expect(merge(merge(null, second), first)).toBeNull();
    expect(merge(stored, keyed({ BilledCost: '3' }, AT))).toBeNull();
  });

  it('keep the other rows of the day', () => {
    const [one, other] = [keyed(), keyed({ x_RowId: '2' })];

    expect(merge(merge(null, one), other)).toEqual({
      ...day.line,
      day: day.day,
      rows: { [one.rowKey]: one.row, [other.rowKey]: other.row },
    });
  });

  it('create the day even without rows, and change nothing in a stored day', () => {
    expect(merge(null)).toEqual({ ...day.line, day: day.day, rows: {} });
    expect(merge(merge(null))).toBeNull();
  });
});

describe('billed amounts', () => {
  const row = (cost: string, usage: boolean, end: number, at: number) => ({ cost, usage, end, at });
  const usageDay = {
    rows: { a: row('0.1', true, 5, 30), b: row('0.2', true, 9, 10), c: row('-1', false, 7, 20) },
  };
  const taxDay = { rows: { d: row('3', false, 20, 5) } };

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
