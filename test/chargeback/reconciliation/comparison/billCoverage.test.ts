import { describe, expect, it } from 'vitest';
import { billCoverageOf } from '../../../../functions/chargeback/reconciliation/comparison/billCoverage.ts';
import type { BilledDay } from '../../../../functions/chargeback/reconciliation/rows/bill.ts';
import {
  newBillSource,
  type StoredBillSource,
} from '../../../../functions/chargeback/reconciliation/sources/billSource.ts';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-04-10T12:00:00Z');
const period = { from: Date.parse('2026-04-06'), to: Date.parse('2026-04-12') };

const aBill = (day: string, provider = 'openai'): BilledDay => ({
  provider,
  model: 'gpt-4o',
  day,
  rows: [{ cost: '1', usage: true, end: Date.parse(day) + DAY_MS, at: 1 }],
});
const billed = (...days: readonly number[]) => days.map((day) => aBill(`2026-04-0${day}`));
const aSource = (
  published: string | null,
  members: Partial<StoredBillSource> = {},
  created = '2026-03-01T08:00:00Z',
): StoredBillSource => {
  const request = { provider: 'openai', name: 'OpenAI' } as const;
  const source = newBillSource(request, { id: 'bls_1', sealed: '', at: Date.parse(created) });
  const published_until = published === null ? null : Date.parse(published);
  return { ...source, imports: { ...source.imports, published_until }, ...members };
};
const coverage = (
  bills: readonly BilledDay[],
  sources: readonly StoredBillSource[] = [],
  recorded: string[] = [],
) => billCoverageOf({ recorded, billed: bills, sources }, period, NOW);

describe('the coverage of a provider by bills', () => {
  it('names each day of the period up to today without a bill', () => {
    expect(coverage(billed(6, 8, 9))).toEqual([
      {
        provider: 'openai',
        billed_until: '2026-04-10T00:00:00.000Z',
        is_late: false,
        days_without_bill: ['2026-04-07', '2026-04-10'],
      },
    ]);
  });

  it('is late without a source when a day ended more than 24 hours ago, and neither it nor a later one is billed', () => {
    expect(coverage(billed(6, 7, 8))).toMatchObject([
      { is_late: false, days_without_bill: ['2026-04-09', '2026-04-10'] },
    ]);
    expect(coverage(billed(6, 7))).toMatchObject([
      { is_late: true, days_without_bill: ['2026-04-08', '2026-04-09', '2026-04-10'] },
    ]);
  });

  it('counts bills of the same months outside the period', () => {
    expect(coverage([aBill('2026-04-12')])).toMatchObject([
      { is_late: false, billed_until: '2026-04-13T00:00:00.000Z' },
    ]);
  });

  it('has every day, and is not late, for a provider that never sends a bill', () => {
    expect(coverage([], [], ['self-hosted'])).toEqual([
      {
        provider: 'self-hosted',
        billed_until: null,
        is_late: false,
        days_without_bill: ['2026-04-06', '2026-04-07', '2026-04-08', '2026-04-09', '2026-04-10'],
      },
    ]);
  });

  it('is late with a source that is late, although another account of the provider is billed', () => {
    const sources = [aSource('2026-04-10'), aSource('2026-04-08', { account: 'research' })];

    expect(coverage(billed(6, 7, 8, 9), sources)).toMatchObject([
      { is_late: true, days_without_bill: ['2026-04-08', '2026-04-09', '2026-04-10'] },
    ]);
  });

  it('is not late with a source that published yesterday', () => {
    expect(coverage(billed(6, 7, 8, 9), [aSource('2026-04-10')])).toMatchObject([
      { is_late: false, days_without_bill: ['2026-04-10'] },
    ]);
  });

  it('lacks the days of a paused source, which is not late', () => {
    expect(coverage(billed(6, 7), [aSource('2026-04-08', { paused: true })])).toMatchObject([
      { is_late: false, days_without_bill: ['2026-04-08', '2026-04-09', '2026-04-10'] },
    ]);
  });

  it('lacks the days from the first one that a source reads when nothing was published yet', () => {
    const source = aSource(null, {}, '2026-05-09T08:00:00Z');

    expect(coverage(billed(6, 7, 8, 9), [source])).toMatchObject([
      { days_without_bill: ['2026-04-08', '2026-04-09', '2026-04-10'] },
    ]);
  });

  it('is one entry for each provider, sorted, with its own bills and sources', () => {
    const all = coverage([aBill('2026-04-07', 'mistral')], [aSource(null)], ['mistral', 'anthropic']);

    expect(all.map(({ provider, is_late }) => [provider, is_late])).toEqual([
      ['anthropic', false],
      ['mistral', true],
      ['openai', true],
    ]);
    expect(coverage([aBill('2026-04-09', 'mistral')], [aSource(null)])).toMatchObject([
      { provider: 'mistral', is_late: false },
      { provider: 'openai' },
    ]);
  });

  it('is not late in the last millisecond of the 24 hours after a day', () => {
    const lateAt = (now: string) =>
      billCoverageOf({ recorded: [], billed: billed(6), sources: [] }, period, Date.parse(now))[0]?.is_late;

    expect([lateAt('2026-04-09T00:00:00Z'), lateAt('2026-04-09T00:00:00.001Z')]).toEqual([false, true]);
  });
});
