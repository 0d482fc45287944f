import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { NOT_EVALUATED } from '../../schemas/insight/budgets.ts';
import { NOT_CLOSED } from '../../schemas/ledger/archive.ts';
import { REPAIRED } from '../../schemas/ledger/rollup.ts';
import { metricsNamespace } from '../../schemas/platform/metrics.ts';
import type { WorkerName } from '../../schemas/platform/workers.ts';
import { pascalCase } from '../pascalCase.ts';
import type { Settings } from '../settings.ts';
import { type AlarmShape, FIVE_MINUTES } from './alarmShape.ts';

const METRIC = 'ledgerChecksFailed';

/** The log lines of comparisons that failed: of totals with the ledger, of the archive with totals, and of budgets with spend. */
const checks: readonly { readonly worker: WorkerName; readonly message: string; readonly id: string }[] = [
  { worker: 'rollups', message: REPAIRED, id: 'Repairs' },
  { worker: 'rollups', message: NOT_EVALUATED, id: 'Budgets' },
  { worker: 'jobs', message: NOT_CLOSED, id: 'NotClosed' },
  { worker: 'jobs', message: NOT_EVALUATED, id: 'Forecasts' },
];

/** Counts the log lines of failed comparisons, in one metric: each metric of an alarm is charged. */
export const countLedgerChecks = (
  scope: Construct,
  workers: { readonly get: (name: WorkerName) => LambdaFunction },
  { environment }: Settings,
): void => {
  const within = new Construct(scope, 'LedgerChecks');
  for (const { worker, message, id } of checks)
    new MetricFilter(within, `${pascalCase(worker)}${id}`, {
      logGroup: workers.get(worker).logGroup,
      filterPattern: FilterPattern.stringValue('$.message', '=', message),
      metricNamespace: metricsNamespace(environment),
      metricName: METRIC,
    });
};

export const ledgerCheckShape = ({ environment }: Settings): AlarmShape => ({
  metric: new Metric({
    namespace: metricsNamespace(environment),
    metricName: METRIC,
    statistic: 'Sum',
    period: FIVE_MINUTES,
  }),
  threshold: 1,
  periods: 1,
  severity: 'ticket',
  summary:
    'Totals differed from the ledger and were summed again; a day is not in the archive three days after its end, or shortly before its rows expire; or a budget could not be compared with its spend.',
  runbook: 'ledger-check-failed',
});
