import type { Cohort } from '../../../ledger/cohorts/cohorts.ts';
import { totalOf } from '../../../ledger/cohorts/cohortTotals.ts';
import { sumDecimals } from '../../../platform/shared/decimal.ts';

/** Sums of records in USD. Calls of unknown cost are only counted. */
export interface Recorded {
  readonly invocations: number;
  readonly cost: string;
  /** Cost of records without an owner. */
  readonly unattributed: string;
  /** Cost of cohorts with attributed and unattributed records that must not be split. */
  readonly mixed: string;
  /** Records without a known price. */
  readonly unpriced: number;
  /** Those of them whose cost waits for a confirmation. */
  readonly implausible: number;
}

/**
 * Divides the cost of a cohort into attributed and unattributed cost. A cohort with persons is not divided, since a part
 * could be the cost of a single person. A cohort without persons is divided exactly.
 */
const dividedOf = (cohort: Cohort): Pick<Recorded, 'cost' | 'unattributed' | 'mixed'> => {
  const cost = totalOf([cohort], 'cost_usd');
  const unresolved = cohort.parts.filter(({ cell }) => cell.labels.output_state === 'unresolved');
  if (unresolved.length === 0) return { cost, unattributed: '0', mixed: '0' };
  if (unresolved.length === cohort.parts.length) return { cost, unattributed: cost, mixed: '0' };
  return cohort.parts.every(({ cell }) => !cell.isPersonal)
    ? {
        cost,
        unattributed: sumDecimals(unresolved.map(({ figures }) => figures.cost_usd.central)),
        mixed: '0',
      }
    : { cost, unattributed: '0', mixed: cost };
};

/** The exact sums over cohorts. Each member is a sum over whole cohorts or over records that name no person. */
export const recordedOf = (cohorts: readonly Cohort[]): Recorded => {
  const divided = cohorts.map(dividedOf);
  const figures = cohorts.flatMap(({ parts }) => parts.map((part) => part.figures));
  return {
    invocations: figures.reduce((total, { invocations }) => total + invocations, 0),
    cost: sumDecimals(divided.map(({ cost }) => cost)),
    unattributed: sumDecimals(divided.map(({ unattributed }) => unattributed)),
    mixed: sumDecimals(divided.map(({ mixed }) => mixed)),
    unpriced: figures.reduce((total, { cost_usd }) => total + cost_usd.unknown, 0),
    implausible: figures.reduce((total, { implausible }) => total + implausible, 0),
  };
};
