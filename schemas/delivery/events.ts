import * as z from 'zod';
import { AttributionRecord, Interpretation } from '../attribution/attributionRecord.ts';
import { DisputedData, OverrideAppliedData } from '../attribution/correctionEvents.ts';
import { ImplausibleCost } from '../attribution/unknownCost.ts';
import { BillSourceHealthChange } from '../chargeback/billSourceHealth.ts';
import {
  ExportCompletedData,
  ExportDeliveredData,
  ExportDeliveryFailedData,
  ExportFailedData,
} from '../chargeback/exportEvents.ts';
import { PeriodClosedData, PeriodReopenedData } from '../chargeback/periods.ts';
import { EventLane } from '../eventLane.ts';
import type { Scope } from '../identity/scopes.ts';
import { ConnectorStatus } from '../ingest/cloudEvent.ts';
import { Anomaly } from '../insight/anomalies.ts';
import { Between, BudgetBasis, Likelihood, Threshold } from '../insight/budgets.ts';
import { CoverageChange } from '../insight/coverage.ts';
import { forecastMembers } from '../insight/forecast.ts';
import { Total } from '../ledger/rollup.ts';
import { type Disclosure, RECORDS_SCOPE } from '../routes/disclosure.ts';

const DegradationState = Interpretation.shape.degradation_state;

/** A change of the serving state of a tenant's predictions. */
const DegradationChange = z
  .object({
    previous: DegradationState,
    state: DegradationState,
    reason: z.enum([
      'model_unavailable',
      'model_available',
      'model_validated',
      'model_recalled',
      'inference_disabled',
      'inference_enabled',
    ]),
    model_version: z
      .string()
      .nullable()
      .meta({ description: 'The affected model. Null when there is none.' }),
  })
  .meta({ id: 'DegradationStateChanged' });
export type DegradationChange = z.infer<typeof DegradationChange>;

/** The data of each event type. Within a major version, members are only added. */
export const eventData = {
  'apikey.rotated': z
    .object({
      api_key_id: z.string(),
      name: z.string(),
      rotated_at: z.iso.datetime(),
      previous_secret_valid_until: z.iso.datetime().nullable(),
    })
    .meta({ id: 'ApiKeyRotated' }),
  'attribution.materialized': AttributionRecord.pick({
    invocation_id: true,
    version: true,
    occurred_at: true,
    provider: true,
    served_model: true,
    owner: true,
    service: true,
    output_state: true,
    cost_usd: true,
    energy_wh: true,
    carbon_gco2e: true,
  })
    .extend({ attribution_id: z.string(), confidence: AttributionRecord.shape.coper })
    .meta({
      id: 'AttributionMaterialized',
      description: 'A record, or a new version of a record after it was attributed again, is available',
    }),
  'attribution.override.applied': OverrideAppliedData.meta({ id: 'AttributionOverrideApplied' }),
  'attribution.disputed': DisputedData.meta({ id: 'AttributionDisputed' }),
  'cost.implausible': ImplausibleCost,
  'degradation.state.changed': DegradationChange,
  'coverage.degraded': CoverageChange,
  'coverage.restored': CoverageChange,
  'connector.health.changed': z
    .object({
      connector: z.string(),
      previous: ConnectorStatus.nullable().meta({
        description: 'Null when the connector had not reported before',
      }),
      status: ConnectorStatus,
      reported_at: z.iso.datetime().meta({ description: 'When the connector reported the status' }),
      residency: z
        .string()
        .nullable()
        .meta({ description: 'The lane of the credential that reported the status' }),
    })
    .meta({ id: 'ConnectorHealthChanged' }),
  'bill_source.health.changed': BillSourceHealthChange,
  'budget.threshold.crossed': z
    .object({
      budget_id: z.string(),
      name: z.string(),
      basis: BudgetBasis,
      residency: EventLane,
      threshold: Threshold.meta({ description: 'Percent of the ceiling' }),
      period_to_date_usd: z.number().meta({
        description: 'Rounded to the nearest double. exact.period_to_date_usd has all digits.',
      }),
      ceiling_usd: z.number().meta({ description: 'Rounded to the nearest double' }),
      exact: z.object({
        period_to_date_usd: Total,
        ceiling_usd: Total,
        ...forecastMembers,
      }),
      period: Between,
      as_of: z.iso.datetime().meta({
        description:
          'When the newest of the totals was computed. Calls may be missing, so at least this amount was spent',
      }),
    })
    .meta({ id: 'BudgetThresholdCrossed' }),
  'budget.forecast.crossed': z
    .object({
      budget_id: z.string(),
      name: z.string(),
      basis: BudgetBasis,
      residency: EventLane,
      threshold: Threshold.meta({ description: 'Percent of the ceiling' }),
      likelihood: Likelihood,
      period_to_date_usd: Total,
      ceiling_usd: Total,
      ...forecastMembers,
      period: Between,
      as_of: z.iso.datetime().meta({ description: 'When the newest of the totals was computed' }),
    })
    .meta({ id: 'BudgetForecastCrossed' }),
  'export.completed': ExportCompletedData.meta({ id: 'ExportCompleted' }),
  'export.failed': ExportFailedData.meta({ id: 'ExportFailed' }),
  'export.delivered': ExportDeliveredData.meta({ id: 'ExportDelivered' }),
  'export.delivery.failed': ExportDeliveryFailedData.meta({ id: 'ExportDeliveryFailed' }),
  'period.closed': PeriodClosedData.meta({ id: 'PeriodClosed' }),
  'period.reopened': PeriodReopenedData.meta({ id: 'PeriodReopened' }),
  'anomaly.detected': Anomaly.omit({ id: true, updated_at: true })
    .extend({ anomaly_id: z.string() })
    .meta({ id: 'AnomalyDetected' }),
  'webhook.disabled': z
    .object({
      endpoint_id: z.string(),
      reason: z.enum(['gone', 'no_success', 'unauthorized']).meta({
        description:
          'gone: the endpoint answered 410. no_success: attempts failed for five days without a success. unauthorized: the credential or user that authorized the endpoint was revoked or removed, or lost a scope that its events need.',
      }),
      disabled_at: z.iso.datetime(),
    })
    .meta({
      id: 'WebhookDisabled',
      description: 'Another endpoint of the tenant was disabled and receives no further events',
    }),
  'webhook.verification': z
    .object({
      challenge: z.string().meta({ description: 'Return it in a JSON object under the same name' }),
    })
    .meta({ id: 'WebhookVerification' }),
} as const;
export type EventType = keyof typeof eventData;

/**
 * The scope that is required to read the data of each event type. It is the scope of the GET route that returns the same
 * data. Subscribing to a type and replaying its events require this scope, see {@link scopesOfEvent}.
 */
export const eventScopes: Readonly<Record<EventType, Scope>> = {
  'apikey.rotated': 'admin:config',
  'attribution.materialized': 'read:attribution',
  'attribution.override.applied': 'read:attribution',
  'attribution.disputed': 'read:attribution',
  'cost.implausible': 'read:attribution',
  'degradation.state.changed': 'admin:config',
  'coverage.degraded': 'read:attribution',
  'coverage.restored': 'read:attribution',
  'connector.health.changed': 'read:attribution',
  'bill_source.health.changed': 'admin:config',
  'budget.forecast.crossed': 'admin:config',
  'budget.threshold.crossed': 'admin:config',
  'export.completed': 'export:create',
  'export.failed': 'export:create',
  'export.delivered': 'export:create',
  'export.delivery.failed': 'export:create',
  'period.closed': 'read:reporting',
  'period.reopened': 'read:reporting',
  'anomaly.detected': 'read:reporting',
  'webhook.disabled': 'webhooks:manage',
  'webhook.verification': 'webhooks:manage',
};

/** What each event type tells about recorded calls. */
export const eventDisclosures: Readonly<Record<EventType, Disclosure>> = {
  'apikey.rotated': 'none',
  'attribution.materialized': 'records',
  'attribution.override.applied': 'records',
  'attribution.disputed': 'records',
  'cost.implausible': 'records',
  'degradation.state.changed': 'none',
  'coverage.degraded': 'records',
  'coverage.restored': 'records',
  'connector.health.changed': 'operation',
  'bill_source.health.changed': 'none',
  'budget.forecast.crossed': 'records',
  'budget.threshold.crossed': 'records',
  'export.completed': 'records',
  'export.failed': 'none',
  'export.delivered': 'none',
  'export.delivery.failed': 'none',
  'period.closed': 'none',
  'period.reopened': 'none',
  'anomaly.detected': 'cohorts',
  'webhook.disabled': 'none',
  'webhook.verification': 'none',
};

const isEventType = (type: string): type is EventType => Object.hasOwn(eventScopes, type);

/**
 * The scopes that are required to read the data of a type: its own, and the one for single records if it discloses them.
 * Empty for a type that this version does not know.
 */
export const scopesOfEvent = (type: string): Scope[] => {
  if (!isEventType(type)) return [];
  const records: readonly Scope[] = eventDisclosures[type] === 'records' ? [RECORDS_SCOPE] : [];
  return [...new Set([eventScopes[type], ...records])];
};

export type EventData<Type extends EventType> = z.infer<(typeof eventData)[Type]>;

/** The part of the evidence card that an event carries. */
export const EventInterpretation = Interpretation.pick({
  stage_origin: true,
  confidence_band: true,
  degradation_state: true,
}).meta({
  id: 'EventInterpretation',
  description: 'How the attribution was determined. Present if the data is an attribution result.',
});

/** An event before delivery. Each webhook stream adds its own `sequence`. */
export const RaisedEvent = z.object({
  id: z.string(),
  type: z.enum(Object.keys(eventData) as [EventType, ...EventType[]]),
  created_at: z.iso.datetime(),
  tenant_id: z.string(),
  data: z.record(z.string(), z.unknown()),
  /** Present when the data is an attribution result. */
  interpretation: EventInterpretation.optional(),
});
export type RaisedEvent = z.infer<typeof RaisedEvent>;
