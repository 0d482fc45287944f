import type { NotifiableEventType } from '../../../../schemas/delivery/notifications.ts';

interface NotificationHelp {
  readonly title: string;
  readonly help: string;
  /** The route of the subject. */
  readonly path: string;
}

/** What a person can do about a notification. The texts are public, so they say nothing about any tenant. */
export const notificationHelp: Readonly<Record<NotifiableEventType, NotificationHelp>> = {
  'anomaly.detected': {
    title: 'Cost is far above what was expected',
    help: 'The anomaly names the owner, service or model, the expected cost and the main drivers. Ask the owner about them. Anomalies are informative: no call is stopped.',
    path: '/api/v1/anomalies',
  },
  'bill_source.health.changed': {
    title: 'The bills of a source stopped, or arrive again',
    help: 'The bill source names the error of its last import and the last day with charges. If the provider refuses the credential, send a new one with PATCH on the same path. While bills are missing, a lower billed amount is not a saving.',
    path: '/api/v1/bill-sources/{id}',
  },
  'budget.forecast.crossed': {
    title: 'The forecast of a budget reached a threshold of its ceiling',
    help: 'The budget shows its period, what was spent and the range of the forecast. It assumes that the last weeks go on. Find what grows with the report of changes, or raise the ceiling.',
    path: '/api/v1/budgets/{id}',
  },
  'budget.threshold.crossed': {
    title: 'A budget reached a threshold of its ceiling',
    help: 'The budget shows its period, what was spent and the forecast. Raise the ceiling, or find the cost with the usage report. A budget does not stop calls.',
    path: '/api/v1/budgets/{id}',
  },
  'cost.implausible': {
    title: 'A cost is implausible',
    help: 'The list has all records whose cost waits. Correct the producer, or confirm a cost that is right with POST /v1/attribution/{id}/cost-confirmation. largest_reported_cost_usd of the tenant is the limit.',
    path: '/v1/attribution',
  },
  'coverage.degraded': {
    title: 'Calls of a pathway are captured less completely',
    help: 'The coverage map shows which capture layer is silent. Check its connector or gateway. Calls that are not captured are missing from totals.',
    path: '/api/v1/coverage',
  },
  'degradation.state.changed': {
    title: 'Attribution by a trained model is degraded',
    help: 'The list of models shows which version serves, and why. The rules still attribute calls. A new training or another version ends the degradation.',
    path: '/api/v1/models',
  },
  'export.delivery.failed': {
    title: 'An export does not reach your bucket',
    help: 'delivery of the job has the error and the next attempt. Check the destination with POST /v1/exports/destinations/{id}/check. A delivery that was given up needs another export of its month. The job still has the files.',
    path: '/api/v1/jobs/{job_id}',
  },
  'export.failed': {
    title: 'An export failed',
    help: 'The job has the reason, and says whether a repetition can succeed. No files were delivered.',
    path: '/api/v1/jobs/{job_id}',
  },
  'webhook.disabled': {
    title: 'A webhook endpoint was disabled',
    help: 'The endpoint has the reason. Repair the receiver or its authorization, set enabled to true with PATCH on the same path, and replay the events of the last 30 days.',
    path: '/api/v1/webhooks/{id}',
  },
};
