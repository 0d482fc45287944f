import { describe, expect, it } from 'vitest';
import {
  addBalances,
  compareWithBill as compareWithParts,
  zeroBalance,
} from '../../../../functions/chargeback/reconciliation/comparison/balance.ts';
import { noParts } from '../../../../functions/chargeback/reconciliation/comparison/differenceParts.ts';
import {
  type Recorded,
  recordedOf,
} from '../../../../functions/chargeback/reconciliation/comparison/recorded.ts';
import type { BilledAmounts } from '../../../../functions/chargeback/reconciliation/rows/bill.ts';

const recorded: Recorded = {
  invocations: 4,
  cost: '10',
  unattributed: '2',
  mixed: '1',
  unpriced: 3,
  implausible: 2,
};
const billed = (usage: string | null, until = 100): BilledAmounts => ({ usage, other: '0.5', until, at: 0 });

const parts = { ...noParts, price_usd: '1.5', batch_usd: '-0.25' };
const compareWithBill = (records: Recorded | null, bill: BilledAmounts | null, isChanged: boolean) =>
  compareWithParts(records ?? recordedOf([]), bill, isChanged, parts);

describe('a balance', () => {
  it('of nothing recorded and nothing billed is zero', () => {
    expect(compareWithBill(null, null, false)).toEqual({ ...zeroBalance, difference_parts: parts });
    expect(zeroBalance).toMatchObject({ invocations: 0, unpriced_invocations: 0, changed_since_bill: false });
  });

  it('contains what was recorded, what was billed, and each part of the difference', () => {
    expect(compareWithBill(recorded, billed('12'), true)).toEqual({
      invocations: 4,
      recorded_usd: '10',
      attributed_usd: '7',
      billed_usd: '12',
      difference_usd: '5',
      unattributed_usd: '2',
      mixed_usd: '1',
      not_seen_usd: '0',
      under_recorded_usd: '2',
      over_attributed_usd: '0',
      not_billed_usd: '0',
      difference_parts: parts,
      other_charges_usd: '0.5',
      unpriced_invocations: 3,
      implausible_invocations: 2,
      changed_since_bill: true,
      until: 100,
    });
  });

  it('has no recorded cost when the cost of every record is unknown', () => {
    const unknown = compareWithBill({ ...recorded, cost: '0', unpriced: 4 }, billed('12'), false);
    const known = compareWithBill(recorded, billed('12'), false);

    expect(unknown.recorded_usd).toBeNull();
    expect(addBalances(unknown, unknown).recorded_usd).toBeNull();
    expect(addBalances(unknown, known).recorded_usd).toBe('10');
    expect(compareWithBill(null, billed('12'), false).recorded_usd).toBe('0');
  });

  it.each([
    ['less than recorded', recorded, '4', { over_attributed_usd: '6' }],
    ['without a record', null, '4', { not_seen_usd: '4' }],
    ['for calls of no cost', { ...recorded, cost: '0' }, '4', { under_recorded_usd: '4' }],
    ['not at all', recorded, null, { not_billed_usd: '10' }],
  ])('assigns the difference to one category only when the usage was billed %s', (_, records, usage, gap) => {
    const none = {
      not_seen_usd: '0',
      under_recorded_usd: '0',
      over_attributed_usd: '0',
      not_billed_usd: '0',
    };

    expect(compareWithBill(records, billed(usage), false)).toMatchObject({ ...none, ...gap });
  });
});

describe('the sum of balances', () => {
  it('adds every figure', () => {
    const one = compareWithBill(recorded, billed('12'), false);
    const other = compareWithBill(
      { ...recorded, invocations: 5, unpriced: 1, implausible: 1 },
      billed('6'),
      false,
    );

    expect(addBalances(one, other)).toEqual({
      invocations: 9,
      recorded_usd: '20',
      attributed_usd: '14',
      billed_usd: '18',
      difference_usd: '4',
      unattributed_usd: '4',
      mixed_usd: '2',
      not_seen_usd: '0',
      under_recorded_usd: '2',
      over_attributed_usd: '4',
      not_billed_usd: '0',
      difference_parts: { ...noParts, price_usd: '3', batch_usd: '-0.5' },
      other_charges_usd: '1',
      unpriced_invocations: 4,
      implausible_invocations: 3,
      changed_since_bill: false,
      until: 100,
    });
  });

  it('adds what was not seen and what was not billed', () => {
    const [unseen, unbilled] = [
      compareWithBill(null, billed('3'), false),
      compareWithBill(recorded, null, false),
    ];

    expect(addBalances(unseen, unbilled)).toMatchObject({
      billed_usd: '3',
      difference_usd: '-4',
      not_seen_usd: '3',
      not_billed_usd: '10',
      until: 100,
    });
  });

  it('has no billed amount, difference or end of charges when neither has a bill', () => {
    const unbilled = compareWithBill(recorded, null, false);

    expect(addBalances(unbilled, unbilled)).toMatchObject({
      billed_usd: null,
      difference_usd: null,
      until: null,
    });
  });

  it('ends with the newest charge, and is changed when one of them is', () => {
    const changed = compareWithBill(recorded, billed('1', 200), true);
    const unchanged = compareWithBill(recorded, billed('1', 100), false);

    for (const [one, other] of [
      [changed, unchanged],
      [unchanged, changed],
    ] as const) {
      expect(addBalances(one, other)).toMatchObject({ until: 200, changed_since_bill: true });
    }
  });
});
