import { Metrics } from '@aws-lambda-powertools/metrics';
import { METRICS_SERVICE, type MetricName, metrics } from '../../../schemas/platform/metrics.ts';

/** Set by the stack. Without it, as in unit tests, nothing is measured. */
const namespace = process.env['METRICS_NAMESPACE'];

const powertools =
  namespace === undefined ? undefined : new Metrics({ namespace, serviceName: METRICS_SERVICE });

/** Adds values to a metric of this invocation. A count without a value is 1. */
export const measure = (name: MetricName, ...values: readonly number[]): void => {
  for (const value of values.length === 0 ? [1] : values) {
    powertools?.addMetric(name, metrics[name].unit, value);
  }
};

/** Adds a text to the log line of the metrics. It is searchable in the log, and is no metric. */
export const annotate = (name: 'code', text: string): void => {
  powertools?.addMetadata(name, text);
};

/**
 * Wraps a Lambda handler, and writes its metrics as one log line in the Embedded Metric Format (EMF) when it ends.
 * CloudWatch reads the metrics from the log, so no call is made.
 */
export const withMetrics =
  <Args extends unknown[], Result>(handler: (...args: Args) => Promise<Result>) =>
  async (...args: Args): Promise<Result> => {
    try {
      return await handler(...args);
    } finally {
      if (powertools?.hasStoredMetrics()) powertools.publishStoredMetrics();
    }
  };
