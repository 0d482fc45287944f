import type { Cohort } from '../reports/cohorts.ts';
import { costOf } from '../reports/reportTotals.ts';
import { sumOf } from './bill.ts';

/** Sums of records. Amounts are USD, of what has a known price. */
export interface Recorded {
  readonly invocations: number;
  readonly cost: string;
  /** Part of the cost that nobody was named for. */
  readonly unattributed: string;
  /** Cost of cohorts that hold records with and without an owner, and may not be split. */
  readonly mixed: string;
  /** Records without a known price. */
  readonly unpriced: number;
}

export const nothingRecorded: Recorded = {
  invocations: 0,
  cost: '0',
  unattributed: '0',
  mixed: '0',
  unpriced: 0,
};

/**
 * Divides the cost of a cohort by whether somebody was named for it. A cohort with persons goes to one sum as a whole:
 * divided, its part could be the cost of a single person. A cohort without persons is divided exactly.
 */
const dividedOf = (cohort: Cohort): Pick<Recorded, 'cost' | 'unattributed' | 'mixed'> => {
  const cost = costOf([cohort]);
  const unresolved = cohort.parts.flatMap(({ figures }) => figures.states.unresolved ?? []);
  if (unresolved.length === 0) return { cost, unattributed: '0', mixed: '0' };
  if (cohort.parts.every(({ cell }) => cell.persons.length === 0)) {
    return { cost, unattributed: sumOf(unresolved.map(({ cost_usd }) => cost_usd)), mixed: '0' };
  }
  const unnamed = unresolved.reduce((total, { invocations }) => total + invocations, 0);
  const all = cohort.parts.reduce((total, { figures }) => total + figures.invocations, 0);
  return unnamed === all
    ? { cost, unattributed: cost, mixed: '0' }
    : { cost, unattributed: '0', mixed: cost };
};

/** The exact sums of some cohorts. Every member is a sum over whole cohorts, or of records that name no person. */
export const recordedOf = (cohorts: readonly Cohort[]): Recorded => {
  const divided = cohorts.map(dividedOf);
  const figures = cohorts.flatMap(({ parts }) => parts.map((part) => part.figures));
  return {
    invocations: figures.reduce((total, { invocations }) => total + invocations, 0),
    cost: sumOf(divided.map(({ cost }) => cost)),
    unattributed: sumOf(divided.map(({ unattributed }) => unattributed)),
    mixed: sumOf(divided.map(({ mixed }) => mixed)),
    unpriced: figures.reduce((total, { cost_usd }) => total + cost_usd.unknown, 0),
  };
};
