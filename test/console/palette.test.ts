import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Assignment, assign, digestOf, styleOfSlot } from '../../console/src/charts/palette.ts';

const TODAY = 20_000;
const SLOTS = 18;
const digests = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, index) => digestOf(`acme owner ${from + index}`));
const slotsOf = (assignments: readonly Assignment[]): Map<string, number> =>
  new Map(assignments.map(({ digest, slot }) => [digest, slot]));

describe('the colours of groups', () => {
  it('stay the same whatever other groups are shown later, while there is room', () => {
    fc.assert(
      fc.property(fc.array(fc.subarray(digests(0, SLOTS)), { maxLength: 8 }), (charts) => {
        let assigned: readonly Assignment[] = [];
        for (const chart of charts) {
          const before = slotsOf(assigned);
          assigned = assign(assigned, chart, TODAY);
          const now = slotsOf(assigned);
          for (const [digest, slot] of before) expect(now.get(digest)).toBe(slot);
          for (const digest of chart) expect(now.has(digest)).toBe(true);
        }
      }),
    );
  });

  it('differ for any two groups that are shown together', () => {
    fc.assert(
      fc.property(fc.array(fc.subarray(digests(0, 60), { maxLength: SLOTS }), { maxLength: 8 }), (charts) => {
        let assigned: readonly Assignment[] = [];
        for (const [day, chart] of charts.entries()) {
          assigned = assign(assigned, chart, TODAY + day);
          const slots = slotsOf(assigned);
          const styles = chart.map((digest) => JSON.stringify(styleOfSlot(slots.get(digest) ?? SLOTS)));
          expect(new Set(styles).size).toBe(chart.length);
        }
      }),
    );
  });

  it('are solid for the first six groups, and textured from the seventh on', () => {
    const textures = assign([], digests(0, SLOTS), TODAY).map(({ slot }) => styleOfSlot(slot).texture);

    expect(textures.filter((texture) => texture === 'solid')).toHaveLength(6);
    const solid = assign([], digests(0, 6), TODAY).map(({ slot }) => styleOfSlot(slot));
    expect(solid.every(({ texture }) => texture === 'solid')).toBe(true);
    expect(new Set(solid.map(({ color }) => color)).size).toBe(6);
  });

  it('pass from the group that was not shown for the longest time to a new one', () => {
    const [first = '', ...others] = digests(0, SLOTS);
    const full = assign(assign([], [first], TODAY), others, TODAY + 1);
    const [late = ''] = digests(100, 101);

    const next = slotsOf(assign(full, [late], TODAY + 2));

    expect(next.get(late)).toBe(slotsOf(full).get(first));
    expect(next.has(first)).toBe(false);
  });

  it('are missing for groups beyond the slots, never shared', () => {
    const assigned = assign([], digests(0, SLOTS + 4), TODAY);

    expect(slotsOf(assigned).size).toBe(SLOTS);
    expect(digests(0, SLOTS).every((digest) => slotsOf(assigned).has(digest))).toBe(true);
  });

  it('are mostly the same on two devices that saw groups in another order', () => {
    const names = digests(0, 3);

    expect(slotsOf(assign([], names, TODAY))).toEqual(slotsOf(assign([], names.toReversed(), TODAY)));
  });
});
