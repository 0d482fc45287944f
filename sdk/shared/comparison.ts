import type { UsageReport } from '../typescript/src/types.ts';
import { magnitude, sum } from './decimal.ts';

export interface Change {
  /** In the unit of the amount, with its sign. */
  readonly difference: string;
  /** Null if there was nothing before, or if hidden amounts could change it. */
  readonly relative: number | null;
}

const negated = (amount: string): string => (magnitude(amount) === 0 ? amount : `-${amount}`);

/** Amounts of both periods that may belong to a group, because suppression hides whose they are. Null: some, of unknown size. */
export interface HiddenAmounts {
  readonly now: string | null;
  readonly before: string | null;
}

const NOTHING_HIDDEN: HiddenAmounts = { now: '0', before: '0' };

/** The relative change, if hidden amounts cannot change it by a percent. Otherwise it would not compare like with like. */
const relativeChange = (amount: string, past: string, hidden: HiddenAmounts): number | null => {
  const [now, before] = [magnitude(amount), magnitude(past)];
  if (before <= 0 || hidden.now === null || hidden.before === null) return null;
  const least = now / (before + magnitude(hidden.before)) - 1;
  const most = (now + magnitude(hidden.now)) / before - 1;
  return Math.round(100 * least) === Math.round(100 * most) ? now / before - 1 : null;
};

/**
 * The change from an amount of the period before. Null if one of them is unknown, or if the tenant did not send calls throughout
 * that period: one that began within it would show a growth that is none. The report compares equal parts of both periods.
 * An amount of zero is not known to be zero if calls that may belong to it are hidden.
 */
export const changeSince = (
  { previous }: Pick<UsageReport, 'previous'>,
  amount: string | null,
  past: string | null | undefined,
  hidden = NOTHING_HIDDEN,
): Change | null => {
  if (previous?.complete !== true || amount === null || past === null || past === undefined) return null;
  const isHidden = [hidden.now, hidden.before].some((one) => one === null || magnitude(one) > 0);
  if (isHidden && (magnitude(amount) === 0 || magnitude(past) === 0)) return null;
  const difference = sum([amount, negated(past)]) ?? '0';
  return { difference, relative: relativeChange(amount, past, hidden) };
};
