import type { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { MetricName } from '../../schemas/platform/metrics.ts';
import type { Settings } from '../settings.ts';
import { BusinessMetrics } from './businessMetrics.ts';
import type { Severity } from './topics.ts';

/** A service objective: at least `target` percent of something is good. */
export interface Objective {
  readonly summary: string;
  readonly target: number;
  /** The percentage that is not good. */
  readonly badShare: (period: Duration) => IMetric;
  /** Severity of a fast burn. A slow burn is always a ticket. Null: an alarm of another metric watches the objective. */
  readonly fastBurn: Severity | null;
  /** Whether a slow burn has an alarm of its own. Each costs ten cents a month for each metric in it. */
  readonly watchesSlowBurn: boolean;
  readonly runbook: string;
}

/** Percentage of requests with a 5xx status. Zero below `minimum` such requests in a period. */
export const failureShare = (apiId: string, period: Duration, minimum = 1): IMetric => {
  const sum = (metricName: string): Metric =>
    new Metric({
      namespace: 'AWS/ApiGateway',
      metricName,
      dimensionsMap: { ApiId: apiId },
      statistic: 'Sum',
      period,
    });
  return new MathExpression({
    expression: `IF(failures >= ${minimum}, 100 * failures / requests, 0)`,
    usingMetrics: { requests: sum('Count'), failures: sum('5xx') },
    label: 'Requests with a 5xx status, %',
    period,
  });
};

/** The objectives of the service, by name. The dashboard shows them, and burn-rate alarms guard them. */
export const objectivesOf = (settings: Settings, apiId: string): Readonly<Record<string, Objective>> => {
  const business = new BusinessMetrics(settings);
  const within = (name: MetricName, limitMs: number) => (period: Duration) =>
    business.shareAbove(name, limitMs, period);
  const ticket = { fastBurn: 'ticket', watchesSlowBurn: false } as const;
  return {
    Acceptance: {
      summary: '99.9 % of requests are answered without a 5xx status.',
      target: 99.9,
      badShare: (period) => failureShare(apiId, period),
      fastBurn: 'page',
      watchesSlowBurn: true,
      runbook: 'api-failures',
    },
    Recording: {
      summary: '99 % of accepted events are records within 30 seconds.',
      target: 99,
      badShare: within('recordLatency', 30_000),
      fastBurn: 'page',
      watchesSlowBurn: true,
      runbook: 'backlog',
    },
    Summing: {
      summary: '99 % of records are in the sums of reports within 90 seconds.',
      target: 99,
      badShare: within('rollupLatency', 90_000),
      ...ticket,
      // Only sums that arrive have a latency. TotalsBehind watches all.
      fastBurn: null,
      runbook: 'backlog',
    },
    Processing: {
      summary: '99 % of events take the attribution worker at most 100 ms.',
      target: 99,
      badShare: within('eventTime', 100),
      ...ticket,
      runbook: 'slow-processing',
    },
    Delivering: {
      summary: '99 % of events reach a webhook endpoint for the first time within 60 seconds.',
      target: 99,
      badShare: within('deliveryLatency', 60_000),
      ...ticket,
      runbook: 'changes-behind',
    },
    Notifying: {
      summary:
        '95 % of notifications are listed, and of critical messages accepted by mail and chat, within 30 seconds.',
      target: 95,
      badShare: within('notificationLatency', 30_000),
      ...ticket,
      runbook: 'backlog',
    },
  };
};
