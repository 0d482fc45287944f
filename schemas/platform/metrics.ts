/** A business metric, as CloudWatch stores it. */
export interface MetricShape {
  readonly unit: 'Count' | 'Milliseconds';
  /** What one value says, in one line. */
  readonly holds: string;
}

/**
 * The business metrics of all functions. CloudWatch charges each by name and dimensions, so none has a dimension for a
 * tenant, a function or a code.
 */
export const metrics = {
  accepted: { unit: 'Count', holds: 'Events that the API accepted' },
  recorded: { unit: 'Count', holds: 'Events that became attribution records' },
  unresolved: { unit: 'Count', holds: 'Records without an owner' },
  unpriced: { unit: 'Count', holds: 'Records without a cost, because the price is unknown' },
  duplicates: { unit: 'Count', holds: 'Events that were sent before' },
  setAside: { unit: 'Count', holds: 'Events sent to the dead-letter queue with a reason' },
  refused: { unit: 'Count', holds: 'Requests answered with a problem; the log line has its code' },
  unauthenticated: { unit: 'Count', holds: 'Requests without a valid credential' },
  unreadableRows: {
    unit: 'Count',
    holds: 'Stored rows that were left out of a list, because they cannot be read',
  },
  throttled: { unit: 'Count', holds: 'DynamoDB calls that were throttled and repeated' },
  recordLatency: { unit: 'Milliseconds', holds: 'From the acceptance of a message to its records' },
  rollupLatency: { unit: 'Milliseconds', holds: 'From a record to the sums that contain it' },
  totalsAge: {
    unit: 'Milliseconds',
    holds: 'Age of a change that is not in the sums, when a worker looks at it',
  },
  eventTime: { unit: 'Milliseconds', holds: 'Time of the attribution worker for one event' },
  budgetsEvaluated: { unit: 'Count', holds: 'Budgets compared with their spend, once for each period' },
  deliveryLatency: {
    unit: 'Milliseconds',
    holds: 'From an event to its first attempt at a webhook endpoint',
  },
  deliveries: { unit: 'Count', holds: 'Attempts that a webhook endpoint answered with success' },
  deliveryFailures: { unit: 'Count', holds: 'Attempts at a webhook endpoint that failed' },
  notificationLatency: { unit: 'Milliseconds', holds: 'From an event to its notification' },
  exportsFinished: { unit: 'Count', holds: 'Exports that succeeded' },
  exportsFailed: { unit: 'Count', holds: 'Exports that failed, whatever the reason' },
} as const satisfies Record<string, MetricShape>;
export type MetricName = keyof typeof metrics;
export const metricNames = Object.keys(metrics) as MetricName[];

/** The CloudWatch namespace of an environment. Two environments in an account stay apart. */
export const metricsNamespace = (environment: string): string => `InferenceAttribution/${environment}`;
/** Powertools adds this dimension to every metric. */
export const METRICS_SERVICE = 'attribution';
