import { Duration } from 'aws-cdk-lib';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { metricsNamespace } from '../../schemas/platform/metrics.ts';
import type { Settings } from '../settings.ts';

const METRIC = 'failedInvocations';

/**
 * Counts the invocations of all functions that crashed or timed out, from the reports that Lambda logs for them. A metric
 * filter is free. An alarm on the metric of each function would cost more than everything else that is watched.
 */
export class FailedInvocations extends Construct {
  readonly metric: IMetric;

  constructor(
    scope: Construct,
    id: string,
    functions: ReadonlyMap<string, LambdaFunction>,
    settings: Settings,
  ) {
    super(scope, id);
    const filters = [...functions].map(
      ([name, { logGroup }]) =>
        new MetricFilter(this, name, {
          logGroup,
          filterPattern: FilterPattern.literal(
            '{ ($.type = "platform.report") && ($.record.status != "success") }',
          ),
          metricNamespace: metricsNamespace(settings.environment),
          metricName: METRIC,
          metricValue: '1',
        }),
    );
    const [first] = filters;
    if (first === undefined) throw new Error('There is no function to watch');
    this.metric = first.metric({ statistic: 'Sum', period: Duration.minutes(5) });
  }
}
