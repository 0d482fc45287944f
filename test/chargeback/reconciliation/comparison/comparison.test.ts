import { describe, expect, it } from 'vitest';
import { zeroBalance } from '../../../../functions/chargeback/reconciliation/comparison/balance.ts';
import type { Block } from '../../../../functions/chargeback/reconciliation/comparison/blocks.ts';
import { comparisonOf } from '../../../../functions/chargeback/reconciliation/comparison/reconcile.ts';

const APRIL = { from: Date.parse('2026-04-01'), to: Date.parse('2026-05-01') };

const aBlock = (day: string, members: Partial<Block> = {}, invocations = 1): Block => ({
  line: { provider: 'openai', model: 'gpt-4o' },
  day,
  isPunctual: true,
  cohorts: [],
  bills: [],
  balance: { ...zeroBalance, invocations },
  ...members,
});

describe('the rows of a comparison', () => {
  it('are one for each value of the fields, sorted, suppressed values last', () => {
    const blocks = [
      aBlock('2026-04-02', { line: {} }, 1),
      aBlock('2026-04-02', {}, 2),
      aBlock('2026-04-01', { line: { provider: 'openai', model: null } }, 4),
      aBlock('2026-04-01', { line: { provider: 'anthropic' } }, 8),
      aBlock('2026-04-03', {}, 16),
    ];

    const { rows, totals } = comparisonOf(blocks, APRIL, ['provider', 'model']);

    expect(rows.map(({ kind, values, sums }) => [kind, values, sums.invocations])).toEqual([
      ['folded', { provider: 'anthropic' }, 8],
      ['group', { provider: 'openai', model: null }, 4],
      ['group', { provider: 'openai', model: 'gpt-4o' }, 18],
      ['folded', {}, 1],
    ]);
    expect(totals.invocations).toBe(31);
  });

  it('are named by the day when grouped by day', () => {
    const { rows } = comparisonOf([aBlock('2026-04-02'), aBlock('2026-04-01')], APRIL, ['day']);

    expect(rows).toMatchObject([
      { kind: 'group', values: { day: '2026-04-01' } },
      { kind: 'group', values: { day: '2026-04-02' } },
    ]);
  });

  it('are one row of everything without fields, and none without blocks', () => {
    expect(comparisonOf([aBlock('2026-04-01'), aBlock('2026-04-02')], APRIL, []).rows).toMatchObject([
      { kind: 'group', values: {}, sums: { invocations: 2 } },
    ]);
    expect(comparisonOf([], APRIL, [])).toMatchObject({ rows: [], totals: { invocations: 0 }, exact: true });
  });

  it('contain the days of the period only, its end excluded', () => {
    const blocks = ['2026-03-31', '2026-04-01', '2026-04-30', '2026-05-01'].map((day) => aBlock(day));

    const { rows, totals } = comparisonOf(blocks, APRIL, ['day']);

    expect(rows.map(({ values }) => values.day)).toEqual(['2026-04-01', '2026-04-30']);
    expect(totals.invocations).toBe(2);
  });
});

describe('the sums of a comparison', () => {
  const late = { isPunctual: false };
  const isExact = (from: string, to: string, ...blocks: readonly Block[]) =>
    comparisonOf(blocks, { from: Date.parse(from), to: Date.parse(to) }, []).exact;

  it('are exact for whole months, although calls are counted on a later day of their month', () => {
    expect(isExact('2026-04-01', '2026-05-01', aBlock('2026-04-09', late))).toBe(true);
    expect(isExact('2026-03-01', '2026-06-01', aBlock('2026-04-09', late))).toBe(true);
  });

  it('are exact for a part of a month only when all calls of the month are counted on their own day', () => {
    const [punctual, other] = [aBlock('2026-04-09'), aBlock('2026-04-20', late)];

    expect(isExact('2026-04-02', '2026-05-01', punctual)).toBe(true);
    expect(isExact('2026-04-02', '2026-05-01', punctual, other)).toBe(false);
    expect(isExact('2026-04-01', '2026-04-30', punctual, other)).toBe(false);
    expect(isExact('2026-04-02', '2026-05-01', punctual, aBlock('2026-03-09', late))).toBe(false);
  });
});
