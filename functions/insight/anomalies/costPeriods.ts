import { DAY_MS } from '../../../schemas/durations.ts';
import type { AnomalyGrain } from '../../../schemas/insight/anomalies.ts';
import type { SpendByState } from '../../../schemas/insight/budgets.ts';
import type { Figures } from '../../../schemas/ledger/rollup.ts';
import { answerStateOf } from '../../ledger/cohorts/answerState.ts';
import type { Cohort } from '../../ledger/cohorts/cohorts.ts';
import { figuresOf } from '../../ledger/cohorts/cohortTotals.ts';
import { readCohorts } from '../../ledger/cohorts/readCohorts.ts';
import { isCountedInOwnInterval } from '../../ledger/cohorts/selectVisible.ts';
import { hoursIn, startOf } from '../../ledger/rollups/grain.ts';
import type { RollupReader } from '../../ledger/rollups/rollup.store.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';

/** Calls of whole cohorts with equal labels in an hour or day. A suppressed label is null. */
export interface CostGroup {
  readonly dimensions: {
    readonly owner: string | null;
    readonly service: string | null;
    readonly provider: string | null;
    readonly served_model: string | null;
    readonly residency: string | null;
  };
  readonly ownerState: keyof SpendByState;
  readonly figures: Pick<Figures, 'invocations' | 'cost_usd'>;
}

/** The cost of one UTC hour or day. */
export interface CostPeriod {
  readonly grain: AnomalyGrain;
  /** Epoch milliseconds. */
  readonly start: number;
  readonly groups: readonly CostGroup[];
}

/** Days read by the hour at a time, which bounds memory. */
const DAYS_AT_ONCE = 7;

/** A reader that reads the days of each month once. Suppression needs whole months. */
const readDaysOnce = (reader: RollupReader): RollupReader => {
  const known = new Map<string, ReturnType<RollupReader['read']>>();
  return {
    read: (tenantId, range) => {
      if (range.grain !== 'day') return reader.read(tenantId, range);
      const key = `${range.from} ${range.to}`;
      const days = known.get(key) ?? reader.read(tenantId, range);
      known.set(key, days);
      return days;
    },
  };
};

const toGroup = (cohort: Cohort): CostGroup => {
  const { owner = null, service = null, provider = null, served_model = null } = cohort.labels;
  const { invocations, cost_usd } = figuresOf([cohort], (figures) => ({ ...figures, persons: [] }));
  return {
    dimensions: { owner, service, provider, served_model, residency: cohort.lane ?? null },
    figures: { invocations, cost_usd },
    ownerState: answerStateOf(cohort, 'owner'),
  };
};

const toPeriods = (grain: AnomalyGrain, cohorts: readonly Cohort[], { from, to }: Interval): CostPeriod[] => {
  // A cohort with calls of another hour or day would look like a spike where it is counted.
  const shown = cohorts.filter((one) => from <= one.at && one.at < to && isCountedInOwnInterval([one]));
  return [...Map.groupBy(shown, ({ at }) => startOf(grain, at))].map(([start, own]) => ({
    grain,
    start,
    groups: own.map(toGroup),
  }));
};

/**
 * Reads the cost of hours and days from whole cohorts, so that no finding can name, contain or be compared with the cost of
 * one to four persons. `isNeeded` selects hours by their start (epoch milliseconds).
 */
export const costReader = (reader: RollupReader, tenantId: string) => {
  const daysOnce = readDaysOnce(reader);
  return {
    days: async (range: Interval): Promise<CostPeriod[]> =>
      toPeriods('day', (await readCohorts(daysOnce, tenantId, range)).cohorts, range),
    hours: async ({ from, to }: Interval, isNeeded: (start: number) => boolean): Promise<CostPeriod[]> => {
      const periods: CostPeriod[] = [];
      for (let start = from; start < to; start += DAYS_AT_ONCE * DAY_MS) {
        const range = { from: start, to: Math.min(to, start + DAYS_AT_ONCE * DAY_MS) };
        const { cohorts } = await readCohorts(daysOnce, tenantId, range, hoursIn(range));
        for (const period of toPeriods('hour', cohorts, range)) {
          if (isNeeded(period.start)) periods.push(period);
        }
      }
      return periods;
    },
  };
};
