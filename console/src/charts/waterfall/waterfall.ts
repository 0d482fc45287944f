import { PARTS, partWords } from '../../../../sdk/shared/changeParts.ts';
import { magnitude } from '../../../../sdk/shared/decimal.ts';
import type { ChangeTotals } from '../../../../sdk/typescript/src/types.ts';

/** A line of a waterfall: the sum before or now, or what leads from one to the other. */
export interface Step {
  readonly name: string;
  /** Null for a sum. */
  readonly note: string | null;
  readonly amount: string;
  readonly kind: 'sum' | 'part';
  /** The ends of its bar, in parts of the width. */
  readonly from: number;
  readonly to: number;
}

/** The steps from the cost before to the cost now. Parts of zero have none. */
export const waterfall = (before: string, now: string, parts: NonNullable<ChangeTotals['parts']>): Step[] => {
  let level = magnitude(before);
  const moves = PARTS.filter((part) => magnitude(parts[part]) !== 0).map((part) => {
    const from = level;
    level += magnitude(parts[part]);
    return {
      name: partWords[part].name,
      note: partWords[part].note,
      amount: parts[part],
      kind: 'part' as const,
      from,
      to: level,
    };
  });
  const ends = [magnitude(before), magnitude(now), ...moves.map(({ to }) => to)];
  const [lowest, highest] = [Math.min(0, ...ends), Math.max(...ends)];
  const width = highest - lowest || 1;
  const steps: Step[] = [
    { name: 'Period before', note: null, amount: before, kind: 'sum', from: 0, to: magnitude(before) },
    ...moves,
    { name: 'This period', note: null, amount: now, kind: 'sum', from: 0, to: magnitude(now) },
  ];
  return steps.map((step) => ({
    ...step,
    from: (step.from - lowest) / width,
    to: (step.to - lowest) / width,
  }));
};
