import { expect, it } from 'vitest';
import {
  type EventType,
  eventData,
  eventDisclosures,
  eventScopes,
  scopesOfEvent,
} from '../../../schemas/delivery/events.ts';
import { getAttribution } from '../../../schemas/routes/attribution/attribution.ts';
import { listModels } from '../../../schemas/routes/attribution/models.ts';
import { getBillSource } from '../../../schemas/routes/chargeback/billSources.ts';
import { createFocusExport } from '../../../schemas/routes/chargeback/exports.ts';
import { listPeriods } from '../../../schemas/routes/chargeback/periods.ts';
import { getWebhook } from '../../../schemas/routes/delivery/webhooks.ts';
import { getApiKey } from '../../../schemas/routes/identity/apiKeys.ts';
import { listAnomalies } from '../../../schemas/routes/insight/anomalies.ts';
import { getBudget } from '../../../schemas/routes/insight/budgets.ts';
import { getCoverage } from '../../../schemas/routes/insight/coverage.ts';
import { scopeOf } from '../../../schemas/routes/route.ts';

/** The route that returns the data of each event type. */
const shownBy = {
  'apikey.rotated': getApiKey,
  'attribution.materialized': getAttribution,
  'attribution.override.applied': getAttribution,
  'attribution.disputed': getAttribution,
  'cost.implausible': getAttribution,
  'degradation.state.changed': listModels,
  'coverage.degraded': getCoverage,
  'coverage.restored': getCoverage,
  'connector.health.changed': getCoverage,
  'bill_source.health.changed': getBillSource,
  'budget.forecast.crossed': getBudget,
  'budget.threshold.crossed': getBudget,
  'export.completed': createFocusExport,
  'export.failed': createFocusExport,
  'export.delivered': createFocusExport,
  'export.delivery.failed': createFocusExport,
  'period.closed': listPeriods,
  'period.reopened': listPeriods,
  'anomaly.detected': listAnomalies,
  'webhook.disabled': getWebhook,
  'webhook.verification': getWebhook,
} as const satisfies Record<EventType, unknown>;

it('declares a scope for every event type', () => {
  expect(Object.keys(eventScopes).toSorted()).toEqual(Object.keys(eventData).toSorted());
});

it.each(Object.entries(shownBy))(
  'requires for %s the scope of the route that returns the same data',
  (type, route) => {
    expect(scopesOfEvent(type)[0]).toBe(scopeOf(route));
  },
);

it.each(Object.entries(eventDisclosures).filter(([, discloses]) => discloses === 'records'))(
  'requires for %s the scope that reads single records',
  (type) => {
    expect(scopesOfEvent(type)).toContain('read:attribution');
  },
);

it.each(['of.a.later.version', 'toString', ''])('has no scope for the unknown type "%s"', (type) => {
  expect(scopesOfEvent(type)).toEqual([]);
});
