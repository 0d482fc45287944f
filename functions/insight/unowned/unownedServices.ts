import type { AnswerState } from '../../../schemas/attribution/attributionRecord.ts';
import { MIXED } from '../../../schemas/insight/reports.ts';
import type { UnownedAmounts, UnownedService } from '../../../schemas/insight/unowned.ts';
import { answerStateOf } from '../../ledger/cohorts/answerState.ts';
import type { Cohort } from '../../ledger/cohorts/cohorts.ts';
import { invocationsOf, totalOf } from '../../ledger/cohorts/cohortTotals.ts';
import { type Decimal, decimal } from '../../platform/shared/decimal.ts';

/** Whether the calls of a cohort have no confirmed owner. Null if suppression hides it. */
const isUnowned = (cohort: Cohort): boolean | null => {
  if (cohort.labels.owner === null) return true;
  const state = answerStateOf(cohort, 'owner');
  return state === MIXED ? null : state !== 'confirmed';
};

/** Digits of a share. */
const SHARE_DIGITS = 4;

const costOf = (cohorts: readonly Cohort[]): string => totalOf(cohorts, 'cost_usd');

const shareOf = (part: string, whole: Decimal): number | null =>
  whole.eq('0') ? null : Number(decimal(part).div(whole).toFixed(SHARE_DIGITS));

/** `possible` are cohorts without a confirmed owner, and those that hide whether they have one. */
const amountsOf = (possible: readonly Cohort[], allCosts: Decimal): UnownedAmounts => {
  const certain = possible.filter((cohort) => isUnowned(cohort) === true);
  const [least, most] = [costOf(certain), costOf(possible)];
  return {
    invocations: invocationsOf(certain),
    invocations_maximum: invocationsOf(possible),
    cost_usd: least,
    cost_usd_maximum: most,
    share: shareOf(least, allCosts),
    share_maximum: shareOf(most, allCosts),
    unpriced_invocations: Number(totalOf(certain, 'unpriced_invocations')),
  };
};

type UnownedRow = Omit<UnownedService, 'groups'>;

/**
 * The services whose calls have no confirmed owner, those of the highest cost first. Each figure is a sum of whole cohorts, so
 * it discloses nothing that the usage report does not. Calls of hidden services are one row.
 */
export const unownedServices = (
  shown: readonly Cohort[],
  top: number,
): {
  readonly rows: readonly UnownedRow[];
  /** The services that are known to lack an owner, those beyond `top` included. Null: calls without a service. */
  readonly named: ReadonlySet<string | null>;
  readonly services: number;
  readonly totals: UnownedAmounts;
} => {
  const allCosts = decimal(costOf(shown));
  const possible = shown.filter((cohort) => isUnowned(cohort) !== false);
  const rowOf = (header: Pick<UnownedRow, 'kind' | 'service'>, cohorts: readonly Cohort[]): UnownedRow => {
    const inState = (state: AnswerState): string =>
      costOf(cohorts.filter((cohort) => answerStateOf(cohort, 'owner') === state));
    return {
      ...header,
      ...amountsOf(cohorts, allCosts),
      provisional: inState('provisional'),
      allocated: inState('allocated'),
    };
  };
  const named = [...Map.groupBy(possible, ({ labels }) => labels.service)]
    .filter(([service]) => service !== undefined)
    .map(([service, cohorts]) => ({ cohorts, row: rowOf({ kind: 'group', service }, cohorts) }))
    // A service of which nothing is certain is not known to lack an owner.
    .filter(({ row }) => row.invocations > 0)
    .sort(
      (one, other) =>
        decimal(other.row.cost_usd).cmp(one.row.cost_usd) ||
        other.row.invocations - one.row.invocations ||
        ((one.row.service ?? '') < (other.row.service ?? '') ? -1 : 1),
    );
  const listed = named.slice(0, top);
  const beyond = named.slice(top).flatMap(({ cohorts }) => cohorts);
  const inNamed = new Set(named.flatMap(({ cohorts }) => cohorts));
  const hidden = possible.filter((cohort) => !inNamed.has(cohort));
  return {
    rows: [
      ...listed.map(({ row }) => row),
      ...(beyond.length === 0 ? [] : [rowOf({ kind: 'other' }, beyond)]),
      ...(hidden.length === 0 ? [] : [rowOf({ kind: 'folded' }, hidden)]),
    ],
    named: new Set(named.map(({ row }) => row.service ?? null)),
    services: named.filter(({ row }) => row.service !== null).length,
    totals: amountsOf(possible, allCosts),
  };
};

const isConfirmed = (cohort: Cohort): boolean => answerStateOf(cohort, 'owner') === 'confirmed';

/** The confirmed calls of each owner of a service, as far as the report shows them. */
export const confirmedOwners = (shown: readonly Cohort[], service: string): ReadonlyMap<string, number> => {
  const calls = new Map<string, number>();
  for (const cohort of shown) {
    const { owner } = cohort.labels;
    if (cohort.labels.service !== service || !isConfirmed(cohort) || typeof owner !== 'string') continue;
    calls.set(owner, (calls.get(owner) ?? 0) + invocationsOf([cohort]));
  }
  return calls;
};

/** The owners that the report names. */
export const namedOwners = (shown: readonly Cohort[]): string[] => [
  ...new Set(
    shown.filter(isConfirmed).flatMap(({ labels: { owner } }) => (typeof owner === 'string' ? [owner] : [])),
  ),
];
