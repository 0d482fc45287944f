import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { metricsNamespace } from '../../schemas/platform/metrics.ts';
import { REPAIRED } from '../../schemas/rollup.ts';
import { pascalCase } from '../pascalCase.ts';
import { type AlarmShape, FIVE_MINUTES } from './alarmShape.ts';
import type { Watched } from './alarmShapes.ts';

/** The workers that log a repair of totals. */
const REPAIRING = ['rollupsWorker', 'totalsWorker'];

/** Counts the log lines of repairs. */
export const totalsRepaired = (scope: Construct, { functions, settings }: Watched): AlarmShape => {
  const metric = { metricNamespace: metricsNamespace(settings.environment), metricName: 'totalsRepaired' };
  for (const name of REPAIRING) {
    const worker = functions.get(name);
    if (worker === undefined) throw new Error(`Function ${name} is not declared`);
    new MetricFilter(scope, `${pascalCase(name)}Repairs`, {
      logGroup: worker.logGroup,
      filterPattern: FilterPattern.stringValue('$.message', '=', REPAIRED),
      ...metric,
    });
  }
  return {
    metric: new Metric({
      namespace: metric.metricNamespace,
      metricName: metric.metricName,
      statistic: 'Sum',
      period: FIVE_MINUTES,
    }),
    threshold: 1,
    periods: 1,
    severity: 'ticket',
    summary:
      'Totals differed from the ledger, or a mark was pending for more than 10 minutes. They were summed again.',
    runbook: 'totals-repaired',
  };
};
