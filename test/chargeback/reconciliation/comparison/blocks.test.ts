import { describe, expect, it } from 'vitest';
import { blocksOf } from '../../../../functions/chargeback/reconciliation/comparison/blocks.ts';
import { recordedOf } from '../../../../functions/chargeback/reconciliation/comparison/recorded.ts';
import type { BilledDay } from '../../../../functions/chargeback/reconciliation/rows/bill.ts';
import type { Cell, Labels } from '../../../../functions/ledger/cohorts/cell.ts';
import type { Cohort } from '../../../../functions/ledger/cohorts/cohorts.ts';
import { LENGTH } from '../../../../functions/ledger/rollups/grain.ts';
import { aGroup } from '../rollupFixtures.ts';

type Spending = Parameters<typeof aGroup>[0] & { readonly day?: string };

const cellOf = ({ day = '2026-04-01', ...spending }: Spending): Cell => {
  const { dimensions, figures } = aGroup(spending);
  const { residency: _lane, tags: _tags, ...labels } = dimensions;
  const at = Date.parse(day);
  const cell: Cell = {
    day: at,
    lane: null,
    labels,
    persons: figures.persons,
    isPersonal: figures.persons.length > 0,
    invocations: figures.invocations,
    parts: [],
  };
  return { ...cell, parts: [{ at, length: LENGTH.day, persons: figures.persons, figures, cell }] };
};

/** A cohort of these calls, counted on the last of their days, that shows the given labels. */
const aCohort = (
  calls: readonly Spending[],
  labels: Partial<Labels> = { provider: 'openai', served_model: 'gpt-4o' },
): Cohort => {
  const cells = calls.map(cellOf);
  return {
    at: Math.max(...cells.map(({ day }) => day)),
    length: LENGTH.day,
    labels,
    parts: cells.flatMap(({ parts }) => parts),
  };
};

const aBill = (model: string, cost: string, day = '2026-04-01', at = 1_000): BilledDay => ({
  provider: 'openai',
  model,
  day,
  rows: [{ cost, usage: true, end: Date.parse(day), at }],
});
const madeOn = new Map([
  [Date.parse('2026-04-01'), 1_000],
  [Date.parse('2026-04-02'), 2_000],
]);
const summaryOf = (cohorts: readonly Cohort[], bills: readonly BilledDay[]) =>
  blocksOf(cohorts, bills, madeOn).map(({ line, day, isPunctual, balance }) => ({
    line,
    day,
    isPunctual,
    invocations: balance.invocations,
    billed: balance.billed_usd,
  }));

describe('the blocks of cohorts and bills', () => {
  it('are one for each cohort when no two share a model and day', () => {
    const mini = { provider: 'openai', served_model: 'gpt-4o-mini' };
    const cohorts = [
      aCohort([{ invocations: 3 }]),
      aCohort([{ invocations: 4, served_model: 'gpt-4o-mini' }], mini),
      aCohort([{ invocations: 5, day: '2026-04-02' }]),
    ];

    expect(
      summaryOf(cohorts, [
        aBill('gpt-4o', '1'),
        aBill('gpt-4o-mini', '2'),
        aBill('gpt-4o', '4', '2026-04-02'),
      ]),
    ).toEqual([
      {
        line: { provider: 'openai', model: 'gpt-4o' },
        day: '2026-04-01',
        isPunctual: true,
        invocations: 3,
        billed: '1',
      },
      {
        line: { provider: 'openai', model: 'gpt-4o-mini' },
        day: '2026-04-01',
        isPunctual: true,
        invocations: 4,
        billed: '2',
      },
      {
        line: { provider: 'openai', model: 'gpt-4o' },
        day: '2026-04-02',
        isPunctual: true,
        invocations: 5,
        billed: '4',
      },
    ]);
  });

  it('are one for cohorts that share models through a chain of other cohorts', () => {
    const served = (...models: readonly string[]) => models.map((served_model) => ({ served_model }));
    const cohorts = [
      aCohort(served('m1', 'm2')),
      aCohort(served('m3', 'm4')),
      aCohort(served('m5')),
      aCohort(served('m4', 'm2')),
      aCohort(served('m6', 'm4')),
      aCohort(served('m1', 'm6')),
    ];
    const bills = ['m1', 'm2', 'm3', 'm4', 'm6'].map((model) => aBill(model, '1'));

    expect(summaryOf(cohorts, bills).map(({ invocations, billed }) => [invocations, billed])).toEqual([
      [10, '5'],
      [1, null],
    ]);
  });

  it('count a bill once, and a bill without calls in a block of its own', () => {
    const blocks = blocksOf([aCohort([{}])], [aBill('gpt-4o', '1'), aBill('o3', '2')], madeOn);

    expect(blocks).toHaveLength(2);
    expect(blocks[1]).toMatchObject({
      line: { provider: 'openai', model: 'o3' },
      day: '2026-04-01',
      isPunctual: true,
      cohorts: [],
      balance: { billed_usd: '2', not_seen_usd: '2', changed_since_bill: false },
    });
  });

  it('are counted on the latest day, and are not punctual with calls of another day', () => {
    const cohort = aCohort([{ day: '2026-04-02' }, { day: '2026-04-01' }]);

    expect(summaryOf([cohort], [])).toMatchObject([{ day: '2026-04-02', isPunctual: false }]);
  });

  it('show the name that all calls share, unless one cohort hides it', () => {
    const lineOf = (...cohorts: readonly Cohort[]) => summaryOf(cohorts, []).map(({ line }) => line);
    const twoModels = [{}, { served_model: 'o3' }];
    const twoProviders = [{}, { provider: 'anthropic' }];
    const all = { provider: null, served_model: null };

    expect(lineOf(aCohort([{}], all))).toStrictEqual([{ provider: 'openai', model: 'gpt-4o' }]);
    expect(lineOf(aCohort(twoModels, all))).toStrictEqual([{ provider: 'openai' }]);
    expect(lineOf(aCohort(twoProviders, all))).toStrictEqual([{}]);
    expect(lineOf(aCohort([{}], { provider: 'openai' }))).toStrictEqual([{ provider: 'openai' }]);
    expect(lineOf(aCohort([{}], { served_model: 'gpt-4o' }))).toStrictEqual([{}]);
    expect(lineOf(aCohort([{}], all), aCohort([{}], { provider: 'openai' }))).toStrictEqual([
      { provider: 'openai' },
    ]);
  });

  it('match calls without a provider and a model only with each other', () => {
    const [call] = [cellOf({})];
    const labels = { ...call.labels, provider: null, served_model: null };
    const cell = { ...call, labels };
    const unnamed: Cohort = {
      at: cell.day,
      length: LENGTH.day,
      labels,
      parts: call.parts.map((part) => ({ ...part, cell })),
    };

    const summary = summaryOf([unnamed, aCohort([{ invocations: 3 }])], [aBill('gpt-4o', '1')]);

    expect(summary).toMatchObject([
      { line: { provider: '', model: '' }, invocations: 1, billed: null },
      { line: { provider: 'openai', model: 'gpt-4o' }, invocations: 3, billed: '1' },
    ]);
  });

  it('are changed since the bill when the calls of a billed day were computed after the bill', () => {
    const isChanged = (calls: readonly Spending[], ...bills: readonly BilledDay[]) =>
      blocksOf([aCohort(calls)], bills, madeOn).map(({ balance }) => balance.changed_since_bill);

    expect(isChanged([{}], aBill('gpt-4o', '1', '2026-04-01', 999))).toEqual([true]);
    expect(isChanged([{}], aBill('gpt-4o', '1', '2026-04-01', 1_000))).toEqual([false]);
    expect(isChanged([{}])).toEqual([false]);
    expect(isChanged([{ day: '2026-04-09' }], aBill('gpt-4o', '1', '2026-04-09', 1))).toEqual([false]);
    expect(
      isChanged(
        [{}, { day: '2026-04-02' }],
        aBill('gpt-4o', '1', '2026-04-01', 1_500),
        aBill('gpt-4o', '1', '2026-04-02', 1_500),
      ),
    ).toEqual([true]);
  });
});

describe('the recorded cost of cohorts', () => {
  const five = ['a', 'b', 'c', 'd', 'e'];

  it('is not divided when only a part of the calls of persons has no owner', () => {
    const calls = [
      { cost: '3', invocations: 4, persons: five },
      { cost: '2', invocations: 2, output_state: 'unresolved', persons: five },
    ] as const;
    expect(recordedOf([aCohort(calls)])).toEqual({
      invocations: 6,
      cost: '5',
      unattributed: '0',
      mixed: '5',
      unpriced: 0,
      implausible: 0,
    });
    const twoParts = [
      { cost: '5', output_state: 'unresolved' },
      { cost: '1', persons: five },
    ] as const;
    expect(recordedOf([aCohort(twoParts)])).toMatchObject({ cost: '6', unattributed: '0', mixed: '6' });
  });

  it('is unattributed when none of the calls of persons has an owner', () => {
    const calls = [
      { cost: '5', output_state: 'unresolved', persons: five },
      { cost: '2', output_state: 'unresolved', persons: five },
    ] as const;

    expect(recordedOf([aCohort(calls)])).toMatchObject({ cost: '7', unattributed: '7', mixed: '0' });
  });

  it('is divided exactly when no call names a person', () => {
    const calls = [
      { cost: '2', invocations: 3, output_state: 'unresolved' },
      { cost: '1.5', output_state: 'unresolved' },
      { cost: '6.5' },
    ] as const;

    expect(recordedOf([aCohort(calls)])).toMatchObject({ cost: '10', unattributed: '3.5', mixed: '0' });
  });

  it('is the sum of all cohorts, with the calls of unknown price', () => {
    const cohorts = [
      aCohort([
        { cost: '3', invocations: 4, persons: five, unpriced: 2, implausible: 1 },
        { cost: '2', invocations: 2, output_state: 'unresolved', persons: five },
      ]),
      aCohort([{ cost: '3', invocations: 4, unpriced: 1, persons: five }]),
      aCohort([{ cost: '1', output_state: 'unresolved' }]),
    ];

    expect(recordedOf(cohorts)).toEqual({
      invocations: 11,
      cost: '9',
      unattributed: '1',
      mixed: '5',
      unpriced: 3,
      implausible: 1,
    });
    expect(recordedOf([])).toEqual({
      invocations: 0,
      cost: '0',
      unattributed: '0',
      mixed: '0',
      unpriced: 0,
      implausible: 0,
    });
  });
});
