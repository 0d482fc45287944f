import { type IMetric, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { metricsNamespace } from '../../schemas/platform/metrics.ts';
import type { Settings } from '../settings.ts';
import { FIVE_MINUTES } from './alarmShape.ts';

const METRIC = 'failedInvocations';

/** The invocations of all functions that crashed or timed out. */
export const failedInvocations = ({ environment }: Settings): IMetric =>
  new Metric({
    namespace: metricsNamespace(environment),
    metricName: METRIC,
    statistic: 'Sum',
    period: FIVE_MINUTES,
  });

/**
 * Counts the invocations of functions that crashed or timed out, from the reports that Lambda logs for them. A metric
 * filter is free. An alarm on the metric of each function would cost more than everything else that is watched. The filters
 * are in the stack of their functions, so a new function is watched from its first invocation.
 */
export const countFailedInvocations = (
  scope: Construct,
  functions: ReadonlyMap<string, LambdaFunction>,
  { environment }: Settings,
): void => {
  const within = new Construct(scope, 'FailedInvocations');
  for (const [name, { logGroup }] of functions)
    new MetricFilter(within, name, {
      logGroup,
      filterPattern: FilterPattern.literal(
        '{ ($.type = "platform.report") && ($.record.status != "success") }',
      ),
      metricNamespace: metricsNamespace(environment),
      metricName: METRIC,
      metricValue: '1',
    });
};
