import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type EventType, eventData } from '../../schemas/events.ts';
import { SubscribableEvent, VERIFICATION_EVENT } from '../../schemas/webhooks.ts';

/** The types the API promises, and what raises each; their behaviour is tested where their causes are. */
const promised = {
  'attribution.materialized': 'functions/attribution/recordEvents.ts',
  'attribution.disputed': 'functions/corrections/disputeAttribution.ts',
  'attribution.override.applied': 'functions/corrections/overrideAttribution.ts',
  'coverage.degraded': 'functions/coverage/pathwayState.ts',
  'coverage.restored': 'functions/coverage/pathwayState.ts',
  'degradation.state.changed': 'functions/models/degradation.ts',
  'export.completed': 'functions/exports/job/exportFinishedEvent.ts',
  'export.failed': 'functions/exports/job/exportFinishedEvent.ts',
  'anomaly.detected': 'functions/anomalies/finding.ts',
  'budget.threshold.crossed': 'functions/budgets/crossing.ts',
  'connector.health.changed': 'functions/coverage/connectorHealth.ts',
  'apikey.rotated': 'functions/credentials/rotateApiKey.ts',
  'webhook.verification': 'functions/webhooks/endpoints/sendChallenge.ts',
} as const satisfies Partial<Record<EventType, string>>;
/** What is told of beyond those. */
const added = {
  'webhook.disabled': 'functions/webhooks/deliveries/attemptOutcome.ts',
} as const satisfies Partial<Record<EventType, string>>;
const causes = Object.entries({ ...promised, ...added });

describe('every type of event', () => {
  it('that is promised is there, and each of the others has a cause as well', () => {
    expect(Object.keys(eventData).toSorted()).toEqual(causes.map(([type]) => type).toSorted());
  });

  it.each(causes)('is raised by its cause: %s', (type, file) => {
    expect(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')).toContain(
      type === VERIFICATION_EVENT ? 'VERIFICATION' : `'${type}'`,
    );
  });

  it.each(causes.map(([type]) => type))(
    'can be subscribed to by itself, but for the challenge: %s',
    (type) => {
      expect(SubscribableEvent.safeParse(type).success).toBe(type !== VERIFICATION_EVENT);
    },
  );
});
