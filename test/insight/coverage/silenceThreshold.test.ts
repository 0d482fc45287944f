import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { silenceThreshold } from '../../../functions/insight/coverage/silenceThreshold.ts';
import { SLOT_MS, slotOf } from '../../../functions/insight/coverage/timeSlot.ts';

const HOUR = 60 * 60 * 1_000;
const DAY = 24 * HOUR;
const NOW = slotOf(Date.parse('2026-05-01T12:00:00Z'));

/** Time slots over five weeks up to now, `gap` milliseconds apart. */
const every = (gap: number): number[] =>
  Array.from({ length: Math.floor((35 * DAY) / gap) }, (_, index) => NOW - index * gap).reverse();

describe('silenceThreshold', () => {
  it.each([
    ['ten minutes', SLOT_MS, HOUR],
    ['two hours', 2 * HOUR, 3 * HOUR],
    ['a day', DAY, 1.5 * DAY],
    ['a week', 7 * DAY, 10 * DAY],
  ])('is 1.5 times the interval for activity every %s, within bounds', (_, gap, allowed) => {
    expect(silenceThreshold(every(gap), NOW)).toBe(allowed);
  });

  it('ignores a single outage', () => {
    const outage = every(SLOT_MS).filter((slot) => slot < NOW - 9 * DAY || slot > NOW - 5 * DAY);

    expect(silenceThreshold(outage, NOW)).toBe(HOUR);
  });

  it('covers weekends after two of them', () => {
    const isWeekday = (slot: number) => ![0, 6].includes(new Date(slot).getUTCDay());

    const allowed = silenceThreshold(every(SLOT_MS).filter(isWeekday), NOW);

    expect(allowed).toBeGreaterThan(2 * DAY);
    expect(allowed).toBeLessThan(4 * DAY);
  });

  it('is at least three days for a layer with less than two weeks of history', () => {
    expect(silenceThreshold([NOW - SLOT_MS], NOW)).toBe(3 * DAY);
    expect(silenceThreshold(every(SLOT_MS).slice(-13 * 144), NOW)).toBe(3 * DAY);
  });

  it('is between one hour and ten days', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(35 * 144), { minLength: 1, maxLength: 200 }), (ages) => {
        const slots = ages.map((age) => NOW - age * SLOT_MS).sort((one, other) => one - other);

        const allowed = silenceThreshold(slots, NOW);

        expect(allowed).toBeGreaterThanOrEqual(HOUR);
        expect(allowed).toBeLessThanOrEqual(10 * DAY);
      }),
    );
  });
});
