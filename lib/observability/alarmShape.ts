import { Duration } from 'aws-cdk-lib';
import type { IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { pascalCase } from '../pascalCase.ts';
import type { Objective } from './objectives.ts';
import type { Severity } from './topics.ts';

export const MINUTE = Duration.minutes(1);
export const FIVE_MINUTES = Duration.minutes(5);
export const HOUR = Duration.hours(1);

/** An alarm before it is declared. */
export interface AlarmShape {
  readonly metric: IMetric;
  /** The alarm fires at this value and above. */
  readonly threshold: number;
  /** Whether it fires below the threshold instead. */
  readonly below?: true;
  readonly periods: number;
  /** How many of the periods must breach. Default: all. */
  readonly breaching?: number;
  readonly severity: Severity;
  readonly summary: string;
  /** The page under `docs/runbooks/`. */
  readonly runbook: string;
  /** Default: not breaching. Most metrics count problems, and AWS publishes no data without them. */
  readonly missingData?: TreatMissingData;
}

/**
 * A burn rate is how many times faster than allowed the error budget of 30 days is used up: 14.4 uses it up in two days, 3
 * in ten (Google SRE Workbook, "Alerting on SLOs"). An objective of 95 % cannot burn faster than 20.
 */
const FAST_BURN = 14.4;
const SLOW_BURN = 3;

const burning = (objective: Objective, rate: number): number =>
  Number((rate * (100 - objective.target)).toFixed(6));

/** The burn-rate alarms of the objectives, by id. */
export const burnRateShapes = (objectives: Readonly<Record<string, Objective>>): Record<string, AlarmShape> =>
  Object.fromEntries(
    Object.entries(objectives).flatMap(([name, objective]) => {
      const { badShare, fastBurn, watchesSlowBurn, summary, runbook } = objective;
      if (fastBurn === null) return [];
      const fast: AlarmShape = {
        metric: badShare(FIVE_MINUTES),
        threshold: burning(objective, FAST_BURN),
        // Fifteen minutes within half an hour: a single bad minute does not wake anybody.
        periods: 6,
        breaching: 3,
        severity: fastBurn,
        summary: `Objective at risk within two days: ${summary}`,
        runbook,
      };
      const slow: AlarmShape = {
        ...fast,
        metric: badShare(HOUR),
        threshold: burning(objective, SLOW_BURN),
        breaching: 6,
        severity: 'ticket',
        summary: `Objective at risk within ten days: ${summary}`,
      };
      return [[`${name}FastBurn`, fast], ...(watchesSlowBurn ? [[`${name}SlowBurn`, slow] as const] : [])];
    }),
  );

/** One alarm for each name. */
export const byName = <Name extends string>(
  names: readonly Name[],
  suffix: string,
  shapeOf: (name: Name) => AlarmShape,
): Record<string, AlarmShape> =>
  Object.fromEntries(names.map((name) => [`${pascalCase(name)}${suffix}`, shapeOf(name)]));
