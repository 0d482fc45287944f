import type { EventData, RaisedEvent } from '../../../../schemas/delivery/events.ts';
import type { SubscribableEvent } from '../../../../schemas/delivery/webhooks.ts';
import { createEvent } from '../../../platform/outbox/createEvent.ts';

/** A well-formed id that belongs to no tenant. */
const id = (prefix: string): string => `${prefix}_aaaaaaaa01KA3Z5V7JQ2M6X9R8T4B1C0DE`;
const STATUS_URL = `https://api.example.com/api/v1/jobs/${id('job')}`;
const PERIOD = { from: '2026-03-01T00:00:00.000Z', to: '2026-04-01T00:00:00.000Z' };

/** The sample data of each type that an endpoint can subscribe to. */
const samples: { readonly [Type in SubscribableEvent]: EventData<Type> } = {
  'apikey.rotated': {
    api_key_id: id('key'),
    name: 'Gateway',
    rotated_at: '2026-03-14T09:30:00.000Z',
    previous_secret_valid_until: '2026-03-14T10:30:00.000Z',
  },
  'webhook.disabled': {
    endpoint_id: id('whe'),
    reason: 'no_success',
    disabled_at: '2026-03-14T09:30:00.000Z',
  },
  'attribution.materialized': {
    attribution_id: id('att'),
    invocation_id: id('inv'),
    version: 1,
    occurred_at: '2026-03-14T09:29:00.000Z',
    provider: 'openai',
    served_model: 'gpt-4o-2024-08-06',
    owner: 'team-search',
    service: 'ranking',
    output_state: 'deterministically_resolved',
    confidence: 0.94,
    cost_usd: '0.0065',
    energy_wh: '0.31',
    carbon_gco2e: '0.119',
  },
  'attribution.override.applied': {
    attribution_id: id('att'),
    invocation_id: id('inv'),
    version: 2,
    owner: 'team-search',
    service: 'ranking',
    by: id('usr'),
    reason: 'The gateway key is shared; this call was by ranking',
    override_id: id('ovr'),
    previous: { owner: 'team-platform', service: null },
    dispute_id: null,
  },
  'attribution.disputed': {
    attribution_id: id('att'),
    invocation_id: id('inv'),
    version: 2,
    owner: 'team-platform',
    service: null,
    by: id('usr'),
    reason: 'We have not used this model since January',
    dispute_id: id('dsp'),
    proposed_owner: 'team-search',
    proposed_service: null,
  },
  'cost.implausible': {
    attribution_id: id('att'),
    occurred_at: '2026-03-14T09:29:00.000Z',
    reported_cost_usd: '125000',
    residency: null,
  },
  'degradation.state.changed': {
    previous: 'none',
    state: 'degraded_serving',
    reason: 'model_unavailable',
    model_version: null,
  },
  'coverage.degraded': {
    pathway_category: 'gateway_mediated',
    previous: 'active',
    state: 'degraded',
    missing: ['gateway'],
    last_seen: '2026-03-14T09:30:00.000Z',
  },
  'coverage.restored': {
    pathway_category: 'gateway_mediated',
    previous: 'degraded',
    state: 'active',
    missing: [],
    last_seen: '2026-03-14T11:10:00.000Z',
  },
  'connector.health.changed': {
    connector: 'litellm-eu',
    previous: 'healthy',
    status: 'degraded',
    reported_at: '2026-03-14T09:30:00.000Z',
    residency: 'eu',
  },
  'bill_source.health.changed': {
    bill_source_id: id('bls'),
    provider: 'openai',
    name: 'OpenAI, research',
    account: 'research',
    previous: 'working',
    state: 'failing',
    error: 'refused',
    published_until: '2026-03-13T00:00:00.000Z',
  },
  'budget.forecast.crossed': {
    budget_id: id('bud'),
    name: 'Search',
    basis: 'records',
    residency: null,
    threshold: 100,
    likelihood: 'likely',
    period_to_date_usd: '3751.25',
    ceiling_usd: '5000',
    forecast_usd: '7480.1',
    forecast_range_usd: { low: '7012.4', high: '8011.9' },
    forecast_unknown: null,
    period: PERIOD,
    as_of: '2026-03-16T14:05:00.000Z',
  },
  'budget.threshold.crossed': {
    budget_id: id('bud'),
    name: 'Search',
    basis: 'records',
    residency: null,
    threshold: 75,
    period_to_date_usd: 3_751.25,
    ceiling_usd: 5_000,
    exact: {
      period_to_date_usd: '3751.25',
      ceiling_usd: '5000',
      forecast_usd: '7480.1',
      forecast_range_usd: { low: '7012.4', high: '8011.9' },
      forecast_unknown: null,
    },
    period: PERIOD,
    as_of: '2026-03-16T14:05:00.000Z',
  },
  'export.completed': {
    job_id: id('job'),
    format: 'focus',
    residency: null,
    period: { from: '2026-02-01', to: '2026-03-01' },
    status_url: STATUS_URL,
    finished_at: '2026-03-02T06:04:00.000Z',
    file_count: 1,
    row_count: 1_240,
    bytes: 48_211,
    records: 918_230,
    cost_usd: '41250.118',
    excluded_records: 310,
    excluded_cost_usd: '12.75',
    files_expire_at: '2026-04-01T06:04:00.000Z',
  },
  'export.failed': {
    job_id: id('job'),
    format: 'focus',
    residency: null,
    period: { from: '2026-02-01', to: '2026-03-01' },
    status_url: STATUS_URL,
    finished_at: '2026-03-02T12:00:00.000Z',
    reason: 'timed_out',
    detail: 'The export did not finish within six hours.',
  },
  'export.delivered': {
    job_id: id('job'),
    residency: null,
    destination_id: id('dst'),
    name: 'chargeback',
    billing_period: '2026-02',
    status_url: STATUS_URL,
    version: 3,
    supersedes: { version: 2, export_id: id('job') },
    location:
      's3://example-finance/ai/chargeback/metadata/BILLING_PERIOD=2026-02/version=3/chargeback-Manifest.json',
    delivered_at: '2026-03-02T06:05:00.000Z',
  },
  'export.delivery.failed': {
    job_id: id('job'),
    residency: null,
    destination_id: id('dst'),
    name: 'chargeback',
    billing_period: '2026-02',
    status_url: STATUS_URL,
    error: 'role_refused',
    attempts: 1,
    next_attempt_at: '2026-03-02T06:06:00.000Z',
  },
  'period.closed': {
    period: '2026-02',
    by: id('usr'),
    closed_at: '2026-03-10T09:30:00.000Z',
    as_of: '2026-03-10T09:29:50.000Z',
  },
  'period.reopened': {
    period: '2026-02',
    by: id('usr'),
    reopened_at: '2026-03-12T14:00:00.000Z',
    reason: 'A price of February was wrong',
  },
  'anomaly.detected': {
    anomaly_id: id('anm'),
    detected_at: '2026-03-14T10:10:00.000Z',
    grain: 'hour',
    dimension: 'owner',
    value: 'team-search',
    residency: null,
    period: { from: '2026-03-14T09:00:00.000Z', to: '2026-03-14T10:00:00.000Z' },
    observed_usd: '310.4',
    expected_usd: { low: '18.2', central: '40.1', high: '75.6' },
    score: 7.6,
    drivers: [{ dimension: 'served_model', value: 'gpt-4o', share: 0.85 }],
  },
};

/** Types whose data is an attribution result. Their events carry part of the evidence card. */
const ATTRIBUTION_RESULTS: ReadonlySet<SubscribableEvent> = new Set<SubscribableEvent>([
  'attribution.override.applied',
  'attribution.disputed',
]);
const INTERPRETATION: RaisedEvent['interpretation'] = {
  stage_origin: 'stage_a',
  confidence_band: 'chargeback_ready',
  degradation_state: 'none',
};

/** A sample event of this type for the tenant in `cause`. */
export const sampleEvent = (
  type: SubscribableEvent,
  cause: Parameters<typeof createEvent>[2],
): RaisedEvent => {
  const event = createEvent(type, samples[type], cause);
  return ATTRIBUTION_RESULTS.has(type) ? { ...event, interpretation: INTERPRETATION } : event;
};
