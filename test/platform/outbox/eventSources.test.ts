import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type EventType, eventData } from '../../../schemas/delivery/events.ts';
import { SubscribableEvent, VERIFICATION_EVENT } from '../../../schemas/delivery/webhooks.ts';

/** The types that the API specification requires, and the file that raises each. Their own tests cover the behaviour. */
const specified = {
  'attribution.materialized': 'functions/ledger/records/raised/materializedEvent.ts',
  'attribution.disputed': 'functions/attribution/corrections/disputeCorrection.ts',
  'attribution.override.applied': 'functions/attribution/corrections/overrideAttribution.ts',
  'coverage.degraded': 'functions/insight/coverage/pathwayState.ts',
  'coverage.restored': 'functions/insight/coverage/pathwayState.ts',
  'degradation.state.changed': 'functions/attribution/training/models/degradation.ts',
  'export.completed': 'functions/chargeback/exports/job/exportFinishedEvent.ts',
  'export.failed': 'functions/chargeback/exports/job/exportFinishedEvent.ts',
  'anomaly.detected': 'functions/insight/anomalies/finding.ts',
  'budget.forecast.crossed': 'functions/insight/budgets/alerts/crossingEvents.ts',
  'budget.threshold.crossed': 'functions/insight/budgets/alerts/crossingEvents.ts',
  'connector.health.changed': 'functions/insight/coverage/connectorHealth.ts',
  'apikey.rotated': 'functions/identity/credentials/rotateApiKey.ts',
  'webhook.verification': 'functions/delivery/webhooks/endpoints/sendChallenge.ts',
} as const satisfies Partial<Record<EventType, string>>;
/** Types beyond the specification. */
const added = {
  'cost.implausible': 'functions/attribution/engine/announceImplausible.ts',
  'bill_source.health.changed': 'functions/chargeback/reconciliation/sources/imports/sourceHealth.ts',
  'export.delivered': 'functions/chargeback/exports/delivery/deliveryEvent.ts',
  'export.delivery.failed': 'functions/chargeback/exports/delivery/deliveryEvent.ts',
  'period.closed': 'functions/chargeback/periods/closePeriod.ts',
  'period.reopened': 'functions/chargeback/periods/reopenPeriod.ts',
  'webhook.disabled': 'functions/delivery/webhooks/deliveries/outcome/attemptOutcome.ts',
} as const satisfies Partial<Record<EventType, string>>;
const sources = Object.entries({ ...specified, ...added });

describe('event types', () => {
  it('include all specified types, and no type without a source', () => {
    expect(Object.keys(eventData).toSorted()).toEqual(sources.map(([type]) => type).toSorted());
  });

  it.each(sources)('are raised by their source file: %s', (type, file) => {
    expect(readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')).toContain(
      type === VERIFICATION_EVENT ? 'VERIFICATION' : `'${type}'`,
    );
  });

  it.each(sources.map(([type]) => type))('can be subscribed to, except for the challenge: %s', (type) => {
    expect(SubscribableEvent.safeParse(type).success).toBe(type !== VERIFICATION_EVENT);
  });
});
