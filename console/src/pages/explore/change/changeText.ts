import { PARTS, partWords } from '../../../../../sdk/shared/changeParts.ts';
import { magnitude } from '../../../../../sdk/shared/decimal.ts';
import type { ChangeRow } from '../../../../../sdk/typescript/src/types.ts';
import { changeText } from '../../../charts/comparison.ts';

export const signed = (difference: string): string => changeText({ difference, relative: null }, 'cost');

/** The change, as a range if privacy hides calls that can be among them. Null if it is unknown. */
export const signedRange = ({
  change_range_usd: range,
}: Pick<ChangeRow, 'change_range_usd'>): string | null => {
  if (range === null) return null;
  const [low, high] = [signed(range.low), signed(range.high)];
  return low === high ? low : `${low} to ${high}`;
};

/** The part that changed most in the direction of the whole. */
export const mainPart = ({
  parts,
  change_usd: change,
}: Pick<ChangeRow, 'parts' | 'change_usd'>): string | null => {
  if (parts === null) return null;
  const direction = Math.sign(magnitude(change));
  const [largest] = PARTS.toSorted(
    (one, other) => direction * (magnitude(parts[other]) - magnitude(parts[one])),
  );
  return largest === undefined || magnitude(parts[largest]) === 0
    ? null
    : `${partWords[largest].name}: ${signed(parts[largest])}`;
};
