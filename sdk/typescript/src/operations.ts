// Written by `npm run sdk` from the OpenAPI document. Do not edit.

import { type CallOptions, type Client, send } from './client.ts';
import { type Collection, collect } from './pages.ts';
import type {
  AdoptionReport,
  Annotation,
  AnnotationPage,
  AnnotationRequest,
  AnomalyMute,
  AnomalyMuteRequest,
  AnomalyPage,
  ApiKey,
  ApiKeyPage,
  ApiKeyRequest,
  ApiKeyRotation,
  ApiKeyWithSecret,
  AttributionDetail,
  AttributionLookup,
  AttributionPage,
  AuditAction,
  AuditPage,
  AuthorizationServerMetadata,
  BackgroundJob,
  BillDeliveryPage,
  BillSource,
  BillSourcePage,
  BillSourcePatch,
  BillSourceRequest,
  Bills,
  BillsImported,
  Budget,
  BudgetPage,
  BudgetPatch,
  BudgetPeriods,
  BudgetRequest,
  BusinessMetric,
  BusinessMetricPage,
  BusinessMetricRequest,
  Caller,
  CallLogs,
  CallLogsAccepted,
  ChangesReport,
  CloudEvents,
  ConfidenceBand,
  ConfidenceBound,
  ContractChangelog,
  ContractPricesChange,
  ContractPricesChanged,
  ContractPricesState,
  CostUnknown,
  CoverageExpectations,
  CoverageExpectationsOutput,
  CoverageMap,
  DayOrInstant,
  DecimalString,
  DeliveryPage,
  Diagnostics,
  DisputeRequest,
  ErrorCatalogue,
  ErrorPage,
  ExplainedAnomaly,
  ExportDeliveryTarget,
  ExportDestination,
  ExportDestinationChange,
  ExportDestinationPage,
  ExportDestinationRequest,
  ExportJob,
  ExportJobWithFiles,
  ExportPage,
  ExportRequest,
  ExportSchedule,
  ExportScheduleChange,
  ExportSchedulePage,
  ExportScheduleRequest,
  ExportStarted,
  ForecastReport,
  Health,
  IdentityMapping,
  IdentityMappingDryRun,
  IdentityMappingDryRunRequest,
  IdentityMappingPage,
  IdentityMappingPatch,
  IdentityMappingRequest,
  InvocationAccepted,
  InvocationBatch,
  InvocationBatchAccepted,
  InvocationEvent,
  JobPage,
  JobStarted,
  Jwks,
  MetricCosts,
  ModelPage,
  ModelRecall,
  NodeHours,
  NodePoolsChange,
  NodePoolsState,
  NotifiableEventType,
  NotificationHelp,
  NotificationPage,
  OAuthClient,
  OAuthClientPage,
  OAuthClientRequest,
  OAuthClientWithSecret,
  OutputState,
  OverrideRequest,
  PartnerConnector,
  PartnerCoverage,
  PartnerHealth,
  PartnerHealthReport,
  PathwayCategory,
  Period,
  PeriodPage,
  PeriodReopening,
  RateLimitBudget,
  Readiness,
  ReadMark,
  ReadMarkOutput,
  RecallRequest,
  Reconciliation,
  RecordVersionPage,
  ReportBound,
  ReportSubscription,
  ReportSubscriptionPage,
  ReportSubscriptionRequest,
  ReprocessRequest,
  RevocationRequest,
  Revoked,
  RotationRequest,
  Sandbox,
  SandboxChange,
  SandboxResetRequest,
  SavedView,
  SavedViewPage,
  SavedViewRequest,
  SavingDismissal,
  SavingDismissalPage,
  SavingDismissalRequest,
  SavingsReport,
  SignalsAccepted,
  TenantChange,
  TenantSettings,
  TokenRequest,
  TokenResponse,
  UnitCostsReport,
  UnownedReport,
  UsageReport,
  User,
  UserChange,
  UserPage,
  UserRequest,
  UtcDay,
  WebhookAnswer,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
  WebhookEventPage,
  WebhookEventType,
  WebhookPage,
  WebhookPatch,
  WebhookQueued,
  WebhookReplay,
  WebhookRequest,
  WebhookRotation,
  WebhookTest,
} from './types.ts';

/** Send one inference event. */
export const postInvocation = (
  client: Client,
  body: InvocationEvent,
  options?: CallOptions,
): Promise<InvocationAccepted> =>
  send(client, { method: 'POST', path: '/api/v1/invocations', body }, options);

/** Send up to 1000 inference events. */
export const postInvocationBatch = (
  client: Client,
  body: InvocationBatch,
  options?: CallOptions,
): Promise<InvocationBatchAccepted> =>
  send(client, { method: 'POST', path: '/api/v1/invocations/batch', body }, options);

/** Send the call logs of a gateway or provider. */
export const postCallLogs = (
  client: Client,
  body: CallLogs,
  options?: CallOptions,
): Promise<CallLogsAccepted> => send(client, { method: 'POST', path: '/api/v1/call-logs', body }, options);

/** List attribution records, filtered and sorted. */
export const listAttribution = (
  client: Client,
  query?: {
    /** The next_cursor of the previous page. Expires after one hour. Every credential of the tenant with the same residency lane may use it */
    readonly cursor?: string;
    /** Page size. Default: 50 */
    readonly limit?: number;
    /** Default: -occurred_at. Records without a cost come last in both orders by cost_usd */
    readonly sort?: 'occurred_at' | '-occurred_at' | 'cost_usd' | '-cost_usd' | 'confidence' | '-confidence';
    readonly occurred_at?: DayOrInstant;
    readonly 'occurred_at[eq]'?: DayOrInstant;
    readonly 'occurred_at[ne]'?: DayOrInstant;
    readonly 'occurred_at[gt]'?: DayOrInstant;
    readonly 'occurred_at[gte]'?: DayOrInstant;
    readonly 'occurred_at[lt]'?: DayOrInstant;
    readonly 'occurred_at[lte]'?: DayOrInstant;
    readonly cost_usd?: DecimalString;
    readonly 'cost_usd[eq]'?: DecimalString;
    readonly 'cost_usd[ne]'?: DecimalString;
    readonly 'cost_usd[gt]'?: DecimalString;
    readonly 'cost_usd[gte]'?: DecimalString;
    readonly 'cost_usd[lt]'?: DecimalString;
    readonly 'cost_usd[lte]'?: DecimalString;
    /** Whether it is not null */
    readonly 'cost_usd[exists]'?: 'true' | 'false';
    readonly confidence?: ConfidenceBound;
    readonly 'confidence[eq]'?: ConfidenceBound;
    readonly 'confidence[ne]'?: ConfidenceBound;
    readonly 'confidence[gt]'?: ConfidenceBound;
    readonly 'confidence[gte]'?: ConfidenceBound;
    readonly 'confidence[lt]'?: ConfidenceBound;
    readonly 'confidence[lte]'?: ConfidenceBound;
    readonly owner?: string;
    readonly 'owner[eq]'?: string;
    readonly 'owner[ne]'?: string;
    /** Any of these. As text: comma-separated */
    readonly 'owner[in]'?: string | readonly string[];
    /** Contains this text, case-sensitive */
    readonly 'owner[contains]'?: string;
    /** Whether it is not null */
    readonly 'owner[exists]'?: 'true' | 'false';
    readonly service?: string;
    readonly 'service[eq]'?: string;
    readonly 'service[ne]'?: string;
    /** Any of these. As text: comma-separated */
    readonly 'service[in]'?: string | readonly string[];
    /** Contains this text, case-sensitive */
    readonly 'service[contains]'?: string;
    /** Whether it is not null */
    readonly 'service[exists]'?: 'true' | 'false';
    readonly end_user?: string;
    readonly 'end_user[eq]'?: string;
    readonly 'end_user[ne]'?: string;
    /** Any of these. As text: comma-separated */
    readonly 'end_user[in]'?: string | readonly string[];
    /** Contains this text, case-sensitive */
    readonly 'end_user[contains]'?: string;
    /** Whether it is not null */
    readonly 'end_user[exists]'?: 'true' | 'false';
    readonly provider?: string;
    readonly 'provider[eq]'?: string;
    readonly 'provider[ne]'?: string;
    /** Any of these. As text: comma-separated */
    readonly 'provider[in]'?: string | readonly string[];
    readonly served_model?: string;
    readonly 'served_model[eq]'?: string;
    readonly 'served_model[ne]'?: string;
    /** Any of these. As text: comma-separated */
    readonly 'served_model[in]'?: string | readonly string[];
    /** Contains this text, case-sensitive */
    readonly 'served_model[contains]'?: string;
    readonly pathway_category?: PathwayCategory;
    readonly 'pathway_category[eq]'?: PathwayCategory;
    readonly 'pathway_category[ne]'?: PathwayCategory;
    /** Any of these. As text: comma-separated */
    readonly 'pathway_category[in]'?: string | readonly PathwayCategory[];
    readonly output_state?: OutputState;
    readonly 'output_state[eq]'?: OutputState;
    readonly 'output_state[ne]'?: OutputState;
    /** Any of these. As text: comma-separated */
    readonly 'output_state[in]'?: string | readonly OutputState[];
    readonly confidence_band?: ConfidenceBand;
    readonly 'confidence_band[eq]'?: ConfidenceBand;
    readonly 'confidence_band[ne]'?: ConfidenceBand;
    /** Any of these. As text: comma-separated */
    readonly 'confidence_band[in]'?: string | readonly ConfidenceBand[];
    readonly stage_origin?: 'stage_a' | 'stage_b' | 'stage_c';
    readonly 'stage_origin[eq]'?: 'stage_a' | 'stage_b' | 'stage_c';
    readonly 'stage_origin[ne]'?: 'stage_a' | 'stage_b' | 'stage_c';
    /** Any of these. As text: comma-separated */
    readonly 'stage_origin[in]'?: string | readonly ('stage_a' | 'stage_b' | 'stage_c')[];
    readonly cost_unknown?: CostUnknown;
    readonly 'cost_unknown[eq]'?: CostUnknown;
    readonly 'cost_unknown[ne]'?: CostUnknown;
    readonly status?: 'ok' | 'error' | 'incomplete';
    readonly 'status[eq]'?: 'ok' | 'error' | 'incomplete';
    readonly 'status[ne]'?: 'ok' | 'error' | 'incomplete';
    readonly invocation_id?: string;
    readonly 'invocation_id[eq]'?: string;
    readonly 'invocation_id[ne]'?: string;
    /** Any of these. As text: comma-separated */
    readonly 'invocation_id[in]'?: string | readonly string[];
    readonly trace_id?: string;
    readonly 'trace_id[eq]'?: string;
    readonly 'trace_id[ne]'?: string;
    /** Any of these. As text: comma-separated */
    readonly 'trace_id[in]'?: string | readonly string[];
  },
  options?: CallOptions,
): Collection<AttributionPage> => collect(client, { method: 'GET', path: '/v1/attribution', query }, options);

/** Read one attribution record with its full explanation. */
export const getAttribution = (
  client: Client,
  id: string,
  options?: CallOptions,
): Promise<AttributionDetail> =>
  send(client, { method: 'GET', path: `/v1/attribution/${encodeURIComponent(id)}` }, options);

/** List the versions of a record, newest first. */
export const listAttributionVersions = (
  client: Client,
  id: string,
  query?: {
    /** The next_cursor of the previous page. Expires after one hour. Every credential of the tenant with the same residency lane may use it */
    readonly cursor?: string;
    /** Page size. Default: 50 */
    readonly limit?: number;
  },
  options?: CallOptions,
): Collection<RecordVersionPage> =>
  collect(
    client,
    { method: 'GET', path: `/v1/attribution/${encodeURIComponent(id)}/versions`, query },
    options,
  );

/** Override the owner or service of a record. */
export const overrideAttribution = (
  client: Client,
  id: string,
  body: OverrideRequest,
  options?: CallOptions,
): Promise<AttributionDetail> =>
  send(
    client,
    { method: 'POST', path: `/v1/attribution/${encodeURIComponent(id)}/overrides`, body },
    options,
  );

/** Dispute the attribution of a record. */
export const disputeAttribution = (
  client: Client,
  id: string,
  body: DisputeRequest,
  options?: CallOptions,
): Promise<AttributionDetail> =>
  send(client, { method: 'POST', path: `/v1/attribution/${encodeURIComponent(id)}/disputes`, body }, options);

/** Confirm the cost of a record. */
export const confirmCost = (client: Client, id: string, options?: CallOptions): Promise<AttributionDetail> =>
  send(
    client,
    { method: 'POST', path: `/v1/attribution/${encodeURIComponent(id)}/cost-confirmation` },
    options,
  );

/** List disputed records, newest dispute first. */
export const listDisputes = (
  client: Client,
  query?: {
    /** The next_cursor of the previous page. Expires after one hour. Every credential of the tenant with the same residency lane may use it */
    readonly cursor?: string;
    /** Page size. Default: 50 */
    readonly limit?: number;
    /** Default: both */
    readonly status?: 'open' | 'resolved';
  },
  options?: CallOptions,
): Collection<AttributionPage> => collect(client, { method: 'GET', path: '/v1/disputes', query }, options);

/** Create an identity mapping. */
export const createIdentityMapping = (
  client: Client,
  body: IdentityMappingRequest,
  options?: CallOptions,
): Promise<IdentityMapping> =>
  send(client, { method: 'POST', path: '/api/v1/identity/mappings', body }, options);

/** List identity mappings in evaluation order. */
export const listIdentityMappings = (
  client: Client,
  query?: {
    /** The next_cursor of the previous page. Expires after one hour. Every credential of the tenant with the same residency lane may use it */
    readonly cursor?: string;
    /** Page size. Default: 50 */
    readonly limit?: number;
  },
  options?: CallOptions,
): Collection<IdentityMappingPage> =>
  collect(client, { method: 'GET', path: '/api/v1/identity/mappings', query }, options);

/** Read one identity mapping. */
export const getIdentityMapping = (
  client: Client,
  id: string,
  options?: CallOptions,
): Promise<IdentityMapping> =>
  send(client, { method: 'GET', path: `/api/v1/identity/mappings/${encodeURIComponent(id)}` }, options);

/** Change or move an identity mapping. */
export const updateIdentityMapping = (
  client: Client,
  id: string,
  body: IdentityMappingPatch,
  options?: CallOptions,
): Promise<IdentityMapping> =>
  send(
    client,
    { method: 'PATCH', path: `/api/v1/identity/mappings/${encodeURIComponent(id)}`, body },
    options,
  );

/** Delete an identity mapping. */
export const deleteIdentityMapping = (client: Client, id: string, options?: CallOptions): Promise<void> =>
  send(client, { method: 'DELETE', path: `/api/v1/identity/mappings/${encodeURIComponent(id)}` }, options);

/** Dry-run a change of the identity mappings. */
export const dryRunIdentityMapping = (
  client: Client,
  body: IdentityMappingDryRunRequest,
  options?: CallOptions,
): Promise<IdentityMappingDryRun> =>
  send(client, { method: 'POST', path: '/api/v1/identity/mappings/dry-run', body }, options);

/** Apply the current mappings to recorded calls. */
export const reprocessRecords = (
  client: Client,
  body: ReprocessRequest,
  options?: CallOptions,
): Promise<JobStarted> =>
  send(client, { method: 'POST', path: '/api/v1/identity/mappings/reprocess', body }, options);

/** List trained models, newest first. */
export const listModels = (
  client: Client,
  query?: {
    /** The next_cursor of the previous page. Expires after one hour. Every credential of the tenant with the same residency lane may use it */
    readonly cursor?: string;
    /** Page size. Default: 50 */
    readonly limit?: number;
  },
  options?: CallOptions,
): Collection<ModelPage> => collect(client, { method: 'GET', path: '/api/v1/models', query }, options);

/** Train a model now, independent of the schedule. */
export const trainModel = (client: Client, options?: CallOptions): Promise<JobStarted> =>
  send(client, { method: 'POST', path: '/api/v1/models' }, options);

/** Recall a model and withdraw its attributions. */
export const recallModel = (
  client: Client,
  version: string,
  body: RecallRequest,
  options?: CallOptions,
): Promise<ModelRecall> =>
  send(
    client,
    { method: 'POST', path: `/api/v1/models/${encodeURIComponent(version)}/recall`, body },
    options,
  );

/** Report cost, energy, carbon and tokens by group and time. */
export const getUsageReport = (
  client: Client,
  query?: {
    /** ISO 8601 date in the time zone of the tenant, or time with an offset on a whole minute. Inclusive. Default: 30 whole days before today */
    readonly from?: ReportBound;
    /** Same format as from. Exclusive. Default: now. Later than from, by at most 25 months */
    readonly to?: ReportBound;
    /** One row for each UTC hour, or day or month in the time zone of the tenant, with calls. Default: one row for the range. By hour: at most 31 days. By day outside UTC: at most 93 days */
    readonly interval?: 'hour' | 'day' | 'month';
    readonly owner?: string;
    readonly 'owner[ne]'?: string;
    /** Any of these. As text: comma-separated */
    readonly 'owner[in]'?: string | readonly string[];
    /** Whether it is not null */
    readonly 'owner[exists]'?: 'true' | 'false';
    readonly service?: string;
    readonly 'service[ne]'?: string;
    /** Any of these. As text: comma-separated */
    readonly 'service[in]'?: string | readonly string[];
    /** Whether it is not null */
    readonly 'service[exists]'?: 'true' | 'false';
    readonly provider?: string;
    readonly 'provider[ne]'?: string;
    /** Any of these. As text: comma-separated */
    readonly 'provider[in]'?: string | readonly string[];
    readonly served_model?: string;
    readonly 'served_model[ne]'?: string;
    /** Any of these. As text: comma-separated */
    readonly 'served_model[in]'?: string | readonly string[];
    readonly pathway_category?: PathwayCategory;
    readonly 'pathway_category[ne]'?: PathwayCategory;
    /** Any of these. As text: comma-separated */
    readonly 'pathway_category[in]'?: string | readonly PathwayCategory[];
    readonly region?: string;
    readonly 'region[ne]'?: string;
    /** Any of these. As text: comma-separated */
    readonly 'region[in]'?: string | readonly string[];
    /** Whether it is not null */
    readonly 'region[exists]'?: 'true' | 'false';
    /** Tags which must all match. As text: comma-separated. Calls of days on which the key was no cost allocation tag are undetermined */
    readonly tags?: string | readonly string[];
    /** The next_cursor of the previous page. Expires after one hour. Every credential of the tenant with the same residency lane may use it */
    readonly cursor?: string;
    /** Page size. Default: 50 */
    readonly limit?: number;
    /** Fields, and cost allocation tags of the tenant, such as tag:env. As text: comma-separated. Default: no grouping, one row for each interval */
    readonly group_by?:
      | string
      | readonly (
          | 'owner'
          | 'service'
          | 'provider'
          | 'served_model'
          | 'pathway_category'
          | 'region'
          | 'day'
          | 'hour'
          | string
        )[];
    /** Only the groups with the highest `top_by` in the range. All others are one row of kind other */
    readonly top?: number;
    /** What `top` ranks by. Default: cost_usd */
    readonly top_by?: 'cost_usd' | 'energy_wh' | 'carbon_gco2e' | 'invocations' | 'unpriced_invocations';
    /** Adds the sums of the period before: to the totals, and to rows without `interval`. Whole months or days are compared with as many, any other period with an equally long one. Of a period that has not ended, also one without `to` from the start of the current month, quarter, year or week, the same part is compared. Not by hour, nor with `day` in `group_by` */
    readonly compare?: 'previous_period';
    /** Start of the period to compare with, as from. Default: the period before, as with `compare` in the usage report */
    readonly previous_from?: ReportBound;
    /** End of that period, as to */
    readonly previous_to?: ReportBound;
  },
  options?: CallOptions,
): Collection<UsageReport> => collect(client, { method: 'GET', path: '/v1/reports/usage', query }, options);

/** Report the number of persons who use inference, by group and time. */
export const getAdoptionReport = (
  client: Client,
  query?: {
    /** ISO 8601 date in the time zone of the tenant, or time with an offset on a whole minute. Inclusive. Default: 30 whole days before today */
    readonly from?: ReportBound;
    /** Same format as from. Exclusive. Default: now. Later than from, by at most 25 months */
    readonly to?: ReportBound;
    /** One row for each UTC hour, or day or month in the time zone of the tenant, with calls. Default: one row for the range. By hour: at most 31 days. By day outside UTC: at most 93 days */
    readonly interval?: 'hour' | 'day' | 'month';
    readonly owner?: string;
    readonly 'owner[ne]'?: string;
    /** Any of these. As text: comma-separated */
    readonly 'owner[in]'?: string | readonly string[];
    /** Whether it is not null */
    readonly 'owner[exists]'?: 'true' | 'false';
    readonly service?: string;
    readonly 'service[ne]'?: string;
    /** Any of these. As text: comma-separated */
    readonly 'service[in]'?: string | readonly string[];
    /** Whether it is not null */
    readonly 'service[exists]'?: 'true' | 'false';
    readonly provider?: string;
    readonly 'provider[ne]'?: string;
    /** Any of these. As text: comma-separated */
    readonly 'provider[in]'?: string | readonly string[];
    readonly served_model?: string;
    readonly 'served_model[ne]'?: string;
    /** Any of these. As text: comma-separated */
    readonly 'served_model[in]'?: string | readonly string[];
    readonly pathway_category?: PathwayCategory;
    readonly 'pathway_category[ne]'?: PathwayCategory;
    /** Any of these. As text: comma-separated */
    readonly 'pathway_category[in]'?: string | readonly PathwayCategory[];
    readonly region?: string;
    readonly 'region[ne]'?: string;
    /** Any of these. As text: comma-separated */
    readonly 'region[in]'?: string | readonly string[];
    /** Whether it is not null */
    readonly 'region[exists]'?: 'true' | 'false';
    /** Tags which must all match. As text: comma-separated. Calls of days on which the key was no cost allocation tag are undetermined */
    readonly tags?: string | readonly string[];
    /** The next_cursor of the previous page. Expires after one hour. Every credential of the tenant with the same residency lane may use it */
    readonly cursor?: string;
    /** Page size. Default: 50 */
    readonly limit?: number;
    /** Fields, and cost allocation tags of the tenant, such as tag:env. As text: comma-separated. Default: no grouping, one row for each interval */
    readonly group_by?:
      | string
      | readonly (
          | 'owner'
          | 'service'
          | 'provider'
          | 'served_model'
          | 'pathway_category'
          | 'region'
          | string
        )[];
  },
  options?: CallOptions,
): Collection<AdoptionReport> =>
  collect(client, { method: 'GET', path: '/v1/reports/adoption', query }, options);

/** Forecast the cost of the current month or quarter, by group. */
export const getForecastReport = (
  client: Client,
  query?: {
    /** The current month or quarter in the time zone of the tenant. Default: month */
    readonly period?: 'month' | 'quarter';
    readonly owner?: string;
    readonly 'owner[ne]'?: string;
    /** Any of these. As text: comma-separated */
    readonly 'owner[in]'?: string | readonly string[];
    /** Whether it is not null */
    readonly 'owner[exists]'?: 'true' | 'false';
    readonly service?: string;
    readonly 'service[ne]'?: string;
    /** Any of these. As text: comma-separated */
    readonly 'service[in]'?: string | readonly string[];
    /** Whether it is not null */
    readonly 'service[exists]'?: 'true' | 'false';
    readonly provider?: string;
    readonly 'provider[ne]'?: string;
    /** Any of these. As text: comma-separated */
    readonly 'provider[in]'?: string | readonly string[];
    readonly served_model?: string;
    readonly 'served_model[ne]'?: string;
    /** Any of these. As text: comma-separated */
    readonly 'served_model[in]'?: string | readonly string[];
    readonly pathway_category?: PathwayCategory;
    readonly 'pathway_category[ne]'?: PathwayCategory;
    /** Any of these. As text: comma-separated */
    readonly 'pathway_category[in]'?: string | readonly PathwayCategory[];
    readonly region?: string;
    readonly 'region[ne]'?: string;
    /** Any of these. As text: comma-separated */
    readonly 'region[in]'?: string | readonly string[];
    /** Whether it is not null */
    readonly 'region[exists]'?: 'true' | 'false';
    /** Tags which must all match. As text: comma-separated. Calls of days on which the key was no cost allocation tag are undetermined */
    readonly tags?: string | readonly string[];
    /** Fields, and cost allocation tags of the tenant, such as tag:env. As text: comma-separated. Default: no grouping, one row for each interval */
    readonly group_by?:
      | string
      | readonly (
          | 'owner'
          | 'service'
          | 'provider'
          | 'served_model'
          | 'pathway_category'
          | 'region'
          | string
        )[];
    /** The next_cursor of the previous page. Expires after one hour. Every credential of the tenant with the same residency lane may use it */
    readonly cursor?: string;
    /** Page size. Default: 50 */
    readonly limit?: number;
  },
  options?: CallOptions,
): Collection<ForecastReport> =>
  collect(client, { method: 'GET', path: '/v1/reports/forecast', query }, options);

/** Explain the change of cost between two periods, by group. */
export const getChangesReport = (
  client: Client,
  query?: {
    /** ISO 8601 date in the time zone of the tenant, or time with an offset on a whole minute. Inclusive. Default: 30 whole days before today */
    readonly from?: ReportBound;
    /** Same format as from. Exclusive. Default: now. Later than from, by at most 25 months */
    readonly to?: ReportBound;
    /** Start of the period to compare with, as from. Default: the period before, as with `compare` in the usage report */
    readonly previous_from?: ReportBound;
    /** End of that period, as to */
    readonly previous_to?: ReportBound;
    readonly owner?: string;
    readonly 'owner[ne]'?: string;
    /** Any of these. As text: comma-separated */
    readonly 'owner[in]'?: string | readonly string[];
    /** Whether it is not null */
    readonly 'owner[exists]'?: 'true' | 'false';
    readonly service?: string;
    readonly 'service[ne]'?: string;
    /** Any of these. As text: comma-separated */
    readonly 'service[in]'?: string | readonly string[];
    /** Whether it is not null */
    readonly 'service[exists]'?: 'true' | 'false';
    readonly provider?: string;
    readonly 'provider[ne]'?: string;
    /** Any of these. As text: comma-separated */
    readonly 'provider[in]'?: string | readonly string[];
    readonly served_model?: string;
    readonly 'served_model[ne]'?: string;
    /** Any of these. As text: comma-separated */
    readonly 'served_model[in]'?: string | readonly string[];
    readonly pathway_category?: PathwayCategory;
    readonly 'pathway_category[ne]'?: PathwayCategory;
    /** Any of these. As text: comma-separated */
    readonly 'pathway_category[in]'?: string | readonly PathwayCategory[];
    readonly region?: string;
    readonly 'region[ne]'?: string;
    /** Any of these. As text: comma-separated */
    readonly 'region[in]'?: string | readonly string[];
    /** Whether it is not null */
    readonly 'region[exists]'?: 'true' | 'false';
    /** Tags which must all match. As text: comma-separated. Calls of days on which the key was no cost allocation tag are undetermined */
    readonly tags?: string | readonly string[];
    /** Fields, and cost allocation tags of the tenant, such as tag:env. As text: comma-separated. Default: no grouping, one row for each interval */
    readonly group_by?:
      | string
      | readonly (
          | 'owner'
          | 'service'
          | 'provider'
          | 'served_model'
          | 'pathway_category'
          | 'region'
          | string
        )[];
    /** The next_cursor of the previous page. Expires after one hour. Every credential of the tenant with the same residency lane may use it */
    readonly cursor?: string;
    /** Page size. Default: 50 */
    readonly limit?: number;
  },
  options?: CallOptions,
): Collection<ChangesReport> =>
  collect(client, { method: 'GET', path: '/v1/reports/changes', query }, options);

/** Report the cost of a call, a token of each kind and a person, by group and time. */
export const getUnitCostsReport = (
  client: Client,
  query?: {
    /** ISO 8601 date in the time zone of the tenant, or time with an offset on a whole minute. Inclusive. Default: 30 whole days before today */
    readonly from?: ReportBound;
    /** Same format as from. Exclusive. Default: now. Later than from, by at most 25 months */
    readonly to?: ReportBound;
    /** One row for each UTC hour, or day or month in the time zone of the tenant, with calls. Default: one row for the range. By hour: at most 31 days. By day outside UTC: at most 93 days */
    readonly interval?: 'hour' | 'day' | 'month';
    readonly owner?: string;
    readonly 'owner[ne]'?: string;
    /** Any of these. As text: comma-separated */
    readonly 'owner[in]'?: string | readonly string[];
    /** Whether it is not null */
    readonly 'owner[exists]'?: 'true' | 'false';
    readonly service?: string;
    readonly 'service[ne]'?: string;
    /** Any of these. As text: comma-separated */
    readonly 'service[in]'?: string | readonly string[];
    /** Whether it is not null */
    readonly 'service[exists]'?: 'true' | 'false';
    readonly provider?: string;
    readonly 'provider[ne]'?: string;
    /** Any of these. As text: comma-separated */
    readonly 'provider[in]'?: string | readonly string[];
    readonly served_model?: string;
    readonly 'served_model[ne]'?: string;
    /** Any of these. As text: comma-separated */
    readonly 'served_model[in]'?: string | readonly string[];
    readonly pathway_category?: PathwayCategory;
    readonly 'pathway_category[ne]'?: PathwayCategory;
    /** Any of these. As text: comma-separated */
    readonly 'pathway_category[in]'?: string | readonly PathwayCategory[];
    readonly region?: string;
    readonly 'region[ne]'?: string;
    /** Any of these. As text: comma-separated */
    readonly 'region[in]'?: string | readonly string[];
    /** Whether it is not null */
    readonly 'region[exists]'?: 'true' | 'false';
    /** Tags which must all match. As text: comma-separated. Calls of days on which the key was no cost allocation tag are undetermined */
    readonly tags?: string | readonly string[];
    /** The next_cursor of the previous page. Expires after one hour. Every credential of the tenant with the same residency lane may use it */
    readonly cursor?: string;
    /** Page size. Default: 50 */
    readonly limit?: number;
    /** Fields, and cost allocation tags of the tenant, such as tag:env. As text: comma-separated. Default: no grouping, one row for each interval */
    readonly group_by?:
      | string
      | readonly (
          | 'owner'
          | 'service'
          | 'provider'
          | 'served_model'
          | 'pathway_category'
          | 'region'
          | string
        )[];
  },
  options?: CallOptions,
): Collection<UnitCostsReport> =>
  collect(client, { method: 'GET', path: '/v1/reports/unit-costs', query }, options);

/** Suggest savings, with the calls and figures they rest on. */
export const getSavingsReport = (
  client: Client,
  query?: {
    /** ISO 8601 date in the time zone of the tenant, or time with an offset on a whole minute. Inclusive. Default: 30 whole days before today */
    readonly from?: ReportBound;
    /** Same format as from. Exclusive. Default: now. Later than from, by at most 25 months */
    readonly to?: ReportBound;
    readonly owner?: string;
    readonly 'owner[ne]'?: string;
    /** Any of these. As text: comma-separated */
    readonly 'owner[in]'?: string | readonly string[];
    /** Whether it is not null */
    readonly 'owner[exists]'?: 'true' | 'false';
    readonly service?: string;
    readonly 'service[ne]'?: string;
    /** Any of these. As text: comma-separated */
    readonly 'service[in]'?: string | readonly string[];
    /** Whether it is not null */
    readonly 'service[exists]'?: 'true' | 'false';
    readonly provider?: string;
    readonly 'provider[ne]'?: string;
    /** Any of these. As text: comma-separated */
    readonly 'provider[in]'?: string | readonly string[];
    readonly served_model?: string;
    readonly 'served_model[ne]'?: string;
    /** Any of these. As text: comma-separated */
    readonly 'served_model[in]'?: string | readonly string[];
    readonly pathway_category?: PathwayCategory;
    readonly 'pathway_category[ne]'?: PathwayCategory;
    /** Any of these. As text: comma-separated */
    readonly 'pathway_category[in]'?: string | readonly PathwayCategory[];
    readonly region?: string;
    readonly 'region[ne]'?: string;
    /** Any of these. As text: comma-separated */
    readonly 'region[in]'?: string | readonly string[];
    /** Whether it is not null */
    readonly 'region[exists]'?: 'true' | 'false';
    /** Tags which must all match. As text: comma-separated. Calls of days on which the key was no cost allocation tag are undetermined */
    readonly tags?: string | readonly string[];
    /** Suggestions that were dismissed and have not grown since: without them, with them, or only they. Default: exclude */
    readonly dismissed?: 'exclude' | 'include' | 'only';
    /** The next_cursor of the previous page. Expires after one hour. Every credential of the tenant with the same residency lane may use it */
    readonly cursor?: string;
    /** Page size. Default: 50 */
    readonly limit?: number;
  },
  options?: CallOptions,
): Collection<SavingsReport> =>
  collect(client, { method: 'GET', path: '/v1/reports/savings', query }, options);

/** Dismiss a suggested saving, with a reason. */
export const dismissSaving = (
  client: Client,
  body: SavingDismissalRequest,
  options?: CallOptions,
): Promise<SavingDismissal> =>
  send(client, { method: 'POST', path: '/api/v1/saving-dismissals', body }, options);

/** List dismissed savings. */
export const listSavingDismissals = (
  client: Client,
  query?: {
    /** The next_cursor of the previous page. Expires after one hour. Every credential of the tenant with the same residency lane may use it */
    readonly cursor?: string;
    /** Page size. Default: 50 */
    readonly limit?: number;
  },
  options?: CallOptions,
): Collection<SavingDismissalPage> =>
  collect(client, { method: 'GET', path: '/api/v1/saving-dismissals', query }, options);

/** Suggest a dismissed saving again. */
export const restoreSaving = (client: Client, id: string, options?: CallOptions): Promise<void> =>
  send(client, { method: 'DELETE', path: `/api/v1/saving-dismissals/${encodeURIComponent(id)}` }, options);

/** Note on a day what happened, such as a release. */
export const createAnnotation = (
  client: Client,
  body: AnnotationRequest,
  options?: CallOptions,
): Promise<Annotation> => send(client, { method: 'POST', path: '/api/v1/annotations', body }, options);

/** List annotations. */
export const listAnnotations = (
  client: Client,
  query?: {
    /** The next_cursor of the previous page. Expires after one hour. Every credential of the tenant with the same residency lane may use it */
    readonly cursor?: string;
    /** Page size. Default: 50 */
    readonly limit?: number;
  },
  options?: CallOptions,
): Collection<AnnotationPage> =>
  collect(client, { method: 'GET', path: '/api/v1/annotations', query }, options);

/** Delete an annotation. */
export const deleteAnnotation = (client: Client, id: string, options?: CallOptions): Promise<void> =>
  send(client, { method: 'DELETE', path: `/api/v1/annotations/${encodeURIComponent(id)}` }, options);

/** Save what a page of the console shows, with a name. */
export const createSavedView = (
  client: Client,
  body: SavedViewRequest,
  options?: CallOptions,
): Promise<SavedView> => send(client, { method: 'POST', path: '/api/v1/saved-views', body }, options);

/** List saved views. */
export const listSavedViews = (
  client: Client,
  query?: {
    /** The next_cursor of the previous page. Expires after one hour. Every credential of the tenant with the same residency lane may use it */
    readonly cursor?: string;
    /** Page size. Default: 50 */
    readonly limit?: number;
  },
  options?: CallOptions,
): Collection<SavedViewPage> =>
  collect(client, { method: 'GET', path: '/api/v1/saved-views', query }, options);

/** Delete a saved view. */
export const deleteSavedView = (client: Client, id: string, options?: CallOptions): Promise<void> =>
  send(client, { method: 'DELETE', path: `/api/v1/saved-views/${encodeURIComponent(id)}` }, options);

/** Report the cost of a unit of each business metric. */
export const getMetricCosts = (
  client: Client,
  query?: {
    /** ISO 8601 date in the time zone of the tenant, or time with an offset on a whole minute. Inclusive. Default: 30 whole days before today */
    readonly from?: ReportBound;
    /** Same format as from. Exclusive. Default: now. Later than from, by at most 25 months */
    readonly to?: ReportBound;
    /** Only metrics of this name */
    readonly name?: string;
    /** One row for each. Default: one row for the range */
    readonly interval?: 'day' | 'month';
    /** The next_cursor of the previous page. Expires after one hour. Every credential of the tenant with the same residency lane may use it */
    readonly cursor?: string;
    /** Page size. Default: 50 */
    readonly limit?: number;
  },
  options?: CallOptions,
): Collection<MetricCosts> =>
  collect(client, { method: 'GET', path: '/v1/reports/metric-costs', query }, options);

/** Send the daily numbers of a business metric. */
export const postBusinessMetric = (
  client: Client,
  body: BusinessMetricRequest,
  options?: CallOptions,
): Promise<BusinessMetric> =>
  send(client, { method: 'POST', path: '/api/v1/business-metrics', body }, options);

/** List business metrics. */
export const listBusinessMetrics = (
  client: Client,
  query?: {
    /** The next_cursor of the previous page. Expires after one hour. Every credential of the tenant with the same residency lane may use it */
    readonly cursor?: string;
    /** Page size. Default: 50 */
    readonly limit?: number;
  },
  options?: CallOptions,
): Collection<BusinessMetricPage> =>
  collect(client, { method: 'GET', path: '/api/v1/business-metrics', query }, options);

/** Delete a business metric with its numbers. */
export const deleteBusinessMetric = (client: Client, id: string, options?: CallOptions): Promise<void> =>
  send(client, { method: 'DELETE', path: `/api/v1/business-metrics/${encodeURIComponent(id)}` }, options);

/** Report what node pools cost, and how much of it is idle. */
export const getNodeHours = (
  client: Client,
  query?: {
    /** ISO 8601 date in the time zone of the tenant, or time with an offset on a whole minute. Inclusive. Default: 30 whole days before today */
    readonly from?: ReportBound;
    /** Same format as from. Exclusive. Default: now. Later than from, by at most 25 months */
    readonly to?: ReportBound;
  },
  options?: CallOptions,
): Promise<NodeHours> => send(client, { method: 'GET', path: '/v1/reports/node-hours', query }, options);

/** List services whose calls have no confirmed owner, with suggestions. */
export const getUnownedReport = (
  client: Client,
  query?: {
    /** ISO 8601 date in the time zone of the tenant, or time with an offset on a whole minute. Inclusive. Default: 30 whole days before today */
    readonly from?: ReportBound;
    /** Same format as from. Exclusive. Default: now. Later than from, by at most 25 months */
    readonly to?: ReportBound;
    readonly service?: string;
    /** Whether it is not null */
    readonly 'service[exists]'?: 'true' | 'false';
    /** false: amounts only. `groups` and `examined` are null. Default: true */
    readonly suggestions?: 'true' | 'false';
    /** The most expensive services. The others are one row, of kind other. Default: 20 */
    readonly top?: number;
  },
  options?: CallOptions,
): Promise<UnownedReport> => send(client, { method: 'GET', path: '/v1/reports/unowned', query }, options);

/** Look up owner and budgets of a call before it is made. */
export const lookUpAttribution = (
  client: Client,
  query?: {
    /** Who pays */
    readonly attributed_identity?: string;
    /** The person who uses the feature. The owner is another, unless a mapping names one */
    readonly end_user?: string;
    readonly attributed_service?: string;
    readonly spiffe_id?: string;
    readonly k8s_cluster?: string;
    readonly k8s_namespace?: string;
    readonly k8s_workload?: string;
    /** Name of the provider API key that was billed. Never send the secret */
    readonly api_key_name?: string;
    readonly source_system?: string;
    /** As text: comma-separated */
    readonly tags?: string | readonly string[];
    /** For budgets by provider */
    readonly provider?: string;
    /** For budgets by model */
    readonly served_model?: string;
    /** For budgets by region */
    readonly region?: string;
  },
  options?: CallOptions,
): Promise<AttributionLookup> => send(client, { method: 'GET', path: '/api/v1/lookup', query }, options);

/** Create a budget with alerts. */
export const createBudget = (client: Client, body: BudgetRequest, options?: CallOptions): Promise<Budget> =>
  send(client, { method: 'POST', path: '/api/v1/budgets', body }, options);

/** List budgets with their current spend, newest first. */
export const listBudgets = (
  client: Client,
  query?: {
    /** The next_cursor of the previous page. Expires after one hour. Every credential of the tenant with the same residency lane may use it */
    readonly cursor?: string;
    /** Page size. Default: 50 */
    readonly limit?: number;
  },
  options?: CallOptions,
): Collection<BudgetPage> => collect(client, { method: 'GET', path: '/api/v1/budgets', query }, options);

/** Read one budget with its current spend. */
export const getBudget = (client: Client, id: string, options?: CallOptions): Promise<Budget> =>
  send(client, { method: 'GET', path: `/api/v1/budgets/${encodeURIComponent(id)}` }, options);

/** Change a budget. */
export const updateBudget = (
  client: Client,
  id: string,
  body: BudgetPatch,
  options?: CallOptions,
): Promise<Budget> =>
  send(client, { method: 'PATCH', path: `/api/v1/budgets/${encodeURIComponent(id)}`, body }, options);

/** Delete a budget. */
export const deleteBudget = (client: Client, id: string, options?: CallOptions): Promise<void> =>
  send(client, { method: 'DELETE', path: `/api/v1/budgets/${encodeURIComponent(id)}` }, options);

/** Read the spend of a budget in its current and earlier periods, newest first. */
export const listBudgetPeriods = (
  client: Client,
  id: string,
  query?: {
    /** The next_cursor of the previous page. Expires after one hour. Every credential of the tenant with the same residency lane may use it */
    readonly cursor?: string;
    /** Page size. Default: 50 */
    readonly limit?: number;
  },
  options?: CallOptions,
): Collection<BudgetPeriods> =>
  collect(
    client,
    { method: 'GET', path: `/api/v1/budgets/${encodeURIComponent(id)}/periods`, query },
    options,
  );

/** List cost anomalies, newest first. */
export const listAnomalies = (
  client: Client,
  query?: {
    /** The next_cursor of the previous page. Expires after one hour. Every credential of the tenant with the same residency lane may use it */
    readonly cursor?: string;
    /** Page size. Default: 50 */
    readonly limit?: number;
  },
  options?: CallOptions,
): Collection<AnomalyPage> => collect(client, { method: 'GET', path: '/api/v1/anomalies', query }, options);

/** Read one anomaly, with its first hour and what led to it. */
export const getAnomaly = (client: Client, id: string, options?: CallOptions): Promise<ExplainedAnomaly> =>
  send(client, { method: 'GET', path: `/api/v1/anomalies/${encodeURIComponent(id)}` }, options);

/** Mute the series of an anomaly. */
export const muteAnomaly = (
  client: Client,
  id: string,
  body: AnomalyMuteRequest,
  options?: CallOptions,
): Promise<AnomalyMute> =>
  send(client, { method: 'PUT', path: `/api/v1/anomalies/${encodeURIComponent(id)}/mute`, body }, options);

/** Unmute the series of an anomaly. */
export const unmuteAnomaly = (client: Client, id: string, options?: CallOptions): Promise<void> =>
  send(client, { method: 'DELETE', path: `/api/v1/anomalies/${encodeURIComponent(id)}/mute` }, options);

/** Read the coverage map: active and missing capture layers of each pathway. */
export const getCoverage = (client: Client, options?: CallOptions): Promise<CoverageMap> =>
  send(client, { method: 'GET', path: '/api/v1/coverage' }, options);

/** Read the required capture layers of each pathway. */
export const getCoverageExpectations = (
  client: Client,
  options?: CallOptions,
): Promise<CoverageExpectationsOutput> =>
  send(client, { method: 'GET', path: '/api/v1/coverage/expectations' }, options);

/** Set the required capture layers of each pathway. */
export const putCoverageExpectations = (
  client: Client,
  body: CoverageExpectations,
  options?: CallOptions,
): Promise<CoverageExpectationsOutput> =>
  send(client, { method: 'PUT', path: '/api/v1/coverage/expectations', body }, options);

/** Send CloudEvents: discovery signals, connector health or other types. */
export const postEvents = (
  client: Client,
  body: CloudEvents,
  options?: CallOptions,
): Promise<SignalsAccepted> => send(client, { method: 'POST', path: '/api/v1/events', body }, options);

/** Send one inference event of a registered source system. */
export const postPartnerInvocation = (
  client: Client,
  body: InvocationEvent,
  options?: CallOptions,
): Promise<InvocationAccepted> =>
  send(client, { method: 'POST', path: '/api/partner/v1/invocations', body }, options);

/** Send up to 1000 inference events of the registered source systems. */
export const postPartnerEvents = (
  client: Client,
  body: InvocationBatch,
  options?: CallOptions,
): Promise<InvocationBatchAccepted> =>
  send(client, { method: 'POST', path: '/api/partner/v1/events', body }, options);

/** Read the registration, health and usage of the connector. */
export const getPartnerConnector = (client: Client, options?: CallOptions): Promise<PartnerConnector> =>
  send(client, { method: 'GET', path: '/api/partner/v1/connector' }, options);

/** Report the health of the connector. */
export const putPartnerHealth = (
  client: Client,
  body: PartnerHealthReport,
  options?: CallOptions,
): Promise<PartnerHealth> =>
  send(client, { method: 'PUT', path: '/api/partner/v1/connector/health', body }, options);

/** Read when each source system of the connector was last seen. */
export const getPartnerCoverage = (client: Client, options?: CallOptions): Promise<PartnerCoverage> =>
  send(client, { method: 'GET', path: '/api/partner/v1/coverage' }, options);

/** Create a chargeback or showback export, aligned with FOCUS. */
export const createFocusExport = (
  client: Client,
  body: ExportRequest,
  options?: CallOptions,
): Promise<ExportStarted> => send(client, { method: 'POST', path: '/v1/exports/focus', body }, options);

/** List exports, newest first. */
export const listExports = (
  client: Client,
  query?: {
    /** The next_cursor of the previous page. Expires after one hour. Every credential of the tenant with the same residency lane may use it */
    readonly cursor?: string;
    /** Page size. Default: 50 */
    readonly limit?: number;
  },
  options?: CallOptions,
): Collection<ExportPage> => collect(client, { method: 'GET', path: '/v1/exports', query }, options);

/** Cancel an export that is still queued. */
export const cancelJob = (client: Client, job_id: string, options?: CallOptions): Promise<ExportJob> =>
  send(client, { method: 'POST', path: `/api/v1/jobs/${encodeURIComponent(job_id)}/cancel` }, options);

/** Deliver a finished export to a destination, or deliver it again. */
export const deliverExport = (
  client: Client,
  job_id: string,
  body: ExportDeliveryTarget,
  options?: CallOptions,
): Promise<ExportJob> =>
  send(client, { method: 'POST', path: `/api/v1/jobs/${encodeURIComponent(job_id)}/deliver`, body }, options);

/** Create an export schedule. */
export const createExportSchedule = (
  client: Client,
  body: ExportScheduleRequest,
  options?: CallOptions,
): Promise<ExportSchedule> => send(client, { method: 'POST', path: '/v1/exports/schedules', body }, options);

/** List export schedules, newest first. */
export const listExportSchedules = (
  client: Client,
  query?: {
    /** The next_cursor of the previous page. Expires after one hour. Every credential of the tenant with the same residency lane may use it */
    readonly cursor?: string;
    /** Page size. Default: 50 */
    readonly limit?: number;
  },
  options?: CallOptions,
): Collection<ExportSchedulePage> =>
  collect(client, { method: 'GET', path: '/v1/exports/schedules', query }, options);

/** Read one export schedule. */
export const getExportSchedule = (
  client: Client,
  id: string,
  options?: CallOptions,
): Promise<ExportSchedule> =>
  send(client, { method: 'GET', path: `/v1/exports/schedules/${encodeURIComponent(id)}` }, options);

/** Change an export schedule. */
export const updateExportSchedule = (
  client: Client,
  id: string,
  body: ExportScheduleChange,
  options?: CallOptions,
): Promise<ExportSchedule> =>
  send(client, { method: 'PATCH', path: `/v1/exports/schedules/${encodeURIComponent(id)}`, body }, options);

/** Delete an export schedule. */
export const deleteExportSchedule = (client: Client, id: string, options?: CallOptions): Promise<void> =>
  send(client, { method: 'DELETE', path: `/v1/exports/schedules/${encodeURIComponent(id)}` }, options);

/** Name an S3 bucket to which exports are delivered. */
export const createExportDestination = (
  client: Client,
  body: ExportDestinationRequest,
  options?: CallOptions,
): Promise<ExportDestination> =>
  send(client, { method: 'POST', path: '/v1/exports/destinations', body }, options);

/** List export destinations, newest first. */
export const listExportDestinations = (
  client: Client,
  query?: {
    /** The next_cursor of the previous page. Expires after one hour. Every credential of the tenant with the same residency lane may use it */
    readonly cursor?: string;
    /** Page size. Default: 50 */
    readonly limit?: number;
  },
  options?: CallOptions,
): Collection<ExportDestinationPage> =>
  collect(client, { method: 'GET', path: '/v1/exports/destinations', query }, options);

/** Read one export destination with the result of its check. */
export const getExportDestination = (
  client: Client,
  id: string,
  options?: CallOptions,
): Promise<ExportDestination> =>
  send(client, { method: 'GET', path: `/v1/exports/destinations/${encodeURIComponent(id)}` }, options);

/** Rename an export destination. */
export const updateExportDestination = (
  client: Client,
  id: string,
  body: ExportDestinationChange,
  options?: CallOptions,
): Promise<ExportDestination> =>
  send(
    client,
    { method: 'PATCH', path: `/v1/exports/destinations/${encodeURIComponent(id)}`, body },
    options,
  );

/** Delete an export destination. */
export const deleteExportDestination = (client: Client, id: string, options?: CallOptions): Promise<void> =>
  send(client, { method: 'DELETE', path: `/v1/exports/destinations/${encodeURIComponent(id)}` }, options);

/** Put a test object into the bucket of an export destination. */
export const checkExportDestination = (
  client: Client,
  id: string,
  options?: CallOptions,
): Promise<ExportDestination> =>
  send(client, { method: 'POST', path: `/v1/exports/destinations/${encodeURIComponent(id)}/check` }, options);

/** Read the contract prices. */
export const getContractPrices = (client: Client, options?: CallOptions): Promise<ContractPricesState> =>
  send(client, { method: 'GET', path: '/api/v1/contract-prices' }, options);

/** Replace the contract prices. */
export const putContractPrices = (
  client: Client,
  body: ContractPricesChange,
  options?: CallOptions,
): Promise<ContractPricesChanged> =>
  send(client, { method: 'PUT', path: '/api/v1/contract-prices', body }, options);

/** Read the node pools. */
export const getNodePools = (client: Client, options?: CallOptions): Promise<NodePoolsState> =>
  send(client, { method: 'GET', path: '/api/v1/node-pools' }, options);

/** Replace the node pools. */
export const putNodePools = (
  client: Client,
  body: NodePoolsChange,
  options?: CallOptions,
): Promise<NodePoolsState> => send(client, { method: 'PUT', path: '/api/v1/node-pools', body }, options);

/** Compare attributed cost with provider bills. */
export const getReconciliation = (
  client: Client,
  query?: {
    /** The next_cursor of the previous page. Expires after one hour. Every credential of the tenant with the same residency lane may use it */
    readonly cursor?: string;
    /** Page size. Default: 50 */
    readonly limit?: number;
    /** A UTC day, inclusive. Default: 30 days before to */
    readonly from?: UtcDay;
    /** A UTC day, exclusive. Default: the end of today */
    readonly to?: UtcDay;
    /** As text: comma-separated. Default: provider,model */
    readonly group_by?: string | readonly ('provider' | 'model' | 'day')[];
  },
  options?: CallOptions,
): Collection<Reconciliation> =>
  collect(client, { method: 'GET', path: '/api/v1/reconciliation', query }, options);

/** Import up to 5000 rows of provider bills. */
export const postBills = (client: Client, body: Bills, options?: CallOptions): Promise<BillsImported> =>
  send(client, { method: 'POST', path: '/api/v1/reconciliation/bills', body }, options);

/** List deliveries of bills, newest billed day first. */
export const listBills = (
  client: Client,
  query?: {
    /** The next_cursor of the previous page. Expires after one hour. Every credential of the tenant with the same residency lane may use it */
    readonly cursor?: string;
    /** Page size. Default: 50 */
    readonly limit?: number;
  },
  options?: CallOptions,
): Collection<BillDeliveryPage> =>
  collect(client, { method: 'GET', path: '/api/v1/reconciliation/bills', query }, options);

/** Take back a delivery of bills. */
export const deleteBill = (client: Client, delivery_id: string, options?: CallOptions): Promise<void> =>
  send(
    client,
    { method: 'DELETE', path: `/api/v1/reconciliation/bills/${encodeURIComponent(delivery_id)}` },
    options,
  );

/** Import the bills of a provider every hour. */
export const createBillSource = (
  client: Client,
  body: BillSourceRequest,
  options?: CallOptions,
): Promise<BillSource> => send(client, { method: 'POST', path: '/api/v1/bill-sources', body }, options);

/** List bill sources with the state of their imports, newest first. */
export const listBillSources = (
  client: Client,
  query?: {
    /** The next_cursor of the previous page. Expires after one hour. Every credential of the tenant with the same residency lane may use it */
    readonly cursor?: string;
    /** Page size. Default: 50 */
    readonly limit?: number;
  },
  options?: CallOptions,
): Collection<BillSourcePage> =>
  collect(client, { method: 'GET', path: '/api/v1/bill-sources', query }, options);

/** Read one bill source with the state of its imports. */
export const getBillSource = (client: Client, id: string, options?: CallOptions): Promise<BillSource> =>
  send(client, { method: 'GET', path: `/api/v1/bill-sources/${encodeURIComponent(id)}` }, options);

/** Rename, pause or resume a bill source, or replace its credential or export. */
export const updateBillSource = (
  client: Client,
  id: string,
  body: BillSourcePatch,
  options?: CallOptions,
): Promise<BillSource> =>
  send(client, { method: 'PATCH', path: `/api/v1/bill-sources/${encodeURIComponent(id)}`, body }, options);

/** Delete a bill source and its credential. */
export const deleteBillSource = (client: Client, id: string, options?: CallOptions): Promise<void> =>
  send(client, { method: 'DELETE', path: `/api/v1/bill-sources/${encodeURIComponent(id)}` }, options);

/** List billing periods, newest first. */
export const listPeriods = (
  client: Client,
  query?: {
    /** The next_cursor of the previous page. Expires after one hour. Every credential of the tenant with the same residency lane may use it */
    readonly cursor?: string;
    /** Page size. Default: 50 */
    readonly limit?: number;
  },
  options?: CallOptions,
): Collection<PeriodPage> => collect(client, { method: 'GET', path: '/api/v1/periods', query }, options);

/** Close a billing period. */
export const closePeriod = (client: Client, period: string, options?: CallOptions): Promise<Period> =>
  send(client, { method: 'POST', path: `/api/v1/periods/${encodeURIComponent(period)}/close` }, options);

/** Open the period again that was closed last. */
export const reopenPeriod = (
  client: Client,
  period: string,
  body: PeriodReopening,
  options?: CallOptions,
): Promise<Period> =>
  send(
    client,
    { method: 'POST', path: `/api/v1/periods/${encodeURIComponent(period)}/reopen`, body },
    options,
  );

/** Register a webhook endpoint. */
export const createWebhook = (
  client: Client,
  body: WebhookRequest,
  options?: CallOptions,
): Promise<WebhookEndpointWithSecret> =>
  send(client, { method: 'POST', path: '/api/v1/webhooks', body }, options);

/** List webhook endpoints, newest first. */
export const listWebhooks = (
  client: Client,
  query?: {
    /** The next_cursor of the previous page. Expires after one hour. Every credential of the tenant with the same residency lane may use it */
    readonly cursor?: string;
    /** Page size. Default: 50 */
    readonly limit?: number;
  },
  options?: CallOptions,
): Collection<WebhookPage> => collect(client, { method: 'GET', path: '/api/v1/webhooks', query }, options);

/** Read one webhook endpoint. */
export const getWebhook = (client: Client, id: string, options?: CallOptions): Promise<WebhookEndpoint> =>
  send(client, { method: 'GET', path: `/api/v1/webhooks/${encodeURIComponent(id)}` }, options);

/** Change, disable or enable a webhook endpoint. */
export const updateWebhook = (
  client: Client,
  id: string,
  body: WebhookPatch,
  options?: CallOptions,
): Promise<WebhookEndpoint> =>
  send(client, { method: 'PATCH', path: `/api/v1/webhooks/${encodeURIComponent(id)}`, body }, options);

/** Delete a webhook endpoint. */
export const deleteWebhook = (client: Client, id: string, options?: CallOptions): Promise<void> =>
  send(client, { method: 'DELETE', path: `/api/v1/webhooks/${encodeURIComponent(id)}` }, options);

/** Verify a webhook endpoint or request a new challenge. */
export const verifyWebhook = (
  client: Client,
  id: string,
  body?: WebhookAnswer,
  options?: CallOptions,
): Promise<WebhookEndpoint> =>
  send(client, { method: 'POST', path: `/api/v1/webhooks/${encodeURIComponent(id)}/verify`, body }, options);

/** Replace the signing secret of a webhook endpoint. */
export const rotateWebhookSecret = (
  client: Client,
  id: string,
  body?: WebhookRotation,
  options?: CallOptions,
): Promise<WebhookEndpointWithSecret> =>
  send(
    client,
    { method: 'POST', path: `/api/v1/webhooks/${encodeURIComponent(id)}/rotate-secret`, body },
    options,
  );

/** Send a sample event to a webhook endpoint. */
export const testWebhook = (
  client: Client,
  id: string,
  body: WebhookTest,
  options?: CallOptions,
): Promise<WebhookQueued> =>
  send(client, { method: 'POST', path: `/api/v1/webhooks/${encodeURIComponent(id)}/test`, body }, options);

/** Send past events to a webhook endpoint again. */
export const replayToWebhook = (
  client: Client,
  id: string,
  body: WebhookReplay,
  options?: CallOptions,
): Promise<WebhookQueued> =>
  send(client, { method: 'POST', path: `/api/v1/webhooks/${encodeURIComponent(id)}/replay`, body }, options);

/** List the delivery attempts of a webhook endpoint. */
export const listWebhookDeliveries = (
  client: Client,
  id: string,
  query?: {
    /** The next_cursor of the previous page. Expires after one hour. Every credential of the tenant with the same residency lane may use it */
    readonly cursor?: string;
    /** Page size. Default: 50 */
    readonly limit?: number;
    /** Default: -attempted_at (newest first) */
    readonly sort?: 'attempted_at' | '-attempted_at';
    readonly outcome?: 'acknowledged' | 'retried' | 'dead_lettered';
    readonly response_status?: number;
    readonly event_type?: string;
    readonly event_id?: string;
    readonly 'attempted_at[gt]'?: DayOrInstant;
    readonly 'attempted_at[gte]'?: DayOrInstant;
    readonly 'attempted_at[lt]'?: DayOrInstant;
    readonly 'attempted_at[lte]'?: DayOrInstant;
  },
  options?: CallOptions,
): Collection<DeliveryPage> =>
  collect(
    client,
    { method: 'GET', path: `/api/v1/webhooks/${encodeURIComponent(id)}/deliveries`, query },
    options,
  );

/** List the events of the tenant, oldest first. */
export const listWebhookEvents = (
  client: Client,
  query?: {
    /** Any of these. As text: comma-separated */
    readonly types?: string | readonly WebhookEventType[];
    /** Start of the time range, inclusive, by creation time of the events. Default: 60 seconds before to */
    readonly from?: DayOrInstant;
    /** Instead of from: how long the time range is. It does not depend on the clock of the client */
    readonly last_seconds?: number;
    /** End of the time range, exclusive. Default: now */
    readonly to?: DayOrInstant;
    /** The next_cursor of the previous page. Expires after one hour. Every credential of the tenant with the same residency lane may use it */
    readonly cursor?: string;
    /** Page size. Default: 50 */
    readonly limit?: number;
  },
  options?: CallOptions,
): Collection<WebhookEventPage> =>
  collect(client, { method: 'GET', path: '/api/v1/webhook-events', query }, options);

/** List notifications, newest first. */
export const listNotifications = (
  client: Client,
  query?: {
    /** The next_cursor of the previous page. Expires after one hour. Every credential of the tenant with the same residency lane may use it */
    readonly cursor?: string;
    /** Page size. Default: 50 */
    readonly limit?: number;
    readonly type?: NotifiableEventType;
    readonly severity?: 'warning' | 'critical';
  },
  options?: CallOptions,
): Collection<NotificationPage> =>
  collect(client, { method: 'GET', path: '/api/v1/notifications', query }, options);

/** Mark notifications as read. */
export const markNotificationsRead = (
  client: Client,
  body: ReadMark,
  options?: CallOptions,
): Promise<ReadMarkOutput> =>
  send(client, { method: 'PUT', path: '/api/v1/notifications/read', body }, options);

/** Send a weekly or monthly report to a person or the chat. */
export const createReportSubscription = (
  client: Client,
  body: ReportSubscriptionRequest,
  options?: CallOptions,
): Promise<ReportSubscription> =>
  send(client, { method: 'POST', path: '/api/v1/report-subscriptions', body }, options);

/** List report subscriptions, newest first. */
export const listReportSubscriptions = (
  client: Client,
  query?: {
    /** The next_cursor of the previous page. Expires after one hour. Every credential of the tenant with the same residency lane may use it */
    readonly cursor?: string;
    /** Page size. Default: 50 */
    readonly limit?: number;
  },
  options?: CallOptions,
): Collection<ReportSubscriptionPage> =>
  collect(client, { method: 'GET', path: '/api/v1/report-subscriptions', query }, options);

/** Read one report subscription. */
export const getReportSubscription = (
  client: Client,
  id: string,
  options?: CallOptions,
): Promise<ReportSubscription> =>
  send(client, { method: 'GET', path: `/api/v1/report-subscriptions/${encodeURIComponent(id)}` }, options);

/** Unsubscribe from a report. */
export const deleteReportSubscription = (client: Client, id: string, options?: CallOptions): Promise<void> =>
  send(client, { method: 'DELETE', path: `/api/v1/report-subscriptions/${encodeURIComponent(id)}` }, options);

/** Read the tenant's settings. */
export const getTenant = (client: Client, options?: CallOptions): Promise<TenantSettings> =>
  send(client, { method: 'GET', path: '/api/v1/tenant' }, options);

/** Change the tenant's settings. */
export const updateTenant = (
  client: Client,
  body: TenantChange,
  options?: CallOptions,
): Promise<TenantSettings> => send(client, { method: 'PATCH', path: '/api/v1/tenant', body }, options);

/** Read the caller's remaining rate limit in each rate class. */
export const getRateLimit = (client: Client, options?: CallOptions): Promise<RateLimitBudget> =>
  send(client, { method: 'GET', path: '/api/v1/rate-limit' }, options);

/** Read ingestion, freshness and job diagnostics of the tenant. */
export const getDiagnostics = (client: Client, options?: CallOptions): Promise<Diagnostics> =>
  send(client, { method: 'GET', path: '/api/v1/diagnostics' }, options);

/** List jobs, newest first. */
export const listJobs = (
  client: Client,
  query?: {
    /** Only jobs of this type. Default: all */
    readonly type?:
      | 'focus_export'
      | 'training'
      | 'reprocessing'
      | 'allocation'
      | 'node_hours'
      | 'archive'
      | 'sandbox_reset';
    /** The next_cursor of the previous page. Expires after one hour. Every credential of the tenant with the same residency lane may use it */
    readonly cursor?: string;
    /** Page size. Default: 50 */
    readonly limit?: number;
  },
  options?: CallOptions,
): Collection<JobPage> => collect(client, { method: 'GET', path: '/api/v1/jobs', query }, options);

/** Read the state, progress and result of a job. */
export const getJob = (
  client: Client,
  job_id: string,
  options?: CallOptions,
): Promise<ExportJobWithFiles | BackgroundJob> =>
  send(client, { method: 'GET', path: `/api/v1/jobs/${encodeURIComponent(job_id)}` }, options);

/** Read the live traffic and the newest reset of a sandbox. */
export const getSandbox = (client: Client, options?: CallOptions): Promise<Sandbox> =>
  send(client, { method: 'GET', path: '/api/v1/sandbox' }, options);

/** Switch the live traffic of a sandbox on or off. */
export const updateSandbox = (client: Client, body: SandboxChange, options?: CallOptions): Promise<Sandbox> =>
  send(client, { method: 'PATCH', path: '/api/v1/sandbox', body }, options);

/** Delete the data of a sandbox and load the synthetic data set. */
export const resetSandbox = (
  client: Client,
  body?: SandboxResetRequest,
  options?: CallOptions,
): Promise<Sandbox> => send(client, { method: 'POST', path: '/api/v1/sandbox/reset', body }, options);

/** Read who the caller is. */
export const getCaller = (client: Client, options?: CallOptions): Promise<Caller> =>
  send(client, { method: 'GET', path: '/api/v1/me' }, options);

/** Add a user to the tenant. */
export const createUser = (client: Client, body: UserRequest, options?: CallOptions): Promise<User> =>
  send(client, { method: 'POST', path: '/api/v1/users', body }, options);

/** List users by e-mail address. */
export const listUsers = (
  client: Client,
  query?: {
    /** The next_cursor of the previous page. Expires after one hour. Every credential of the tenant with the same residency lane may use it */
    readonly cursor?: string;
    /** Page size. Default: 50 */
    readonly limit?: number;
  },
  options?: CallOptions,
): Collection<UserPage> => collect(client, { method: 'GET', path: '/api/v1/users', query }, options);

/** Read one user. */
export const getUser = (client: Client, id: string, options?: CallOptions): Promise<User> =>
  send(client, { method: 'GET', path: `/api/v1/users/${encodeURIComponent(id)}` }, options);

/** Change the role of a user. */
export const updateUser = (
  client: Client,
  id: string,
  body: UserChange,
  options?: CallOptions,
): Promise<User> =>
  send(client, { method: 'PUT', path: `/api/v1/users/${encodeURIComponent(id)}`, body }, options);

/** Remove a user from the tenant with immediate effect. */
export const removeUser = (client: Client, id: string, options?: CallOptions): Promise<void> =>
  send(client, { method: 'DELETE', path: `/api/v1/users/${encodeURIComponent(id)}` }, options);

/** Create an API key. */
export const createApiKey = (
  client: Client,
  body: ApiKeyRequest,
  options?: CallOptions,
): Promise<ApiKeyWithSecret> => send(client, { method: 'POST', path: '/api/v1/api-keys', body }, options);

/** List API keys, newest first. */
export const listApiKeys = (
  client: Client,
  query?: {
    /** The next_cursor of the previous page. Expires after one hour. Every credential of the tenant with the same residency lane may use it */
    readonly cursor?: string;
    /** Page size. Default: 50 */
    readonly limit?: number;
  },
  options?: CallOptions,
): Collection<ApiKeyPage> => collect(client, { method: 'GET', path: '/api/v1/api-keys', query }, options);

/** Read one API key. */
export const getApiKey = (client: Client, id: string, options?: CallOptions): Promise<ApiKey> =>
  send(client, { method: 'GET', path: `/api/v1/api-keys/${encodeURIComponent(id)}` }, options);

/** Revoke an API key with immediate effect. */
export const revokeApiKey = (client: Client, id: string, options?: CallOptions): Promise<void> =>
  send(client, { method: 'DELETE', path: `/api/v1/api-keys/${encodeURIComponent(id)}` }, options);

/** Replace the secret of an API key. */
export const rotateApiKey = (
  client: Client,
  id: string,
  body?: ApiKeyRotation,
  options?: CallOptions,
): Promise<ApiKeyWithSecret> =>
  send(client, { method: 'POST', path: `/api/v1/api-keys/${encodeURIComponent(id)}/rotate`, body }, options);

/** Register an OAuth client. */
export const createOAuthClient = (
  client: Client,
  body: OAuthClientRequest,
  options?: CallOptions,
): Promise<OAuthClientWithSecret> =>
  send(client, { method: 'POST', path: '/api/v1/oauth-clients', body }, options);

/** List OAuth clients, newest first. */
export const listOAuthClients = (
  client: Client,
  query?: {
    /** The next_cursor of the previous page. Expires after one hour. Every credential of the tenant with the same residency lane may use it */
    readonly cursor?: string;
    /** Page size. Default: 50 */
    readonly limit?: number;
  },
  options?: CallOptions,
): Collection<OAuthClientPage> =>
  collect(client, { method: 'GET', path: '/api/v1/oauth-clients', query }, options);

/** Read one OAuth client. */
export const getOAuthClient = (client: Client, id: string, options?: CallOptions): Promise<OAuthClient> =>
  send(client, { method: 'GET', path: `/api/v1/oauth-clients/${encodeURIComponent(id)}` }, options);

/** Delete an OAuth client and invalidate its tokens. */
export const deleteOAuthClient = (client: Client, id: string, options?: CallOptions): Promise<void> =>
  send(client, { method: 'DELETE', path: `/api/v1/oauth-clients/${encodeURIComponent(id)}` }, options);

/** Replace the secret of an OAuth client. */
export const rotateOAuthClient = (
  client: Client,
  id: string,
  body?: RotationRequest,
  options?: CallOptions,
): Promise<OAuthClientWithSecret> =>
  send(
    client,
    { method: 'POST', path: `/api/v1/oauth-clients/${encodeURIComponent(id)}/rotate`, body },
    options,
  );

/** Authorization server metadata (RFC 8414). */
export const getDiscovery = (client: Client, options?: CallOptions): Promise<AuthorizationServerMetadata> =>
  send(client, { method: 'GET', path: '/.well-known/oauth-authorization-server' }, options);

/** Public keys that verify access tokens (RFC 7517). */
export const getJwks = (client: Client, options?: CallOptions): Promise<Jwks> =>
  send(client, { method: 'GET', path: '/.well-known/jwks.json' }, options);

/** Get an access token (RFC 6749): client_credentials, authorization_code or refresh_token. */
export const issueToken = (
  client: Client,
  body: TokenRequest,
  options?: CallOptions,
): Promise<TokenResponse> =>
  send(client, { method: 'POST', path: '/v1/oauth/token', body, form: true }, options);

/** Revoke a token with immediate effect (RFC 7009). */
export const revokeToken = (
  client: Client,
  body: RevocationRequest,
  options?: CallOptions,
): Promise<Revoked> => send(client, { method: 'POST', path: '/v1/oauth/revoke', body, form: true }, options);

/** List audit log entries. */
export const listAuditLog = (
  client: Client,
  query?: {
    /** The next_cursor of the previous page. Expires after one hour. Every credential of the tenant with the same residency lane may use it */
    readonly cursor?: string;
    /** Page size. Default: 50 */
    readonly limit?: number;
    /** Default: -at (newest first) */
    readonly sort?: 'at' | '-at';
    readonly action?: AuditAction;
    /** Id of the API key, OAuth client or user that made the request */
    readonly actor?: string;
    /** Id of the affected resource */
    readonly resource?: string;
    readonly outcome?: 'succeeded' | 'refused';
    readonly 'at[gt]'?: DayOrInstant;
    readonly 'at[gte]'?: DayOrInstant;
    readonly 'at[lt]'?: DayOrInstant;
    readonly 'at[lte]'?: DayOrInstant;
  },
  options?: CallOptions,
): Collection<AuditPage> => collect(client, { method: 'GET', path: '/api/v1/audit-log', query }, options);

/** Check that the service is running. */
export const getHealth = (client: Client, options?: CallOptions): Promise<Health> =>
  send(client, { method: 'GET', path: '/healthz' }, options);

/** Check that all dependencies of the service are available. */
export const getReadiness = (client: Client, options?: CallOptions): Promise<Readiness> =>
  send(client, { method: 'GET', path: '/readyz' }, options);

/** Read the OpenAPI 3.1 document of this API. */
export const getOpenapi = (
  client: Client,
  options?: CallOptions,
): Promise<{
  readonly openapi: string;
}> => send(client, { method: 'GET', path: '/openapi.json' }, options);

/** Read the API as a Postman collection. */
export const getPostman = (
  client: Client,
  options?: CallOptions,
): Promise<{
  readonly info: {
    readonly schema: string;
  };
}> => send(client, { method: 'GET', path: '/postman.json' }, options);

/** Read the changes of the API between its releases. */
export const getChangelog = (client: Client, options?: CallOptions): Promise<ContractChangelog> =>
  send(client, { method: 'GET', path: '/changelog.json' }, options);

/** List all error codes. */
export const listErrors = (client: Client, options?: CallOptions): Promise<ErrorCatalogue> =>
  send(client, { method: 'GET', path: '/errors' }, options);

/** Read the cause and the remedy of an error code. */
export const getErrorPage = (client: Client, slug: string, options?: CallOptions): Promise<ErrorPage> =>
  send(client, { method: 'GET', path: `/errors/${encodeURIComponent(slug)}` }, options);

/** Read what a notification means and how to read it in the API. */
export const getNotificationPage = (
  client: Client,
  type: string,
  options?: CallOptions,
): Promise<NotificationHelp> =>
  send(client, { method: 'GET', path: `/notifications/${encodeURIComponent(type)}` }, options);
