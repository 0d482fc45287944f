import type { StoredBook, StoredClosing } from '../../../schemas/chargeback/periods.ts';
import { type Month, monthOf, startOfNextMonth } from '../../platform/shared/time/month.ts';

/** A state of a month that exports repeat: the versions as of an instant (epoch milliseconds), and the copy of its totals. */
export interface FixedState {
  readonly asOf: number;
  readonly copy: string;
}

/** What a month has changed by since it was booked, up to another state; null: up to the records of today. */
export interface Correction {
  readonly month: Month;
  readonly from: FixedState;
  readonly to: FixedState | null;
}

/** What the exports of a billing period contain: its own calls, and corrections of periods that were closed before. */
export interface Book {
  /** Null: the records of today. */
  readonly own: FixedState | null;
  readonly corrections: readonly Correction[];
}

export type Closings = readonly StoredClosing[];

export const nextMonth = (month: Month): Month => monthOf(startOfNextMonth(month));

/** The period in which changes of closed ones are booked; null if none is closed. */
export const adjustedPeriod = (closings: Closings): Month | null => {
  const last = closings.at(-1);
  return last === undefined ? null : nextMonth(last.month);
};

export const closingOf = (closings: Closings, month: Month): StoredClosing | undefined =>
  closings.find((closing) => closing.month === month);

/** The newest book of a month, with its instant. */
export const bookedState = (
  closings: Closings,
  month: Month,
): { readonly book: StoredBook; readonly state: FixedState } | undefined => {
  for (const { as_of, books } of closings.toReversed()) {
    const book = books.find((one) => one.month === month);
    if (book !== undefined) return { book, state: { asOf: Date.parse(as_of), copy: book.copy } };
  }
  return undefined;
};

const stateOf = (closings: Closings, month: Month): FixedState[] => {
  const booked = bookedState(closings, month);
  return booked === undefined ? [] : [booked.state];
};

/**
 * The book of a billing period. Each close takes all closed months to its instant: its own period contains what they have
 * changed by since the close before. So the books of all periods sum to the records of today, and a change is in one of them.
 */
export const bookOf = (closings: Closings, month: Month): Book => {
  const index = closings.findIndex((closing) => closing.month === month);
  const closing = closings[index];
  if (closing !== undefined) {
    const before = closings.slice(0, index);
    const upTo = closings.slice(0, index + 1);
    return {
      own: stateOf(upTo, month)[0] ?? null,
      corrections: closing.books.flatMap((book) =>
        stateOf(before, book.month).map((from) => ({
          month: book.month,
          from,
          to: { asOf: Date.parse(closing.as_of), copy: book.copy },
        })),
      ),
    };
  }
  if (month !== adjustedPeriod(closings)) return { own: null, corrections: [] };
  return {
    own: null,
    corrections: closings.flatMap(({ month: closed }) =>
      stateOf(closings, closed).map((from) => ({ month: closed, from, to: null })),
    ),
  };
};
