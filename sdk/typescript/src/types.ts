// Written by `npm run sdk` from the OpenAPI document. Do not edit.

export type InvocationEvent = {
  /** Unique for each event and the same on every retry. Each event_id creates exactly one record */
  readonly event_id: string;
  /** What event_id follows from, with the prefix of that id, if the source has no event ids. Another observer may report the call under another event_id, so it may be recognised by what is observed. Absent: event_id alone identifies the call */
  readonly id_basis?: string;
  /** Further ids of the call at its provider or gateway, such as that of the request beside that of the response. Events of different observers that share one report one call */
  readonly call_ids?: readonly string[];
  /** Capture layer */
  readonly ingestion_layer: string;
  /** When the capture layer observed the call */
  readonly ingestion_timestamp: Timestamp;
  readonly provider: string;
  readonly requested_model: string;
  /** The model that served the call, if it differs from requested_model */
  readonly served_model?: string;
  /** OpenTelemetry GenAI operation name */
  readonly operation?: string;
  /** When the call was made. Default: ingestion_timestamp */
  readonly occurred_at?: Timestamp;
  /** Set by the service: the time by the clock of the producer, if the arrival replaced it */
  readonly reported_time?: Timestamp;
  /** Cloud region that the call was sent to, or the area in which its data stay (us, eu, global). It decides the price */
  readonly region?: string;
  /** Cloud region that ran the call, if it is not region. It decides the grid, and region the price */
  readonly inference_region?: string;
  /** Host that the call was sent to. It tells which own nodes ran the call */
  readonly server_address?: string;
  /** All input tokens, including cached tokens */
  readonly input_tokens?: number;
  /** Input tokens if the source counts cached tokens or others beside them. Only if that is unknown: the cost is then a range */
  readonly input_tokens_high?: number;
  /** Part of input_tokens read from a cache */
  readonly cached_input_tokens?: number;
  /** Part of input_tokens written to a cache */
  readonly cache_write_tokens?: number;
  /** Part of cache_write_tokens that the cache keeps for an hour, which costs more than a shorter time */
  readonly cache_write_1h_tokens?: number;
  /** Part of input_tokens that is audio */
  readonly audio_input_tokens?: number;
  /** Part of audio_input_tokens read from a cache */
  readonly cached_audio_input_tokens?: number;
  /** Part of input_tokens that is images */
  readonly image_input_tokens?: number;
  /** All output tokens, including reasoning */
  readonly output_tokens?: number;
  /** Output tokens if the source counts reasoning beside them, or with the tokens that only its total has. Only if that is unknown: the cost is then a range */
  readonly output_tokens_high?: number;
  /** Part of output_tokens used for reasoning */
  readonly reasoning_tokens?: number;
  /** Part of output_tokens that is audio */
  readonly audio_output_tokens?: number;
  /** Part of output_tokens that is images */
  readonly image_output_tokens?: number;
  /** Web searches that the provider ran for the call and charges for */
  readonly web_searches?: number;
  /** Searches of files or vector stores that the provider ran for the call and charges for */
  readonly file_searches?: number;
  /** Sessions or runs of a code interpreter that the provider charges for */
  readonly code_executions?: number;
  /** Searches of a rerank model */
  readonly rerank_searches?: number;
  /** Seconds of audio that were read or generated */
  readonly audio_seconds?: number;
  /** Seconds of video that were read or generated */
  readonly video_seconds?: number;
  /** Generated images */
  readonly images?: number;
  /** Pages of documents that were read */
  readonly pages?: number;
  /** Characters of speech that was generated */
  readonly characters?: number;
  /** Names of counts for which an event has no member, each with its count if it is known (`video_tokens=1200`). They can set a price, so the cost is a range */
  readonly unread_usage?: readonly string[];
  /** Tier that served the call */
  readonly service_tier?: string;
  /** True if a stored response was read. The event completes the record of its event_id, and never makes one */
  readonly retrieval?: boolean;
  /** True if a batch API served the call */
  readonly batch?: boolean;
  /** Cost that the producer reports. Takes precedence over the price catalogue. A 0 for a call with usage counts only from a provider, for a failed call, or for a model that ends in :free */
  readonly estimated_cost_usd?: DecimalString;
  /** Name of a cost that may not be USD */
  readonly unread_cost?: string;
  /** Who determined the reported cost. provider: who charges for the call, exactly. estimate, as without this member: a client, from a price list. The cost is then a range with the list price, and a contract price takes precedence */
  readonly cost_source?: 'provider' | 'estimate';
  /** How the call is paid. Default: metered, or provisioned for a service_tier of prepaid capacity. A call that is not metered costs nothing unless a contract price names its mode; `explanation.cost.list_price_usd` is its worth */
  readonly billing_mode?: BillingMode;
  readonly cost_breakdown?: {
    readonly input?: DecimalString;
    readonly cached_input?: DecimalString;
    readonly cache_write?: DecimalString;
    readonly output?: DecimalString;
    readonly request?: DecimalString;
  };
  /** Energy that the producer measured. Takes precedence over the estimate, unless the usage cannot explain it */
  readonly energy_wh?: DecimalString;
  /** Carbon that the producer reports. Takes precedence over the estimate, unless the usage cannot explain it */
  readonly carbon_gco2e?: DecimalString;
  readonly latency_ms?: number;
  /** Who pays */
  readonly attributed_identity?: string;
  /** The person who uses the feature. The owner is another, unless a mapping names one */
  readonly end_user?: string;
  readonly attributed_service?: string;
  /** Confidence of the producer in attributed_identity and attributed_service. Values above 0.95 are reduced to 0.95 */
  readonly attribution_confidence?: number;
  readonly trace_id?: string;
  readonly span_id?: string;
  readonly parent_span_id?: string;
  /** Set by the service: the nearest span above that its export does not have, if spans without a call of their own lie between. Default: parent_span_id */
  readonly caller_span_id?: string;
  /** Set by the service: spans below this one that report no call */
  readonly covered_span_ids?: readonly string[];
  readonly k8s_namespace?: string;
  readonly k8s_workload?: string;
  readonly k8s_cluster?: string;
  readonly spiffe_id?: string;
  /** Name of the provider API key that was billed. Never send the secret */
  readonly api_key_name?: string;
  readonly pathway_category?: PathwayCategory;
  readonly source_system?: string;
  readonly tags?: readonly string[];
  /** Outcome of the call. Default: ok */
  readonly status?: 'ok' | 'error' | 'incomplete';
};

/** RFC 3339 timestamp */
export type Timestamp = string;

/** Non-negative decimal as a string with at most 12 fractional digits */
export type DecimalString = string;

export type BillingMode = 'metered' | 'subscription' | 'free' | 'provisioned';

export type PathwayCategory =
  | 'application_direct'
  | 'gateway_mediated'
  | 'proxy_observed'
  | 'agent_workflow'
  | 'batch_pipeline'
  | 'embedded_saas'
  | 'unknown';

export type InvocationBatch = {
  readonly events: readonly InvocationEvent[];
};

/** ExportTraceServiceRequest of https://opentelemetry.io/docs/specs/otlp/#otlphttp */
export type TraceExport = {
  readonly resourceSpans?: readonly Readonly<Record<string, unknown>>[];
};

/** ExportLogsServiceRequest of https://opentelemetry.io/docs/specs/otlp/#otlphttp */
export type LogExport = {
  readonly resourceLogs?: readonly Readonly<Record<string, unknown>>[];
};

/** ExportMetricsServiceRequest of https://opentelemetry.io/docs/specs/otlp/#otlphttp */
export type MetricExport = {
  readonly resourceMetrics?: readonly Readonly<Record<string, unknown>>[];
};

export type CallLogs = CallLog | readonly CallLog[];

/** A StandardLoggingPayload of LiteLLM, a ModelInvocationLog record of Amazon Bedrock, a message of a CloudWatch Logs subscription, a row of the request-response log of Vertex AI, of ApiManagementGatewayLlmLog or of a table of calls, or a CloudEvent of type ai.inference.completed.v1 */
export type CallLog = Readonly<Record<string, unknown>>;

/** Timestamp, or a date for the whole UTC day */
export type DayOrInstant = string | Timestamp;

/** From 0 to 1, at most 6 digits. Records have at most 0.95 */
export type ConfidenceBound = string;

export type OutputState =
  | 'deterministically_resolved'
  | 'strongly_inferred'
  | 'weakly_inferred'
  | 'allocated'
  | 'manually_overridden'
  | 'unresolved';

/** chargeback_ready from 0.8, provisional from 0.5, else estimated */
export type ConfidenceBand = 'chargeback_ready' | 'provisional' | 'estimated';

/** implausible_cost: the cost waits for a confirmation. node_hour_open: the cost of the own nodes in that hour is not divided yet, or by a use that this call does not report */
export type CostUnknown =
  | 'price_not_found'
  | 'usage_missing'
  | 'usage_inconsistent'
  | 'unsupported_modality'
  | 'out_of_range'
  | 'implausible_cost'
  | 'node_hour_open';

/** At least one of owner and service is required. An omitted one does not change */
export type OverrideRequest = {
  readonly owner?: string;
  readonly service?: string;
  /** Stored with the record and included in the event */
  readonly reason: string;
};

export type DisputeRequest = {
  /** Stored with the record and included in the event */
  readonly reason: string;
  readonly proposed_owner?: string;
  readonly proposed_service?: string;
};

/** At least one of owner and service is required */
export type IdentityMappingRequest = {
  /** Shown in the explanation of every record that the mapping decided */
  readonly name: string;
  /** Mappings are evaluated in ascending order. Default: after the last mapping */
  readonly position?: number;
  /** All of them must match */
  readonly conditions: readonly MappingCondition[];
  /** Owner of the calls that match */
  readonly owner?: string;
  /** Service of the calls that match */
  readonly service?: string;
  /** The mapping applies to calls that occurred at or after this instant. It may be in the past or in the future. Existing records change only when they are reprocessed. Default: now */
  readonly effective_from?: Timestamp;
};

export type MappingCondition = {
  readonly field: MappableField;
  readonly operator: MappingOperator;
  /** At most 128 characters for a glob */
  readonly value: string;
};

/** Event member that the condition reads: identity is attributed_identity, service is attributed_service, tag is any of tags, the others have the same name. An event without the member does not match */
export type MappableField =
  | 'identity'
  | 'end_user'
  | 'service'
  | 'spiffe_id'
  | 'k8s_namespace'
  | 'k8s_workload'
  | 'k8s_cluster'
  | 'api_key_name'
  | 'source_system'
  | 'tag';

/** exact: the whole value; prefix: the start of the value; glob: the whole value, where * matches any characters (also none, also slashes) and ? matches exactly one. All are case-sensitive */
export type MappingOperator = 'exact' | 'prefix' | 'glob';

/** Omitted members do not change (JSON Merge Patch, RFC 7396). The result must be a valid mapping */
export type IdentityMappingPatch = {
  /** Shown in the explanation of every record that the mapping decided */
  readonly name?: string;
  /** Position in the order of evaluation: lower first, equal positions in the order of creation */
  readonly position?: number;
  /** Replaces all conditions */
  readonly conditions?: readonly MappingCondition[];
  /** Null removes the owner */
  readonly owner?: string | null;
  /** Null removes the service */
  readonly service?: string | null;
  /** The mapping applies to calls that occurred at or after this instant. It may be in the past or in the future. Existing records change only when they are reprocessed */
  readonly effective_from?: Timestamp;
};

/** At least one of mapping and replaces is required */
export type IdentityMappingDryRunRequest = {
  readonly mapping?: IdentityMappingRequest;
  /** Id of the mapping that this one replaces. Without mapping, the dry run deletes it */
  readonly replaces?: string;
  /** Start of the period, inclusive. Default: 24 hours before to */
  readonly from?: DayOrInstant;
  /** End of the period, exclusive. Default: now */
  readonly to?: DayOrInstant;
};

export type ReprocessRequest = {
  /** Start of the period, inclusive */
  readonly from: DayOrInstant;
  /** End of the period, exclusive. Default: now */
  readonly to?: DayOrInstant;
};

export type RecallRequest = {
  /** Stored with the model and included in the event */
  readonly reason: string;
};

export type ReportBound = string | Timestamp;

export type SavingDismissalRequest = {
  readonly saving:
    | 'prompt_caching'
    | 'batch'
    | 'replacement_model'
    | 'failed_calls'
    | 'long_context'
    | 'idle_nodes';
  /** Null: no owner. Absent: hidden */
  readonly owner?: string | null;
  /** Null: no service. Absent: hidden */
  readonly service?: string | null;
  readonly provider?: string;
  readonly served_model?: string;
  /** The `model` of `replacement` */
  readonly replacement_model?: string;
  /** Of idle_nodes */
  readonly pool?: string;
  /** Default: group */
  readonly kind?: 'group' | 'folded';
  /** `high_usd` of the suggestion, as it was shown */
  readonly high_usd: DecimalString;
  readonly reason: string;
};

export type AnnotationRequest = {
  /** The day, in UTC */
  readonly date: string;
  /** What happened */
  readonly text: string;
};

export type SavedViewRequest = {
  /** The page of the console */
  readonly page: 'explore' | 'records' | 'savings';
  /** What people call it */
  readonly name: string;
  /** The query of the address of the page, without the question mark. Absent: the page as it opens */
  readonly search?: string;
};

export type BusinessMetricRequest = {
  /** What is counted */
  readonly name: string;
  /** Only the cost of its calls. Null: of all owners */
  readonly owner?: string | null;
  /** Only the cost of its calls. Null: of all services */
  readonly service?: string | null;
  readonly numbers: readonly MetricNumber[];
};

export type MetricNumber = {
  /** A day in the time zone of the tenant */
  readonly date: string;
  /** Null removes the number of the day */
  readonly value: DecimalString | null;
};

export type BudgetRequest = {
  readonly name: string;
  /** Spending limit of a period, in USD */
  readonly ceiling_usd: DecimalString;
  readonly period: BudgetPeriod;
  /** Default: all calls */
  readonly scope?: BudgetScope;
  /** Default: 75, 100, 150 */
  readonly thresholds?: readonly number[];
  /** Default: none */
  readonly forecast_thresholds?: readonly number[];
};

/** Calendar month or quarter, or the last 30 days including today, in the time zone of the tenant */
export type BudgetPeriod = 'month' | 'quarter' | 'rolling_30d';

/** Filters of the calls that count towards the budget. A call must match all of them. An empty scope matches every call */
export type BudgetScope = {
  readonly owner?: string;
  readonly service?: string;
  readonly provider?: string;
  readonly served_model?: string;
  /** Cloud region that served the calls */
  readonly region?: string;
  readonly tags?: BudgetTags;
};

/** A call must carry all of these tags. Totals of a tag are kept from the first budget that names it. Those of earlier calls of the period are added within minutes, and until then the spend lacks them */
export type BudgetTags = readonly string[];

/** Omitted members do not change (JSON Merge Patch, RFC 7396) */
export type BudgetPatch = {
  readonly name?: string;
  /** Spending limit of a period, in USD */
  readonly ceiling_usd?: DecimalString;
  readonly period?: BudgetPeriod;
  /** Replaces the whole scope */
  readonly scope?: BudgetScope;
  /** Replaces all thresholds */
  readonly thresholds?: readonly number[];
  /** Replaces all thresholds */
  readonly forecast_thresholds?: readonly number[];
};

export type AnomalyMuteRequest = {
  /** How long, from now on */
  readonly days: number;
  readonly reason?: string;
};

export type CoverageExpectations = {
  /** A pathway that is left out has no expected layers */
  readonly expectations: readonly {
    readonly pathway_category: PathwayCategory;
    /** Values of ingestion_layer in events */
    readonly layers: readonly string[];
  }[];
};

export type CloudEvents = CloudEvent | readonly CloudEvent[];

/** CloudEvents 1.0, JSON event format */
export type CloudEvent =
  | {
      readonly specversion: '1.0';
      /** source and id identify the event of a credential. A second event with the same pair has no effect */
      readonly id: string;
      /** URI reference of the sender */
      readonly source: string;
      readonly time?: Timestamp;
      readonly subject?: string;
      readonly type: 'discovery.signal';
      readonly data: DiscoverySignal;
    }
  | {
      readonly specversion: '1.0';
      /** source and id identify the event of a credential. A second event with the same pair has no effect */
      readonly id: string;
      /** URI reference of the sender */
      readonly source: string;
      readonly time?: Timestamp;
      readonly subject?: string;
      readonly type: 'connector.health';
      readonly data: ConnectorHealth;
    }
  | {
      readonly specversion: '1.0';
      /** source and id identify the event of a credential. A second event with the same pair has no effect */
      readonly id: string;
      /** URI reference of the sender */
      readonly source: string;
      readonly time?: Timestamp;
      readonly subject?: string;
      readonly type: string;
      readonly data?: unknown;
    };

export type DiscoverySignal = {
  readonly source: 'casb' | 'dns' | 'firewall' | 'admin_api';
  readonly provider: string;
  readonly pathway_category: PathwayCategory;
  readonly first_seen: Timestamp;
  readonly last_seen: Timestamp;
};

export type ConnectorHealth = {
  readonly connector: string;
  readonly status: 'healthy' | 'degraded' | 'failed';
};

export type PartnerHealthReport = {
  readonly status: 'healthy' | 'degraded' | 'failed';
};

export type ExportRequest = {
  readonly format?: 'focus';
  readonly period: {
    /** ISO date (UTC) or instant, inclusive. On a whole minute without read:attribution */
    readonly from: DayOrInstant;
    /** ISO date (UTC) or instant, exclusive. On a whole minute without read:attribution */
    readonly to: DayOrInstant;
  };
  readonly group_by?: ExportGrouping;
  readonly tags?: ExportTags;
  readonly granularity?: Granularity;
  readonly file_format?: 'csv' | 'csv.gz' | 'parquet';
  readonly focus_version?: '1.2' | '1.3' | '1.4' | '1.5-draft';
  readonly cost_mode?: CostMode;
  readonly columns?: ExportColumns;
  /** Reader of CSV. program: original text */
  readonly consumer?: 'spreadsheet' | 'program';
  readonly importer?: Importer;
  readonly delivery?: ExportDeliveryTarget;
};

/** Fields to group rows by, at most 4. Rows also name provider and model, which determine the price, as far as the usage report of the same period shows them. Groups of fewer than 5 distinct persons are merged into their parent group */
export type ExportGrouping = readonly (
  | 'owner'
  | 'service'
  | 'provider'
  | 'served_model'
  | 'pathway_category'
  | 'region'
)[];

/** Cost allocation tags (env) to group by too */
export type ExportTags = readonly string[];

/** Time that one row covers, in UTC. record: one row or more for each call */
export type Granularity = 'record' | 'hour' | 'day' | 'month';

/** chargeback: a complete internal bill, not to be summed with files of vendors. showback: BilledCost and EffectiveCost are zero and the cost is in ListCost and ContractedCost, so it can be loaded beside them */
export type CostMode = 'chargeback' | 'showback';

/** Columns to deliver. The file has its own column order. Default: all columns */
export type ExportColumns = readonly string[];

/** Delivers the columns that this product imports. Only for chargeback, FOCUS 1.4 and CSV */
export type Importer = 'vantage' | 'datadog' | 'cloudzero';

/** Puts the files into a bucket of yours too. The export covers one UTC month, or its part up to now */
export type ExportDeliveryTarget = {
  /** The export destination */
  readonly destination_id: string;
  /** The folder of the report below the location of the destination. One name for one report */
  readonly name: string;
};

export type ExportScheduleRequest = {
  readonly every: ScheduleEvery;
  readonly request: ExportTerms;
};

/** day: a daily export of the month so far, up to the last midnight. month: an export of each month after its end. Both run from 03:00 UTC */
export type ScheduleEvery = 'day' | 'month';

export type ExportTerms = {
  readonly format?: 'focus';
  readonly group_by?: ExportGrouping;
  readonly tags?: ExportTags;
  readonly granularity?: Granularity;
  readonly file_format?: 'csv' | 'csv.gz' | 'parquet';
  readonly focus_version?: '1.2' | '1.3' | '1.4' | '1.5-draft';
  readonly cost_mode?: CostMode;
  readonly columns?: ExportColumns;
  /** Reader of CSV. program: original text */
  readonly consumer?: 'spreadsheet' | 'program';
  readonly importer?: Importer;
  readonly delivery?: ExportDeliveryTarget;
};

/** The members to replace. `request` is replaced as a whole */
export type ExportScheduleChange = {
  readonly every?: ScheduleEvery;
  readonly request?: ExportTerms;
};

export type ExportDestinationRequest = {
  readonly name: string;
  /** The bucket, and the prefix of all objects that the service puts */
  readonly location: string;
  /** The AWS Region of the bucket */
  readonly region: string;
  /** An IAM role of the account of the bucket that may put objects below the location. Its name begins with attribution-exports- */
  readonly role_arn: string;
};

export type ExportDestinationChange = {
  readonly name: string;
};

/** All contract prices. Entries that are not sent are removed */
export type ContractPricesChange = {
  readonly prices: readonly ContractPrice[];
};

export type ContractPrice = {
  readonly provider: string;
  readonly model: string;
  readonly from: Timestamp;
  readonly region?: string;
  readonly billing_mode?: BillingMode;
  readonly input?: UnitPrice;
  readonly cached_input?: UnitPrice;
  readonly cache_write?: UnitPrice;
  /** Cache writes kept for an hour. `cache_write`: for a shorter time */
  readonly cache_write_1h?: UnitPrice;
  readonly output?: UnitPrice;
  readonly reasoning?: UnitPrice;
  readonly audio_input?: UnitPrice;
  readonly cached_audio_input?: UnitPrice;
  readonly audio_output?: UnitPrice;
  readonly image_input?: UnitPrice;
  readonly cached_image_input?: UnitPrice;
  readonly image_output?: UnitPrice;
  readonly request?: UnitPrice;
  /** Web searches that the provider ran for a call */
  readonly search?: UnitPrice;
  /** Searches of files or vector stores that the provider ran */
  readonly file_search?: UnitPrice;
  /** Sessions or runs of a code interpreter of the provider */
  readonly code_execution?: UnitPrice;
  /** Searches of a rerank model */
  readonly rerank_search?: UnitPrice;
  /** Seconds of audio that were read or generated */
  readonly audio_second?: UnitPrice;
  /** Seconds of video */
  readonly video_second?: UnitPrice;
  /** Generated images */
  readonly image?: UnitPrice;
  /** Pages of documents */
  readonly page?: UnitPrice;
  /** Characters, for speech */
  readonly character?: UnitPrice;
  /** Prices of calls with a long context */
  readonly bands?: readonly PriceBand[];
  /** Prices of the batch interface */
  readonly batch?: TierPrices;
  /** Prices of the service tier `flex` */
  readonly flex?: TierPrices;
  /** Prices of the service tier `priority` */
  readonly priority?: TierPrices;
  readonly source?: string;
};

export type UnitPrice = string;

export type PriceBand = {
  /** The prices apply to all tokens of a call that reads more tokens than this. Cached tokens count as read */
  readonly above_tokens: number;
  readonly input?: UnitPrice;
  readonly cached_input?: UnitPrice;
  readonly cache_write?: UnitPrice;
  /** Cache writes kept for an hour. `cache_write`: for a shorter time */
  readonly cache_write_1h?: UnitPrice;
  readonly output?: UnitPrice;
  readonly reasoning?: UnitPrice;
  readonly audio_input?: UnitPrice;
  readonly cached_audio_input?: UnitPrice;
  readonly audio_output?: UnitPrice;
  readonly image_input?: UnitPrice;
  readonly cached_image_input?: UnitPrice;
  readonly image_output?: UnitPrice;
  readonly request?: UnitPrice;
  /** Web searches that the provider ran for a call */
  readonly search?: UnitPrice;
  /** Searches of files or vector stores that the provider ran */
  readonly file_search?: UnitPrice;
  /** Sessions or runs of a code interpreter of the provider */
  readonly code_execution?: UnitPrice;
  /** Searches of a rerank model */
  readonly rerank_search?: UnitPrice;
  /** Seconds of audio that were read or generated */
  readonly audio_second?: UnitPrice;
  /** Seconds of video */
  readonly video_second?: UnitPrice;
  /** Generated images */
  readonly image?: UnitPrice;
  /** Pages of documents */
  readonly page?: UnitPrice;
  /** Characters, for speech */
  readonly character?: UnitPrice;
};

/** Prices of a service tier. A kind or band that they leave out costs as much more or less than the standard price as the kind that contains it */
export type TierPrices = {
  readonly input?: UnitPrice;
  readonly cached_input?: UnitPrice;
  readonly cache_write?: UnitPrice;
  /** Cache writes kept for an hour. `cache_write`: for a shorter time */
  readonly cache_write_1h?: UnitPrice;
  readonly output?: UnitPrice;
  readonly reasoning?: UnitPrice;
  readonly audio_input?: UnitPrice;
  readonly cached_audio_input?: UnitPrice;
  readonly audio_output?: UnitPrice;
  readonly image_input?: UnitPrice;
  readonly cached_image_input?: UnitPrice;
  readonly image_output?: UnitPrice;
  readonly request?: UnitPrice;
  /** Web searches that the provider ran for a call */
  readonly search?: UnitPrice;
  /** Searches of files or vector stores that the provider ran */
  readonly file_search?: UnitPrice;
  /** Sessions or runs of a code interpreter of the provider */
  readonly code_execution?: UnitPrice;
  /** Searches of a rerank model */
  readonly rerank_search?: UnitPrice;
  /** Seconds of audio that were read or generated */
  readonly audio_second?: UnitPrice;
  /** Seconds of video */
  readonly video_second?: UnitPrice;
  /** Generated images */
  readonly image?: UnitPrice;
  /** Pages of documents */
  readonly page?: UnitPrice;
  /** Characters, for speech */
  readonly character?: UnitPrice;
  /** Prices of calls with a long context */
  readonly bands?: readonly PriceBand[];
};

/** All pools. Those that are not sent are removed */
export type NodePoolsChange = {
  readonly pools: readonly NodePool[];
};

export type NodePool = {
  readonly name: string;
  readonly serves: readonly {
    /** As the events name it */
    readonly provider: string;
    /** A model id, or a prefix that ends in * */
    readonly model: string;
    /** Only calls with this region */
    readonly region?: string;
    /** Only calls to this host (server_address), whatever client made them */
    readonly host?: string;
  }[];
  readonly rates: readonly {
    /** First UTC hour with this rate. It holds until the next one */
    readonly from: Timestamp;
    /** Cost of one node for an hour, in USD */
    readonly node_hour_usd: DecimalString;
    /** 0: the pool does not run */
    readonly nodes: number;
    /** Mean electric power of one node with its cooling, measured or stated. The energy of the nodes is then divided as their cost */
    readonly node_watts?: DecimalString;
  }[];
  /** Measured work of a token, relative to the others. Without it, an output token counts as four input tokens and a cached one as a tenth, and the cost is a range */
  readonly weights?: {
    readonly input: DecimalString;
    readonly cached_input: DecimalString;
    readonly output: DecimalString;
  };
};

/** A UTC day: a date, or the instant at which it starts */
export type UtcDay = string;

export type Bills = {
  /** Without it, the rows are merged */
  readonly delivery?: DeclaredBillDelivery;
  /** Ends the delivery. Default: false */
  readonly complete?: boolean;
  /** true: one row that cannot be read refuses all with VALIDATION_FAILED. Default: false */
  readonly atomic?: boolean;
  /** Needed for rows in another currency than USD that state no rate. A row takes the rates of its first day, or the newest of the 7 days before */
  readonly exchange_rates?: ExchangeRates;
  readonly rows: readonly BillRow[];
};

export type DeclaredBillDelivery = {
  /** Your id of the delivery */
  readonly id: string;
  /** The provider that bills, in any spelling */
  readonly provider: string;
  /** Its BillingAccountId. Default: those that its rows name; if one names none, or without rows, the whole provider */
  readonly account?: string;
  /** The first UTC day of its charges */
  readonly from: UtcDay;
  /** Exclusive. At most 366 days after from */
  readonly to: UtcDay;
  /** Number of the request. Needed only if two requests have equal rows: without it, the second counts as a retry. A page that is sent again replaces the earlier one */
  readonly page?: number;
};

export type ExchangeRates = {
  /** Who published the rates */
  readonly source: string;
  /** The currency whose unit the rates are for */
  readonly base: string;
  /** Units of each currency for one unit of the base, by day */
  readonly rates: Readonly<Record<string, Readonly<Record<string, string>>>>;
};

export type BillRow = {
  readonly BilledCost: BilledAmount;
  /** USD, or a currency whose rate the request or the row states */
  readonly BillingCurrency: string;
  /** FOCUS 1.3 and later */
  readonly ServiceProviderName?: string | null;
  /** FOCUS before 1.3 */
  readonly ProviderName?: string | null;
  readonly ChargePeriodStart: Timestamp;
  /** Exclusive. Of usage: on the same UTC day. Other charges count on their first day */
  readonly ChargePeriodEnd: Timestamp;
  /** Default: Usage. Other categories are summed separately and not compared */
  readonly ChargeCategory?: 'Usage' | 'Purchase' | 'Tax' | 'Credit' | 'Adjustment' | null;
  /** Without it, the row is of the whole provider */
  readonly BillingAccountId?: BillIdentifier;
  /** The model, if the bill names it */
  readonly x_Model?: string | null;
  /** The model, under the column name of FOCUS exports of this service */
  readonly x_ServedModelId?: string | null;
  /** Used as the model if x_Model is missing, unless it is an id without a name */
  readonly SkuId?: BillIdentifier;
  /** Used as the model if SkuId is also missing */
  readonly ResourceId?: BillIdentifier;
  /** Names the model of a product of AWS Marketplace */
  readonly ServiceName?: BillIdentifier;
  readonly ConsumedQuantity?: BilledAmount | null;
  readonly ConsumedUnit?: BillIdentifier;
  /** Names the model on bills of AWS, Azure and Google */
  readonly SkuMeter?: BillIdentifier;
  /** The meter at Azure */
  readonly x_SkuMeterName?: BillIdentifier;
  /** The product of the meter at Azure, which can name the family */
  readonly x_SkuMeterSubcategory?: BillIdentifier;
  /** The meter at AWS */
  readonly x_UsageType?: BillIdentifier;
  readonly SkuPriceId?: BillIdentifier;
  readonly SubAccountId?: BillIdentifier;
  readonly RegionId?: BillIdentifier;
  readonly PricingCategory?: BillIdentifier;
  /** Correction: adds to the row of an earlier bill */
  readonly ChargeClass?: 'Correction' | null;
  /** Tells corrections apart */
  readonly BillingPeriodStart?: Timestamp | null;
  /** Used as the meter on bills of Google, if that names no model */
  readonly ChargeDescription?: string | null;
  /** Units of the currency for one of the pricing currency at Azure. Used without a rate in exchange_rates, if that is USD */
  readonly x_BillingExchangeRate?: BilledAmount | null;
  readonly x_BillingExchangeRateDate?: Timestamp | null;
  readonly PricingCurrency?: string | null;
  /** FOCUS before 1.2 */
  readonly x_PricingCurrency?: string | null;
  /** Units of the currency for one US dollar at Google. Used without a rate in exchange_rates */
  readonly x_CurrencyConversionRate?: BilledAmount | null;
  /** Not used */
  readonly InvoiceDetailId?: BillIdentifier;
  /** Your id of the purchase */
  readonly x_RowId?: BillIdentifier;
};

/** Decimal as a string, also 1.2E-7. Stored with 18 fractional digits, rounded half to even */
export type BilledAmount = string;

export type BillIdentifier = string | null;

export type BillSourceRequest = {
  readonly provider: BillProvider;
  readonly name: string;
  /** An admin API key of OpenAI or Anthropic that may read costs. It is stored encrypted and cannot be read again */
  readonly credential?: string;
  /** Your name for the account at the provider. It stands for the one that the provider reports, if it reports none. Required only to import several accounts of one provider: each source then names its own */
  readonly account?: string;
  /** Required for aws, and for it only */
  readonly data_export?: DataExport;
  /** Needed if the provider bills in another currency than USD. A day takes its rates, or the newest of the 7 days before */
  readonly exchange_rates?: ExchangeRates;
};

export type BillProvider = 'openai' | 'anthropic' | 'aws';

export type DataExport = {
  readonly location: DataExportLocation;
  /** The AWS Region of the bucket */
  readonly region: string;
  /** An IAM role of your account that may read the export. Its name begins with attribution-bills- */
  readonly role_arn: string;
};

/** The bucket, the S3 path prefix and the name of the export */
export type DataExportLocation = string;

/** Omitted members do not change (JSON Merge Patch, RFC 7396) */
export type BillSourcePatch = {
  readonly name?: string;
  /** Replaces the credential */
  readonly credential?: string;
  /** Replaces the export of a source of aws */
  readonly data_export?: DataExport;
  /** Replaces the rates. Days that are imported keep theirs; days that lack one are tried again */
  readonly exchange_rates?: ExchangeRates;
  /** true stops the imports. false resumes them */
  readonly paused?: boolean;
};

export type PeriodReopening = {
  /** For the audit log and the event period.reopened */
  readonly reason: string;
};

export type WebhookRequest = {
  readonly url: WebhookUrl;
  /** The event types that the endpoint receives */
  readonly events: readonly WebhookEventType[];
  readonly description?: string;
  /** The most events in one request. Default: 1, and the body is the event. Above 1 the body is a list of events with at most 256 KiB, as the tag Webhook events describes. A change applies to requests that are sent afterwards. */
  readonly max_batch_size?: number;
};

/** The URL that events are posted to. It must use https on port 443 or 8443, resolve to public addresses only, and contain no user information or fragment. */
export type WebhookUrl = string;

export type WebhookEventType =
  | 'apikey.rotated'
  | 'attribution.materialized'
  | 'attribution.override.applied'
  | 'attribution.disputed'
  | 'cost.implausible'
  | 'degradation.state.changed'
  | 'coverage.degraded'
  | 'coverage.restored'
  | 'connector.health.changed'
  | 'bill_source.health.changed'
  | 'budget.threshold.crossed'
  | 'budget.forecast.crossed'
  | 'export.completed'
  | 'export.failed'
  | 'export.delivered'
  | 'export.delivery.failed'
  | 'period.closed'
  | 'period.reopened'
  | 'anomaly.detected'
  | 'webhook.disabled';

/** Omitted members do not change (JSON Merge Patch, RFC 7396) */
export type WebhookPatch = {
  readonly url?: WebhookUrl;
  /** Replaces the whole list */
  readonly events?: readonly WebhookEventType[];
  readonly description?: string | null;
  /** The most events in one request. Default: 1, and the body is the event. Above 1 the body is a list of events with at most 256 KiB, as the tag Webhook events describes. A change applies to requests that are sent afterwards. */
  readonly max_batch_size?: number;
  /** false pauses the deliveries, true resumes them within 15 minutes. Of a verified endpoint, what is due or raised during the pause is kept for 24 hours; what is older is in the delivery log as dead_lettered with the failure paused, and can be replayed for 30 days. Events that are raised while an endpoint is pending, as after a change of its URL, are not sent: replay their time range */
  readonly enabled?: boolean;
};

export type WebhookAnswer = {
  /** The challenge that the receiver got. If omitted, a new challenge is sent */
  readonly challenge?: string;
};

export type WebhookRotation = {
  /** How long deliveries are signed with both secrets. Default: 86400. Use 0 if the old secret has leaked */
  readonly overlap_seconds?: number;
};

export type WebhookTest = {
  readonly type: WebhookEventType;
};

export type WebhookReplay =
  | {
      /** One event, of any type */
      readonly event_id: string;
    }
  | {
      /** Start of the time range, inclusive, by creation time of the events */
      readonly from: DayOrInstant;
      /** End of the time range, exclusive */
      readonly to: DayOrInstant;
    };

export type NotifiableEventType =
  | 'anomaly.detected'
  | 'bill_source.health.changed'
  | 'budget.forecast.crossed'
  | 'budget.threshold.crossed'
  | 'cost.implausible'
  | 'coverage.degraded'
  | 'degradation.state.changed'
  | 'export.delivery.failed'
  | 'export.failed'
  | 'webhook.disabled';

export type ReadMark = {
  /** Notifications created up to this time are read */
  readonly until: Timestamp;
};

export type ReportSubscriptionRequest = {
  /** week: from Monday to Sunday. month: a calendar month. Both in the time zone of the tenant, and sent after their end */
  readonly every: 'week' | 'month';
  /** email: to the recipient. chat: to the chat of the notification channels */
  readonly channel: 'email' | 'chat';
  /** Only its calls. Default: null, the whole tenant */
  readonly owner?: string | null;
  /** Id of the user who gets the e-mail. Default: the user who calls. Another one needs admin:config */
  readonly recipient?: string;
};

/** Omitted members do not change */
export type TenantChange = {
  readonly residency?: ResidencyLanes;
  /** Maximum lifetime of a new API key in days */
  readonly key_lifetime_days?: number;
  readonly stage_b?: StageB;
  readonly cost_allocation_tags?: TagKeys;
  /** IANA time zone of days and months in reports and budgets. Default: UTC. A change applies at once, also to earlier calls */
  readonly time_zone?: string;
  /** A higher cost of one call is set aside until it is confirmed. Null: only what the usage cannot explain */
  readonly largest_reported_cost_usd?: DecimalString | null;
  /** How cost without an owner is allocated after each UTC day: proportional to attributed spend (default), evenly, by fixed shares, or not at all. Allocated cost is never part of a chargeback */
  readonly allocation?: AllocationPolicy;
  readonly notifications?: NotificationChannelsChange;
};

/** Data-residency lanes. The first one is the home lane: it holds data sent by credentials without a lane. A record never changes its lane */
export type ResidencyLanes = readonly string[];

/** Whether trained models attribute calls that the rules cannot resolve. If disabled, these records stay unresolved with degradation_state disabled. Existing records do not change */
export type StageB = 'enabled' | 'disabled';

/** Keys of tags by which the reports can group, such as env for tags like env:prod. A change applies to calls from the next UTC day on. Reports show the values to every caller with read:reporting, so choose no key that names persons */
export type TagKeys = readonly string[];

export type AllocationPolicy =
  | {
      readonly method: 'proportional';
    }
  | {
      readonly method: 'even';
    }
  | {
      readonly method: 'fixed';
      /** The rest up to 1 stays unallocated */
      readonly fixed: readonly {
        readonly owner: string;
        /** Part of the whole as a decimal string: above 0, at most 1 */
        readonly share: string;
      }[];
    }
  | {
      readonly method: 'none';
    };

/** Omitted members keep their value */
export type NotificationChannelsChange = {
  /** The e-mail addresses. An empty list turns e-mail off. */
  readonly email?: readonly string[];
  /** An incoming webhook that accepts {"text": …}, as Slack and others offer. It must use https on port 443 or 8443 and resolve to public addresses only. The URL is a secret: responses mask it, and sending the masked form back keeps it. null turns chat off. */
  readonly chat?: {
    readonly url: string;
  } | null;
  /** The lowest severity that is sent by e-mail and chat. Default: warning. */
  readonly minimum_severity?: 'warning' | 'critical';
};

export type SandboxChange = {
  /** Whether 5 synthetic calls arrive each minute, for the next 7 days */
  readonly live_traffic: boolean;
};

export type SandboxResetRequest = {
  /** Whether 5 synthetic calls arrive each minute, for the next 7 days */
  readonly live_traffic?: boolean;
};

export type UserRequest = {
  /** The address that the identity provider verifies at the sign-in */
  readonly email: string;
  readonly role?: UserRole;
};

/** What the user may do. admin: read:attribution, read:lookup, read:reporting, export:create, webhooks:manage, admin:config, finance:config, ingest:write, partner:connector. finops: read:attribution, read:reporting, export:create, finance:config. engineer: read:attribution, read:lookup, read:reporting, webhooks:manage, ingest:write. viewer: read:reporting */
export type UserRole = 'admin' | 'finops' | 'engineer' | 'viewer';

export type UserChange = {
  readonly role: UserRole;
};

export type ApiKeyRequest = {
  readonly name: string;
  /** Fixed at creation. Must be a subset of the scopes of the creator. */
  readonly scopes: readonly Scope[];
  /** Limited by the key lifetime policy of the tenant. Default: the latest allowed time */
  readonly expires_at?: Timestamp;
  /** Binds the credential to one of the data-residency lanes of the tenant. Default: the lane of the creator */
  readonly residency?: string;
};

export type Scope =
  | 'read:attribution'
  | 'read:lookup'
  | 'read:reporting'
  | 'export:create'
  | 'webhooks:manage'
  | 'admin:config'
  | 'finance:config'
  | 'ingest:write'
  | 'partner:connector';

export type ApiKeyRotation = {
  /** How long the old secret stays valid. Default 0: it becomes invalid at once */
  readonly overlap_seconds?: number;
  /** Limited by the key lifetime policy of the tenant. Default: the present expires_at, or the latest allowed time if that is earlier */
  readonly expires_at?: Timestamp;
};

export type OAuthClientRequest = {
  readonly name: string;
  /** Fixed at creation. Must be a subset of the scopes of the creator. */
  readonly scopes: readonly Scope[];
  /** Default: client_credentials. With redirect_uris the default is authorization_code and refresh_token */
  readonly grant_types?: readonly ('client_credentials' | 'authorization_code' | 'refresh_token')[];
  /** Allowed redirect URIs. Required for authorization_code */
  readonly redirect_uris?: readonly string[];
  /** Default: client_secret_basic, which also allows client_secret_post. none registers a public client */
  readonly token_endpoint_auth_method?: 'client_secret_basic' | 'client_secret_post' | 'none';
  /** Registers the connector of a partner, with the only scope partner:connector: it can send events of these source systems in its lane, and nothing else */
  readonly source_systems?: readonly string[];
  /** Capture layer of the connector. It replaces that of its events, and their pathway follows from it. Only with source_systems. Default: gateway */
  readonly ingestion_layer?: string;
  /** Whether the connector may fill empty parts of records of other source systems. It never replaces what a credential of the tenant stated. Only with source_systems. Default: false */
  readonly fills_other_sources?: boolean;
  /** Binds the credential to one of the data-residency lanes of the tenant. Default: the lane of the creator */
  readonly residency?: string;
};

export type RotationRequest = {
  /** How long the old secret stays valid. Default 0: it becomes invalid at once */
  readonly overlap_seconds?: number;
};

export type TokenRequest = {
  readonly grant_type: 'client_credentials' | 'authorization_code' | 'refresh_token';
  readonly client_id?: string;
  readonly client_secret?: string;
  /** For client_credentials and refresh_token: space-separated scopes of the client or of the grant. Default: all of them */
  readonly scope?: string;
  /** For authorization_code: the code that redirect_uri received */
  readonly code?: string;
  /** For authorization_code: the redirect_uri of the authorization request */
  readonly redirect_uri?: string;
  /** For authorization_code: the PKCE code verifier of the authorization request, 43 to 128 characters */
  readonly code_verifier?: string;
  /** For refresh_token: the latest refresh token of the grant */
  readonly refresh_token?: string;
};

export type RevocationRequest = {
  /** A refresh token or an access token */
  readonly token: string;
  /** Ignored: the service recognises the type of a token */
  readonly token_type_hint?: string;
  readonly client_id?: string;
  readonly client_secret?: string;
};

/** Open enumeration: later versions may add actions */
export type AuditAction =
  | 'api_key.create'
  | 'api_key.rotate'
  | 'api_key.revoke'
  | 'oauth_client.create'
  | 'oauth_client.rotate'
  | 'oauth_client.delete'
  | 'records.read'
  | 'access.denied'
  | 'connector.access'
  | 'connector.send'
  | 'connector.health'
  | 'statement.reject'
  | 'user.sign_in'
  | 'token.revoke'
  | 'token.reuse'
  | 'attribution.override'
  | 'attribution.dispute'
  | 'attribution.confirm_cost'
  | 'identity_mapping.create'
  | 'identity_mapping.update'
  | 'identity_mapping.delete'
  | 'tenant.create'
  | 'tenant.update'
  | 'tenant.prices'
  | 'prices.load'
  | 'tenant.settings'
  | 'tenant.erase'
  | 'person.erase'
  | 'sandbox.reset'
  | 'sandbox.update'
  | 'model.train'
  | 'records.reprocess'
  | 'model.recall'
  | 'coverage.expectations'
  | 'bills.import'
  | 'bills.delete'
  | 'bill_source.create'
  | 'bill_source.update'
  | 'bill_source.delete'
  | 'period.close'
  | 'period.reopen'
  | 'anomaly.mute'
  | 'anomaly.unmute'
  | 'annotation.create'
  | 'annotation.delete'
  | 'saved_view.create'
  | 'saved_view.delete'
  | 'saving.dismiss'
  | 'saving.restore'
  | 'business_metric.write'
  | 'business_metric.delete'
  | 'budget.create'
  | 'budget.update'
  | 'budget.delete'
  | 'webhook.create'
  | 'webhook.update'
  | 'webhook.delete'
  | 'webhook.verify'
  | 'webhook.rotate'
  | 'webhook.test'
  | 'webhook.replay'
  | 'export.create'
  | 'export.cancel'
  | 'export.deliver'
  | 'export_schedule.create'
  | 'export_schedule.update'
  | 'export_schedule.delete'
  | 'report_subscription.create'
  | 'report_subscription.delete'
  | 'export_destination.create'
  | 'export_destination.update'
  | 'export_destination.check'
  | 'export_destination.delete'
  | 'sender.register'
  | 'sender.remove'
  | 'user.register'
  | 'user.update'
  | 'user.remove';

/** Ignore unknown members. */
export type ApikeyRotatedEvent = {
  readonly id: EventId;
  readonly created_at: string;
  readonly tenant_id: string;
  readonly sequence: EventSequence;
  readonly interpretation?: EventInterpretation;
  readonly replayed?: EventReplayed;
  readonly test?: EventTest;
  readonly type: 'apikey.rotated';
  readonly data: ApiKeyRotated;
};

/** The same in every attempt and replay. Use it to discard duplicates. */
export type EventId = string;

/** Strictly increasing for each endpoint, without gaps. The order of the stream: created_at is the time of the cause, and a later event can have an earlier one. */
export type EventSequence = number;

/** How the attribution was determined. Present if the data is an attribution result. */
export type EventInterpretation = {
  readonly stage_origin: 'stage_a' | 'stage_b' | 'stage_c';
  readonly confidence_band: ConfidenceBand;
  readonly degradation_state: DegradationState;
};

/** degraded_serving: the model was unavailable or, of a single record, exceeded its 20 ms for this call. degradation_state of the tenant says whether it is unavailable */
export type DegradationState = 'none' | 'degraded_serving' | 'disabled' | 'model_recalled';

/** Present if the event is a requested replay */
export type EventReplayed = true;

/** Present if the event is a test sample */
export type EventTest = true;

export type ApiKeyRotated = {
  readonly api_key_id: string;
  readonly name: string;
  readonly rotated_at: string;
  readonly previous_secret_valid_until: string | null;
};

/** Ignore unknown members. */
export type AttributionMaterializedEvent = {
  readonly id: EventId;
  readonly created_at: string;
  readonly tenant_id: string;
  readonly sequence: EventSequence;
  readonly interpretation?: EventInterpretation;
  readonly replayed?: EventReplayed;
  readonly test?: EventTest;
  readonly type: 'attribution.materialized';
  readonly data: AttributionMaterialized;
};

/** A record, or a new version of a record after it was attributed again, is available */
export type AttributionMaterialized = {
  readonly invocation_id: string;
  /** Incremented by every override, dispute, re-pricing or re-attribution */
  readonly version: number;
  readonly occurred_at: string;
  readonly provider: string;
  readonly served_model: string;
  readonly owner: string | null;
  readonly service: string | null;
  readonly output_state: OutputState;
  /** Null when the price is unknown, never 0 instead */
  readonly cost_usd: DecimalString | null;
  readonly energy_wh: DecimalString | null;
  readonly carbon_gco2e: DecimalString | null;
  readonly attribution_id: string;
  /** Equals interpretation.confidence */
  readonly confidence: number;
};

/** Ignore unknown members. */
export type AttributionOverrideAppliedEvent = {
  readonly id: EventId;
  readonly created_at: string;
  readonly tenant_id: string;
  readonly sequence: EventSequence;
  readonly interpretation?: EventInterpretation;
  readonly replayed?: EventReplayed;
  readonly test?: EventTest;
  readonly type: 'attribution.override.applied';
  readonly data: AttributionOverrideApplied;
};

export type AttributionOverrideApplied = {
  readonly attribution_id: string;
  readonly invocation_id: string;
  readonly version: number;
  readonly owner: string | null;
  readonly service: string | null;
  readonly by: string;
  /** The reason that the author of the correction gave */
  readonly reason: string;
  readonly override_id: string;
  readonly previous: {
    readonly owner: string | null;
    readonly service: string | null;
  };
  /** The dispute that the override resolved. Null when none was open. */
  readonly dispute_id: string | null;
};

/** Ignore unknown members. */
export type AttributionDisputedEvent = {
  readonly id: EventId;
  readonly created_at: string;
  readonly tenant_id: string;
  readonly sequence: EventSequence;
  readonly interpretation?: EventInterpretation;
  readonly replayed?: EventReplayed;
  readonly test?: EventTest;
  readonly type: 'attribution.disputed';
  readonly data: AttributionDisputed;
};

export type AttributionDisputed = {
  readonly attribution_id: string;
  readonly invocation_id: string;
  readonly version: number;
  readonly owner: string | null;
  readonly service: string | null;
  readonly by: string;
  /** The reason that the author of the correction gave */
  readonly reason: string;
  readonly dispute_id: string;
  readonly proposed_owner: string | null;
  readonly proposed_service: string | null;
};

/** Ignore unknown members. */
export type CostImplausibleEvent = {
  readonly id: EventId;
  readonly created_at: string;
  readonly tenant_id: string;
  readonly sequence: EventSequence;
  readonly interpretation?: EventInterpretation;
  readonly replayed?: EventReplayed;
  readonly test?: EventTest;
  readonly type: 'cost.implausible';
  readonly data: CostImplausible;
};

/** A cost is not counted until it is confirmed. At most one event an hour */
export type CostImplausible = {
  readonly attribution_id: string;
  readonly occurred_at: string;
  readonly reported_cost_usd: DecimalString | null;
  readonly residency: string | null;
};

/** Ignore unknown members. */
export type DegradationStateChangedEvent = {
  readonly id: EventId;
  readonly created_at: string;
  readonly tenant_id: string;
  readonly sequence: EventSequence;
  readonly interpretation?: EventInterpretation;
  readonly replayed?: EventReplayed;
  readonly test?: EventTest;
  readonly type: 'degradation.state.changed';
  readonly data: DegradationStateChanged;
};

export type DegradationStateChanged = {
  readonly previous: DegradationState;
  readonly state: DegradationState;
  readonly reason:
    | 'model_unavailable'
    | 'model_available'
    | 'model_validated'
    | 'model_recalled'
    | 'inference_disabled'
    | 'inference_enabled';
  /** The affected model. Null when there is none. */
  readonly model_version: string | null;
};

/** Ignore unknown members. */
export type CoverageDegradedEvent = {
  readonly id: EventId;
  readonly created_at: string;
  readonly tenant_id: string;
  readonly sequence: EventSequence;
  readonly interpretation?: EventInterpretation;
  readonly replayed?: EventReplayed;
  readonly test?: EventTest;
  readonly type: 'coverage.degraded';
  readonly data: CoverageChange;
};

export type CoverageChange = {
  readonly pathway_category: PathwayCategory;
  readonly previous: CoverageState;
  readonly state: CoverageState;
  /** Expected capture layers that report no events */
  readonly missing: readonly string[];
  /** When the newest event arrived, rounded to ten minutes. Null when that was more than 35 days ago. */
  readonly last_seen: string | null;
};

/** active: calls are captured as expected. degraded: no layer is live, or an expected layer is missing. lost: every layer has been silent for more than three times its threshold. discovery_only: use was discovered, but no call is captured. not_seen: expected, but never observed */
export type CoverageState = 'active' | 'degraded' | 'lost' | 'discovery_only' | 'not_seen';

/** Ignore unknown members. */
export type CoverageRestoredEvent = {
  readonly id: EventId;
  readonly created_at: string;
  readonly tenant_id: string;
  readonly sequence: EventSequence;
  readonly interpretation?: EventInterpretation;
  readonly replayed?: EventReplayed;
  readonly test?: EventTest;
  readonly type: 'coverage.restored';
  readonly data: CoverageChange;
};

/** Ignore unknown members. */
export type ConnectorHealthChangedEvent = {
  readonly id: EventId;
  readonly created_at: string;
  readonly tenant_id: string;
  readonly sequence: EventSequence;
  readonly interpretation?: EventInterpretation;
  readonly replayed?: EventReplayed;
  readonly test?: EventTest;
  readonly type: 'connector.health.changed';
  readonly data: ConnectorHealthChanged;
};

export type ConnectorHealthChanged = {
  readonly connector: string;
  /** Null when the connector had not reported before */
  readonly previous: 'healthy' | 'degraded' | 'failed' | null;
  readonly status: 'healthy' | 'degraded' | 'failed';
  /** When the connector reported the status */
  readonly reported_at: string;
  /** The lane of the credential that reported the status */
  readonly residency: string | null;
};

/** Ignore unknown members. */
export type Bill_sourceHealthChangedEvent = {
  readonly id: EventId;
  readonly created_at: string;
  readonly tenant_id: string;
  readonly sequence: EventSequence;
  readonly interpretation?: EventInterpretation;
  readonly replayed?: EventReplayed;
  readonly test?: EventTest;
  readonly type: 'bill_source.health.changed';
  readonly data: BillSourceHealthChanged;
};

export type BillSourceHealthChanged = {
  readonly bill_source_id: string;
  readonly provider: BillProvider;
  readonly name: string;
  readonly account: string | null;
  readonly previous: 'working' | 'late' | 'failing';
  /** late: the provider published nothing for a day that ended more than 24 hours ago, and nothing for a later one. failing: imports do not complete. working: neither, so bills arrive. An error that passes by itself, such as rate_limited, is reported after five failures in a row */
  readonly state: 'working' | 'late' | 'failing';
  /** Why imports do not complete. Null if they do, or if a new credential was not used yet */
  readonly error: BillImportError | null;
  /** End of the newest day for which the provider published charges */
  readonly published_until: string | null;
};

/** refused: the provider refused the credential, or it may not read costs. Replace the credential. For aws: the role cannot be assumed, or may not read the export. not_found: there is no export of this or the last month at the location. rate_limited: the provider asked to wait. unavailable: the provider failed or did not answer. unreadable: the response does not have the documented form. other_currency: charges are not in USD, and exchange_rates of the source has no rate for their day. Add it. too_large: a day has more rows than can be stored, or an export is too large for one run. slow: the time of a run was over. credential_lost: the stored credential cannot be decrypted. Send it again. interrupted: the import stopped without an end, for example because an export needs more memory or time. Open enumeration: later versions may add values */
export type BillImportError =
  | 'refused'
  | 'not_found'
  | 'rate_limited'
  | 'unavailable'
  | 'unreadable'
  | 'other_currency'
  | 'too_large'
  | 'slow'
  | 'credential_lost'
  | 'interrupted';

/** Ignore unknown members. */
export type BudgetThresholdCrossedEvent = {
  readonly id: EventId;
  readonly created_at: string;
  readonly tenant_id: string;
  readonly sequence: EventSequence;
  readonly interpretation?: EventInterpretation;
  readonly replayed?: EventReplayed;
  readonly test?: EventTest;
  readonly type: 'budget.threshold.crossed';
  readonly data: BudgetThresholdCrossed;
};

export type BudgetThresholdCrossed = {
  readonly budget_id: string;
  readonly name: string;
  readonly basis: BudgetBasis;
  /** The data-residency lane that it concerns. Null: all lanes */
  readonly residency?: string | null;
  /** Percent of the ceiling */
  readonly threshold: number;
  /** Rounded to the nearest double. exact.period_to_date_usd has all digits. */
  readonly period_to_date_usd: number;
  /** Rounded to the nearest double */
  readonly ceiling_usd: number;
  readonly exact: {
    readonly period_to_date_usd: Total;
    readonly ceiling_usd: Total;
    readonly forecast_usd: ForecastUsd;
    readonly forecast_range_usd: ForecastRange;
    readonly forecast_unknown: ForecastUnknownReason;
  };
  readonly period: Between;
  /** When the newest of the totals was computed. Calls may be missing, so at least this amount was spent */
  readonly as_of: string;
};

/** records: every call in the scope, because the credential that created the budget had read:attribution. Only callers with that scope see its figures. cohorts: the calls that the usage report shows under the same owner, service and provider, where groups of fewer than five persons are suppressed. Only callers with read:reporting see its figures */
export type BudgetBasis = 'records' | 'cohorts';

export type Total = string;

/** Expected cost of the whole period: the cost so far, and for each later day the mean of its weekday in the last 28 days, raised by the growth a week of the last eight weeks. With less data, or mostly idle days: the mean of all days. Null if it is unknown. An unknown price is never taken as 0 */
export type ForecastUsd = Total | null;

/** Holds about nine of ten outcomes. Null without a forecast */
export type ForecastRange = {
  readonly low: Total;
  readonly high: Total;
} | null;

/** Why there is no forecast. Null with a forecast, and where figures are hidden */
export type ForecastUnknownReason = ForecastUnknown | null;

/** unpriced_calls: no call of the period so far, or of a recent day, has a known price. Only the days after the last such day are used. too_few_days: fewer than three whole days with calls are known */
export type ForecastUnknown = 'unpriced_calls' | 'too_few_days';

export type Between = {
  readonly from: string;
  readonly to: string;
};

/** Ignore unknown members. */
export type BudgetForecastCrossedEvent = {
  readonly id: EventId;
  readonly created_at: string;
  readonly tenant_id: string;
  readonly sequence: EventSequence;
  readonly interpretation?: EventInterpretation;
  readonly replayed?: EventReplayed;
  readonly test?: EventTest;
  readonly type: 'budget.forecast.crossed';
  readonly data: BudgetForecastCrossed;
};

export type BudgetForecastCrossed = {
  readonly budget_id: string;
  readonly name: string;
  readonly basis: BudgetBasis;
  /** The data-residency lane that it concerns. Null: all lanes */
  readonly residency?: string | null;
  /** Percent of the ceiling */
  readonly threshold: number;
  /** possible: the high end of the forecast range reaches the threshold. likely: the low end does too, so about 19 of 20 outcomes do */
  readonly likelihood: 'possible' | 'likely';
  readonly period_to_date_usd: Total;
  readonly ceiling_usd: Total;
  readonly forecast_usd: ForecastUsd;
  readonly forecast_range_usd: ForecastRange;
  readonly forecast_unknown: ForecastUnknownReason;
  readonly period: Between;
  /** When the newest of the totals was computed */
  readonly as_of: string;
};

/** Ignore unknown members. */
export type ExportCompletedEvent = {
  readonly id: EventId;
  readonly created_at: string;
  readonly tenant_id: string;
  readonly sequence: EventSequence;
  readonly interpretation?: EventInterpretation;
  readonly replayed?: EventReplayed;
  readonly test?: EventTest;
  readonly type: 'export.completed';
  readonly data: ExportCompleted;
};

export type ExportCompleted = {
  readonly job_id: string;
  readonly format: 'focus';
  /** The data-residency lane that it concerns. Null: all lanes */
  readonly residency?: string | null;
  readonly period: {
    readonly from: string;
    readonly to: string;
  };
  readonly status_url: string;
  readonly finished_at: string;
  readonly file_count: number;
  readonly row_count: number;
  readonly bytes: number;
  /** Attribution records that the rows contain */
  readonly records: number;
  /** Cost of the rows, corrections included. excluded_cost_usd is not included */
  readonly cost_usd: Difference;
  readonly excluded_records: number;
  readonly excluded_cost_usd: Difference;
  /** Whether calls that were accepted more than 90 seconds before the export began may be missing. */
  readonly stale?: boolean;
  readonly files_expire_at: string;
};

export type Difference = string;

/** Ignore unknown members. */
export type ExportFailedEvent = {
  readonly id: EventId;
  readonly created_at: string;
  readonly tenant_id: string;
  readonly sequence: EventSequence;
  readonly interpretation?: EventInterpretation;
  readonly replayed?: EventReplayed;
  readonly test?: EventTest;
  readonly type: 'export.failed';
  readonly data: ExportFailed;
};

export type ExportFailed = {
  readonly job_id: string;
  readonly format: 'focus';
  /** The data-residency lane that it concerns. Null: all lanes */
  readonly residency?: string | null;
  readonly period: {
    readonly from: string;
    readonly to: string;
  };
  readonly status_url: string;
  readonly finished_at: string;
  readonly reason: ExportFailureReason;
  readonly detail: string;
};

/** too_large: more rows or files than the limit. inconsistent: rows and exclusions did not sum to the ledger, so nothing was delivered. timed_out: not finished within six hours. unauthorized: the creator of the schedule was revoked or removed, or lost the scope export:create. internal: the service failed. `detail` says what to do */
export type ExportFailureReason = 'too_large' | 'inconsistent' | 'timed_out' | 'unauthorized' | 'internal';

/** Ignore unknown members. */
export type ExportDeliveredEvent = {
  readonly id: EventId;
  readonly created_at: string;
  readonly tenant_id: string;
  readonly sequence: EventSequence;
  readonly interpretation?: EventInterpretation;
  readonly replayed?: EventReplayed;
  readonly test?: EventTest;
  readonly type: 'export.delivered';
  readonly data: ExportDelivered;
};

export type ExportDelivered = {
  readonly job_id: string;
  /** The data-residency lane that it concerns. Null: all lanes */
  readonly residency?: string | null;
  /** The export destination */
  readonly destination_id: string;
  /** The folder of the report below the location of the destination. One name for one report */
  readonly name: string;
  readonly billing_period: string;
  readonly status_url: string;
  readonly version: number;
  readonly supersedes: EarlierExportDelivery | null;
  /** The manifest of the version, as an S3 URI */
  readonly location: string;
  readonly delivered_at: string;
};

export type EarlierExportDelivery = {
  readonly version: number;
  readonly export_id: string;
};

/** Ignore unknown members. */
export type ExportDeliveryFailedEvent = {
  readonly id: EventId;
  readonly created_at: string;
  readonly tenant_id: string;
  readonly sequence: EventSequence;
  readonly interpretation?: EventInterpretation;
  readonly replayed?: EventReplayed;
  readonly test?: EventTest;
  readonly type: 'export.delivery.failed';
  readonly data: ExportDeliveryFailed;
};

export type ExportDeliveryFailed = {
  readonly job_id: string;
  /** The data-residency lane that it concerns. Null: all lanes */
  readonly residency?: string | null;
  /** The export destination */
  readonly destination_id: string;
  /** The folder of the report below the location of the destination. One name for one report */
  readonly name: string;
  readonly billing_period: string;
  readonly status_url: string;
  readonly error: ExportDeliveryError;
  readonly attempts: number;
  /** Null: the delivery was given up. Otherwise it is tried again, up to once an hour */
  readonly next_attempt_at: string | null;
};

/** role_refused: the role does not exist, or its trust policy does not admit trusted_role_arn with external_id. access_denied: the policy of the role, of the bucket or of its key does not allow to put objects below the location, or the bucket belongs to another account than the role. no_such_bucket: there is no bucket of this name. wrong_region: the bucket is in another region. rate_limited: AWS asked to wait. unavailable: AWS did not answer, or the delivery was interrupted. refused: S3 refused the files for another reason, for example a setting of the bucket. destination_deleted: the destination was deleted. Open enumeration: later versions may add values */
export type ExportDeliveryError =
  | 'role_refused'
  | 'access_denied'
  | 'no_such_bucket'
  | 'wrong_region'
  | 'rate_limited'
  | 'unavailable'
  | 'refused'
  | 'destination_deleted';

/** Ignore unknown members. */
export type PeriodClosedEvent = {
  readonly id: EventId;
  readonly created_at: string;
  readonly tenant_id: string;
  readonly sequence: EventSequence;
  readonly interpretation?: EventInterpretation;
  readonly replayed?: EventReplayed;
  readonly test?: EventTest;
  readonly type: 'period.closed';
  readonly data: PeriodClosed;
};

export type PeriodClosed = {
  /** UTC month */
  readonly period: string;
  readonly by: string;
  readonly closed_at: string;
  /** The exports of the period show the records as of this instant */
  readonly as_of: string;
};

/** Ignore unknown members. */
export type PeriodReopenedEvent = {
  readonly id: EventId;
  readonly created_at: string;
  readonly tenant_id: string;
  readonly sequence: EventSequence;
  readonly interpretation?: EventInterpretation;
  readonly replayed?: EventReplayed;
  readonly test?: EventTest;
  readonly type: 'period.reopened';
  readonly data: PeriodReopened;
};

export type PeriodReopened = {
  /** UTC month */
  readonly period: string;
  readonly by: string;
  readonly reopened_at: string;
  readonly reason: string;
};

/** Ignore unknown members. */
export type AnomalyDetectedEvent = {
  readonly id: EventId;
  readonly created_at: string;
  readonly tenant_id: string;
  readonly sequence: EventSequence;
  readonly interpretation?: EventInterpretation;
  readonly replayed?: EventReplayed;
  readonly test?: EventTest;
  readonly type: 'anomaly.detected';
  readonly data: AnomalyDetected;
};

export type AnomalyDetected = {
  readonly detected_at: string;
  /** Whether hours or whole UTC days were outside their expected range */
  readonly grain: 'hour' | 'day';
  readonly dimension: 'tenant' | 'owner' | 'service' | 'served_model';
  /** The owner, service or model. Null for the whole tenant */
  readonly value: string | null;
  /** The data-residency lane of the calls. Each lane is evaluated separately */
  readonly residency: string | null;
  /** Extended while the following hours or days are outside their range too */
  readonly period: Between;
  /** Cost of the hours or days that were outside their range */
  readonly observed_usd: Total;
  readonly observed_by_owner_state?: ObservedByOwnerState;
  /** Expected cost of these hours or days, and the expected range */
  readonly expected_usd: {
    readonly low: Total;
    readonly central: Total;
    readonly high: Total;
  };
  /** Distance of the cost from the expected cost, divided by the distance of the upper end of the range. 1 is the end of the range. The highest value of all hours or days */
  readonly score: number;
  readonly drivers: AnomalyDrivers;
  readonly anomaly_id: string;
};

/** The observed cost by the state of the owner, as owner_states of the usage report. Absent in anomalies that were found without it */
export type ObservedByOwnerState = Readonly<Record<string, Total>>;

/** The sources of most of the excess, largest share first. Each dimension explains the same excess, so shares of different dimensions do not add up. */
export type AnomalyDrivers = readonly AnomalyDriver[];

export type AnomalyDriver = {
  readonly dimension: 'owner' | 'service' | 'provider' | 'served_model';
  readonly value: string;
  /** Share of the excess, in steps of 0.05 */
  readonly share: number;
};

/** Ignore unknown members. */
export type WebhookDisabledEvent = {
  readonly id: EventId;
  readonly created_at: string;
  readonly tenant_id: string;
  readonly sequence: EventSequence;
  readonly interpretation?: EventInterpretation;
  readonly replayed?: EventReplayed;
  readonly test?: EventTest;
  readonly type: 'webhook.disabled';
  readonly data: WebhookDisabled;
};

/** Another endpoint of the tenant was disabled and receives no further events */
export type WebhookDisabled = {
  readonly endpoint_id: string;
  /** gone: the endpoint answered 410. no_success: attempts failed for five days without a success. unauthorized: the credential or user that authorized the endpoint was revoked or removed, or lost a scope that its events need. */
  readonly reason: 'gone' | 'no_success' | 'unauthorized';
  readonly disabled_at: string;
};

/** Ignore unknown members. */
export type WebhookVerificationEvent = {
  readonly id: EventId;
  readonly created_at: string;
  readonly tenant_id: string;
  readonly sequence: EventSequence;
  readonly interpretation?: EventInterpretation;
  readonly replayed?: EventReplayed;
  readonly test?: EventTest;
  readonly type: 'webhook.verification';
  readonly data: WebhookVerification;
};

export type WebhookVerification = {
  /** Return it in a JSON object under the same name */
  readonly challenge: string;
};

export type Problem = {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** Request path */
  readonly instance: string;
  readonly error_code: ErrorCode;
  /** 32 hexadecimal digits. Quote it when you report an error */
  readonly trace_id: string;
  /** Present when the caller is authenticated */
  readonly tenant_id?: string;
  readonly docs_url: string;
  /** Present with INVALID_CREDENTIALS and EXPIRED of all routes except the OAuth endpoints. expired_token: request a new token. All others: another credential is needed */
  readonly reason?:
    | 'no_credential'
    | 'two_credentials'
    | 'invalid_credential'
    | 'expired_token'
    | 'expired_key';
  /** Present with every challenge: the value of the header WWW-Authenticate, which API Gateway renames to x-amzn-remapped-www-authenticate */
  readonly www_authenticate?: string;
  /** Present with status 400 and 422: every invalid part of the request */
  readonly errors?: readonly FieldError[];
  /** Present with 503 of GET /readyz */
  readonly checks?: ReadinessChecks;
};

export type ErrorCode =
  | 'INVALID_CREDENTIALS'
  | 'EXPIRED'
  | 'STEP_UP_REQUIRED'
  | 'INSUFFICIENT_SCOPE'
  | 'TENANT_MISMATCH'
  | 'CROSS_SITE_REQUEST'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'RESIDENCY_BLOCKED'
  | 'IDEMPOTENCY_IN_PROGRESS'
  | 'CONFLICT'
  | 'INVALID_REQUEST'
  | 'INVALID_CURSOR'
  | 'INVALID_FILTER'
  | 'IDEMPOTENCY_KEY_REQUIRED'
  | 'PAYLOAD_TOO_LARGE'
  | 'HEADERS_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'VALIDATION_FAILED'
  | 'IDEMPOTENCY_CONFLICT'
  | 'NO_SCOPE'
  | 'WEBHOOK_URL_REJECTED'
  | 'EXPORT_TOO_LARGE'
  | 'RATE_LIMITED'
  | 'INTERNAL_ERROR'
  | 'SERVICE_UNAVAILABLE';

export type FieldError = {
  /** JSON Pointer (RFC 6901) into the body */
  readonly pointer?: string;
  /** Name of a query or form parameter */
  readonly parameter?: string;
  /** Name of a header */
  readonly header?: string;
  /** The field of a filter */
  readonly field?: string;
  /** The operator of a filter */
  readonly operator?: string;
  /** The reason */
  readonly detail: string;
  /** The allowed names or values, if they are listed */
  readonly allowed?: readonly string[];
  /** The known name that is nearest to an unknown one */
  readonly suggestion?: string;
};

/** By dependency. Later versions may add dependencies. failed: no response within two seconds */
export type ReadinessChecks = Readonly<Record<string, 'ok' | 'failed'>>;

export type OAuthProblem = {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** Request path */
  readonly instance: string;
  readonly error_code: ErrorCode;
  /** 32 hexadecimal digits. Quote it when you report an error */
  readonly trace_id: string;
  /** Present when the caller is authenticated */
  readonly tenant_id?: string;
  readonly docs_url: string;
  /** Present with INVALID_CREDENTIALS and EXPIRED of all routes except the OAuth endpoints. expired_token: request a new token. All others: another credential is needed */
  readonly reason?:
    | 'no_credential'
    | 'two_credentials'
    | 'invalid_credential'
    | 'expired_token'
    | 'expired_key';
  /** Present with every challenge: the value of the header WWW-Authenticate, which API Gateway renames to x-amzn-remapped-www-authenticate */
  readonly www_authenticate?: string;
  /** Present with status 400 and 422: every invalid part of the request */
  readonly errors?: readonly FieldError[];
  /** Present with 503 of GET /readyz */
  readonly checks?: ReadinessChecks;
  /** Error code of RFC 6749, for example invalid_client */
  readonly error: string;
  readonly error_description?: string;
};

export type InvocationAccepted = {
  readonly event_id: string;
  /** Derived from the tenant and the event_id, so it is the same on every retry */
  readonly invocation_id: string;
  readonly status: 'queued';
  /** Dotted paths of content members and of optional members that were dropped. Their values are not stored */
  readonly scrubbed: readonly string[];
  /** Why optional members were dropped or corrected: the rule that the value broke, or the kind of secret that it looks like */
  readonly warnings?: readonly FieldError[];
};

/** Sent by the gateway in front of the service, which knows no error codes: the throttle of all callers together (429), a request it cannot pass on (400, 413, 431), or a failed or late function (500, 503). With CloudFront in front of it, and on one machine, it is a Problem on all endpoints. OAuth and OpenTelemetry endpoints have it too, in application/json. Repeat 429, 500 and 503 with the same Idempotency-Key */
export type GatewayError = {
  /** The reason phrase of the status */
  readonly message: string;
};

export type InvocationBatchAccepted = {
  readonly accepted: number;
  readonly rejected: number;
  readonly results: readonly (
    | {
        readonly event_id: string;
        /** Derived from the tenant and the event_id, so it is the same on every retry */
        readonly invocation_id: string;
        readonly status: 'queued';
        /** Dotted paths of content members and of optional members that were dropped. Their values are not stored */
        readonly scrubbed: readonly string[];
        /** Why optional members were dropped or corrected: the rule that the value broke, or the kind of secret that it looks like */
        readonly warnings?: readonly FieldError[];
        readonly index: number;
      }
    | {
        readonly index: number;
        readonly event_id: string | null;
        readonly invocation_id: null;
        readonly status: 'rejected';
        readonly errors: readonly FieldError[];
      }
  )[];
};

export type TraceExportAccepted = {
  readonly partialSuccess?: {
    /** Number of rejected items, as a 64-bit integer in text */
    readonly rejectedSpans: string;
    /** Why the first of them was rejected, and how values of the others were changed */
    readonly errorMessage: string;
  };
};

/** google.rpc.Status, with the members of Problem */
export type OtlpProblem = {
  /** Code of google.rpc.Code */
  readonly code: number;
  readonly message: string;
};

export type LogExportAccepted = {
  readonly partialSuccess?: {
    /** Number of rejected items, as a 64-bit integer in text */
    readonly rejectedLogRecords: string;
    /** Why the first of them was rejected, and how values of the others were changed */
    readonly errorMessage: string;
  };
};

export type MetricExportAccepted = {
  readonly partialSuccess?: {
    /** Number of rejected items, as a 64-bit integer in text */
    readonly rejectedDataPoints: string;
    /** Why the first of them was rejected, and how values of the others were changed */
    readonly errorMessage: string;
  };
};

export type CallLogsAccepted = {
  readonly accepted: number;
  /** Calls that are no valid events */
  readonly rejected: number;
  /** Entries that are no calls, or of an unknown format */
  readonly skipped: number;
  /** Why calls were rejected: the first ten reasons */
  readonly errors?: readonly FieldError[];
  /** How values of accepted calls were changed */
  readonly warnings?: readonly string[];
};

export type AttributionPage = {
  readonly data: readonly AttributionRecord[];
  readonly page: PageInfo;
  /** Only where no record matches */
  readonly warnings?: Warnings;
};

export type AttributionRecord = {
  readonly id: string;
  readonly tenant_id: string;
  readonly invocation_id: string;
  readonly event_id: string;
  /** Incremented by every override, dispute, re-pricing or re-attribution */
  readonly version: number;
  readonly occurred_at: string;
  readonly created_at: string;
  /** Start of the validity of this version */
  readonly as_of: string;
  readonly provider: string;
  readonly requested_model: string;
  readonly served_model: string;
  readonly service: string | null;
  readonly owner: string | null;
  readonly end_user: string | null;
  /** Null when the price is unknown, never 0 instead */
  readonly cost_usd: DecimalString | null;
  readonly energy_wh: DecimalString | null;
  readonly carbon_gco2e: DecimalString | null;
  readonly input_tokens: number | null;
  readonly cached_input_tokens: number | null;
  readonly cache_write_tokens: number | null;
  readonly output_tokens: number | null;
  readonly reasoning_tokens: number | null;
  readonly latency_ms: number | null;
  readonly trace_id: string | null;
  readonly ingestion_layer: string;
  readonly region: string | null;
  readonly residency: string | null;
  readonly pathway_category: PathwayCategory;
  readonly status: 'ok' | 'error' | 'incomplete';
  readonly tags: readonly string[];
  readonly output_state: OutputState;
  /** Equals interpretation.confidence */
  readonly coper: number;
  readonly interpretation: Interpretation;
  /** Absent if the record was never disputed */
  readonly dispute?: Dispute;
};

export type Interpretation = {
  readonly stage_origin: 'stage_a' | 'stage_b' | 'stage_c';
  /** Operational confidence (coper) */
  readonly confidence: number;
  readonly confidence_band: ConfidenceBand;
  /** Strongest evidence that the result is based on */
  readonly evidence_basis:
    | 'identity_resolved'
    | 'service_resolved'
    | 'workload_resolved'
    | 'trace_correlated'
    | 'credential_resolved'
    | 'model_inferred'
    | 'heuristic_baseline'
    | 'allocation_rule'
    | 'manual_override'
    | 'none';
  /** Version of the rules or model that produced the result */
  readonly model_version: string;
  readonly degradation_state: DegradationState;
  /** source_stale: the call was sent more than a day after it happened. index_stale: calls that the tenant sent more than 90 seconds ago may not be recorded yet, so there may be newer calls or versions */
  readonly freshness: 'fresh' | 'index_stale' | 'source_stale';
  readonly export_eligibility: 'eligible' | 'below_floor' | 'residency_excluded' | 'unpriced';
  /** Why a quantity is null: one reason for each unknown quantity */
  readonly unknown?: {
    readonly cost?: string;
    readonly energy?: string;
    readonly carbon?: string;
  };
  /** Absent if no other record is of the same call, as far as anything shows. Ids that all observers know make one record, and need no such join */
  readonly same_call?: SameCall;
  /** Owner and service are two answers. The other members describe the record as a whole: a record that is resolved by its service may have no owner */
  readonly answers: {
    readonly owner: Answer;
    readonly service: Answer;
  };
};

export type SameCall = {
  /** counted: this record stands for the call. repeat: another record does, and this one has no cost and counts in no total. ambiguous: it may be of the call of another record, but several fit, so it counts as a call of its own */
  readonly state: 'counted' | 'repeat' | 'ambiguous';
  /** call_id: an id of the request or response. trace: the same trace, time, model and token counts. time: the same time, model and token counts, seen from different sides */
  readonly basis: 'call_id' | 'trace' | 'time';
  /** Confidence that the records are of one call. Not a part of the confidence of the record */
  readonly confidence: number;
  /** Ids of the other records */
  readonly records: readonly string[];
};

export type Answer = {
  readonly state: AnswerState;
  /** Confidence that the name is right, whatever the other answer is worth. 0 without a name */
  readonly confidence: number;
  /** Measured, without a ceiling. Null unless predicted or traced */
  readonly probability: number | null;
  /** Evidence for the name */
  readonly evidence_basis:
    | 'identity_resolved'
    | 'service_resolved'
    | 'workload_resolved'
    | 'trace_correlated'
    | 'credential_resolved'
    | 'model_inferred'
    | 'heuristic_baseline'
    | 'allocation_rule'
    | 'manual_override'
    | 'none';
  /** Whether the call can be charged to this name. ready: the answer is confirmed and the cost is known */
  readonly chargeback: 'ready' | 'unpriced' | 'below_floor' | 'unassigned' | 'residency_excluded';
  /** Suggestions: other names that the evidence supports, rules first, in their order of precedence, then the model. Confidences of rules and of the model are not on one scale */
  readonly candidates: readonly {
    readonly name: string;
    readonly confidence: number;
    readonly evidence_basis:
      | 'identity_resolved'
      | 'service_resolved'
      | 'workload_resolved'
      | 'trace_correlated'
      | 'credential_resolved'
      | 'model_inferred'
      | 'heuristic_baseline'
      | 'allocation_rule'
      | 'manual_override'
      | 'none';
  }[];
};

/** confirmed: named, and the confidence of the answer and of the record are at least 0.8. provisional: named with less confidence. allocated: nobody is named, and the cost is divided among owners. unassigned: nothing is named; candidates may be suggested */
export type AnswerState = 'confirmed' | 'provisional' | 'allocated' | 'unassigned';

export type Dispute = {
  readonly id: string;
  readonly status: 'open' | 'resolved';
  readonly reason: string;
  readonly proposed_owner: string | null;
  readonly proposed_service: string | null;
  /** Id of the key, client, user or sandbox reset */
  readonly opened_by: string;
  readonly opened_at: string;
  readonly resolved_at: string | null;
};

export type PageInfo = {
  /** Opaque. Null on the last page */
  readonly next_cursor: string | null;
  readonly limit: number;
  readonly has_more: boolean;
};

/** Names in the filters or the scope that no call has which can be shown here, with the nearest name that is shown */
export type Warnings = readonly FieldError[];

export type AttributionDetail = {
  readonly id: string;
  readonly tenant_id: string;
  readonly invocation_id: string;
  readonly event_id: string;
  /** Incremented by every override, dispute, re-pricing or re-attribution */
  readonly version: number;
  readonly occurred_at: string;
  readonly created_at: string;
  /** Start of the validity of this version */
  readonly as_of: string;
  readonly provider: string;
  readonly requested_model: string;
  readonly served_model: string;
  readonly service: string | null;
  readonly owner: string | null;
  readonly end_user: string | null;
  /** Null when the price is unknown, never 0 instead */
  readonly cost_usd: DecimalString | null;
  readonly energy_wh: DecimalString | null;
  readonly carbon_gco2e: DecimalString | null;
  readonly input_tokens: number | null;
  readonly cached_input_tokens: number | null;
  readonly cache_write_tokens: number | null;
  readonly output_tokens: number | null;
  readonly reasoning_tokens: number | null;
  readonly latency_ms: number | null;
  readonly trace_id: string | null;
  readonly ingestion_layer: string;
  readonly region: string | null;
  readonly residency: string | null;
  readonly pathway_category: PathwayCategory;
  readonly status: 'ok' | 'error' | 'incomplete';
  readonly tags: readonly string[];
  readonly output_state: OutputState;
  /** Equals interpretation.confidence */
  readonly coper: number;
  readonly interpretation: Interpretation;
  /** Absent if the record was never disputed */
  readonly dispute?: Dispute;
  readonly explanation: Explanation;
};

export type Explanation = {
  readonly rules_version: string;
  readonly rules: readonly {
    readonly rule: 'mapping' | 'identity' | 'service' | 'workload' | 'trace' | 'credential';
    /** The identity mapping that matched */
    readonly mapping?: {
      readonly id: string;
      readonly name: string;
    };
    /** What the mapping that matched read */
    readonly basis?:
      | 'identity_resolved'
      | 'service_resolved'
      | 'workload_resolved'
      | 'trace_correlated'
      | 'credential_resolved'
      | 'model_inferred'
      | 'heuristic_baseline'
      | 'allocation_rule'
      | 'manual_override'
      | 'none';
    /** Event fields that the rule read; for rule trace, the span whose evidence it used */
    readonly saw: Readonly<Record<string, string>>;
    /** matched: the rule decided the owner or service; supporting: a stronger rule had decided; conflicting: it names another owner or service, which lowers the confidence of the rule that decided; absent: the event has no evidence for it */
    readonly outcome: 'matched' | 'supporting' | 'conflicting' | 'absent';
    readonly owner?: string;
    readonly service?: string;
    readonly confidence: number;
  }[];
  readonly cost: {
    /** structure: the span repeats the usage of its child spans and has no own cost. unmetered: the call is paid by a subscription or in advance. node_hours: its part of what own nodes cost in the hour */
    readonly source:
      | 'producer'
      | 'contract'
      | 'override'
      | 'catalogue'
      | 'structure'
      | 'unmetered'
      | 'node_hours';
    /** Price list with version, or the producer */
    readonly catalogue: string;
    /** How the model was matched: exact id, a known alias, or only its family */
    readonly price_match: 'exact' | 'alias' | 'family' | null;
    readonly priced_model: string | null;
    /** Null if it is unknown, or if the tier has prices of its own for each kind */
    readonly service_tier_multiplier: DecimalString | null;
    /** Price tables that state another price for this call, with their day. The range contains their prices too. Absent if none does */
    readonly differing_sources?: readonly string[];
    /** Why the cost is a range, besides unknown cache use, regions and tiers. counting_convention: counts may or may not include cached or reasoning tokens. client_estimate: a client computed it; contains the list price. unpriced_usage: a part of the usage has no known price. unread_usage: the source names usage that an event cannot hold, or leaves tokens out; contains the most that it can be. contradicting_statements: contains what two credentials state. possible_repeat: spans below that are not read may report its usage, so it begins at 0 */
    readonly uncertain?: readonly (
      | 'counting_convention'
      | 'client_estimate'
      | 'unpriced_usage'
      | 'unread_usage'
      | 'contradicting_statements'
      | 'possible_repeat'
    )[];
    /** Cost that the producer reported, where it is not the cost of the call */
    readonly reported_usd?: DecimalString;
    /** Name of a reported cost that may not be USD */
    readonly unread_cost?: string;
    /** Absent if the call is paid by use */
    readonly billing_mode?: BillingMode;
    /** Only if source is node_hours */
    readonly node_hours?: {
      readonly pool: string;
      readonly hour: string;
      /** Cost of all nodes of the pool in the hour */
      readonly hour_usd: DecimalString;
      /** Its part that calls pay */
      readonly charged_usd: DecimalString;
      /** What charged_usd follows from. busy_time: the seconds in which calls ran. whole_hour: calls without a duration, so nothing says how long the nodes were idle */
      readonly busy: 'busy_time' | 'whole_hour';
      /** What charged_usd is divided by */
      readonly measure: 'tokens' | 'seconds';
      /** Of this call: weighted tokens, or seconds */
      readonly use: DecimalString;
      /** Of all calls of the hour */
      readonly whole_use: string;
      readonly low: DecimalString;
      readonly high: DecimalString;
      /** Only if the power of the nodes is stated */
      readonly energy?: {
        /** Of all nodes of the pool in the hour */
        readonly hour_wh: DecimalString;
        /** Its part that calls used */
        readonly charged_wh: DecimalString;
        /** Of this call */
        readonly wh: DecimalString;
        readonly low: DecimalString;
        readonly high: DecimalString;
      };
    };
    /** What the call would cost by use. Only if it is not paid by use and a price is known */
    readonly list_price_usd?: DecimalString;
    readonly low: DecimalString;
    readonly central: DecimalString;
    readonly high: DecimalString;
    /** Their sum is exactly central; empty if source is structure */
    readonly components: readonly {
      /** A kind other than input, cached_input, cache_write and output: only if the model prices it apart. total: the producer stated only the total, or parts with another sum */
      readonly kind:
        | 'input'
        | 'cached_input'
        | 'cache_write'
        | 'cache_write_1h'
        | 'output'
        | 'reasoning'
        | 'audio_input'
        | 'cached_audio_input'
        | 'audio_output'
        | 'image_input'
        | 'cached_image_input'
        | 'image_output'
        | 'request'
        | 'search'
        | 'file_search'
        | 'code_execution'
        | 'rerank_search'
        | 'audio_second'
        | 'video_second'
        | 'image'
        | 'page'
        | 'character'
        | 'total';
      /** Tokens, or for other kinds what their name says, such as requests and seconds; null if only the cost is known */
      readonly quantity: number | null;
      readonly unit_price_usd_per_million: DecimalString | null;
      /** Published price beside a contract price, if known */
      readonly list_unit_price_usd_per_million?: DecimalString;
      readonly cost_usd: DecimalString;
    }[];
  } | null;
  readonly energy: {
    readonly method: string;
    /** Version of the parameter table */
    readonly version: string;
    /** A: metered by the producer, or the part of a call in the energy of own nodes; B: open weights; C: published range for a closed model; D: size class only */
    readonly class: 'A' | 'B' | 'C' | 'D';
    /** Geometric standard deviation of the log-normal uncertainty */
    readonly gsd: number;
    readonly low: DecimalString;
    readonly central: DecimalString;
    readonly high: DecimalString;
    /** Null if the total was metered */
    readonly components: {
      readonly output_wh: DecimalString;
      readonly input_wh: DecimalString;
    } | null;
  } | null;
  readonly carbon: {
    readonly method: string;
    readonly version: string;
    /** Grid zone */
    readonly zone: string | null;
    readonly zone_basis: 'region' | 'country' | 'provider_default' | null;
    readonly year: number | null;
    readonly intensity_gco2e_per_kwh: DecimalString | null;
    readonly gsd: number;
    readonly low: DecimalString;
    readonly central: DecimalString;
    readonly high: DecimalString;
    readonly components: {
      readonly usage_gco2e: DecimalString;
      readonly embodied_gco2e: DecimalString;
    } | null;
    /** Absent if the operator of the data centre publishes no factor, and for a figure of the producer */
    readonly market_based?: {
      /** Of the electricity. It takes the place of usage_gco2e */
      readonly usage_gco2e: DecimalString;
      readonly low: DecimalString;
      readonly high: DecimalString;
      readonly intensity_gco2e_per_kwh: DecimalString;
      readonly year: number;
      readonly source: string;
    };
  } | null;
  /** Absent if it is unknown */
  readonly water?: {
    readonly version: string;
    readonly low: DecimalString;
    readonly central: DecimalString;
    readonly high: DecimalString;
    /** For cooling the data centre */
    readonly on_site_ml: DecimalString;
    /** Where the electricity was generated */
    readonly electricity_ml: DecimalString;
    /** Of the operator, for a kWh of its machines */
    readonly wue_l_per_kwh: DecimalString;
    /** Of the country, for a kWh of electricity */
    readonly electricity_l_per_kwh: DecimalString;
  };
  /** A cost that is set aside as implausible_cost until it is confirmed */
  readonly reported_cost?: {
    readonly usd: DecimalString;
    readonly confirmed_by: string | null;
    readonly confirmed_at: string | null;
  };
  /** Figures far above what the usage explains. The record has an estimate instead */
  readonly reported_footprint?: {
    readonly energy_wh?: DecimalString;
    readonly carbon_gco2e?: DecimalString;
  };
  /** Record of the call above, which states more of the usage */
  readonly usage_of?: string;
  /** The time by the clock of the producer, if no clock can show it. occurred_at is then that of arrival */
  readonly reported_time?: string;
  /** Absent if the rules named both, or if stage B predicted nothing */
  readonly prediction?: {
    readonly model_version: string;
    readonly basis: 'model_inferred' | 'heuristic_baseline';
    readonly owner: string | null;
    readonly service: string | null;
    /** Calibrated, before the ceiling */
    readonly confidence: number;
    /** The call has names that are not in the training data. The confidence is at most 0.5 */
    readonly novel: boolean;
    /** Prediction of the fallback, or of a model that did not pass the publication gate. Always below the chargeback floor */
    readonly advisory: boolean;
    readonly alternatives: readonly {
      readonly owner: string | null;
      readonly service: string | null;
      readonly probability: number;
    }[];
  };
  /** How many owners from traces are right */
  readonly trace_probability?: number;
  /** The owner from the trace is not charged */
  readonly trace_advisory?: true;
  /** Present only if the owner is allocated */
  readonly allocation?: {
    /** Version of the shares: a digest of their content */
    readonly version: string;
    readonly method: 'proportional' | 'even' | 'fixed';
    /** Period of the attributed spend behind the shares; `to` excluded */
    readonly window: {
      readonly from: string;
      readonly to: string;
    };
    readonly parts: readonly {
      /** Null for the unallocated part */
      readonly owner: string | null;
      /** Share of the cost. The ratios of a record sum to 1 */
      readonly ratio: DecimalString;
      readonly cost_usd: DecimalString | null;
      readonly energy_wh: DecimalString | null;
      readonly carbon_gco2e: DecimalString | null;
    }[];
  };
  /** Present only if several capture layers or source systems observed the call. It is billed once, with the richest evidence of all */
  readonly observations?: readonly {
    readonly ingestion_layer: string;
    readonly source_system: string | null;
    readonly stated_by?: StatedBy;
    /** Parts of the record that come from this observation, the richest of all observations */
    readonly supplied: readonly string[];
    /** Parts that a connector stated without authority. Absent if there are none */
    readonly rejected?: readonly string[];
    /** What this credential states of cost, usage, model, owner or time that differs from the record. The record keeps the statement of the credential that reported the call first. Its ranges contain both costs, and the other name is a candidate. Absent if there is none */
    readonly contradicts?: readonly {
      readonly part: string;
      /** The members of the part */
      readonly stated: Readonly<Record<string, unknown>>;
    }[];
  }[];
  /** Whom the newest 20 versions named, newest first. In the answer of getAttribution, for a record with several versions. The versions are at /v1/attribution/{id}/versions */
  readonly history?: readonly NameChange[];
  /** The last statement of each connector that has no authority over what the record holds. Absent if there is none */
  readonly rejected_statements?: readonly {
    readonly stated_by: StatedBy;
    readonly ingestion_layer: string;
    readonly source_system: string | null;
  }[];
  /** Manual overrides, newest last, at most 50; absent if there are none. They leave rules unchanged */
  readonly overrides?: readonly {
    readonly owner: string | null;
    readonly service: string | null;
    readonly id: string;
    /** Id of the key, client or user */
    readonly by: string;
    readonly at: string;
    readonly reason: string;
    readonly previous: {
      readonly owner: string | null;
      readonly service: string | null;
    };
    /** What the override named. The other answer keeps its evidence */
    readonly named?: readonly ('owner' | 'service')[];
  }[];
};

export type StatedBy = {
  readonly kind: 'api_key' | 'oauth_client' | 'user' | 'sender' | 'service';
  /** Id of the key, client, user or AWS principal */
  readonly id: string;
  /** Name of the connector of a partner that the client is */
  readonly connector?: string;
};

export type NameChange = {
  readonly version: number;
  readonly owner: string | null;
  readonly owner_state: AnswerState;
  readonly service: string | null;
  /** When the version was written */
  readonly from: string;
  /** When the next one was written. Null: until now */
  readonly until: string | null;
  readonly cause: VersionCause;
  readonly by?: string;
  readonly reason?: string;
};

/** confirmation: a person confirmed the cost; observation: another report of the call; factors: prices or footprints; unknown: no earlier version is stored */
export type VersionCause =
  | 'recorded'
  | 'override'
  | 'dispute'
  | 'confirmation'
  | 'allocation'
  | 'observation'
  | 'trace'
  | 'rules'
  | 'model'
  | 'factors'
  | 'unknown';

export type RecordVersionPage = {
  readonly data: readonly RecordVersion[];
  readonly page: PageInfo;
};

export type RecordVersion = {
  readonly record: AttributionRecord;
  /** Null: until now */
  readonly valid_until: string | null;
  readonly cause: VersionCause;
  readonly by?: string;
  readonly reason?: string;
};

export type IdentityMapping = {
  readonly id: string;
  /** Shown in the explanation of every record that the mapping decided */
  readonly name: string;
  /** Position in the order of evaluation: lower first, equal positions in the order of creation */
  readonly position: number;
  /** All of them must match */
  readonly conditions: readonly MappingConditionOutput[];
  /** Owner of the calls that match */
  readonly owner?: string;
  /** Service of the calls that match */
  readonly service?: string;
  /** The mapping applies to calls that occurred at or after this instant. It may be in the past or in the future. Existing records change only when they are reprocessed */
  readonly effective_from: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** Id of the key, client or user */
  readonly created_by: string;
};

export type IdentityMappingPage = {
  readonly data: readonly IdentityMapping[];
  readonly page: PageInfo;
};

export type IdentityMappingDryRun = {
  /** Number of records examined: the newest of the period */
  readonly examined: number;
  /** True if the period has more records than were examined */
  readonly truncated: boolean;
  /** Number of examined records whose owner or service would change */
  readonly changed: number;
  /** The newest changed records, at most 50 */
  readonly changes: readonly {
    readonly attribution_id: string;
    /** Current owner and service */
    readonly before: {
      readonly owner: string | null;
      readonly service: string | null;
    };
    /** Owner and service after the change */
    readonly after: {
      readonly owner: string | null;
      readonly service: string | null;
    };
  }[];
  /** Owners whose number of examined calls would change, largest change first, at most 50 */
  readonly owners: readonly {
    /** Null: calls without an owner */
    readonly owner: string | null;
    readonly invocations_before: number;
    readonly invocations_after: number;
  }[];
};

export type JobStarted = {
  readonly job_id: string;
  readonly type: string;
  readonly status: string;
  readonly created_at: string;
};

export type ModelPage = {
  readonly data: readonly Model[];
  readonly page: PageInfo;
};

export type Model = {
  readonly version: string;
  readonly state: ModelState;
  readonly trained_at: string;
  /** Time range of the calls that the model was trained on */
  readonly window: {
    readonly from: string;
    readonly to: string;
  };
  readonly examples: number;
  /** Examples with a label from the deterministic stage or a person */
  readonly labelled: number;
  /** Distinct pairs of owner and service in the labels */
  readonly labels: number;
  readonly gate: GateReport;
  readonly activated_at: string | null;
  readonly recalled_at: string | null;
  /** Id of the key, client or user */
  readonly recalled_by: string | null;
  readonly recall_reason: string | null;
};

/** active: the model serves predictions. validated: it passed the publication gate, and another model is active. rejected: it did not pass, and its predictions are advisory at most. recalled: it was withdrawn */
export type ModelState = 'active' | 'validated' | 'rejected' | 'recalled';

export type GateReport = {
  readonly passed: boolean;
  /** Labelled calls that the model was tested on. Each was predicted before it was used for training */
  readonly tested: number;
  readonly criteria: readonly {
    readonly criterion: string;
    /** Null when there was no data to measure it */
    readonly value: number | null;
    readonly at_least?: number;
    readonly at_most?: number;
    readonly passed: boolean;
  }[];
  /** The tested calls in up to 15 bins of equal width, by confidence. Bins of fewer than five calls are left out. Empty for models that were trained before this member existed */
  readonly reliability: readonly {
    readonly calls: number;
    /** Mean confidence of the predictions */
    readonly confidence: number;
    /** Share of right predictions. Equal to the confidence when calibrated */
    readonly accuracy: number;
  }[];
};

export type ModelRecall = {
  readonly model: Model;
  /** The job that attributes the affected records again */
  readonly job: JobStarted;
};

export type UsageReport = {
  readonly data: readonly UsageRow[];
  readonly page: PageInfo;
  readonly totals: UsageTotals;
  readonly billing_periods: PeriodStatuses;
  readonly idle_nodes?: IdleNodes;
  /** Present with `compare` or `previous_from` */
  readonly previous?: PreviousPeriod;
  readonly period: ReportPeriod;
  readonly time_zone: AnsweredTimeZone;
  readonly undetermined_invocations: UndeterminedInvocations;
  readonly warnings: Warnings;
  readonly as_of: ReportAsOf;
  readonly stale: ReportStale;
};

export type UsageRow = {
  readonly kind: RowKind;
  readonly interval_start?: IntervalStart;
  readonly owner?: RowOwner;
  readonly service?: RowService;
  readonly provider?: string;
  readonly served_model?: string;
  readonly pathway_category?: PathwayCategory;
  readonly region?: RowRegion;
  readonly tags?: RowTags;
  /** Day in `time_zone` */
  readonly day?: string;
  /** Start of the UTC hour */
  readonly hour?: string;
  readonly invocations: number;
  readonly cost_usd: KnownSum;
  readonly cost_usd_low: SumOrNull;
  readonly cost_usd_high: SumOrNull;
  readonly energy_wh: KnownSum;
  readonly energy_wh_low: SumOrNull;
  readonly energy_wh_high: SumOrNull;
  readonly carbon_gco2e: KnownSum;
  readonly carbon_gco2e_low: SumOrNull;
  readonly carbon_gco2e_high: SumOrNull;
  readonly joint_ranges: JointRanges;
  readonly input_tokens: number;
  readonly cached_input_tokens: number;
  readonly cache_write_tokens: number;
  readonly output_tokens: number;
  readonly reasoning_tokens: number;
  /** Calls whose cost is unknown. No cost sum includes them */
  readonly unpriced_invocations: number;
  readonly unknown_energy_invocations: number;
  readonly unknown_carbon_invocations: number;
  readonly output_states: OutputStateTotals;
  readonly confidence_bands: ConfidenceBandTotals;
  readonly owner_states: AnswerStates;
  readonly service_states: AnswerStates;
  readonly suppressed_groups: SuppressedGroups;
  /** The sums of the same groups in the period before. Present with `compare`, if `interval` is not given. A group that has calls only in the period before has a row with sums of zero */
  readonly previous?: PreviousTotals;
};

/** group: one group, identified by the members of the row. folded: groups of fewer than five persons, merged into their parent group. Members in which they differ are omitted. other: all groups except the largest `top` */
export type RowKind = 'group' | 'folded' | 'other';

/** Start of the interval, a day or month of `time_zone`. Present if `interval` is given */
export type IntervalStart = string;

/** Null: not attributed to an owner */
export type RowOwner = string | null;

/** Null: not attributed to a service */
export type RowService = string | null;

/** Cloud region that served the calls. Null: not reported */
export type RowRegion = string | null;

/** Values of the tags in `group_by`, by key. Null: the calls have no such tag. (several): several tags of the key. A key is absent if suppression hides its value, or if it was not a cost allocation tag on the day of the calls */
export type RowTags = Readonly<Record<string, string | null>>;

/** Null, not zero, if it is unknown for all calls */
export type KnownSum = SumOrNull;

export type SumOrNull = Total | null;

/** Ranges of the sum as a whole. Errors are shared by the calls of a model and independent between models, so these ranges are narrower than `_low` and `_high`, which add up the ends of all records. Energy and carbon: 90 % range of a log-normal total. Cost: ends of known prices, combined as the root of the sum of squares. Ranges of rows do not add up to those of totals */
export type JointRanges = {
  readonly cost_usd: JointSpread;
  readonly energy_wh: JointRange;
  readonly carbon_gco2e: JointRange;
};

export type JointSpread = {
  readonly low: SumOrNull;
  readonly high: SumOrNull;
};

export type JointRange = {
  readonly low: SumOrNull;
  readonly high: SumOrNull;
  /** Expected value. The centre is the sum of the medians of the records, so the mean exceeds it */
  readonly mean: SumOrNull;
};

/** By output_state. mixed: cohorts with more than one state. Their states are not shown, because one state could have fewer than five persons */
export type OutputStateTotals = Readonly<Record<string, InvocationTotals>>;

export type InvocationTotals = {
  readonly invocations: number;
  readonly cost_usd: Total;
  /** Calls whose cost is unknown */
  readonly unpriced_invocations: number;
};

/** By confidence_band, with the same rule as output_states */
export type ConfidenceBandTotals = Readonly<Record<string, InvocationTotals>>;

/** By the state of the owner or the service, with the rule of output_states. `confirmed` can be charged to it */
export type AnswerStates = Readonly<Record<string, InvocationTotals>>;

/** Number of groups of `group_by` that are folded into this row. A group counts once for each day on which it occurs, or for each hour if the report is hourly */
export type SuppressedGroups = number;

export type PreviousTotals = {
  readonly invocations: number;
  readonly cost_usd: KnownSum;
  readonly energy_wh: KnownSum;
  readonly carbon_gco2e: KnownSum;
  /** Calls whose cost is unknown. No cost sum includes them */
  readonly unpriced_invocations: number;
  readonly unknown_energy_invocations: number;
  readonly unknown_carbon_invocations: number;
};

export type UsageTotals = {
  readonly invocations: number;
  readonly cost_usd: KnownSum;
  readonly cost_usd_low: SumOrNull;
  readonly cost_usd_high: SumOrNull;
  readonly energy_wh: KnownSum;
  readonly energy_wh_low: SumOrNull;
  readonly energy_wh_high: SumOrNull;
  readonly carbon_gco2e: KnownSum;
  readonly carbon_gco2e_low: SumOrNull;
  readonly carbon_gco2e_high: SumOrNull;
  readonly joint_ranges: JointRanges;
  readonly input_tokens: number;
  readonly cached_input_tokens: number;
  readonly cache_write_tokens: number;
  readonly output_tokens: number;
  readonly reasoning_tokens: number;
  /** Calls whose cost is unknown. No cost sum includes them */
  readonly unpriced_invocations: number;
  readonly unknown_energy_invocations: number;
  readonly unknown_carbon_invocations: number;
  readonly output_states: OutputStateTotals;
  readonly confidence_bands: ConfidenceBandTotals;
  readonly owner_states: AnswerStates;
  readonly service_states: AnswerStates;
  readonly suppressed_groups: SuppressedGroups;
};

/** The billing periods (UTC months) that the answer overlaps */
export type PeriodStatuses = readonly PeriodStatus[];

export type PeriodStatus = {
  /** UTC month */
  readonly period: string;
  readonly state: PeriodState;
  /** Cost of the whole period today, less its cost at the close. 0 unless it is adjusted. Null for a credential that is bound to a residency lane, if it is adjusted */
  readonly adjustment_usd: Difference | null;
};

/** open: figures follow the records. closed: its exports always have the figures of the close. adjusted: closed, and records have changed since. The difference is in the exports of a later period */
export type PeriodState = 'open' | 'closed' | 'adjusted';

/** Unused time of own nodes, in no row or total. Only with read:attribution, for all lanes, without filters and for at most 31 days. energy_wh is null if the power of a pool is unknown */
export type IdleNodes = {
  readonly cost_usd: DecimalString;
  readonly energy_wh: DecimalString | null;
};

export type PreviousPeriod = {
  readonly period: ReportPeriod;
  readonly totals: PreviousTotals;
  readonly undetermined_invocations: number;
  /** Number of days of the period before with calls, whatever the filters */
  readonly days_with_calls: number;
  /** Whether the tenant already sent calls in the 31 days before that period. If not, it began within the period or later, and the two periods cannot be compared */
  readonly complete: boolean;
};

export type ReportPeriod = {
  readonly from: string;
  /** Exclusive */
  readonly to: string;
  /** True if the report includes exactly the calls of the range. False if the range ends within a month in which suppression moved calls to another day, hour or part of an hour, so that calls may be added or missing. Also false if some calls cannot be shown in this residency lane */
  readonly exact: boolean;
};

/** IANA time zone of days and months. Instants are in UTC */
export type AnsweredTimeZone = string;

/** Number of calls of the range that match or do not match the filters: suppression hides a member that a filter tests. Neither rows nor totals include them. 0 without filters */
export type UndeterminedInvocations = number;

/** When the newest total of this report was computed. If a change of the records is not in the totals yet, the time of that change: totals are complete up to then. If nothing is known about pending changes, the last time that is known, or the start of the range */
export type ReportAsOf = string;

/** Whether calls that were accepted, or records that were changed, more than 90 seconds ago may be missing from this report, in any period. Read it again later */
export type ReportStale = boolean;

export type AdoptionReport = {
  readonly data: readonly AdoptionRow[];
  readonly page: PageInfo;
  readonly totals: AdoptionTotals;
  readonly period: ReportPeriod;
  readonly time_zone: AnsweredTimeZone;
  readonly undetermined_invocations: UndeterminedInvocations;
  readonly warnings: Warnings;
  readonly as_of: ReportAsOf;
  readonly stale: ReportStale;
};

export type AdoptionRow = {
  readonly kind: RowKind;
  readonly interval_start?: IntervalStart;
  readonly owner?: RowOwner;
  readonly service?: RowService;
  readonly provider?: string;
  readonly served_model?: string;
  readonly pathway_category?: PathwayCategory;
  readonly region?: RowRegion;
  readonly tags?: RowTags;
  readonly persons: PersonCount;
  readonly persons_estimated: PersonsEstimated;
  readonly invocations: number;
  readonly suppressed_groups: SuppressedGroups;
};

/** Distinct persons, also unknown ones behind keys and workloads, rounded down to a multiple of 5, so that the difference of two counts cannot reveal a smaller group */
export type PersonCount = number;

/** False if `persons` is a count before it is rounded down. True if it is an estimate: more than 127 persons are estimated with a standard error of 9 % */
export type PersonsEstimated = boolean;

export type AdoptionTotals = {
  readonly persons: PersonCount;
  readonly persons_estimated: PersonsEstimated;
  readonly invocations: number;
  readonly suppressed_groups: SuppressedGroups;
};

export type ForecastReport = {
  readonly data: readonly ForecastRow[];
  readonly page: PageInfo;
  readonly totals: ForecastTotals;
  readonly period: ReportPeriod;
  readonly time_zone: AnsweredTimeZone;
  readonly undetermined_invocations: UndeterminedInvocations;
  readonly warnings: Warnings;
  readonly as_of: ReportAsOf;
  readonly stale: ReportStale;
};

export type ForecastRow = {
  readonly kind: RowKind;
  readonly owner?: RowOwner;
  readonly service?: RowService;
  readonly provider?: string;
  readonly served_model?: string;
  readonly pathway_category?: PathwayCategory;
  readonly region?: RowRegion;
  readonly tags?: RowTags;
  /** Cost of the period so far. Null, not zero, if it is unknown for all calls or hidden */
  readonly spent_usd: SumOrNull;
  /** With hidden calls */
  readonly spent_usd_maximum: SumOrNull;
  readonly owner_states: AnswerStates;
  readonly forecast_usd: ForecastUsd;
  readonly forecast_range_usd: ForecastRange;
  readonly forecast_unknown: ForecastUnknownReason;
  /** Calls of the period whose cost is unknown. No amount includes them */
  readonly unpriced_invocations: number;
};

export type ForecastTotals = {
  /** Cost of the period so far. Null, not zero, if it is unknown for all calls or hidden */
  readonly spent_usd: SumOrNull;
  /** With hidden calls */
  readonly spent_usd_maximum: SumOrNull;
  readonly owner_states: AnswerStates;
  readonly forecast_usd: ForecastUsd;
  readonly forecast_range_usd: ForecastRange;
  readonly forecast_unknown: ForecastUnknownReason;
  /** Calls of the period whose cost is unknown. No amount includes them */
  readonly unpriced_invocations: number;
};

export type ChangesReport = {
  readonly data: readonly ChangeRow[];
  readonly page: PageInfo;
  readonly totals: ChangeTotals;
  readonly previous: ComparedPeriod;
  /** When prices of the shown models changed, from the start of the period before to the end of this one: the newest first. Prices of contracts are among them for callers with read:attribution, and else those of the list */
  readonly price_changes: readonly PriceChange[];
  readonly period: ReportPeriod;
  readonly time_zone: AnsweredTimeZone;
  readonly undetermined_invocations: UndeterminedInvocations;
  readonly warnings: Warnings;
  readonly as_of: ReportAsOf;
  readonly stale: ReportStale;
};

export type ChangeRow = {
  readonly kind: RowKind;
  readonly owner?: RowOwner;
  readonly service?: RowService;
  readonly provider?: string;
  readonly served_model?: string;
  readonly pathway_category?: PathwayCategory;
  readonly region?: RowRegion;
  readonly tags?: RowTags;
  readonly current: ChangeSide;
  readonly previous: ChangeSide;
  /** Difference of both costs. Null if one is null */
  readonly change_usd: Difference | null;
  readonly change_range_usd: ChangeRange | null;
  /** Null without a change */
  readonly parts: ChangeParts | null;
};

export type ChangeSide = {
  readonly invocations: number;
  /** Calls whose cost is unknown. No cost sum includes them */
  readonly unpriced_invocations: number;
  /** With hidden calls */
  readonly invocations_maximum: number;
  /** Null, not zero, if it is unknown for all calls or hidden */
  readonly cost_usd: SumOrNull;
  readonly cost_usd_maximum: SumOrNull;
  readonly owner_states: AnswerStates;
};

/** With hidden calls. Null if a period has no known cost */
export type ChangeRange = {
  readonly low: Difference;
  readonly high: Difference;
};

/** Parts of `change_usd`. They sum exactly to it */
export type ChangeParts = {
  /** More or fewer calls, at the mean cost of a call before */
  readonly volume_usd: Difference;
  /** Other providers and models, at the mean cost of a call of each before. A new model: at its cost */
  readonly mix_usd: Difference;
  /** More or fewer tokens in a call, at the cost of a token before */
  readonly tokens_usd: Difference;
  /** Another share of the input read from or written to a cache */
  readonly cache_usd: Difference;
  /** The rest: list price, contract, service tier, fees */
  readonly price_usd: Difference;
  /** Calls whose model is hidden, and changes of the cost of a call of models without a price, without tokens, or with calls of unknown cost */
  readonly undivided_usd: Difference;
};

export type ChangeTotals = {
  readonly current: ChangeSide;
  readonly previous: ChangeSide;
  /** Difference of both costs. Null if one is null */
  readonly change_usd: Difference | null;
  readonly change_range_usd: ChangeRange | null;
  /** Null without a change */
  readonly parts: ChangeParts | null;
};

/** As `previous` of the usage report */
export type ComparedPeriod = {
  readonly period: ReportPeriod;
  readonly undetermined_invocations: number;
  readonly complete: boolean;
};

export type PriceChange = {
  readonly at: string;
  readonly provider: string;
  readonly served_model: string;
  readonly before: ListedTokenPrices;
  readonly now: ListedTokenPrices;
};

/** USD per million tokens. Null: no price of its own */
export type ListedTokenPrices = {
  readonly uncached_input: SumOrNull;
  readonly cached_input: SumOrNull;
  readonly cache_write: SumOrNull;
  readonly output: SumOrNull;
};

export type UnitCostsReport = {
  readonly data: readonly UnitCostRow[];
  readonly page: PageInfo;
  readonly totals: UnitCosts;
  readonly period: ReportPeriod;
  readonly time_zone: AnsweredTimeZone;
  readonly undetermined_invocations: UndeterminedInvocations;
  readonly warnings: Warnings;
  readonly as_of: ReportAsOf;
  readonly stale: ReportStale;
};

export type UnitCostRow = {
  readonly kind: RowKind;
  readonly interval_start?: IntervalStart;
  readonly owner?: RowOwner;
  readonly service?: RowService;
  readonly provider?: string;
  readonly served_model?: string;
  readonly pathway_category?: PathwayCategory;
  readonly region?: RowRegion;
  readonly tags?: RowTags;
  readonly invocations: number;
  readonly cost_usd: KnownSum;
  /** Calls whose cost is unknown. No cost sum includes them */
  readonly unpriced_invocations: number;
  /** With hidden calls that can be of the group. Ratios are those of the shown calls */
  readonly invocations_maximum: number;
  /** Of calls whose cost is known. Null without one */
  readonly cost_per_invocation_usd: SumOrNull;
  readonly person_costs: PersonCosts;
  readonly token_costs: TokenCosts;
  readonly cache: CacheUse;
  readonly outcomes?: OutcomesCosts;
  readonly suppressed_groups: SuppressedGroups;
};

/** The known cost of the groups of calls that name persons, for each person. A range, because persons are rounded down or estimated. Null without persons or a known cost */
export type PersonCosts = {
  readonly persons: PersonCount;
  readonly persons_estimated: PersonsEstimated;
  readonly low_usd: SumOrNull;
  readonly high_usd: SumOrNull;
};

/** The cost, divided among tokens in the proportion of the prices of the model. The parts sum exactly to `cost_usd` */
export type TokenCosts = {
  readonly uncached_input: TokenCost;
  readonly cached_input: TokenCost;
  readonly cache_write: TokenCost;
  readonly output: TokenCost;
  /** Cost of calls whose model is hidden or has no price, without tokens, or only shown with calls of unknown cost */
  readonly undivided_usd: Total;
};

export type TokenCost = {
  readonly tokens: number;
  readonly cost_usd: Total;
  /** Null without such tokens */
  readonly usd_per_million: SumOrNull;
};

export type CacheUse = {
  /** Of the input tokens, that was read from a cache, 0 to 1. Null without input */
  readonly share: SumOrNull;
  /** What that saved, less the surcharge of cache writes, at the prices of `token_costs`. Null if no call is divided */
  readonly saving_usd: Difference | null;
};

/** Calls with the status `error` or `incomplete`, which a provider can charge. A call of which no producer reports a status counts as `ok`. Only with read:attribution */
export type OutcomesCosts = {
  readonly error: OutcomeCosts;
  readonly incomplete: OutcomeCosts;
  /** Further calls that can have such a status: hidden ones of `invocations_maximum`, and those of sums that were stored before it was counted */
  readonly unexamined_invocations: number;
};

export type OutcomeCosts = {
  /** Null if the status of no call is known */
  readonly invocations: number | null;
  /** Those with a known cost above 0 */
  readonly paid_invocations: number | null;
  /** Calls whose cost is unknown. No cost sum includes them */
  readonly unpriced_invocations: number;
  readonly cost_usd: KnownSum;
  readonly cost_usd_low: SumOrNull;
  readonly cost_usd_high: SumOrNull;
};

export type UnitCosts = {
  readonly invocations: number;
  readonly cost_usd: KnownSum;
  /** Calls whose cost is unknown. No cost sum includes them */
  readonly unpriced_invocations: number;
  /** With hidden calls that can be of the group. Ratios are those of the shown calls */
  readonly invocations_maximum: number;
  /** Of calls whose cost is known. Null without one */
  readonly cost_per_invocation_usd: SumOrNull;
  readonly person_costs: PersonCosts;
  readonly token_costs: TokenCosts;
  readonly cache: CacheUse;
  readonly outcomes?: OutcomesCosts;
  readonly suppressed_groups: SuppressedGroups;
};

export type SavingsReport = {
  readonly data: readonly Saving[];
  readonly page: PageInfo;
  readonly period: ReportPeriod;
  readonly time_zone: AnsweredTimeZone;
  readonly undetermined_invocations: UndeterminedInvocations;
  readonly warnings: Warnings;
  readonly as_of: ReportAsOf;
  readonly stale: ReportStale;
  /** How many suggestions with these filters are dismissed and have not grown */
  readonly dismissed_suggestions: number;
};

export type Saving = {
  /** prompt_caching: long inputs, few of them cached. batch: nobody seems to wait for the calls, and they cost more than a batch or the flex tier. replacement_model: the provider recommends another model, which is cheaper. failed_calls: calls that failed or were cut off, and cost something; needs read:attribution. long_context: calls that read just more tokens than those up to which a lower price applies; needs read:attribution. idle_nodes: hours of own nodes that no call used */
  readonly saving:
    | 'prompt_caching'
    | 'batch'
    | 'replacement_model'
    | 'failed_calls'
    | 'long_context'
    | 'idle_nodes';
  readonly kind: RowKind;
  readonly owner?: RowOwner;
  readonly service?: RowService;
  readonly provider?: string;
  readonly served_model?: string;
  readonly pool?: string;
  /** No claim about its answers */
  readonly replacement?: {
    readonly model: string;
    /** Where the provider recommends it */
    readonly source: string;
    readonly checked: string;
  };
  /** The least that it saves in 30 days */
  readonly low_usd: Total;
  /** The most */
  readonly high_usd: Total;
  /** In 30 days. Negative: it needs more. Null: unknown */
  readonly energy_wh: {
    readonly low: Difference;
    readonly high: Difference;
  } | null;
  /** low: also from a judgement about what calls have in common or can wait for */
  readonly confidence: 'low' | 'medium';
  readonly invocations: number;
  /** Of the calls that it rests on */
  readonly cost_usd: Total;
  /** The figures of the computation, by name */
  readonly basis: Readonly<Record<string, string>>;
  /** How to check it */
  readonly verify: string;
  /** What was saved since the period before, as compare=previous_period has it */
  readonly realised: RealisedSaving;
  /** Null: it was not dismissed */
  readonly dismissal: DismissedSaving | null;
};

/** too_few_earlier_calls: the period before has fewer than 100 calls of the group, or may lack calls. volume_changed: it could also be more or fewer calls. price_changed: a price changed in one of the periods. unpriced_calls: of a call the cost is unknown. hidden_calls: privacy hides which calls changed. unexamined_calls: calls were counted before their status or length was. Null: it is known */
export type RealisedUnknown =
  | 'too_few_earlier_calls'
  | 'volume_changed'
  | 'price_changed'
  | 'unpriced_calls'
  | 'hidden_calls'
  | 'unexamined_calls'
  | null;

export type RealisedSaving = {
  /** The least that the change saves in 30 days. Null: unknown. 0 to 0: nothing changed */
  readonly low_usd: Total | null;
  /** The most */
  readonly high_usd: Total | null;
  readonly unknown: RealisedUnknown;
  /** Calls of the period before that it rests on */
  readonly previous_invocations: number;
  /** Calls of the period that it rests on */
  readonly invocations: number;
  /** The figures of the computation, by name */
  readonly basis: Readonly<Record<string, string>>;
};

export type DismissedSaving = {
  readonly id: string;
  /** What it saved at most in 30 days when it was dismissed */
  readonly high_usd: Total;
  readonly reason: string;
  readonly dismissed_by: string;
  readonly dismissed_at: string;
  /** Whether it saves at least 1.5 times as much since, and 1 USD more: it is suggested again */
  readonly has_grown: boolean;
};

export type SavingDismissal = {
  readonly id: string;
  readonly saving:
    | 'prompt_caching'
    | 'batch'
    | 'replacement_model'
    | 'failed_calls'
    | 'long_context'
    | 'idle_nodes';
  /** Null: no owner. Absent: hidden */
  readonly owner?: string | null;
  /** Null: no service. Absent: hidden */
  readonly service?: string | null;
  readonly provider?: string;
  readonly served_model?: string;
  /** The `model` of `replacement` */
  readonly replacement_model?: string;
  /** Of idle_nodes */
  readonly pool?: string;
  /** As in the suggestion. folded: a group with a hidden name */
  readonly kind: 'group' | 'folded';
  /** What it saved at most in 30 days when it was dismissed */
  readonly high_usd: Total;
  readonly reason: string;
  /** The lane whose suggestion it is. Null: all */
  readonly residency: string | null;
  readonly dismissed_by: string;
  readonly dismissed_at: string;
};

export type SavingDismissalPage = {
  readonly data: readonly SavingDismissal[];
  readonly page: PageInfo;
};

export type Annotation = {
  readonly id: string;
  /** The day, in UTC */
  readonly date: string;
  /** What happened */
  readonly text: string;
  /** The lane of who wrote it. Null: all */
  readonly residency: string | null;
  readonly created_by: string;
  readonly created_at: string;
};

export type AnnotationPage = {
  readonly data: readonly Annotation[];
  readonly page: PageInfo;
};

export type SavedView = {
  readonly id: string;
  /** The page of the console */
  readonly page: 'explore' | 'records' | 'savings';
  /** What people call it */
  readonly name: string;
  /** The query of the address of the page, without the question mark. Absent: the page as it opens */
  readonly search?: string;
  /** The lane of who saved it. Null: all */
  readonly residency: string | null;
  readonly created_by: string;
  readonly created_at: string;
};

export type SavedViewPage = {
  readonly data: readonly SavedView[];
  readonly page: PageInfo;
};

export type MetricCosts = {
  readonly data: readonly MetricCost[];
  readonly page: PageInfo;
  readonly period: ReportPeriod;
  readonly time_zone: AnsweredTimeZone;
  readonly as_of: ReportAsOf;
  readonly stale: ReportStale;
};

export type MetricCost = {
  readonly metric_id: string;
  /** What is counted */
  readonly name: string;
  /** Only the cost of its calls. Null: of all owners */
  readonly owner: string | null;
  /** Only the cost of its calls. Null: of all services */
  readonly service: string | null;
  /** Start of the day or month. Present if `interval` is given */
  readonly interval_start?: string;
  /** The sum of the numbers. Null: no day has one */
  readonly units: SumOrNull;
  /** Days that have a number. Cost is that of these days only */
  readonly days: number;
  /** They count neither as 0 nor with their cost */
  readonly days_without_number: number;
  readonly invocations: number;
  /** With hidden calls that can be of the owner or service */
  readonly invocations_maximum: number;
  /** Shown calls of unknown cost, in no amount */
  readonly unpriced_invocations: number;
  /** Null: unknown, or no day has a number */
  readonly cost_usd: SumOrNull;
  /** Of calls whose cost is known, rounded to twelve digits. Null: the cost is unknown, or there are no units */
  readonly cost_per_unit_usd: SumOrNull;
  readonly cost_per_unit_range_usd: MetricCostRange;
};

/** With the ranges of prices, and from none to all hidden calls. Null: as cost_per_unit_usd */
export type MetricCostRange = {
  readonly low: SumOrNull;
  /** Null: unknown, because calls have no known cost */
  readonly high: SumOrNull;
} | null;

export type BusinessMetric = {
  readonly id: string;
  /** What is counted */
  readonly name: string;
  /** Only the cost of its calls. Null: of all owners */
  readonly owner: string | null;
  /** Only the cost of its calls. Null: of all services */
  readonly service: string | null;
  /** How many days have a number */
  readonly days: number;
  readonly first_day: string | null;
  readonly last_day: string | null;
  /** The lane whose calls it divides. Null: all */
  readonly residency: string | null;
  readonly updated_at: string;
  readonly updated_by: string;
};

export type BusinessMetricPage = {
  readonly data: readonly BusinessMetric[];
  readonly page: PageInfo;
};

export type NodeHours = {
  /** By hour and pool */
  readonly lines: readonly NodeHourLine[];
  readonly totals: {
    readonly cost_usd: DecimalString;
    readonly charged_usd: DecimalString;
    readonly idle_usd: DecimalString;
  };
};

export type NodeHourLine = {
  readonly pool: string;
  readonly hour: string;
  readonly cost_usd: DecimalString;
  /** The sum of the costs of the calls */
  readonly charged_usd: DecimalString;
  /** cost_usd without charged_usd */
  readonly idle_usd: DecimalString;
  /** Only if the power of the nodes is stated */
  readonly energy_wh?: DecimalString;
  /** energy_wh without that of the calls */
  readonly idle_wh?: DecimalString;
  readonly busy: 'busy_time' | 'whole_hour';
  readonly measure: 'tokens' | 'seconds';
  readonly calls: number;
  /** Calls whose use is unknown */
  readonly unmeasured_calls: number;
  /** The 10 whose calls cost most */
  readonly credentials?: readonly {
    readonly id: string;
    readonly calls: number;
    readonly charged_usd: DecimalString;
  }[];
  /** With the calls recorded by then */
  readonly as_of: string;
};

export type UnownedReport = {
  readonly data: readonly UnownedService[];
  readonly page: PageInfo;
  /** Services with calls without a confirmed owner */
  readonly services: number;
  readonly totals: UnownedAmounts;
  readonly period: ReportPeriod;
  readonly time_zone: AnsweredTimeZone;
  /** Records that suggestions were made from: the newest of the period, at most 1000. Null if none was read */
  readonly examined: number | null;
  /** As in the usage report */
  readonly as_of: string;
  /** As in the usage report */
  readonly stale: boolean;
};

export type UnownedService = {
  /** group: one service. folded: calls of which suppression hides the service. other: all services beyond `top` */
  readonly kind: 'group' | 'folded' | 'other';
  /** Null: calls that name no service */
  readonly service?: string | null;
  /** Calls without a confirmed owner */
  readonly invocations: number;
  /** With the calls of which suppression hides whether they have one */
  readonly invocations_maximum: number;
  /** Known cost of `invocations` */
  readonly cost_usd: Total;
  /** Known cost of `invocations_maximum` */
  readonly cost_usd_maximum: Total;
  /** Of the known cost of all calls of the period, 0 to 1. Null if that is 0 */
  readonly share: number | null;
  readonly share_maximum: number | null;
  /** Calls among `invocations` whose cost is unknown */
  readonly unpriced_invocations: number;
  /** The part of `cost_usd` with an owner of low confidence */
  readonly provisional: Total;
  /** The part that an allocation divides among owners */
  readonly allocated: Total;
  /** How the calls can be mapped, the most expensive group first. Those of a folded row are of the examined records that no other row names. Null without the scope read:attribution, and if no suggestions are asked for. Empty if none of the calls was examined: select the service */
  readonly groups: readonly UnownedGroup[] | null;
};

export type UnownedGroup = {
  /** Conditions of a mapping for these calls: what they name best. Empty if they name nothing that a mapping reads */
  readonly conditions: readonly MappingConditionOutput[];
  /** Calls of the group among the examined records */
  readonly examined: number;
  /** The known cost of these calls */
  readonly cost_usd: Total;
  readonly suggestions: readonly OwnerSuggestion[];
};

/** A suggestion. Nothing counts it as an owner */
export type OwnerSuggestion = {
  readonly owner: string;
  /** mapping: an identity mapping names the owner, but begins later, or is newer than the records. service, workload, tag, key_name: the owner has confirmed calls with the same value. rules: the evidence of the calls names the owner with less confidence than a charge needs. model: a prediction. name: the value contains the name of the owner */
  readonly basis: 'mapping' | 'service' | 'workload' | 'rules' | 'tag' | 'key_name' | 'model' | 'name';
  /** Null if several or none were read */
  readonly field: MappableField | null;
  /** The value of the field */
  readonly value: string | null;
  /** Evidence: of service, workload, tag and key_name, the confirmed calls of this owner with the value. Of the others, the calls of the group for which they name the owner */
  readonly calls: number;
  /** All confirmed calls with the value, or all examined calls of the group */
  readonly of: number;
  /** Only of a prediction in whose services the confidence is calibrated: the mean of its calls. Null: not known */
  readonly confidence: number | null;
  readonly mapping?: {
    readonly id: string;
    readonly name: string;
  };
};

export type UnownedAmounts = {
  /** Calls without a confirmed owner */
  readonly invocations: number;
  /** With the calls of which suppression hides whether they have one */
  readonly invocations_maximum: number;
  /** Known cost of `invocations` */
  readonly cost_usd: Total;
  /** Known cost of `invocations_maximum` */
  readonly cost_usd_maximum: Total;
  /** Of the known cost of all calls of the period, 0 to 1. Null if that is 0 */
  readonly share: number | null;
  readonly share_maximum: number | null;
  /** Calls among `invocations` whose cost is unknown */
  readonly unpriced_invocations: number;
};

export type AttributionLookup = {
  /** Null if the rules name none */
  readonly owner: string | null;
  /** Null if the rules name none */
  readonly service: string | null;
  readonly output_state: 'deterministically_resolved' | 'unresolved';
  readonly interpretation: Interpretation;
  /** The budgets that would count the call, those with the highest crossed threshold first */
  readonly budgets: readonly {
    readonly budget_id: string;
    readonly period: 'month' | 'quarter' | 'rolling_30d';
    /** Thresholds crossed in the current period, in percent of the ceiling, ascending. Null if the budget counts records and the caller lacks read:attribution */
    readonly crossed: readonly number[] | null;
  }[];
  /** When the mappings and the crossed thresholds were read */
  readonly as_of: string;
};

/** The figures are null in the answer to a change, which is evaluated afterwards, and if the caller lacks the scope that reads them: read:reporting for a budget that counts cohorts, read:attribution for one that counts records */
export type Budget = {
  readonly id: string;
  readonly name: string;
  /** Spending limit of a period, in USD */
  readonly ceiling_usd: DecimalString;
  readonly period: BudgetPeriod;
  readonly scope: BudgetScopeOutput;
  /** Percentages of the ceiling at which the budget alerts, ascending */
  readonly thresholds: readonly number[];
  /** Percentages of the ceiling at which the budget alerts when its forecast reaches them, ascending */
  readonly forecast_thresholds: readonly number[];
  /** The data-residency lane whose spend counts: the lane of the credential that created the budget. Null: all lanes */
  readonly residency: string | null;
  readonly basis: BudgetBasis;
  readonly created_at: string;
  readonly updated_at: string;
  /** Id of the key, client or user */
  readonly created_by: string;
  readonly time_zone: AnsweredTimeZone;
  readonly current_period: Between;
  /** Spend of the current period. Calls without a known price are not included. */
  readonly period_to_date_usd: Total | null;
  readonly spent_by_owner_state: SpendByOwnerState;
  /** Calls of the current period without a known price. No amount of this budget includes them. */
  readonly unpriced_invocations: number | null;
  readonly forecast_usd: ForecastUsd;
  readonly forecast_range_usd: ForecastRange;
  readonly forecast_unknown: ForecastUnknownReason;
  /** Thresholds crossed in the current period, in percent of the ceiling, ascending. */
  readonly crossed: readonly number[] | null;
  /** Empty without calls */
  readonly warnings: Warnings | null;
  /** When the newest usage data of the period was aggregated. If a change of the records is not in it yet, the time of that change: the figures are complete up to then. Null before there is any, if nothing is known about pending changes, and where period_to_date_usd is null */
  readonly as_of: string | null;
  /** Whether calls or changes from more than 90 seconds ago may be missing from the figures. */
  readonly stale: boolean | null;
};

/** The same spend in USD by the state of the owner, as owner_states of the usage report. States without calls are absent. */
export type SpendByOwnerState = Readonly<Record<string, Total>> | null;

export type BudgetPage = {
  readonly data: readonly Budget[];
  readonly page: PageInfo;
};

export type BudgetPeriods = {
  readonly data: readonly BudgetPeriodRecord[];
  readonly page: PageInfo;
};

/** The figures are null in the answer to a change, which is evaluated afterwards, and if the caller lacks the scope that reads them: read:reporting for a budget that counts cohorts, read:attribution for one that counts records */
export type BudgetPeriodRecord = {
  readonly time_zone: AnsweredTimeZone;
  readonly period: Between;
  readonly is_current: boolean;
  /** Spend of the period. Calls without a known price are not included. */
  readonly spent_usd: Total | null;
  readonly spent_by_owner_state: SpendByOwnerState;
  /** Calls of the period without a known price. */
  readonly unpriced_invocations: number | null;
  /** Thresholds of the present ceiling that the spend reaches, in percent, ascending. An alert may have been raised under another ceiling, or never. */
  readonly reached: readonly number[] | null;
  /** When the newest usage data of the period was aggregated. Null without usage, and if nothing is known about pending changes. */
  readonly as_of: string | null;
};

export type AnomalyPage = {
  readonly data: readonly Anomaly[];
  readonly page: PageInfo;
  /** When the service last looked. Null: not yet, so an empty list says nothing */
  readonly evaluated_at: string | null;
};

export type Anomaly = {
  readonly id: string;
  readonly detected_at: string;
  /** When an hour or day was last added to the anomaly */
  readonly updated_at: string;
  /** Whether hours or whole UTC days were outside their expected range */
  readonly grain: 'hour' | 'day';
  readonly dimension: 'tenant' | 'owner' | 'service' | 'served_model';
  /** The owner, service or model. Null for the whole tenant */
  readonly value: string | null;
  /** The data-residency lane of the calls. Each lane is evaluated separately */
  readonly residency: string | null;
  /** Extended while the following hours or days are outside their range too */
  readonly period: Between;
  /** Cost of the hours or days that were outside their range */
  readonly observed_usd: Total;
  readonly observed_by_owner_state?: ObservedByOwnerState;
  /** Expected cost of these hours or days, and the expected range */
  readonly expected_usd: {
    readonly low: Total;
    readonly central: Total;
    readonly high: Total;
  };
  /** Distance of the cost from the expected cost, divided by the distance of the upper end of the range. 1 is the end of the range. The highest value of all hours or days */
  readonly score: number;
  readonly drivers: AnomalyDrivers;
  /** Until when its series raises no events and notifications. Null: it is not muted */
  readonly muted_until: string | null;
};

export type ExplainedAnomaly = {
  readonly id: string;
  readonly detected_at: string;
  /** When an hour or day was last added to the anomaly */
  readonly updated_at: string;
  /** Whether hours or whole UTC days were outside their expected range */
  readonly grain: 'hour' | 'day';
  readonly dimension: 'tenant' | 'owner' | 'service' | 'served_model';
  /** The owner, service or model. Null for the whole tenant */
  readonly value: string | null;
  /** The data-residency lane of the calls. Each lane is evaluated separately */
  readonly residency: string | null;
  /** Extended while the following hours or days are outside their range too */
  readonly period: Between;
  /** Cost of the hours or days that were outside their range */
  readonly observed_usd: Total;
  readonly observed_by_owner_state?: ObservedByOwnerState;
  /** Expected cost of these hours or days, and the expected range */
  readonly expected_usd: {
    readonly low: Total;
    readonly central: Total;
    readonly high: Total;
  };
  /** Distance of the cost from the expected cost, divided by the distance of the upper end of the range. 1 is the end of the range. The highest value of all hours or days */
  readonly score: number;
  readonly drivers: AnomalyDrivers;
  /** Until when its series raises no events and notifications. Null: it is not muted */
  readonly muted_until: string | null;
  /** The first hour that costs at least the mean of all hours more than the same hour of the earlier period. Null: no such hour is shown, or the anomaly has more than 31 days */
  readonly first_hour: string | null;
  /** Why its calls cost more than those of `previous`, as getChangesReport divides the change. It differs from the excess over the expected cost, which is a median of weeks */
  readonly change: ChangeTotals;
  /** The same weekdays, a week before, or as many weeks as the anomaly has */
  readonly previous: ComparedPeriod;
  /** The largest changes by service, or by model for a service, or by owner for the tenant and for a model */
  readonly movers: readonly ChangeRow[];
  /** Requests for more: changes, usage by the hour, and the calls, which take read:attribution */
  readonly links: {
    readonly changes: string;
    readonly hours: string;
    readonly calls: string;
  };
  readonly as_of: string;
  readonly stale: boolean;
};

export type AnomalyMute = {
  readonly dimension: 'tenant' | 'owner' | 'service' | 'served_model';
  /** The owner, service or model. Null for the whole tenant */
  readonly value: string | null;
  /** The data-residency lane of the calls. Each lane is evaluated separately */
  readonly residency: string | null;
  readonly until: string;
  readonly reason?: string;
  readonly muted_by: string;
  readonly muted_at: string;
};

export type CoverageMap = {
  readonly as_of: string;
  /** Pathways with observations, discoveries or expectations */
  readonly pathways: readonly PathwayCoverage[];
  readonly connectors: readonly {
    readonly connector: string;
    readonly status: 'healthy' | 'degraded' | 'failed';
    /** Time of the newest connector.health event of the connector */
    readonly reported_at: string;
  }[];
  /** What sent token counts in the last 24 hours that made no record, by instrumentation scope. Empty for a credential bound to a lane */
  readonly unread_usage: readonly UnreadUsage[];
  /** All integrations, also those that are not used */
  readonly integrations: readonly Integration[];
};

export type PathwayCoverage = {
  readonly pathway_category: PathwayCategory;
  readonly state: CoverageState;
  /** Start of the state. Null for a credential bound to a lane, because states are stored per tenant */
  readonly since: string | null;
  readonly layers: readonly CaptureLayer[];
  /** Layers that the tenant expects. Empty: any layer is enough */
  readonly expected: readonly string[];
  /** Expected layers that are not live */
  readonly missing: readonly string[];
  /** Use reported by CASB, DNS, firewall or admin API. It is never counted as calls */
  readonly discovered: readonly Discovered[];
};

export type CaptureLayer = {
  readonly ingestion_layer: string;
  /** silent: for longer than silence_allowed_seconds. lost: for longer than three times that */
  readonly status: 'live' | 'silent' | 'lost';
  /** First activity in the last 35 days, to ten minutes */
  readonly first_seen: string;
  /** Arrival of the newest event, to ten minutes */
  readonly last_seen: string;
  /** The silence threshold of the layer: 1.5 times its second longest silence in the last 35 days. The longest silence may have been an outage. From one hour to ten days, and at least three days during the first two weeks of a layer */
  readonly silence_allowed_seconds: number;
  readonly source_systems: readonly {
    readonly source_system: string | null;
    readonly last_seen: string;
  }[];
};

export type Discovered = {
  readonly source: 'casb' | 'dns' | 'firewall' | 'admin_api';
  readonly provider: string;
  readonly first_seen: string;
  readonly last_seen: string;
};

export type UnreadUsage = {
  /** Name of the instrumentation scope */
  readonly scope: string;
  /** Spans and log records */
  readonly count: number;
  /** How to make them readable */
  readonly hint: string;
};

export type Integration = {
  /** events_api: events of a client library, of your own code, or CloudEvents. coding_agents: Claude Code, Codex and Gemini CLI. An event counts for the integration that its ingestion_layer, source_system and pathway name */
  readonly integration:
    | 'events_api'
    | 'opentelemetry'
    | 'coding_agents'
    | 'litellm'
    | 'bedrock'
    | 'vertex_ai'
    | 'azure_api_management';
  /** By the silence threshold of the integration, as for a layer. not_seen: no event in the last 35 days */
  readonly status: 'live' | 'silent' | 'lost' | 'not_seen';
  /** Arrival of the newest event, to ten minutes */
  readonly last_seen: string | null;
  /** Source systems of its events, the newest first */
  readonly source_systems: readonly string[];
  /** How to enable the integration */
  readonly setup: {
    readonly instruction: string;
    readonly language: 'sh' | 'yaml';
    /** It names the endpoint of this service. Replace YOUR_INGEST_KEY by a key with ingest:write */
    readonly snippet: string;
  };
};

export type SignalsAccepted = {
  readonly accepted: number;
  readonly rejected: number;
  readonly results: readonly (
    | {
        readonly index: number;
        readonly source: string;
        readonly id: string;
        readonly status: 'accepted';
        /** Dotted paths of content members that were dropped. Their values are not stored */
        readonly scrubbed: readonly string[];
        /** Why optional members of an inference event were dropped or corrected, and a type or member that may be misspelt */
        readonly warnings?: readonly FieldError[];
      }
    | {
        readonly index: number;
        readonly source: string | null;
        readonly id: string | null;
        readonly status: 'rejected';
        readonly errors: readonly FieldError[];
      }
  )[];
};

export type PartnerConnector = {
  readonly client_id: string;
  /** The name under which the tenant registered it */
  readonly connector: string;
  readonly residency: string | null;
  /** The newest report. Null if there is none */
  readonly health: {
    readonly status: 'healthy' | 'degraded' | 'failed';
    readonly reported_at: string;
  } | null;
  readonly source_systems: readonly string[];
  /** Accepted events of the last 31 UTC days, newest first. Repeated requests count again */
  readonly usage: readonly {
    readonly day: string;
    readonly events: number;
  }[];
};

export type PartnerHealth = {
  readonly status: 'healthy' | 'degraded' | 'failed';
  readonly reported_at: string;
};

export type PartnerCoverage = {
  readonly as_of: string;
  readonly source_systems: readonly {
    readonly source_system: string;
    /** By the silence threshold of the source system, as for a layer of the coverage map. not_seen: no event in the last 35 days */
    readonly status: 'live' | 'silent' | 'lost' | 'not_seen';
    /** Arrival of the newest event, to ten minutes */
    readonly last_seen: string | null;
    /** Capture layers of its events, by name */
    readonly ingestion_layers: readonly string[];
  }[];
};

export type ExportStarted = {
  readonly job_id: string;
  readonly status: ExportState;
  readonly status_url: string;
  readonly created_at: string;
};

export type ExportState = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'expired';

export type ExportPage = {
  readonly data: readonly ExportJob[];
  readonly page: PageInfo;
};

export type ExportJob = {
  readonly job_id: string;
  readonly type: 'focus_export';
  readonly status: ExportState;
  readonly basis: ExportBasis;
  readonly created_at: string;
  /** Id of the credential, user or schedule that created the export */
  readonly created_by: string;
  /** The residency lane of the exported records. Null: all lanes */
  readonly residency: string | null;
  readonly request: ExportRequestOutput;
  /** The export shows the ledger as of this instant */
  readonly as_of: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  /** Edition of a scheduled export: provisional, or final when late events are included. Null for other exports */
  readonly edition: 'provisional' | 'final' | null;
  readonly error: {
    readonly reason: ExportFailureReason;
    readonly detail: string;
  } | null;
  /** The billing periods that the export overlaps, when it began. A closed one is shown as of its close */
  readonly billing_periods?: PeriodStatuses;
  /** Steps that are done, of all steps. A total of 0 means that the number is not known yet */
  readonly progress: {
    readonly done: number;
    readonly total: number;
  };
  readonly result: ExportResult | null;
  /** The delivery to the destination of the request. Null without one */
  readonly delivery: ExportDelivery | null;
  /** When the files are deleted: 30 days after the export finished. Null if there are no files yet */
  readonly files_expire_at: string | null;
};

/** records: rows made from records; only callers with read:attribution see the export. cohorts: each row, total and exclusion is a sum of cohorts, as in the usage report */
export type ExportBasis = 'records' | 'cohorts';

export type ExportResult = {
  readonly file_count: number;
  readonly row_count: number;
  readonly bytes: number;
  /** Attribution records that the rows contain */
  readonly records: number;
  /** Cost of the rows, corrections included. excluded_cost_usd is not included */
  readonly cost_usd: Difference;
  readonly excluded_records: number;
  readonly excluded_cost_usd: Difference;
  /** Whether calls that were accepted more than 90 seconds before the export began may be missing. */
  readonly stale?: boolean;
};

export type ExportDelivery = {
  /** The export destination */
  readonly destination_id: string;
  /** The folder of the report below the location of the destination. One name for one report */
  readonly name: string;
  /** waiting: the export is not finished. pending: files are being put, or the next attempt waits. delivered: all files and the manifest are in the bucket. superseded: a later export with this name and month came first, so nothing was put. failed: tried for 5 days, or the destination was deleted. cancelled: the export has no files */
  readonly state: 'waiting' | 'pending' | 'delivered' | 'superseded' | 'failed' | 'cancelled';
  readonly attempts: number;
  /** Why the last attempt failed. Null if it did not */
  readonly last_error: ExportDeliveryError | null;
  /** Null before the first attempt */
  readonly version: number | null;
  readonly supersedes: EarlierExportDelivery | null;
  readonly next_attempt_at: string | null;
  readonly delivered_at: string | null;
  /** The manifest of the version in the bucket. Null before the first attempt */
  readonly location: string | null;
};

export type ExportSchedule = {
  readonly id: string;
  readonly every: 'day' | 'month';
  /** Request of each export, without its period */
  readonly request: ExportTermsOutput;
  /** The residency lane of its exports. Null: all lanes */
  readonly residency: string | null;
  readonly created_at: string;
  readonly created_by: string;
  /** Who last changed it. Since then its exports need the rights of this principal instead of those of created_by */
  readonly changed_by?: string;
};

export type ExportSchedulePage = {
  readonly data: readonly ExportSchedule[];
  readonly page: PageInfo;
};

export type ExportDestination = {
  readonly id: string;
  readonly name: string;
  /** The bucket, and the prefix of all objects that the service puts */
  readonly location: string;
  /** The AWS Region of the bucket */
  readonly region: string;
  /** An IAM role of the account of the bucket that may put objects below the location. Its name begins with attribution-exports- */
  readonly role_arn: string;
  /** The external id that the service sends when it assumes the role. The trust policy of the role must require it, so that the service can use the role for nothing else */
  readonly external_id: string;
  /** The IAM role of the service. The trust policy of the role must name it as the principal */
  readonly trusted_role_arn: string;
  readonly check: ExportDestinationCheck;
  readonly created_at: string;
  readonly created_by: string;
};

export type ExportDestinationCheck = {
  /** unchecked: not checked yet. checking: the service puts a test object within a minute. working: the object was put. failing: it was not, see error */
  readonly state: 'unchecked' | 'checking' | 'working' | 'failing';
  readonly error: ExportDeliveryError | null;
  readonly checked_at: string | null;
};

export type ExportDestinationPage = {
  readonly data: readonly ExportDestination[];
  readonly page: PageInfo;
};

export type ContractPricesState = {
  /** Digest of the prices. `explanation.cost.catalogue` of a record names the version it used */
  readonly version: string;
  readonly prices: readonly ContractPriceOutput[];
};

export type ContractPricesChanged = {
  /** Digest of the prices. `explanation.cost.catalogue` of a record names the version it used */
  readonly version: string;
  readonly prices: readonly ContractPriceOutput[];
  /** Entries that this call added, changed or removed. Null if an earlier attempt of the call made the change and was interrupted, so that the earlier prices are not known any more */
  readonly changes: readonly ContractPriceChange[] | null;
};

export type ContractPriceChange = {
  readonly kind: 'added' | 'changed' | 'removed';
  /** Null for an added entry */
  readonly before: ContractPriceOutput | null;
  /** Null for a removed entry */
  readonly after: ContractPriceOutput | null;
};

export type NodePoolsState = {
  readonly pools: readonly NodePoolOutput[];
};

export type Reconciliation = {
  readonly data: readonly ReconciliationRow[];
  readonly page: PageInfo;
  readonly period: {
    readonly from: string;
    /** Exclusive */
    readonly to: string;
    /** False if the period starts or ends within a month in which suppression moved records, and the charges of their models and days, to another day. The period can then contain records and charges of neighbouring days, or lack some of its own */
    readonly exact: boolean;
  };
  readonly billing_periods: PeriodStatuses;
  readonly totals: ReconciliationTotals;
  /** One for each provider with a bill source, bills in the months of the period, or recorded calls that a row can name. Of a day without a bill the recorded costs are in not_billed_usd; they are no saving */
  readonly bill_coverage: readonly BillCoverage[];
  /** Contract prices that would make the recorded cost agree with the bills of the period, the largest difference first. There is one for each model whose bill names the tokens of every row, with one price for each kind in the whole period, and has exactly the recorded tokens of a day at another cost than recorded, beyond rounding. Charges of a tier, such as batch, and calls of suppressed groups suggest nothing. Records keep their cost until they are reprocessed, and a cost that a producer reported stays */
  readonly suggested_prices: readonly SuggestedPrice[];
  readonly as_of: {
    /** When the newest rollup of these months was computed. If a change of the records is not in them yet, the time of that change. Null without any, and if nothing is known about pending changes */
    readonly attributed: string | null;
    /** When the newest bill rows were imported */
    readonly billed: string | null;
    /** End of the newest charge period of any bill */
    readonly billed_until: string | null;
  };
  /** Whether calls or changes from more than 90 seconds ago may be missing from the recorded costs */
  readonly recorded_stale: boolean;
  /** True if no bill covers the last 24 hours. The newest days cannot be compared yet */
  readonly stale: boolean;
};

export type ReconciliationRow = {
  readonly invocations: number;
  readonly recorded_usd: RecordedUsd;
  /** Known cost of records that are attributed to an owner, including shares of allocated cost */
  readonly attributed_usd: string;
  /** Usage charges of the bills. Null if nothing was billed */
  readonly billed_usd: string | null;
  /** billed − attributed. Null if nothing was billed */
  readonly difference_usd: string | null;
  /** Known cost of records without an owner */
  readonly unattributed_usd: string;
  /** Known cost of groups that contain records with and without an owner. They are not split, because the parts could show the cost of fewer than five persons */
  readonly mixed_usd: string;
  /** Billed for a model on days that have no record of it */
  readonly not_seen_usd: string;
  /** Billed in excess of the recorded cost of the day: calls that were not captured, not priced, or priced too low */
  readonly under_recorded_usd: string;
  /** Recorded in excess of the billed cost: list prices above your prices, or credits */
  readonly over_attributed_usd: string;
  /** Recorded for a model on days without a bill row for it. The bill has not been imported or does not exist */
  readonly not_billed_usd: string;
  readonly difference_parts: DifferenceParts;
  /** Purchases, taxes, credits and adjustments. They are not compared */
  readonly other_charges_usd: string;
  /** Records whose cost is unknown. No sum includes them */
  readonly unpriced_invocations: number;
  /** Those of them whose cost is implausible and waits for a confirmation. A bill that contains these calls is higher for that reason alone */
  readonly implausible_invocations: number;
  /** True if records were added or changed after the newest bill row was imported */
  readonly changed_since_bill: boolean;
  /** group: all records and charges of the named provider, model and day, except those that are folded. folded: records that are shown only together, with all charges of their models and days. A provider or model that they do not share is omitted */
  readonly kind: 'group' | 'folded';
  /** Omitted if it is folded */
  readonly provider?: string;
  /** Null: charges without a model. Omitted if it is folded */
  readonly model?: string | null;
  /** UTC day. Records and charges of a day with too few persons are counted on another day */
  readonly day?: string;
  /** Number of groups (provider and model, if `group_by` names them) that are folded into this row. A group counts once for each day on which it occurs */
  readonly suppressed_groups: number;
  /** End of the newest charge period of the bills */
  readonly billed_until: string | null;
};

/** Known cost of all records: attributed + unattributed + mixed. Null if the cost of every record is unknown, which is not zero. The other sums are then 0, because they contain known costs only */
export type RecordedUsd = string | null;

/** What explains the difference. Positive: billed above the records. The parts sum exactly to not_seen + under_recorded − over_attributed − not_billed. So billed − attributed = unattributed + mixed + the sum of the parts */
export type DifferenceParts = {
  /** Uncaptured calls: everything that is billed for a model on a day without a record of it, and tokens that are billed beyond the recorded ones, at the average price of the bill */
  readonly uncaptured_calls_usd: string;
  /** Calls that are not on the bill: everything recorded for a model on a day without a bill row, and recorded tokens beyond the billed ones, at the average price of the bill. Never positive */
  readonly unbilled_calls_usd: string;
  /** As many tokens, of other kinds than recorded, for example billed as cache reads and recorded as input */
  readonly token_kinds_usd: string;
  /** Tokens that are billed at a batch price: their charge, compared with the standard price. Only as much as the records differ by */
  readonly batch_usd: string;
  /** Tokens that are billed at the price of another tier, such as flex, priority, a long context or a cache write for one hour. Only as much as the records differ by */
  readonly tier_usd: string;
  /** The recorded tokens at another price, or recorded without a known price, or with a cost that waits for a confirmation (implausible_invocations) */
  readonly price_usd: string;
  /** Rounding of the bill: at most half a unit of its last digit for each row (a digit is a cent or less) */
  readonly rounding_usd: string;
  /** The bill does not show it: rows without a model, without numbers of tokens, or with a tier whose standard price is unknown, and rows of kind folded, whose models are compared together */
  readonly unexplained_usd: string;
};

export type ReconciliationTotals = {
  readonly invocations: number;
  readonly recorded_usd: RecordedUsd;
  /** Known cost of records that are attributed to an owner, including shares of allocated cost */
  readonly attributed_usd: string;
  /** Usage charges of the bills. Null if nothing was billed */
  readonly billed_usd: string | null;
  /** billed − attributed. Null if nothing was billed */
  readonly difference_usd: string | null;
  /** Known cost of records without an owner */
  readonly unattributed_usd: string;
  /** Known cost of groups that contain records with and without an owner. They are not split, because the parts could show the cost of fewer than five persons */
  readonly mixed_usd: string;
  /** Billed for a model on days that have no record of it */
  readonly not_seen_usd: string;
  /** Billed in excess of the recorded cost of the day: calls that were not captured, not priced, or priced too low */
  readonly under_recorded_usd: string;
  /** Recorded in excess of the billed cost: list prices above your prices, or credits */
  readonly over_attributed_usd: string;
  /** Recorded for a model on days without a bill row for it. The bill has not been imported or does not exist */
  readonly not_billed_usd: string;
  readonly difference_parts: DifferenceParts;
  /** Purchases, taxes, credits and adjustments. They are not compared */
  readonly other_charges_usd: string;
  /** Records whose cost is unknown. No sum includes them */
  readonly unpriced_invocations: number;
  /** Those of them whose cost is implausible and waits for a confirmation. A bill that contains these calls is higher for that reason alone */
  readonly implausible_invocations: number;
  /** True if records were added or changed after the newest bill row was imported */
  readonly changed_since_bill: boolean;
  /** Number of groups (provider and model, if `group_by` names them) that are folded into this row. A group counts once for each day on which it occurs */
  readonly suppressed_groups: number;
  /** End of the newest charge period of the bills */
  readonly billed_until: string | null;
};

export type BillCoverage = {
  readonly provider: string;
  /** End of the newest charge of the provider in the months of the period. Null without a bill */
  readonly billed_until: string | null;
  /** With bill sources: true if one of them is late (`is_late`). Otherwise true if a day of the period ended more than 24 hours ago, and neither it nor a later day has a bill. False for a provider without any bill */
  readonly is_late: boolean;
  /** UTC days of the period, up to today, without a bill row of the provider. With bill sources also each day for which the provider published nothing to one of them, nor for a later day. A day without usage has no bill either */
  readonly days_without_bill: readonly string[];
};

export type SuggestedPrice = {
  /** An element of `prices` of PUT /api/v1/contract-prices. Add it to the prices that GET returns, and send all of them. It has each kind of tokens that the bill names */
  readonly price: ContractPriceOutput;
  /** Regions whose own contract price applies to calls there instead of this price. Correct those prices too. Only with the scope admin:config or finance:config */
  readonly overridden_in?: readonly string[];
  readonly evidence: {
    /** The first day of the evidence */
    readonly from: string;
    /** Exclusive */
    readonly to: string;
    /** Days on which the bill has exactly the recorded tokens of each kind, and another cost. Only they are summed here */
    readonly days: number;
    readonly tokens: readonly {
      readonly kind: 'input' | 'cached_input' | 'cache_write' | 'output' | 'reasoning';
      /** Billed tokens. The records have as many */
      readonly count: number;
      readonly billed_usd: string;
    }[];
    readonly billed_usd: string;
    /** Known cost of the records of these days */
    readonly recorded_usd: string;
    /** Records of these days whose cost is unknown */
    readonly unpriced_invocations: number;
  };
};

export type BillsImported = {
  /** Stored rows */
  readonly rows: number;
  /** Rows that could not be read */
  readonly rejected_rows: number;
  /** The first 100 of them, by their index from 0 */
  readonly rejected: readonly {
    readonly index: number;
    readonly errors: readonly FieldError[];
  }[];
  /** Rows whose cost was rounded to 18 fractional digits */
  readonly rounded_rows: number;
  readonly from: string;
  /** Exclusive */
  readonly to: string;
  /** Usage costs of these rows */
  readonly billed_usd: string;
  readonly as_of: string;
  readonly delivery: BillDelivery;
};

export type BillDelivery = {
  /** Your id, or one of the service */
  readonly id: string;
  /** replace: it replaces the bill of its provider, accounts and days. merge: rows without a delivery, which replace the same purchases */
  readonly mode: 'replace' | 'merge';
  /** open: not counted yet. complete: it counts, unless a later one replaces it. expired: it was open for 7 days after its last request, and never counts */
  readonly state: 'open' | 'complete' | 'expired';
  /** Null if it has rows of several providers */
  readonly provider: string | null;
  /** Null if the rows name none, or several */
  readonly account: string | null;
  readonly from: string;
  /** Exclusive */
  readonly to: string;
  readonly rows: number;
  /** Rows that could not be read */
  readonly rejected_rows: number;
  /** Usage charges */
  readonly billed_usd: string;
  /** Purchases, taxes, credits and adjustments */
  readonly other_charges_usd: string;
  /** What was billed in other currencies. Its USD are part of the sums above */
  readonly exchanged?: readonly ExchangedAmount[];
  /** When its last request arrived, or its report was requested */
  readonly imported_at: string;
  /** Id of the key, client or user. Null for a bill source */
  readonly imported_by: string | null;
  /** The bill source. Null if the rows were sent */
  readonly source_id: string | null;
  /** Null unless it is open */
  readonly expires_at: string | null;
};

export type ExchangedAmount = {
  readonly currency: string;
  readonly source: string;
  readonly billed: string;
  readonly billed_usd: string;
  /** USD for one unit */
  readonly lowest_rate: string;
  readonly highest_rate: string;
};

export type BillDeliveryPage = {
  readonly data: readonly BillDelivery[];
  readonly page: PageInfo;
};

export type BillSource = {
  readonly id: string;
  readonly provider: BillProvider;
  readonly name: string;
  readonly account: string | null;
  /** Null for OpenAI and Anthropic */
  readonly data_export: TrustedDataExport | null;
  /** For charges in other currencies than USD. Null without */
  readonly exchange_rates: ExchangeRatesOutput | null;
  /** pending: nothing was imported yet. active: the last import completed. failing: the last import did not complete, or left out days, see last_error and unread_days. paused: no imports */
  readonly status: 'pending' | 'active' | 'failing' | 'paused';
  /** When an import last completed */
  readonly last_success_at: string | null;
  /** Why the last import did not complete, or why it left out the first of unread_days. Null if it did, and left out no day */
  readonly last_error: BillImportError | null;
  /** Days whose report cannot be stored, each with the reason. All other days are imported. These days are tried again every 6 hours */
  readonly unread_days: readonly {
    readonly day: string;
    readonly error: BillImportError;
  }[];
  /** The next import starts at the first run from this instant on. Runs start every 15 minutes. After failures the pause grows up to 6 hours. Null while the source is paused */
  readonly next_import_at: string | null;
  /** All days from the first import up to this instant were read from the provider, except for unread_days */
  readonly imported_until: string | null;
  /** End of the newest day for which the provider published charges */
  readonly published_until: string | null;
  /** True if the provider published nothing for a day that ended more than 24 hours ago, and nothing for a later day. Also true if nothing was used for so long. False while the source is paused */
  readonly is_late: boolean;
  readonly created_at: string;
  /** When its settings last changed */
  readonly updated_at: string;
};

export type TrustedDataExport = {
  readonly location: DataExportLocation;
  /** The AWS Region of the bucket */
  readonly region: string;
  /** An IAM role of your account that may read the export. Its name begins with attribution-bills- */
  readonly role_arn: string;
  /** The external id that the service sends when it assumes the role. The trust policy of the role must require it, so that the service can use the role for nothing else */
  readonly external_id: string;
  /** The IAM role of the service. The trust policy of the role must name it as the principal */
  readonly trusted_role_arn: string;
};

export type BillSourcePage = {
  readonly data: readonly BillSource[];
  readonly page: PageInfo;
};

export type PeriodPage = {
  readonly data: readonly Period[];
  readonly page: PageInfo;
};

export type Period = {
  /** UTC month */
  readonly period: string;
  readonly state: PeriodState;
  readonly closed: {
    readonly at: string;
    readonly by: string;
    /** Its exports show the records as of this instant */
    readonly as_of: string;
    readonly sums: ExportSums;
  } | null;
  /** What its records have changed by since the close, by the period whose exports have it as corrections. In the open period this follows the records */
  readonly adjustments: readonly {
    /** UTC month */
    readonly booked_in: string;
    readonly sums: ExportSums;
  }[];
};

export type ExportSums = {
  readonly records: number;
  readonly cost_usd: Difference;
  readonly energy_wh: Difference;
  readonly carbon_gco2e: Difference;
};

export type WebhookEndpointWithSecret = {
  readonly id: string;
  /** The normalized URL, which may differ in spelling from the one that was sent */
  readonly url: string;
  readonly description: string | null;
  readonly events: readonly string[];
  /** The most events in one request */
  readonly max_batch_size: number;
  /** pending: only the challenge is sent. disabled: nothing is sent. */
  readonly status: 'pending' | 'verified' | 'disabled';
  readonly disabled_reason: DisabledReason;
  readonly disabled_at: string | null;
  /** The first failure since the last success. Null while deliveries succeed. */
  readonly failing_since: string | null;
  /** When the open challenge expires. Null when none is open. */
  readonly challenge_valid_until: string | null;
  readonly secret_rotated_at: string | null;
  /** Until when deliveries are also signed with the previous secret. Null when they are not. */
  readonly previous_secret_valid_until: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  /** Id of the key, client or user that created the endpoint */
  readonly created_by: string;
  /** Id of the key, client or user whose scopes allow the events to be sent. It created the endpoint, last changed its URL or events, or last enabled it. */
  readonly authorized_by: string | null;
  /** Signs every delivery. It cannot be read again. The signing key is the whole text, prefix included. Null in an idempotent replay to another credential, scope set or lane than the first */
  readonly signing_secret: string | null;
  /** Present if a replay withholds the secret: the reason and the remedy */
  readonly withheld?: string;
};

/** gone: the endpoint answered 410 for 24 hours. no_success: attempts failed for five days without a success; days without attempts do not count. unauthorized: authorized_by was revoked or removed, or lost a scope that the events need. */
export type DisabledReason = 'admin' | 'gone' | 'no_success' | 'unauthorized' | null;

export type WebhookPage = {
  readonly data: readonly WebhookEndpoint[];
  readonly page: PageInfo;
};

export type WebhookEndpoint = {
  readonly id: string;
  /** The normalized URL, which may differ in spelling from the one that was sent */
  readonly url: string;
  readonly description: string | null;
  readonly events: readonly string[];
  /** The most events in one request */
  readonly max_batch_size: number;
  /** pending: only the challenge is sent. disabled: nothing is sent. */
  readonly status: 'pending' | 'verified' | 'disabled';
  readonly disabled_reason: DisabledReason;
  readonly disabled_at: string | null;
  /** The first failure since the last success. Null while deliveries succeed. */
  readonly failing_since: string | null;
  /** When the open challenge expires. Null when none is open. */
  readonly challenge_valid_until: string | null;
  readonly secret_rotated_at: string | null;
  /** Until when deliveries are also signed with the previous secret. Null when they are not. */
  readonly previous_secret_valid_until: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  /** Id of the key, client or user that created the endpoint */
  readonly created_by: string;
  /** Id of the key, client or user whose scopes allow the events to be sent. It created the endpoint, last changed its URL or events, or last enabled it. */
  readonly authorized_by: string | null;
};

export type WebhookQueued = {
  readonly endpoint_id: string;
  /** In order of creation */
  readonly event_ids: readonly string[];
};

export type DeliveryPage = {
  readonly data: readonly WebhookDelivery[];
  readonly page: PageInfo;
};

export type WebhookDelivery = {
  readonly id: string;
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly sequence: number;
  /** The number of the attempt at this delivery. A replay starts again at 1. */
  readonly attempt: number;
  readonly attempted_at: string;
  /** From the start of name resolution to the end of the response */
  readonly latency_ms: number;
  /** The HTTP status. Null when there was no response. */
  readonly response_status: number | null;
  /** dead_lettered: not retried, because it cannot succeed or because 24 hours have passed */
  readonly outcome: 'acknowledged' | 'retried' | 'dead_lettered';
  /** Why it was not acknowledged. unauthorized: nothing was sent, because authorized_by may no longer read such an event. paused: nothing was sent, because the endpoint was paused for longer than a day. Later versions may add reasons. */
  readonly failure:
    | 'status'
    | 'refused_url'
    | 'refused_address'
    | 'dns'
    | 'connect'
    | 'tls'
    | 'timeout'
    | 'redirect'
    | 'reset'
    | 'protocol'
    | 'too_large'
    | 'unauthorized'
    | 'paused'
    | null;
  /** When the next attempt is due. Null when there is none. */
  readonly next_attempt_at: string | null;
  /** Whether it is a requested sample */
  readonly test: boolean;
  readonly replayed: boolean;
  /** Attempts with the same value were sent in one request. Present if the endpoint receives batches. */
  readonly request_id?: string;
  /** When this entry is deleted */
  readonly retained_until: string;
};

export type WebhookEventPage = {
  readonly data: readonly WebhookEventEntry[];
  readonly page: PageInfo;
};

export type WebhookEventEntry = {
  /** The same as in every delivery of the event */
  readonly id: string;
  readonly type: WebhookEventType;
  readonly created_at: string;
  readonly tenant_id: string;
  /** The data of the event, as in the webhook of its type */
  readonly data: Readonly<Record<string, unknown>>;
  readonly interpretation?: EventInterpretation;
};

export type NotificationPage = {
  readonly data: readonly InboxNotification[];
  readonly page: PageInfo;
};

export type InboxNotification = {
  readonly id: string;
  /** When the event was created */
  readonly created_at: string;
  readonly type: NotifiableEventType;
  readonly severity: 'warning' | 'critical';
  readonly title: string;
  readonly text: string;
  /** The API path of the affected resource */
  readonly link: string;
  /** The event. The id of the notification is derived from this id. */
  readonly event_id: string;
  /** The data-residency lane it concerns. Null when it concerns more than one. */
  readonly residency: string | null;
  /** Whether this caller has marked it as read */
  readonly is_read: boolean;
};

export type ReportSubscription = {
  readonly id: string;
  /** week: from Monday to Sunday. month: a calendar month. Both in the time zone of the tenant, and sent after their end */
  readonly every: 'week' | 'month';
  /** email: to the recipient. chat: to the chat of the notification channels */
  readonly channel: 'email' | 'chat';
  readonly owner: string | null;
  /** Id of a user. Null: the chat */
  readonly recipient: string | null;
  /** The lane whose calls it counts. Null: all */
  readonly residency: string | null;
  readonly created_at: string;
  readonly created_by: string;
};

export type ReportSubscriptionPage = {
  readonly data: readonly ReportSubscription[];
  readonly page: PageInfo;
};

export type TenantSettings = {
  readonly tenant_id: string;
  readonly name: string;
  /** Only the operator can change it */
  readonly plan: 'free' | 'standard' | 'enterprise';
  readonly residency: ResidencyLanes;
  /** Maximum lifetime of a new API key in days */
  readonly key_lifetime_days: number;
  readonly stage_b: StageB;
  readonly cost_allocation_tags: TagKeys;
  /** IANA time zone of days and months in reports and budgets. Default: UTC. A change applies at once, also to earlier calls */
  readonly time_zone: string;
  /** A higher cost of one call is set aside until it is confirmed. Null: only what the usage cannot explain */
  readonly largest_reported_cost_usd: DecimalString | null;
  /** How cost without an owner is allocated after each UTC day: proportional to attributed spend (default), evenly, by fixed shares, or not at all. Allocated cost is never part of a chargeback */
  readonly allocation: AllocationPolicyOutput;
  /** First UTC day on whose calls `cost_allocation_tags` apply. Null: they apply to all calls */
  readonly cost_allocation_tags_from: string | null;
  /** Channels for notifications */
  readonly notifications: NotificationChannels;
  /** Whether the tenant holds synthetic data and can be reset */
  readonly sandbox: boolean;
  /** Current state of the prediction service */
  readonly degradation_state: DegradationState;
  readonly created_at: string;
};

export type NotificationChannels = {
  readonly email: readonly string[];
  readonly chat: {
    /** Masked after the host */
    readonly url: string;
  } | null;
  /** The lowest severity that is sent by e-mail and chat. Default: warning. */
  readonly minimum_severity: 'warning' | 'critical';
  /** Id of the key, client or user that set the channels last. Channels send while it has admin:config, read:reporting, read:attribution, export:create, webhooks:manage. Null before channels are set */
  readonly authorized_by: string | null;
};

export type RateLimitBudget = {
  readonly plan: string;
  readonly classes: readonly {
    readonly class: 'read' | 'write' | 'ingest' | 'bulk';
    /** Refill rate in tokens per second. For ingest, one event takes one token, and a body at least one for every 16 KiB after decompression */
    readonly rate: number;
    /** Capacity of the bucket */
    readonly limit: number;
    readonly remaining: number;
    /** Seconds until the bucket is full */
    readonly reset: number;
  }[];
};

export type Diagnostics = {
  readonly as_of: string;
  /** The current hour and the 23 hours before it, for the whole tenant. A count is readable as soon as its event is recorded, usually within seconds. If the queue delivers a message twice, its counts can be doubled. Records and costs do not depend on them */
  readonly last_24_hours: {
    /** Events that were already recorded */
    readonly duplicates: number;
    /** Events with a known event_id and other content from the same credential, capture layer and source system. The first event is kept */
    readonly duplicate_mismatches: number;
    /** Events with a known event_id from another credential, capture layer or source system. Their evidence is merged into the record, which is billed once */
    readonly merged_observations: number;
    /** Events with a known event_id whose cost, usage, model or owner differs from what another credential of the tenant had stated. The first statement is kept, and the explanation of the record names both */
    readonly contradicting_statements: number;
    /** Records of calls that another record stands for, because an id, a trace, or time, model and token counts show it. They count in no total */
    readonly joined_calls: number;
    /** Records that may be of the call of another record, of which several fit. Each counts as a call, so the totals can be too high */
    readonly ambiguous_calls: number;
    /** Calls of OpenTelemetry exports that state no token counts, so that their cost is unknown. Where another instrumentation reports them with their counts in another trace, each is one call too many */
    readonly uncounted_calls: number;
    /** Events of connectors about calls of which they may state nothing. The explanation of the record names them */
    readonly rejected_statements: number;
    /** Content members that ingestion dropped from events */
    readonly dropped_members: number;
    /** Records with a reported amount that their usage cannot explain: a cost that waits for a confirmation (implausible_cost), or energy or carbon (explanation.reported_footprint) */
    readonly implausible_amounts: number;
    /** Queued events that could not be recorded, by reason. They are kept in a dead-letter queue, and an operator can redrive them */
    readonly events_set_aside: {
      readonly malformed_message: number;
      readonly invalid_event: number;
      readonly attribution_failed: number;
    };
    /** Events that were refused, cleaned or repaired, by member and producer, most first. At most 100 */
    readonly event_faults: readonly EventFault[];
    /** OpenTelemetry spans and log records that have token counts and made no record, by scope, most first */
    readonly unread_usage: readonly UnreadUsage[];
    readonly signals: {
      readonly discovery: number;
      readonly connector_health: number;
      readonly other: number;
    };
  };
  /** For the residency lane of the credential, if it is bound to one */
  readonly freshness: {
    /** The minute of the newest call in the ledger. Null without a call in the last 31 days */
    readonly newest_call: string | null;
    /** When that minute was aggregated. Reports, budgets and reconciliation include it from then on */
    readonly summed_at: string | null;
  };
  /** Groups of this month in the totals: combinations of owner, service, provider, served model, pathway, lane, and the tags that budgets name */
  readonly report_groups: {
    readonly month: string;
    /** Groups with sums of their own */
    readonly count: number;
    /** Beyond this number, a new group counts under service "(other)", and beyond a second limit under owner "(other)", for the rest of the month. Sums over all groups stay exact */
    readonly limit: number;
  };
  readonly last_training: {
    readonly version: string;
    readonly state: ModelState;
    readonly trained_at: string;
    readonly gate: GateReport;
  } | null;
  readonly unfinished_jobs: readonly {
    readonly job_id: string;
    readonly type: 'training' | 'reprocessing' | 'allocation' | 'node_hours' | 'archive';
    readonly status: string;
    readonly created_at: string;
  }[];
  readonly degradation_state: DegradationState;
};

export type EventFault = {
  /** refused: no record was made. dropped: the member was left out. corrected: its form was repaired */
  readonly outcome: 'refused' | 'dropped' | 'corrected';
  /** The member of the event. content: prompts and the like. event: none of its members */
  readonly member: string;
  /** Id of the credential or AWS principal that sent them. Null without read:attribution */
  readonly producer: string | null;
  readonly count: number;
};

export type JobPage = {
  readonly data: readonly (ExportJob | BackgroundJob)[];
  readonly page: PageInfo;
};

export type BackgroundJob = {
  readonly job_id: string;
  /** Open enumeration. reprocessing: attributes records again. allocation: divides unattributed cost of closed days. node_hours: divides the cost of own nodes in an hour. archive: stores a closed day. sandbox_reset: the newest one */
  readonly type: 'training' | 'reprocessing' | 'allocation' | 'node_hours' | 'archive' | 'sandbox_reset';
  readonly status: 'queued' | 'running' | 'succeeded' | 'failed';
  readonly created_at: string;
  readonly finished_at: string | null;
  /** The calls that it works on. Null: not a choice of the caller */
  readonly period: {
    readonly from: string;
    readonly to: string;
  } | null;
  /** Only records of this recalled model are attributed again */
  readonly recalled_model: string | null;
  /** Records examined, or calls that a reset sent. A total of 0 is not known yet. Null without read:attribution, except of a reset */
  readonly progress: {
    readonly done: number;
    readonly total: number;
  } | null;
  /** Null until the job has succeeded */
  readonly result: {
    /** Records read. Absent without read:attribution */
    readonly examined?: number;
    /** Records with a new version. Absent without read:attribution */
    readonly changed?: number;
    /** Of a training. Null if too few calls were new */
    readonly model_version?: string | null;
    readonly erased_rows?: number;
    readonly sent_events?: number;
  } | null;
  readonly error: {
    readonly reason: 'internal';
    readonly detail: string;
  } | null;
};

export type ExportJobWithFiles = {
  readonly job_id: string;
  readonly type: 'focus_export';
  readonly status: ExportState;
  readonly basis: ExportBasis;
  readonly created_at: string;
  /** Id of the credential, user or schedule that created the export */
  readonly created_by: string;
  /** The residency lane of the exported records. Null: all lanes */
  readonly residency: string | null;
  readonly request: ExportRequestOutput;
  /** The export shows the ledger as of this instant */
  readonly as_of: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  /** Edition of a scheduled export: provisional, or final when late events are included. Null for other exports */
  readonly edition: 'provisional' | 'final' | null;
  readonly error: {
    readonly reason: ExportFailureReason;
    readonly detail: string;
  } | null;
  /** The billing periods that the export overlaps, when it began. A closed one is shown as of its close */
  readonly billing_periods?: PeriodStatuses;
  /** Steps that are done, of all steps. A total of 0 means that the number is not known yet */
  readonly progress: {
    readonly done: number;
    readonly total: number;
  };
  readonly result: ExportResult | null;
  /** The delivery to the destination of the request. Null without one */
  readonly delivery: ExportDelivery | null;
  /** When the files are deleted: 30 days after the export finished. Null if there are no files yet */
  readonly files_expire_at: string | null;
  /** URL of the file, or of the first file if there are several */
  readonly result_url?: string;
  /** URLs of all files in chronological order */
  readonly result_urls?: readonly string[];
  /** URL of the manifest (JSON): contents of the files, and excluded records by reason */
  readonly manifest_url?: string;
  /** URL of the FOCUS metadata of the files (JSON) */
  readonly metadata_url?: string;
  /** When these URLs expire. Each request returns new URLs that are valid for 15 minutes */
  readonly expires_at?: string;
};

export type Sandbox = {
  /** Whether synthetic calls arrive now */
  readonly live_traffic: boolean;
  /** When live traffic ends. Null if it is off */
  readonly live_until: string | null;
  /** The newest reset. Null if there was none */
  readonly reset: SandboxReset | null;
};

export type SandboxReset = {
  readonly reset_id: string;
  /** A reset is repeated until it succeeds, so there is no failed state */
  readonly status: 'queued' | 'running' | 'succeeded';
  readonly requested_at: string;
  readonly finished_at: string | null;
  /** Table rows that were deleted so far */
  readonly erased_rows: number;
  /** Synthetic calls that were queued so far, of 3000. They are readable within about a minute */
  readonly sent_events: number;
  /** The reset as a job, at /api/v1/jobs/{job_id} */
  readonly job_id: string;
};

export type Caller = {
  readonly type: 'api_key' | 'oauth_client' | 'user';
  readonly id: string;
  /** Of a user; otherwise null */
  readonly email: string | null;
  /** Of a user; otherwise null */
  readonly role: 'admin' | 'finops' | 'engineer' | 'viewer' | null;
  /** What this credential may do now */
  readonly scopes: readonly Scope[];
  /** The lane that the credential is bound to; null if it is bound to none */
  readonly residency: string | null;
  /** When the user last signed in. Some operations need a sign-in within 15 minutes */
  readonly signed_in_at: string | null;
  readonly tenant: {
    readonly id: string;
    readonly name: string;
    readonly plan: 'free' | 'standard' | 'enterprise';
    /** Whether the data of the tenant is synthetic */
    readonly sandbox: boolean;
  };
};

export type User = {
  readonly id: string;
  readonly email: string;
  readonly role: UserRole;
  readonly state: 'active' | 'removed';
  readonly created_at: string;
  readonly removed_at: string | null;
};

export type UserPage = {
  readonly data: readonly User[];
  readonly page: PageInfo;
};

export type ApiKeyWithSecret = {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly residency: string | null;
  readonly state: 'active' | 'rotating' | 'revoked' | 'expired';
  readonly created_by: string;
  readonly created_at: string;
  readonly rotated_at: string | null;
  readonly expires_at: string;
  readonly revoked_at: string | null;
  readonly previous_secret_valid_until: string | null;
  readonly last_used_at: LastUsedAt;
  /** The API key. It cannot be read again. Null in an idempotent replay to another credential, scope set or lane than the first */
  readonly secret: string | null;
  /** Present if a replay withholds the secret: the reason and the remedy */
  readonly withheld?: string;
};

/** Accurate to one minute. Null if never used */
export type LastUsedAt = string | null;

export type ApiKeyPage = {
  readonly data: readonly ApiKey[];
  readonly page: PageInfo;
};

export type ApiKey = {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly residency: string | null;
  readonly state: 'active' | 'rotating' | 'revoked' | 'expired';
  readonly created_by: string;
  readonly created_at: string;
  readonly rotated_at: string | null;
  readonly expires_at: string;
  readonly revoked_at: string | null;
  readonly previous_secret_valid_until: string | null;
  readonly last_used_at: LastUsedAt;
};

export type OAuthClientWithSecret = {
  readonly client_id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly source_systems: readonly string[];
  /** Capture layer of the events of a connector. Null for all other clients */
  readonly ingestion_layer: string | null;
  readonly fills_other_sources: boolean;
  readonly residency: string | null;
  readonly grant_types: readonly ('client_credentials' | 'authorization_code' | 'refresh_token')[];
  readonly redirect_uris: readonly string[];
  readonly token_endpoint_auth_method: 'client_secret_basic' | 'client_secret_post' | 'none';
  readonly created_by: string;
  readonly created_at: string;
  readonly previous_secret_valid_until: string | null;
  readonly last_used_at: LastUsedAt;
  /** Cannot be read again. Null for a public client. Null in an idempotent replay to another credential, scope set or lane than the first */
  readonly client_secret: string | null;
  /** Present if a replay withholds the secret: the reason and the remedy */
  readonly withheld?: string;
};

export type OAuthClientPage = {
  readonly data: readonly OAuthClient[];
  readonly page: PageInfo;
};

export type OAuthClient = {
  readonly client_id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly source_systems: readonly string[];
  /** Capture layer of the events of a connector. Null for all other clients */
  readonly ingestion_layer: string | null;
  readonly fills_other_sources: boolean;
  readonly residency: string | null;
  readonly grant_types: readonly ('client_credentials' | 'authorization_code' | 'refresh_token')[];
  readonly redirect_uris: readonly string[];
  readonly token_endpoint_auth_method: 'client_secret_basic' | 'client_secret_post' | 'none';
  readonly created_by: string;
  readonly created_at: string;
  readonly previous_secret_valid_until: string | null;
  readonly last_used_at: LastUsedAt;
};

export type AuthorizationServerMetadata = {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly revocation_endpoint: string;
  readonly jwks_uri: string;
  readonly scopes_supported: readonly (
    | 'read:attribution'
    | 'read:lookup'
    | 'read:reporting'
    | 'export:create'
    | 'webhooks:manage'
    | 'admin:config'
    | 'finance:config'
    | 'ingest:write'
    | 'partner:connector'
  )[];
  readonly response_types_supported: readonly string[];
  readonly response_modes_supported: readonly string[];
  readonly grant_types_supported: readonly ('client_credentials' | 'authorization_code' | 'refresh_token')[];
  readonly code_challenge_methods_supported: readonly string[];
  readonly token_endpoint_auth_methods_supported: readonly (
    | 'client_secret_basic'
    | 'client_secret_post'
    | 'none'
  )[];
  readonly revocation_endpoint_auth_methods_supported: readonly (
    | 'client_secret_basic'
    | 'client_secret_post'
    | 'none'
  )[];
  readonly authorization_response_iss_parameter_supported: boolean;
  readonly service_documentation: string;
};

export type Jwks = {
  readonly keys: readonly {
    readonly kty: 'EC';
    readonly crv: 'P-256';
    readonly x: string;
    readonly y: string;
    readonly kid: string;
    readonly alg: 'ES256';
    readonly use: 'sig';
  }[];
};

export type TokenResponse = {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  /** Seconds */
  readonly expires_in: number;
  /** Space-separated */
  readonly scope: string;
  /** Present for the grant of a user if the client has the grant type refresh_token. Replaces the previous refresh token */
  readonly refresh_token?: string;
};

export type Revoked = Readonly<Record<string, unknown>>;

export type AuditPage = {
  readonly data: readonly AuditEntry[];
  readonly page: PageInfo;
};

export type AuditEntry = {
  readonly id: string;
  readonly at: string;
  readonly action: AuditAction;
  readonly actor: {
    readonly type: 'api_key' | 'oauth_client' | 'user' | 'operator';
    readonly id: string;
  };
  /** Id of the affected resource; null if there is none */
  readonly resource: string | null;
  /** operationId. Only for records.read, access.denied and connector.access, of which the first of equal calls in each hour is an entry */
  readonly operation?: string;
  readonly outcome: 'succeeded' | 'refused';
  /** Of a refusal; null if the action succeeded */
  readonly error_code: ErrorCode | null;
  /** Host and port of a rejected URL (WEBHOOK_URL_REJECTED), nothing else of it; otherwise null */
  readonly refused_host: string | null;
  /** Client address as seen by the gateway; null for operators */
  readonly source_ip: string | null;
  readonly trace_id: string | null;
  /** What changed, at most 40 members. Empty for refusals and reads */
  readonly changes: readonly AuditChange[];
  /** Number of further changed members */
  readonly more_changes: number;
};

/** Values are text or JSON, at most 200 characters. Secrets are [redacted], also in URLs */
export type AuditChange = {
  /** JSON Pointer (RFC 6901) to the member of the resource */
  readonly pointer: string;
  readonly before: string | null;
  readonly after: string | null;
};

export type Health = {
  readonly status: 'ok';
};

export type Readiness = {
  readonly status: 'ready' | 'not_ready';
  readonly checks: ReadinessChecks;
};

export type ContractChangelog = {
  /** Releases of this major version, newest first */
  readonly releases: readonly {
    readonly version: string;
    readonly date: string;
    /** Since the release before */
    readonly changes: readonly ContractChange[];
  }[];
  /** Changes of this deployment since the newest release */
  readonly unreleased: readonly ContractChange[];
};

export type ContractChange = {
  /** The part of the version that the change raises. Only a major change can break a client */
  readonly bump: 'major' | 'minor' | 'patch';
  /** Method and path, or the webhook event */
  readonly operation: string;
  /** The place in the operation */
  readonly at: string;
  readonly change: string;
};

export type ErrorCatalogue = {
  /** Semantic version. A new error code raises the minor version */
  readonly version: string;
  readonly errors: readonly {
    readonly error_code: ErrorCode;
    readonly status: number;
    readonly title: string;
    readonly retryable: boolean;
    /** Cause and remedy */
    readonly help: string;
    /** type and docs_url of the problem */
    readonly type: string;
  }[];
};

export type ErrorPage = {
  readonly error_code: ErrorCode;
  readonly status: number;
  readonly title: string;
  readonly retryable: boolean;
  /** Cause and remedy */
  readonly help: string;
};

export type NotificationHelp = {
  readonly type: NotifiableEventType;
  readonly title: string;
  /** What it means and what to do */
  readonly help: string;
  /** A command that reads the notifications of this type */
  readonly read_notification: string;
  /** A command that reads what the notification is about. The notification has its path in `link` */
  readonly read_subject: string;
  /** The OpenAPI document */
  readonly reference: string;
};

export type WebhookChallengeAnswer = {
  readonly challenge: string;
};

export type MappingConditionOutput = {
  readonly field: MappableField;
  readonly operator: MappingOperator;
  /** At most 128 characters for a glob */
  readonly value: string;
};

/** Filters of the calls that count towards the budget. A call must match all of them. An empty scope matches every call */
export type BudgetScopeOutput = {
  readonly owner?: string;
  readonly service?: string;
  readonly provider?: string;
  readonly served_model?: string;
  /** Cloud region that served the calls */
  readonly region?: string;
  readonly tags?: BudgetTags;
};

export type CoverageExpectationsOutput = {
  /** A pathway that is left out has no expected layers */
  readonly expectations: readonly {
    readonly pathway_category: PathwayCategory;
    /** Values of ingestion_layer in events */
    readonly layers: readonly string[];
  }[];
};

export type ExportRequestOutput = {
  readonly format: 'focus';
  readonly period: {
    /** ISO date (UTC) or instant, inclusive. On a whole minute without read:attribution */
    readonly from: DayOrInstant;
    /** ISO date (UTC) or instant, exclusive. On a whole minute without read:attribution */
    readonly to: DayOrInstant;
  };
  readonly group_by: ExportGrouping;
  readonly tags?: ExportTags;
  readonly granularity: Granularity;
  readonly file_format: 'csv' | 'csv.gz' | 'parquet';
  readonly focus_version: '1.2' | '1.3' | '1.4' | '1.5-draft';
  readonly cost_mode: CostMode;
  readonly columns?: ExportColumns;
  /** Reader of CSV. program: original text */
  readonly consumer?: 'spreadsheet' | 'program';
  readonly importer?: Importer;
  readonly delivery?: ExportDeliveryTargetOutput;
};

/** Puts the files into a bucket of yours too. The export covers one UTC month, or its part up to now */
export type ExportDeliveryTargetOutput = {
  /** The export destination */
  readonly destination_id: string;
  /** The folder of the report below the location of the destination. One name for one report */
  readonly name: string;
};

export type ExportTermsOutput = {
  readonly format: 'focus';
  readonly group_by: ExportGrouping;
  readonly tags?: ExportTags;
  readonly granularity: Granularity;
  readonly file_format: 'csv' | 'csv.gz' | 'parquet';
  readonly focus_version: '1.2' | '1.3' | '1.4' | '1.5-draft';
  readonly cost_mode: CostMode;
  readonly columns?: ExportColumns;
  /** Reader of CSV. program: original text */
  readonly consumer?: 'spreadsheet' | 'program';
  readonly importer?: Importer;
  readonly delivery?: ExportDeliveryTargetOutput;
};

export type ContractPriceOutput = {
  readonly provider: string;
  readonly model: string;
  readonly from: Timestamp;
  readonly region?: string;
  readonly billing_mode?: BillingMode;
  readonly input?: UnitPrice;
  readonly cached_input?: UnitPrice;
  readonly cache_write?: UnitPrice;
  /** Cache writes kept for an hour. `cache_write`: for a shorter time */
  readonly cache_write_1h?: UnitPrice;
  readonly output?: UnitPrice;
  readonly reasoning?: UnitPrice;
  readonly audio_input?: UnitPrice;
  readonly cached_audio_input?: UnitPrice;
  readonly audio_output?: UnitPrice;
  readonly image_input?: UnitPrice;
  readonly cached_image_input?: UnitPrice;
  readonly image_output?: UnitPrice;
  readonly request?: UnitPrice;
  /** Web searches that the provider ran for a call */
  readonly search?: UnitPrice;
  /** Searches of files or vector stores that the provider ran */
  readonly file_search?: UnitPrice;
  /** Sessions or runs of a code interpreter of the provider */
  readonly code_execution?: UnitPrice;
  /** Searches of a rerank model */
  readonly rerank_search?: UnitPrice;
  /** Seconds of audio that were read or generated */
  readonly audio_second?: UnitPrice;
  /** Seconds of video */
  readonly video_second?: UnitPrice;
  /** Generated images */
  readonly image?: UnitPrice;
  /** Pages of documents */
  readonly page?: UnitPrice;
  /** Characters, for speech */
  readonly character?: UnitPrice;
  /** Prices of calls with a long context */
  readonly bands?: readonly PriceBandOutput[];
  /** Prices of the batch interface */
  readonly batch?: TierPricesOutput;
  /** Prices of the service tier `flex` */
  readonly flex?: TierPricesOutput;
  /** Prices of the service tier `priority` */
  readonly priority?: TierPricesOutput;
  readonly source?: string;
};

export type PriceBandOutput = {
  /** The prices apply to all tokens of a call that reads more tokens than this. Cached tokens count as read */
  readonly above_tokens: number;
  readonly input?: UnitPrice;
  readonly cached_input?: UnitPrice;
  readonly cache_write?: UnitPrice;
  /** Cache writes kept for an hour. `cache_write`: for a shorter time */
  readonly cache_write_1h?: UnitPrice;
  readonly output?: UnitPrice;
  readonly reasoning?: UnitPrice;
  readonly audio_input?: UnitPrice;
  readonly cached_audio_input?: UnitPrice;
  readonly audio_output?: UnitPrice;
  readonly image_input?: UnitPrice;
  readonly cached_image_input?: UnitPrice;
  readonly image_output?: UnitPrice;
  readonly request?: UnitPrice;
  /** Web searches that the provider ran for a call */
  readonly search?: UnitPrice;
  /** Searches of files or vector stores that the provider ran */
  readonly file_search?: UnitPrice;
  /** Sessions or runs of a code interpreter of the provider */
  readonly code_execution?: UnitPrice;
  /** Searches of a rerank model */
  readonly rerank_search?: UnitPrice;
  /** Seconds of audio that were read or generated */
  readonly audio_second?: UnitPrice;
  /** Seconds of video */
  readonly video_second?: UnitPrice;
  /** Generated images */
  readonly image?: UnitPrice;
  /** Pages of documents */
  readonly page?: UnitPrice;
  /** Characters, for speech */
  readonly character?: UnitPrice;
};

/** Prices of a service tier. A kind or band that they leave out costs as much more or less than the standard price as the kind that contains it */
export type TierPricesOutput = {
  readonly input?: UnitPrice;
  readonly cached_input?: UnitPrice;
  readonly cache_write?: UnitPrice;
  /** Cache writes kept for an hour. `cache_write`: for a shorter time */
  readonly cache_write_1h?: UnitPrice;
  readonly output?: UnitPrice;
  readonly reasoning?: UnitPrice;
  readonly audio_input?: UnitPrice;
  readonly cached_audio_input?: UnitPrice;
  readonly audio_output?: UnitPrice;
  readonly image_input?: UnitPrice;
  readonly cached_image_input?: UnitPrice;
  readonly image_output?: UnitPrice;
  readonly request?: UnitPrice;
  /** Web searches that the provider ran for a call */
  readonly search?: UnitPrice;
  /** Searches of files or vector stores that the provider ran */
  readonly file_search?: UnitPrice;
  /** Sessions or runs of a code interpreter of the provider */
  readonly code_execution?: UnitPrice;
  /** Searches of a rerank model */
  readonly rerank_search?: UnitPrice;
  /** Seconds of audio that were read or generated */
  readonly audio_second?: UnitPrice;
  /** Seconds of video */
  readonly video_second?: UnitPrice;
  /** Generated images */
  readonly image?: UnitPrice;
  /** Pages of documents */
  readonly page?: UnitPrice;
  /** Characters, for speech */
  readonly character?: UnitPrice;
  /** Prices of calls with a long context */
  readonly bands?: readonly PriceBandOutput[];
};

export type NodePoolOutput = {
  readonly name: string;
  readonly serves: readonly {
    /** As the events name it */
    readonly provider: string;
    /** A model id, or a prefix that ends in * */
    readonly model: string;
    /** Only calls with this region */
    readonly region?: string;
    /** Only calls to this host (server_address), whatever client made them */
    readonly host?: string;
  }[];
  readonly rates: readonly {
    /** First UTC hour with this rate. It holds until the next one */
    readonly from: Timestamp;
    /** Cost of one node for an hour, in USD */
    readonly node_hour_usd: DecimalString;
    /** 0: the pool does not run */
    readonly nodes: number;
    /** Mean electric power of one node with its cooling, measured or stated. The energy of the nodes is then divided as their cost */
    readonly node_watts?: DecimalString;
  }[];
  /** Measured work of a token, relative to the others. Without it, an output token counts as four input tokens and a cached one as a tenth, and the cost is a range */
  readonly weights?: {
    readonly input: DecimalString;
    readonly cached_input: DecimalString;
    readonly output: DecimalString;
  };
};

export type ExchangeRatesOutput = {
  /** Who published the rates */
  readonly source: string;
  /** The currency whose unit the rates are for */
  readonly base: string;
  /** Units of each currency for one unit of the base, by day */
  readonly rates: Readonly<Record<string, Readonly<Record<string, string>>>>;
};

export type ReadMarkOutput = {
  /** Notifications created up to this time are read */
  readonly until: Timestamp;
};

export type AllocationPolicyOutput =
  | {
      readonly method: 'proportional';
    }
  | {
      readonly method: 'even';
    }
  | {
      readonly method: 'fixed';
      /** The rest up to 1 stays unallocated */
      readonly fixed: readonly {
        readonly owner: string;
        /** Part of the whole as a decimal string: above 0, at most 1 */
        readonly share: string;
      }[];
    }
  | {
      readonly method: 'none';
    };
