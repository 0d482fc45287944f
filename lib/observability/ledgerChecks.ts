import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { NOT_CLOSED } from '../../schemas/ledger/archive.ts';
import { REPAIRED } from '../../schemas/ledger/rollup.ts';
import { metricsNamespace } from '../../schemas/platform/metrics.ts';
import { pascalCase } from '../pascalCase.ts';
import { type AlarmShape, FIVE_MINUTES } from './alarmShape.ts';
import type { Watched } from './alarmShapes.ts';

/** The log lines of comparisons that failed: of totals with the ledger, and of the archive with totals. */
const checks = [
  { functionName: 'rollupsWorker', message: REPAIRED, id: 'Repairs' },
  { functionName: 'jobsWorker', message: NOT_CLOSED, id: 'NotClosed' },
];

/** Counts the log lines of failed comparisons, in one metric: each metric of an alarm is charged. */
export const ledgerChecks = (scope: Construct, { functions, settings }: Watched): AlarmShape => {
  const metricName = 'ledgerChecksFailed';
  const metricNamespace = metricsNamespace(settings.environment);
  for (const { functionName, message, id } of checks) {
    const worker = functions.get(functionName);
    if (worker === undefined) throw new Error(`Function ${functionName} is not declared`);
    new MetricFilter(scope, `${pascalCase(functionName)}${id}`, {
      logGroup: worker.logGroup,
      filterPattern: FilterPattern.stringValue('$.message', '=', message),
      metricNamespace,
      metricName,
    });
  }
  return {
    metric: new Metric({ namespace: metricNamespace, metricName, statistic: 'Sum', period: FIVE_MINUTES }),
    threshold: 1,
    periods: 1,
    severity: 'ticket',
    summary:
      'Totals differed from the ledger and were summed again; or a day is not in the archive three days after its end, or shortly before its rows expire.',
    runbook: 'ledger-check-failed',
  };
};
