import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DatedBalance } from '../../../../functions/chargeback/reconciliation/comparison/balance.ts';
import { type Block, blocksOf } from '../../../../functions/chargeback/reconciliation/comparison/blocks.ts';
import { comparisonOf } from '../../../../functions/chargeback/reconciliation/comparison/reconcile.ts';
import type { BilledDay } from '../../../../functions/chargeback/reconciliation/rows/bill.ts';
import { cohortsOf } from '../../../../functions/ledger/cohorts/cohorts.ts';
import { PersonIndex, personsIn } from '../../../../functions/ledger/cohorts/persons.ts';
import { decimal, sumDecimals } from '../../../../functions/platform/shared/decimal.ts';
import type { Rollup } from '../../../../schemas/ledger/rollup.ts';
import type { Grouping } from '../../../../schemas/routes/chargeback/reconciliation.ts';
import { hashOf, team } from '../../../insight/reports/calls.ts';
import { aDay, aGroup } from '../rollupFixtures.ts';

const DAY = '2026-04-01';

const aBill = (cost: string, members: Partial<BilledDay> = {}, usage = true): BilledDay => ({
  provider: 'openai',
  model: 'gpt-4o',
  day: DAY,
  rows: [{ cost, usage, end: Date.parse('2026-04-02'), at: Date.parse('2026-04-02T06:00:00Z') }],
  ...members,
});
const blocksFrom = (rollups: readonly Rollup[], bills: readonly BilledDay[]): Block[] => {
  const days = rollups.map((rollup) => ({ start: rollup.start, rollups: [rollup] }));
  const madeOn = new Map(rollups.map(({ start, asOf }) => [start, asOf]));
  return blocksOf(cohortsOf(new PersonIndex('acme', personsIn(rollups)), days), bills, madeOn);
};
const APRIL = { from: Date.parse('2026-04-01'), to: Date.parse('2026-05-01') };
const onlyBalance = (rollups: readonly Rollup[], bills: readonly BilledDay[]): DatedBalance => {
  const [only, ...others] = blocksFrom(rollups, bills);
  if (only === undefined || others.length > 0) throw new Error('expected one block');
  return only.balance;
};

describe('the balance of a model and day', () => {
  it.each([
    ['as billed', [{ cost: '5' }], '5', { difference_usd: '0', over_attributed_usd: '0' }],
    ['less than billed', [{ cost: '3.5' }], '5', { difference_usd: '1.5', under_recorded_usd: '1.5' }],
    ['more than billed', [{ cost: '7' }], '5', { difference_usd: '-2', over_attributed_usd: '2' }],
    [
      'as billed, partly without an owner',
      [{ cost: '3' }, { cost: '2', output_state: 'unresolved' } as const],
      '5',
      { attributed_usd: '3', unattributed_usd: '2', difference_usd: '2' },
    ],
    [
      'partly without a price',
      [{ cost: '3', invocations: 9, unpriced: 4 }],
      '5',
      { unpriced_invocations: 4, under_recorded_usd: '2' },
    ],
    [
      'without cost, with a credit on the bill',
      [{ cost: '0' }],
      '-1',
      { difference_usd: '-1', over_attributed_usd: '1' },
    ],
  ])('explains the difference when the cost is recorded %s', (_, spending, billed, expected) => {
    expect(onlyBalance([aDay(DAY, spending.map(aGroup))], [aBill(billed)])).toMatchObject(expected);
  });

  it('is not_seen without a record', () => {
    expect(onlyBalance([], [aBill('5')])).toMatchObject({
      invocations: 0,
      attributed_usd: '0',
      billed_usd: '5',
      not_seen_usd: '5',
      under_recorded_usd: '0',
    });
  });

  it('is not_billed without a bill, and over_attributed with a bill of zero', () => {
    const day = aDay(DAY, [aGroup({ cost: '5' })]);

    expect(onlyBalance([day], [])).toMatchObject({
      billed_usd: null,
      difference_usd: null,
      not_billed_usd: '5',
    });
    expect(onlyBalance([day], [aBill('0')])).toMatchObject({ billed_usd: '0', over_attributed_usd: '5' });
    expect(onlyBalance([day], [aBill('9', {}, false)])).toMatchObject({
      billed_usd: null,
      not_billed_usd: '5',
      other_charges_usd: '9',
    });
  });

  it('sets changed_since_bill when the rollup is newer than the bill', () => {
    const day = aDay(DAY, [aGroup({ cost: '5' })]);
    const early = { ...day, asOf: 1 };

    expect(onlyBalance([day], [aBill('5')]).changed_since_bill).toBe(true);
    expect(onlyBalance([early], [aBill('5')]).changed_since_bill).toBe(false);
  });

  it('is one balance for all spellings of provider and model', () => {
    const records = aDay(DAY, [
      aGroup({ cost: '1', served_model: 'gpt-4o-2024-08-06' }),
      aGroup({ cost: '2', provider: 'OpenAI', served_model: 'openai/gpt-4o' }),
    ]);

    expect(onlyBalance([records], [aBill('3')])).toMatchObject({ invocations: 2, difference_usd: '0' });
  });
});

const amounts = fc
  .tuple(fc.nat(10 ** 6), fc.nat(10 ** 12 - 1))
  .map(([whole, fraction]) => decimal(`${whole}.${String(fraction).padStart(12, '0')}`).toFixed());
const days = fc.constantFrom('2026-04-01', '2026-04-02', '2026-04-03');
const models = fc.constantFrom('gpt-4o', 'gpt-4o-mini', 'claude-sonnet-4-5');
const providers = fc.constantFrom('openai', 'anthropic');

const recorded = fc.uniqueArray(
  fc.record({
    day: days,
    groups: fc.array(
      fc
        .record({
          provider: providers,
          served_model: models,
          cost: amounts,
          output_state: fc.constantFrom('deterministically_resolved' as const, 'unresolved' as const),
          persons: fc.subarray(team('person', 8).map(hashOf)),
          owner: fc.constantFrom('ads', 'search', null),
        })
        .map(aGroup),
      { maxLength: 6 },
    ),
  }),
  { selector: ({ day }) => day },
);
const billed = fc.uniqueArray(
  fc
    .record({
      day: days,
      provider: providers,
      model: fc.option(models),
      cost: amounts,
      negative: fc.boolean(),
      usage: fc.boolean(),
    })
    .map(({ cost, negative, usage, ...of }) => aBill(`${negative ? '-' : ''}${cost}`, of, usage)),
  { selector: ({ day, provider, model }) => `${day} ${provider} ${model}` },
);
const groupings = fc.subarray<Grouping>(['provider', 'model', 'day']);

describe('a comparison', () => {
  it('counts the groups that its cohorts suppress, for each row and in total', () => {
    const lone = (served_model: string, person: string) =>
      aGroup({ cost: '1', served_model, persons: [hashOf(person)] });
    const day = aDay(DAY, [lone('gpt-4o', 'ann'), lone('gpt-4o-mini', 'bob')]);
    const compare = (by: readonly Grouping[]) => {
      const { rows, totals } = comparisonOf(blocksFrom([day], []), APRIL, by);
      return [rows.map(({ sums }) => sums.suppressed_groups), totals.suppressed_groups];
    };

    expect(compare(['model'])).toEqual([[2], 2]);
    expect(compare(['provider', 'model'])).toEqual([[2], 2]);
    expect(compare(['day'])).toEqual([[0], 0]);
  });

  /** Sum of the parts of a difference, with their signs. */
  const explained = (balance: DatedBalance): string =>
    sumDecimals([
      balance.unattributed_usd,
      balance.mixed_usd,
      balance.not_seen_usd,
      balance.under_recorded_usd,
      `-${balance.over_attributed_usd}`,
      `-${balance.not_billed_usd}`,
    ]);

  it('has parts that sum exactly to the difference, in each row and in the totals', () => {
    fc.assert(
      fc.property(recorded, billed, groupings, (ofDays, bills, by) => {
        const blocks = blocksFrom(
          ofDays.map(({ day, groups }) => aDay(day, groups)),
          bills,
        );
        const { rows, totals } = comparisonOf(blocks, APRIL, by);

        for (const balance of [...rows.map(({ sums }) => sums), totals]) {
          const difference = sumDecimals([balance.billed_usd ?? '0', `-${balance.attributed_usd}`]);
          expect(explained(balance)).toBe(difference);
          const { not_seen_usd, under_recorded_usd, over_attributed_usd, not_billed_usd } = balance;
          expect(sumDecimals(Object.values(balance.difference_parts))).toBe(
            sumDecimals([not_seen_usd, under_recorded_usd, `-${over_attributed_usd}`, `-${not_billed_usd}`]),
          );
          if (balance.billed_usd !== null) expect(balance.difference_usd).toBe(difference);
        }
      }),
    );
  });

  const summed = [
    'attributed_usd',
    'unattributed_usd',
    'mixed_usd',
    'not_seen_usd',
    'under_recorded_usd',
    'over_attributed_usd',
    'not_billed_usd',
    'other_charges_usd',
  ] as const;

  it('sums to the ledger and to the same totals for any grouping', () => {
    fc.assert(
      fc.property(recorded, billed, groupings, (ofDays, bills, by) => {
        const blocks = blocksFrom(
          ofDays.map(({ day, groups }) => aDay(day, groups)),
          bills,
        );
        const { rows, totals } = comparisonOf(blocks, APRIL, by);

        for (const name of summed) expect(sumDecimals(rows.map(({ sums }) => sums[name]))).toBe(totals[name]);
        for (const [name, amount] of Object.entries(totals.difference_parts)) {
          expect(sumDecimals(rows.map(({ sums }) => Object(sums.difference_parts)[name]))).toBe(amount);
        }
        expect(sumDecimals([totals.attributed_usd, totals.unattributed_usd, totals.mixed_usd])).toBe(
          sumDecimals(ofDays.flatMap(({ groups }) => groups.map(({ figures }) => figures.cost_usd.central))),
        );
        expect(totals).toMatchObject({
          billed_usd: bills.some(({ rows }) => rows[0]?.usage)
            ? sumDecimals(bills.flatMap(({ rows: [only] }) => (only?.usage ? only.cost : [])))
            : null,
        });
      }),
    );
  });
});
