import type { WebhookRequest } from '../../../../sdk/typescript/src/types.ts';

export type EventType = WebhookRequest['events'][number];

export const EVENT_TYPES: readonly EventType[] = [
  'attribution.materialized',
  'attribution.override.applied',
  'attribution.disputed',
  'budget.threshold.crossed',
  'budget.forecast.crossed',
  'anomaly.detected',
  'cost.implausible',
  'coverage.degraded',
  'coverage.restored',
  'connector.health.changed',
  'bill_source.health.changed',
  'degradation.state.changed',
  'export.completed',
  'export.failed',
  'export.delivered',
  'export.delivery.failed',
  'period.closed',
  'period.reopened',
  'webhook.disabled',
  'apikey.rotated',
];

export const eventOptions = EVENT_TYPES.map((value) => ({ value, label: value }));

export const eventsOf = (names: readonly string[]): EventType[] =>
  EVENT_TYPES.filter((type) => names.includes(type));
