import type { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import {
  METRICS_SERVICE,
  type MetricName,
  metrics,
  metricsNamespace,
} from '../../schemas/platform/metrics.ts';
import type { Settings } from '../settings.ts';

/** The metrics that functions write in the Embedded Metric Format. */
export class BusinessMetrics {
  readonly #namespace: string;

  constructor({ environment }: Pick<Settings, 'environment'>) {
    this.#namespace = metricsNamespace(environment);
  }

  of(name: MetricName, period: Duration, statistic = 'Sum'): Metric {
    return new Metric({
      namespace: this.#namespace,
      metricName: name,
      dimensionsMap: { service: METRICS_SERVICE },
      statistic,
      period,
      label: metrics[name].holds,
    });
  }

  /** Percentage of values above a limit in milliseconds. 0 without values. */
  shareAbove(name: MetricName, limitMs: number, period: Duration): IMetric {
    return new MathExpression({
      expression: '100 - FILL(within, 100)',
      usingMetrics: { within: this.of(name, period, `PR(:${limitMs})`) },
      label: `Above ${limitMs} ms, %`,
      period,
    });
  }

  /** 1 while events are accepted and none is recorded, else 0. */
  stopped(period: Duration): IMetric {
    return new MathExpression({
      expression: 'IF(FILL(accepted, 0) > 0 AND FILL(recorded, 0) == 0 AND FILL(duplicates, 0) == 0, 1, 0)',
      usingMetrics: {
        accepted: this.of('accepted', period),
        recorded: this.of('recorded', period),
        duplicates: this.of('duplicates', period),
      },
      label: 'Events are accepted, none is recorded',
      period,
    });
  }
}
