# Generated from the OpenAPI document by `npm run sdk`. Do not edit.
from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union


class InvocationEventCostBreakdown(TypedDict, total=False):
    input: "DecimalString"
    cached_input: "DecimalString"
    cache_write: "DecimalString"
    output: "DecimalString"
    request: "DecimalString"


class _InvocationEventRequired(TypedDict):
    # Unique for each event and the same on every retry. Each event_id creates exactly one record
    event_id: str
    # Capture layer
    ingestion_layer: str
    # When the capture layer observed the call
    ingestion_timestamp: "Timestamp"
    provider: str
    requested_model: str


class InvocationEvent(_InvocationEventRequired, total=False):
    # What event_id follows from, with the prefix of that id, if the source has no event ids. Another observer may report the call under another event_id, so it may be recognised by what is observed. Absent: event_id alone identifies the call
    id_basis: str
    # Further ids of the call at its provider or gateway, such as that of the request beside that of the response. Events of different observers that share one report one call
    call_ids: List[str]
    # The model that served the call, if it differs from requested_model
    served_model: str
    # OpenTelemetry GenAI operation name
    operation: str
    # When the call was made. Default: ingestion_timestamp
    occurred_at: "Timestamp"
    # Set by the service: the time by the clock of the producer, if the arrival replaced it
    reported_time: "Timestamp"
    # Cloud region that the call was sent to, or the area in which its data stay (us, eu, global). It decides the price
    region: str
    # Cloud region that ran the call, if it is not region. It decides the grid, and region the price
    inference_region: str
    # Host that the call was sent to. It tells which own nodes ran the call
    server_address: str
    # All input tokens, including cached tokens
    input_tokens: int
    # Input tokens if the source counts cached tokens or others beside them. Only if that is unknown: the cost is then a range
    input_tokens_high: int
    # Part of input_tokens read from a cache
    cached_input_tokens: int
    # Part of input_tokens written to a cache
    cache_write_tokens: int
    # Part of cache_write_tokens that the cache keeps for an hour, which costs more than a shorter time
    cache_write_1h_tokens: int
    # Part of input_tokens that is audio
    audio_input_tokens: int
    # Part of audio_input_tokens read from a cache
    cached_audio_input_tokens: int
    # Part of input_tokens that is images
    image_input_tokens: int
    # All output tokens, including reasoning
    output_tokens: int
    # Output tokens if the source counts reasoning beside them, or with the tokens that only its total has. Only if that is unknown: the cost is then a range
    output_tokens_high: int
    # Part of output_tokens used for reasoning
    reasoning_tokens: int
    # Part of output_tokens that is audio
    audio_output_tokens: int
    # Part of output_tokens that is images
    image_output_tokens: int
    # Web searches that the provider ran for the call and charges for
    web_searches: int
    # Searches of files or vector stores that the provider ran for the call and charges for
    file_searches: int
    # Sessions or runs of a code interpreter that the provider charges for
    code_executions: int
    # Searches of a rerank model
    rerank_searches: int
    # Seconds of audio that were read or generated
    audio_seconds: int
    # Seconds of video that were read or generated
    video_seconds: int
    # Generated images
    images: int
    # Pages of documents that were read
    pages: int
    # Characters of speech that was generated
    characters: int
    # Names of counts for which an event has no member, each with its count if it is known (`video_tokens=1200`). They can set a price, so the cost is a range
    unread_usage: List[str]
    # Tier that served the call
    service_tier: str
    # True if a stored response was read. The event completes the record of its event_id, and never makes one
    retrieval: bool
    # True if a batch API served the call
    batch: bool
    # Cost that the producer reports. Takes precedence over the price catalogue. A 0 for a call with usage counts only from a provider, for a failed call, or for a model that ends in :free
    estimated_cost_usd: "DecimalString"
    # Name of a cost that may not be USD
    unread_cost: str
    # Who determined the reported cost. provider: who charges for the call, exactly. estimate, as without this member: a client, from a price list. The cost is then a range with the list price, and a contract price takes precedence
    cost_source: Literal['provider', 'estimate']
    # How the call is paid. Default: metered, or provisioned for a service_tier of prepaid capacity. A call that is not metered costs nothing unless a contract price names its mode; `explanation.cost.list_price_usd` is its worth
    billing_mode: "BillingMode"
    cost_breakdown: InvocationEventCostBreakdown
    # Energy that the producer measured. Takes precedence over the estimate, unless the usage cannot explain it
    energy_wh: "DecimalString"
    # Carbon that the producer reports. Takes precedence over the estimate, unless the usage cannot explain it
    carbon_gco2e: "DecimalString"
    latency_ms: int
    # Who pays
    attributed_identity: str
    # The person who uses the feature. The owner is another, unless a mapping names one
    end_user: str
    attributed_service: str
    # Confidence of the producer in attributed_identity and attributed_service. Values above 0.95 are reduced to 0.95
    attribution_confidence: float
    trace_id: str
    span_id: str
    parent_span_id: str
    # Set by the service: the nearest span above that its export does not have, if spans without a call of their own lie between. Default: parent_span_id
    caller_span_id: str
    # Set by the service: spans below this one that report no call
    covered_span_ids: List[str]
    k8s_namespace: str
    k8s_workload: str
    k8s_cluster: str
    spiffe_id: str
    # Name of the provider API key that was billed. Never send the secret
    api_key_name: str
    pathway_category: "PathwayCategory"
    source_system: str
    tags: List[str]
    # Outcome of the call. Default: ok
    status: Literal['ok', 'error', 'incomplete']


Timestamp = str


DecimalString = str


BillingMode = Literal['metered', 'subscription', 'free', 'provisioned']


PathwayCategory = Literal['application_direct', 'gateway_mediated', 'proxy_observed', 'agent_workflow', 'batch_pipeline', 'embedded_saas', 'unknown']


class InvocationBatch(TypedDict):
    events: List["InvocationEvent"]


class TraceExport(TypedDict, total=False):
    """ExportTraceServiceRequest of https://opentelemetry.io/docs/specs/otlp/#otlphttp"""
    resourceSpans: List[Dict[str, Any]]


class LogExport(TypedDict, total=False):
    """ExportLogsServiceRequest of https://opentelemetry.io/docs/specs/otlp/#otlphttp"""
    resourceLogs: List[Dict[str, Any]]


class MetricExport(TypedDict, total=False):
    """ExportMetricsServiceRequest of https://opentelemetry.io/docs/specs/otlp/#otlphttp"""
    resourceMetrics: List[Dict[str, Any]]


CallLogs = Union["CallLog", List["CallLog"]]


CallLog = Dict[str, Any]


DayOrInstant = Union[str, "Timestamp"]


ConfidenceBound = str


OutputState = Literal['deterministically_resolved', 'strongly_inferred', 'weakly_inferred', 'allocated', 'manually_overridden', 'unresolved']


ConfidenceBand = Literal['chargeback_ready', 'provisional', 'estimated']


CostUnknown = Literal['price_not_found', 'usage_missing', 'usage_inconsistent', 'unsupported_modality', 'out_of_range', 'implausible_cost', 'node_hour_open']


class _OverrideRequestRequired(TypedDict):
    # Stored with the record and included in the event
    reason: str


class OverrideRequest(_OverrideRequestRequired, total=False):
    """At least one of owner and service is required. An omitted one does not change"""
    owner: str
    service: str


class _DisputeRequestRequired(TypedDict):
    # Stored with the record and included in the event
    reason: str


class DisputeRequest(_DisputeRequestRequired, total=False):
    proposed_owner: str
    proposed_service: str


class _IdentityMappingRequestRequired(TypedDict):
    # Shown in the explanation of every record that the mapping decided
    name: str
    # All of them must match
    conditions: List["MappingCondition"]


class IdentityMappingRequest(_IdentityMappingRequestRequired, total=False):
    """At least one of owner and service is required"""
    # Mappings are evaluated in ascending order. Default: after the last mapping
    position: int
    # Owner of the calls that match
    owner: str
    # Service of the calls that match
    service: str
    # The mapping applies to calls that occurred at or after this instant. It may be in the past or in the future. Existing records change only when they are reprocessed. Default: now
    effective_from: "Timestamp"


class MappingCondition(TypedDict):
    field: "MappableField"
    operator: "MappingOperator"
    # At most 128 characters for a glob
    value: str


MappableField = Literal['identity', 'end_user', 'service', 'spiffe_id', 'k8s_namespace', 'k8s_workload', 'k8s_cluster', 'api_key_name', 'source_system', 'tag']


MappingOperator = Literal['exact', 'prefix', 'glob']


class IdentityMappingPatch(TypedDict, total=False):
    """Omitted members do not change (JSON Merge Patch, RFC 7396). The result must be a valid mapping"""
    # Shown in the explanation of every record that the mapping decided
    name: str
    # Position in the order of evaluation: lower first, equal positions in the order of creation
    position: int
    # Replaces all conditions
    conditions: List["MappingCondition"]
    # Null removes the owner
    owner: Optional[str]
    # Null removes the service
    service: Optional[str]
    # The mapping applies to calls that occurred at or after this instant. It may be in the past or in the future. Existing records change only when they are reprocessed
    effective_from: "Timestamp"


IdentityMappingDryRunRequest = TypedDict("IdentityMappingDryRunRequest", {
    "mapping": "IdentityMappingRequest",
    "replaces": "str",
    "from": "DayOrInstant",
    "to": "DayOrInstant",
}, total=False)


_ReprocessRequestRequired = TypedDict("_ReprocessRequestRequired", {
    "from": "DayOrInstant",
})
_ReprocessRequestOptional = TypedDict("_ReprocessRequestOptional", {
    "to": "DayOrInstant",
}, total=False)


class ReprocessRequest(_ReprocessRequestRequired, _ReprocessRequestOptional):
    pass


class RecallRequest(TypedDict):
    # Stored with the model and included in the event
    reason: str


ReportBound = Union[str, "Timestamp"]


class _SavingDismissalRequestRequired(TypedDict):
    saving: Literal['prompt_caching', 'batch', 'replacement_model', 'failed_calls', 'long_context', 'idle_nodes']
    # `high_usd` of the suggestion, as it was shown
    high_usd: "DecimalString"
    reason: str


class SavingDismissalRequest(_SavingDismissalRequestRequired, total=False):
    # Null: no owner. Absent: hidden
    owner: Optional[str]
    # Null: no service. Absent: hidden
    service: Optional[str]
    provider: str
    served_model: str
    # The `model` of `replacement`
    replacement_model: str
    # Of idle_nodes
    pool: str
    # Default: group
    kind: Literal['group', 'folded']


class AnnotationRequest(TypedDict):
    # The day, in UTC
    date: str
    # What happened
    text: str


class _SavedViewRequestRequired(TypedDict):
    # The page of the console
    page: Literal['explore', 'records', 'savings']
    # What people call it
    name: str


class SavedViewRequest(_SavedViewRequestRequired, total=False):
    # The query of the address of the page, without the question mark. Absent: the page as it opens
    search: str


class _BusinessMetricRequestRequired(TypedDict):
    # What is counted
    name: str
    numbers: List["MetricNumber"]


class BusinessMetricRequest(_BusinessMetricRequestRequired, total=False):
    # Only the cost of its calls. Null: of all owners
    owner: Optional[str]
    # Only the cost of its calls. Null: of all services
    service: Optional[str]


class MetricNumber(TypedDict):
    # A day in the time zone of the tenant
    date: str
    # Null removes the number of the day
    value: Optional["DecimalString"]


class _BudgetRequestRequired(TypedDict):
    name: str
    # Spending limit of a period, in USD
    ceiling_usd: "DecimalString"
    period: "BudgetPeriod"


class BudgetRequest(_BudgetRequestRequired, total=False):
    # Default: all calls
    scope: "BudgetScope"
    # Default: 75, 100, 150
    thresholds: List[int]
    # Default: none
    forecast_thresholds: List[int]


BudgetPeriod = Literal['month', 'quarter', 'rolling_30d']


class BudgetScope(TypedDict, total=False):
    """Filters of the calls that count towards the budget. A call must match all of them. An empty scope matches every call"""
    owner: str
    service: str
    provider: str
    served_model: str
    # Cloud region that served the calls
    region: str
    tags: "BudgetTags"


BudgetTags = List[str]


class BudgetPatch(TypedDict, total=False):
    """Omitted members do not change (JSON Merge Patch, RFC 7396)"""
    name: str
    # Spending limit of a period, in USD
    ceiling_usd: "DecimalString"
    period: "BudgetPeriod"
    # Replaces the whole scope
    scope: "BudgetScope"
    # Replaces all thresholds
    thresholds: List[int]
    # Replaces all thresholds
    forecast_thresholds: List[int]


class _AnomalyMuteRequestRequired(TypedDict):
    # How long, from now on
    days: int


class AnomalyMuteRequest(_AnomalyMuteRequestRequired, total=False):
    reason: str


class CoverageExpectationsExpectationsItem(TypedDict):
    pathway_category: "PathwayCategory"
    # Values of ingestion_layer in events
    layers: List[str]


class CoverageExpectations(TypedDict):
    # A pathway that is left out has no expected layers
    expectations: List[CoverageExpectationsExpectationsItem]


CloudEvents = Union["CloudEvent", List["CloudEvent"]]


class _CloudEvent1Required(TypedDict):
    specversion: Literal['1.0']
    # source and id identify the event of a credential. A second event with the same pair has no effect
    id: str
    # URI reference of the sender
    source: str
    type: Literal['discovery.signal']
    data: "DiscoverySignal"


class CloudEvent1(_CloudEvent1Required, total=False):
    time: "Timestamp"
    subject: str


class _CloudEvent2Required(TypedDict):
    specversion: Literal['1.0']
    # source and id identify the event of a credential. A second event with the same pair has no effect
    id: str
    # URI reference of the sender
    source: str
    type: Literal['connector.health']
    data: "ConnectorHealth"


class CloudEvent2(_CloudEvent2Required, total=False):
    time: "Timestamp"
    subject: str


class _CloudEvent3Required(TypedDict):
    specversion: Literal['1.0']
    # source and id identify the event of a credential. A second event with the same pair has no effect
    id: str
    # URI reference of the sender
    source: str
    type: str


class CloudEvent3(_CloudEvent3Required, total=False):
    time: "Timestamp"
    subject: str
    data: Any


CloudEvent = Union[CloudEvent1, CloudEvent2, CloudEvent3]


class DiscoverySignal(TypedDict):
    source: Literal['casb', 'dns', 'firewall', 'admin_api']
    provider: str
    pathway_category: "PathwayCategory"
    first_seen: "Timestamp"
    last_seen: "Timestamp"


class ConnectorHealth(TypedDict):
    connector: str
    status: Literal['healthy', 'degraded', 'failed']


class PartnerHealthReport(TypedDict):
    status: Literal['healthy', 'degraded', 'failed']


ExportRequestPeriod = TypedDict("ExportRequestPeriod", {
    "from": "DayOrInstant",
    "to": "DayOrInstant",
})


class _ExportRequestRequired(TypedDict):
    period: ExportRequestPeriod


class ExportRequest(_ExportRequestRequired, total=False):
    format: Literal['focus']
    group_by: "ExportGrouping"
    tags: "ExportTags"
    granularity: "Granularity"
    file_format: Literal['csv', 'csv.gz', 'parquet']
    focus_version: Literal['1.2', '1.3', '1.4', '1.5-draft']
    cost_mode: "CostMode"
    columns: "ExportColumns"
    # Reader of CSV. program: original text
    consumer: Literal['spreadsheet', 'program']
    importer: "Importer"
    delivery: "ExportDeliveryTarget"


ExportGrouping = List[Literal['owner', 'service', 'provider', 'served_model', 'pathway_category', 'region']]


ExportTags = List[str]


Granularity = Literal['record', 'hour', 'day', 'month']


CostMode = Literal['chargeback', 'showback']


ExportColumns = List[str]


Importer = Literal['vantage', 'datadog', 'cloudzero']


class ExportDeliveryTarget(TypedDict):
    """Puts the files into a bucket of yours too. The export covers one UTC month, or its part up to now"""
    # The export destination
    destination_id: str
    # The folder of the report below the location of the destination. One name for one report
    name: str


class ExportScheduleRequest(TypedDict):
    every: "ScheduleEvery"
    request: "ExportTerms"


ScheduleEvery = Literal['day', 'month']


class ExportTerms(TypedDict, total=False):
    format: Literal['focus']
    group_by: "ExportGrouping"
    tags: "ExportTags"
    granularity: "Granularity"
    file_format: Literal['csv', 'csv.gz', 'parquet']
    focus_version: Literal['1.2', '1.3', '1.4', '1.5-draft']
    cost_mode: "CostMode"
    columns: "ExportColumns"
    # Reader of CSV. program: original text
    consumer: Literal['spreadsheet', 'program']
    importer: "Importer"
    delivery: "ExportDeliveryTarget"


class ExportScheduleChange(TypedDict, total=False):
    """The members to replace. `request` is replaced as a whole"""
    every: "ScheduleEvery"
    request: "ExportTerms"


class ExportDestinationRequest(TypedDict):
    name: str
    # The bucket, and the prefix of all objects that the service puts
    location: str
    # The AWS Region of the bucket
    region: str
    # An IAM role of the account of the bucket that may put objects below the location. Its name begins with attribution-exports-
    role_arn: str


class ExportDestinationChange(TypedDict):
    name: str


class ContractPricesChange(TypedDict):
    """All contract prices. Entries that are not sent are removed"""
    prices: List["ContractPrice"]


_ContractPriceRequired = TypedDict("_ContractPriceRequired", {
    "provider": "str",
    "model": "str",
    "from": "Timestamp",
})
_ContractPriceOptional = TypedDict("_ContractPriceOptional", {
    "region": "str",
    "billing_mode": "BillingMode",
    "input": "UnitPrice",
    "cached_input": "UnitPrice",
    "cache_write": "UnitPrice",
    "cache_write_1h": "UnitPrice",
    "output": "UnitPrice",
    "reasoning": "UnitPrice",
    "audio_input": "UnitPrice",
    "cached_audio_input": "UnitPrice",
    "audio_output": "UnitPrice",
    "image_input": "UnitPrice",
    "cached_image_input": "UnitPrice",
    "image_output": "UnitPrice",
    "request": "UnitPrice",
    "search": "UnitPrice",
    "file_search": "UnitPrice",
    "code_execution": "UnitPrice",
    "rerank_search": "UnitPrice",
    "audio_second": "UnitPrice",
    "video_second": "UnitPrice",
    "image": "UnitPrice",
    "page": "UnitPrice",
    "character": "UnitPrice",
    "bands": "List[PriceBand]",
    "batch": "TierPrices",
    "flex": "TierPrices",
    "priority": "TierPrices",
    "source": "str",
}, total=False)


class ContractPrice(_ContractPriceRequired, _ContractPriceOptional):
    pass


UnitPrice = str


class _PriceBandRequired(TypedDict):
    # The prices apply to all tokens of a call that reads more tokens than this. Cached tokens count as read
    above_tokens: int


class PriceBand(_PriceBandRequired, total=False):
    input: "UnitPrice"
    cached_input: "UnitPrice"
    cache_write: "UnitPrice"
    # Cache writes kept for an hour. `cache_write`: for a shorter time
    cache_write_1h: "UnitPrice"
    output: "UnitPrice"
    reasoning: "UnitPrice"
    audio_input: "UnitPrice"
    cached_audio_input: "UnitPrice"
    audio_output: "UnitPrice"
    image_input: "UnitPrice"
    cached_image_input: "UnitPrice"
    image_output: "UnitPrice"
    request: "UnitPrice"
    # Web searches that the provider ran for a call
    search: "UnitPrice"
    # Searches of files or vector stores that the provider ran
    file_search: "UnitPrice"
    # Sessions or runs of a code interpreter of the provider
    code_execution: "UnitPrice"
    # Searches of a rerank model
    rerank_search: "UnitPrice"
    # Seconds of audio that were read or generated
    audio_second: "UnitPrice"
    # Seconds of video
    video_second: "UnitPrice"
    # Generated images
    image: "UnitPrice"
    # Pages of documents
    page: "UnitPrice"
    # Characters, for speech
    character: "UnitPrice"


class TierPrices(TypedDict, total=False):
    """Prices of a service tier. A kind or band that they leave out costs as much more or less than the standard price as the kind that contains it"""
    input: "UnitPrice"
    cached_input: "UnitPrice"
    cache_write: "UnitPrice"
    # Cache writes kept for an hour. `cache_write`: for a shorter time
    cache_write_1h: "UnitPrice"
    output: "UnitPrice"
    reasoning: "UnitPrice"
    audio_input: "UnitPrice"
    cached_audio_input: "UnitPrice"
    audio_output: "UnitPrice"
    image_input: "UnitPrice"
    cached_image_input: "UnitPrice"
    image_output: "UnitPrice"
    request: "UnitPrice"
    # Web searches that the provider ran for a call
    search: "UnitPrice"
    # Searches of files or vector stores that the provider ran
    file_search: "UnitPrice"
    # Sessions or runs of a code interpreter of the provider
    code_execution: "UnitPrice"
    # Searches of a rerank model
    rerank_search: "UnitPrice"
    # Seconds of audio that were read or generated
    audio_second: "UnitPrice"
    # Seconds of video
    video_second: "UnitPrice"
    # Generated images
    image: "UnitPrice"
    # Pages of documents
    page: "UnitPrice"
    # Characters, for speech
    character: "UnitPrice"
    # Prices of calls with a long context
    bands: List["PriceBand"]


class NodePoolsChange(TypedDict):
    """All pools. Those that are not sent are removed"""
    pools: List["NodePool"]


class _NodePoolServesItemRequired(TypedDict):
    # As the events name it
    provider: str
    # A model id, or a prefix that ends in *
    model: str


class NodePoolServesItem(_NodePoolServesItemRequired, total=False):
    # Only calls with this region
    region: str
    # Only calls to this host (server_address), whatever client made them
    host: str


_NodePoolRatesItemRequired = TypedDict("_NodePoolRatesItemRequired", {
    "from": "Timestamp",
    "node_hour_usd": "DecimalString",
    "nodes": "int",
})
_NodePoolRatesItemOptional = TypedDict("_NodePoolRatesItemOptional", {
    "node_watts": "DecimalString",
}, total=False)


class NodePoolRatesItem(_NodePoolRatesItemRequired, _NodePoolRatesItemOptional):
    pass


class NodePoolWeights(TypedDict):
    """Measured work of a token, relative to the others. Without it, an output token counts as four input tokens and a cached one as a tenth, and the cost is a range"""
    input: "DecimalString"
    cached_input: "DecimalString"
    output: "DecimalString"


class _NodePoolRequired(TypedDict):
    name: str
    serves: List[NodePoolServesItem]
    rates: List[NodePoolRatesItem]


class NodePool(_NodePoolRequired, total=False):
    # Measured work of a token, relative to the others. Without it, an output token counts as four input tokens and a cached one as a tenth, and the cost is a range
    weights: NodePoolWeights


UtcDay = str


class _BillsRequired(TypedDict):
    rows: List["BillRow"]


class Bills(_BillsRequired, total=False):
    # Without it, the rows are merged
    delivery: "DeclaredBillDelivery"
    # Ends the delivery. Default: false
    complete: bool
    # true: one row that cannot be read refuses all with VALIDATION_FAILED. Default: false
    atomic: bool
    # Needed for rows in another currency than USD that state no rate. A row takes the rates of its first day, or the newest of the 7 days before
    exchange_rates: "ExchangeRates"


_DeclaredBillDeliveryRequired = TypedDict("_DeclaredBillDeliveryRequired", {
    "id": "str",
    "provider": "str",
    "from": "UtcDay",
    "to": "UtcDay",
})
_DeclaredBillDeliveryOptional = TypedDict("_DeclaredBillDeliveryOptional", {
    "account": "str",
    "page": "int",
}, total=False)


class DeclaredBillDelivery(_DeclaredBillDeliveryRequired, _DeclaredBillDeliveryOptional):
    pass


class ExchangeRates(TypedDict):
    # Who published the rates
    source: str
    # The currency whose unit the rates are for
    base: str
    # Units of each currency for one unit of the base, by day
    rates: Dict[str, Dict[str, str]]


class _BillRowRequired(TypedDict):
    BilledCost: "BilledAmount"
    # USD, or a currency whose rate the request or the row states
    BillingCurrency: str
    ChargePeriodStart: "Timestamp"
    # Exclusive. Of usage: on the same UTC day. Other charges count on their first day
    ChargePeriodEnd: "Timestamp"


class BillRow(_BillRowRequired, total=False):
    # FOCUS 1.3 and later
    ServiceProviderName: Optional[str]
    # FOCUS before 1.3
    ProviderName: Optional[str]
    # Default: Usage. Other categories are summed separately and not compared
    ChargeCategory: Optional[Literal['Usage', 'Purchase', 'Tax', 'Credit', 'Adjustment']]
    # Without it, the row is of the whole provider
    BillingAccountId: "BillIdentifier"
    # The model, if the bill names it
    x_Model: Optional[str]
    # The model, under the column name of FOCUS exports of this service
    x_ServedModelId: Optional[str]
    # Used as the model if x_Model is missing, unless it is an id without a name
    SkuId: "BillIdentifier"
    # Used as the model if SkuId is also missing
    ResourceId: "BillIdentifier"
    # Names the model of a product of AWS Marketplace
    ServiceName: "BillIdentifier"
    ConsumedQuantity: Optional["BilledAmount"]
    ConsumedUnit: "BillIdentifier"
    # Names the model on bills of AWS, Azure and Google
    SkuMeter: "BillIdentifier"
    # The meter at Azure
    x_SkuMeterName: "BillIdentifier"
    # The product of the meter at Azure, which can name the family
    x_SkuMeterSubcategory: "BillIdentifier"
    # The meter at AWS
    x_UsageType: "BillIdentifier"
    SkuPriceId: "BillIdentifier"
    SubAccountId: "BillIdentifier"
    RegionId: "BillIdentifier"
    PricingCategory: "BillIdentifier"
    # Correction: adds to the row of an earlier bill
    ChargeClass: Optional[Literal['Correction']]
    # Tells corrections apart
    BillingPeriodStart: Optional["Timestamp"]
    # Used as the meter on bills of Google, if that names no model
    ChargeDescription: Optional[str]
    # Units of the currency for one of the pricing currency at Azure. Used without a rate in exchange_rates, if that is USD
    x_BillingExchangeRate: Optional["BilledAmount"]
    x_BillingExchangeRateDate: Optional["Timestamp"]
    PricingCurrency: Optional[str]
    # FOCUS before 1.2
    x_PricingCurrency: Optional[str]
    # Units of the currency for one US dollar at Google. Used without a rate in exchange_rates
    x_CurrencyConversionRate: Optional["BilledAmount"]
    # Not used
    InvoiceDetailId: "BillIdentifier"
    # Your id of the purchase
    x_RowId: "BillIdentifier"


BilledAmount = str


BillIdentifier = Optional[str]


class _BillSourceRequestRequired(TypedDict):
    provider: "BillProvider"
    name: str


class BillSourceRequest(_BillSourceRequestRequired, total=False):
    # An admin API key of OpenAI or Anthropic that may read costs. It is stored encrypted and cannot be read again
    credential: str
    # Your name for the account at the provider. It stands for the one that the provider reports, if it reports none. Required only to import several accounts of one provider: each source then names its own
    account: str
    # Required for aws, and for it only
    data_export: "DataExport"
    # Needed if the provider bills in another currency than USD. A day takes its rates, or the newest of the 7 days before
    exchange_rates: "ExchangeRates"


BillProvider = Literal['openai', 'anthropic', 'aws']


class DataExport(TypedDict):
    location: "DataExportLocation"
    # The AWS Region of the bucket
    region: str
    # An IAM role of your account that may read the export. Its name begins with attribution-bills-
    role_arn: str


DataExportLocation = str


class BillSourcePatch(TypedDict, total=False):
    """Omitted members do not change (JSON Merge Patch, RFC 7396)"""
    name: str
    # Replaces the credential
    credential: str
    # Replaces the export of a source of aws
    data_export: "DataExport"
    # Replaces the rates. Days that are imported keep theirs; days that lack one are tried again
    exchange_rates: "ExchangeRates"
    # true stops the imports. false resumes them
    paused: bool


class PeriodReopening(TypedDict):
    # For the audit log and the event period.reopened
    reason: str


class _WebhookRequestRequired(TypedDict):
    url: "WebhookUrl"
    # The event types that the endpoint receives
    events: List["WebhookEventType"]


class WebhookRequest(_WebhookRequestRequired, total=False):
    description: str
    # The most events in one request. Default: 1, and the body is the event. Above 1 the body is a list of events with at most 256 KiB, as the tag Webhook events describes. A change applies to requests that are sent afterwards.
    max_batch_size: int


WebhookUrl = str


WebhookEventType = Literal['apikey.rotated', 'attribution.materialized', 'attribution.override.applied', 'attribution.disputed', 'cost.implausible', 'degradation.state.changed', 'coverage.degraded', 'coverage.restored', 'connector.health.changed', 'bill_source.health.changed', 'budget.threshold.crossed', 'budget.forecast.crossed', 'export.completed', 'export.failed', 'export.delivered', 'export.delivery.failed', 'period.closed', 'period.reopened', 'anomaly.detected', 'webhook.disabled']


class WebhookPatch(TypedDict, total=False):
    """Omitted members do not change (JSON Merge Patch, RFC 7396)"""
    url: "WebhookUrl"
    # Replaces the whole list
    events: List["WebhookEventType"]
    description: Optional[str]
    # The most events in one request. Default: 1, and the body is the event. Above 1 the body is a list of events with at most 256 KiB, as the tag Webhook events describes. A change applies to requests that are sent afterwards.
    max_batch_size: int
    # false pauses the deliveries, true resumes them within 15 minutes. Of a verified endpoint, what is due or raised during the pause is kept for 24 hours; what is older is in the delivery log as dead_lettered with the failure paused, and can be replayed for 30 days. Events that are raised while an endpoint is pending, as after a change of its URL, are not sent: replay their time range
    enabled: bool


class WebhookAnswer(TypedDict, total=False):
    # The challenge that the receiver got. If omitted, a new challenge is sent
    challenge: str


class WebhookRotation(TypedDict, total=False):
    # How long deliveries are signed with both secrets. Default: 86400. Use 0 if the old secret has leaked
    overlap_seconds: int


class WebhookTest(TypedDict):
    type: "WebhookEventType"


class WebhookReplay1(TypedDict):
    # One event, of any type
    event_id: str


WebhookReplay2 = TypedDict("WebhookReplay2", {
    "from": "DayOrInstant",
    "to": "DayOrInstant",
})


WebhookReplay = Union[WebhookReplay1, WebhookReplay2]


NotifiableEventType = Literal['anomaly.detected', 'bill_source.health.changed', 'budget.forecast.crossed', 'budget.threshold.crossed', 'cost.implausible', 'coverage.degraded', 'degradation.state.changed', 'export.delivery.failed', 'export.failed', 'webhook.disabled']


class ReadMark(TypedDict):
    # Notifications created up to this time are read
    until: "Timestamp"


class _ReportSubscriptionRequestRequired(TypedDict):
    # week: from Monday to Sunday. month: a calendar month. Both in the time zone of the tenant, and sent after their end
    every: Literal['week', 'month']
    # email: to the recipient. chat: to the chat of the notification channels
    channel: Literal['email', 'chat']


class ReportSubscriptionRequest(_ReportSubscriptionRequestRequired, total=False):
    # Only its calls. Default: null, the whole tenant
    owner: Optional[str]
    # Id of the user who gets the e-mail. Default: the user who calls. Another one needs admin:config
    recipient: str


class TenantChange(TypedDict, total=False):
    """Omitted members do not change"""
    residency: "ResidencyLanes"
    # Maximum lifetime of a new API key in days
    key_lifetime_days: int
    stage_b: "StageB"
    cost_allocation_tags: "TagKeys"
    # IANA time zone of days and months in reports and budgets. Default: UTC. A change applies at once, also to earlier calls
    time_zone: str
    # A higher cost of one call is set aside until it is confirmed. Null: only what the usage cannot explain
    largest_reported_cost_usd: Optional["DecimalString"]
    # How cost without an owner is allocated after each UTC day: proportional to attributed spend (default), evenly, by fixed shares, or not at all. Allocated cost is never part of a chargeback
    allocation: "AllocationPolicy"
    notifications: "NotificationChannelsChange"


ResidencyLanes = List[str]


StageB = Literal['enabled', 'disabled']


TagKeys = List[str]


class AllocationPolicy1(TypedDict):
    method: Literal['proportional']


class AllocationPolicy2(TypedDict):
    method: Literal['even']


class AllocationPolicy3FixedItem(TypedDict):
    owner: str
    # Part of the whole as a decimal string: above 0, at most 1
    share: str


class AllocationPolicy3(TypedDict):
    method: Literal['fixed']
    # The rest up to 1 stays unallocated
    fixed: List[AllocationPolicy3FixedItem]


class AllocationPolicy4(TypedDict):
    method: Literal['none']


AllocationPolicy = Union[AllocationPolicy1, AllocationPolicy2, AllocationPolicy3, AllocationPolicy4]


class NotificationChannelsChangeChat1(TypedDict):
    url: str


class NotificationChannelsChange(TypedDict, total=False):
    """Omitted members keep their value"""
    # The e-mail addresses. An empty list turns e-mail off.
    email: List[str]
    # An incoming webhook that accepts {"text": …}, as Slack and others offer. It must use https on port 443 or 8443 and resolve to public addresses only. The URL is a secret: responses mask it, and sending the masked form back keeps it. null turns chat off.
    chat: Optional[NotificationChannelsChangeChat1]
    # The lowest severity that is sent by e-mail and chat. Default: warning.
    minimum_severity: Literal['warning', 'critical']


class SandboxChange(TypedDict):
    # Whether 5 synthetic calls arrive each minute, for the next 7 days
    live_traffic: bool


class SandboxResetRequest(TypedDict, total=False):
    # Whether 5 synthetic calls arrive each minute, for the next 7 days
    live_traffic: bool


class _UserRequestRequired(TypedDict):
    # The address that the identity provider verifies at the sign-in
    email: str


class UserRequest(_UserRequestRequired, total=False):
    role: "UserRole"


UserRole = Literal['admin', 'finops', 'engineer', 'viewer']


class UserChange(TypedDict):
    role: "UserRole"


class _ApiKeyRequestRequired(TypedDict):
    name: str
    # Fixed at creation. Must be a subset of the scopes of the creator.
    scopes: List["Scope"]


class ApiKeyRequest(_ApiKeyRequestRequired, total=False):
    # Limited by the key lifetime policy of the tenant. Default: the latest allowed time
    expires_at: "Timestamp"
    # Binds the credential to one of the data-residency lanes of the tenant. Default: the lane of the creator
    residency: str


Scope = Literal['read:attribution', 'read:lookup', 'read:reporting', 'export:create', 'webhooks:manage', 'admin:config', 'finance:config', 'ingest:write', 'partner:connector']


class ApiKeyRotation(TypedDict, total=False):
    # How long the old secret stays valid. Default 0: it becomes invalid at once
    overlap_seconds: int
    # Limited by the key lifetime policy of the tenant. Default: the present expires_at, or the latest allowed time if that is earlier
    expires_at: "Timestamp"


class _OAuthClientRequestRequired(TypedDict):
    name: str
    # Fixed at creation. Must be a subset of the scopes of the creator.
    scopes: List["Scope"]


class OAuthClientRequest(_OAuthClientRequestRequired, total=False):
    # Default: client_credentials. With redirect_uris the default is authorization_code and refresh_token
    grant_types: List[Literal['client_credentials', 'authorization_code', 'refresh_token']]
    # Allowed redirect URIs. Required for authorization_code
    redirect_uris: List[str]
    # Default: client_secret_basic, which also allows client_secret_post. none registers a public client
    token_endpoint_auth_method: Literal['client_secret_basic', 'client_secret_post', 'none']
    # Registers the connector of a partner, with the only scope partner:connector: it can send events of these source systems in its lane, and nothing else
    source_systems: List[str]
    # Capture layer of the connector. It replaces that of its events, and their pathway follows from it. Only with source_systems. Default: gateway
    ingestion_layer: str
    # Whether the connector may fill empty parts of records of other source systems. It never replaces what a credential of the tenant stated. Only with source_systems. Default: false
    fills_other_sources: bool
    # Binds the credential to one of the data-residency lanes of the tenant. Default: the lane of the creator
    residency: str


class RotationRequest(TypedDict, total=False):
    # How long the old secret stays valid. Default 0: it becomes invalid at once
    overlap_seconds: int


class _TokenRequestRequired(TypedDict):
    grant_type: Literal['client_credentials', 'authorization_code', 'refresh_token']


class TokenRequest(_TokenRequestRequired, total=False):
    client_id: str
    client_secret: str
    # For client_credentials and refresh_token: space-separated scopes of the client or of the grant. Default: all of them
    scope: str
    # For authorization_code: the code that redirect_uri received
    code: str
    # For authorization_code: the redirect_uri of the authorization request
    redirect_uri: str
    # For authorization_code: the PKCE code verifier of the authorization request, 43 to 128 characters
    code_verifier: str
    # For refresh_token: the latest refresh token of the grant
    refresh_token: str


class _RevocationRequestRequired(TypedDict):
    # A refresh token or an access token
    token: str


class RevocationRequest(_RevocationRequestRequired, total=False):
    # Ignored: the service recognises the type of a token
    token_type_hint: str
    client_id: str
    client_secret: str


AuditAction = Literal['api_key.create', 'api_key.rotate', 'api_key.revoke', 'oauth_client.create', 'oauth_client.rotate', 'oauth_client.delete', 'records.read', 'access.denied', 'connector.access', 'connector.send', 'connector.health', 'statement.reject', 'user.sign_in', 'token.revoke', 'token.reuse', 'attribution.override', 'attribution.dispute', 'attribution.confirm_cost', 'identity_mapping.create', 'identity_mapping.update', 'identity_mapping.delete', 'tenant.create', 'tenant.update', 'tenant.prices', 'prices.load', 'tenant.settings', 'tenant.erase', 'person.erase', 'sandbox.reset', 'sandbox.update', 'model.train', 'records.reprocess', 'model.recall', 'coverage.expectations', 'bills.import', 'bills.delete', 'bill_source.create', 'bill_source.update', 'bill_source.delete', 'period.close', 'period.reopen', 'anomaly.mute', 'anomaly.unmute', 'annotation.create', 'annotation.delete', 'saved_view.create', 'saved_view.delete', 'saving.dismiss', 'saving.restore', 'business_metric.write', 'business_metric.delete', 'budget.create', 'budget.update', 'budget.delete', 'webhook.create', 'webhook.update', 'webhook.delete', 'webhook.verify', 'webhook.rotate', 'webhook.test', 'webhook.replay', 'export.create', 'export.cancel', 'export.deliver', 'export_schedule.create', 'export_schedule.update', 'export_schedule.delete', 'report_subscription.create', 'report_subscription.delete', 'export_destination.create', 'export_destination.update', 'export_destination.check', 'export_destination.delete', 'sender.register', 'sender.remove', 'user.register', 'user.update', 'user.remove']


class _ApikeyRotatedEventRequired(TypedDict):
    id: "EventId"
    created_at: str
    tenant_id: str
    sequence: "EventSequence"
    type: Literal['apikey.rotated']
    data: "ApiKeyRotated"


class ApikeyRotatedEvent(_ApikeyRotatedEventRequired, total=False):
    """Ignore unknown members."""
    interpretation: "EventInterpretation"
    replayed: "EventReplayed"
    test: "EventTest"


EventId = str


EventSequence = int


class EventInterpretation(TypedDict):
    """How the attribution was determined. Present if the data is an attribution result."""
    stage_origin: Literal['stage_a', 'stage_b', 'stage_c']
    confidence_band: "ConfidenceBand"
    degradation_state: "DegradationState"


DegradationState = Literal['none', 'degraded_serving', 'disabled', 'model_recalled']


EventReplayed = Literal[True]


EventTest = Literal[True]


class ApiKeyRotated(TypedDict):
    api_key_id: str
    name: str
    rotated_at: str
    previous_secret_valid_until: Optional[str]


class _AttributionMaterializedEventRequired(TypedDict):
    id: "EventId"
    created_at: str
    tenant_id: str
    sequence: "EventSequence"
    type: Literal['attribution.materialized']
    data: "AttributionMaterialized"


class AttributionMaterializedEvent(_AttributionMaterializedEventRequired, total=False):
    """Ignore unknown members."""
    interpretation: "EventInterpretation"
    replayed: "EventReplayed"
    test: "EventTest"


class AttributionMaterialized(TypedDict):
    """A record, or a new version of a record after it was attributed again, is available"""
    invocation_id: str
    # Incremented by every override, dispute, re-pricing or re-attribution
    version: int
    occurred_at: str
    provider: str
    served_model: str
    owner: Optional[str]
    service: Optional[str]
    output_state: "OutputState"
    # Null when the price is unknown, never 0 instead
    cost_usd: Optional["DecimalString"]
    energy_wh: Optional["DecimalString"]
    carbon_gco2e: Optional["DecimalString"]
    attribution_id: str
    # Equals interpretation.confidence
    confidence: float


class _AttributionOverrideAppliedEventRequired(TypedDict):
    id: "EventId"
    created_at: str
    tenant_id: str
    sequence: "EventSequence"
    type: Literal['attribution.override.applied']
    data: "AttributionOverrideApplied"


class AttributionOverrideAppliedEvent(_AttributionOverrideAppliedEventRequired, total=False):
    """Ignore unknown members."""
    interpretation: "EventInterpretation"
    replayed: "EventReplayed"
    test: "EventTest"


class AttributionOverrideAppliedPrevious(TypedDict):
    owner: Optional[str]
    service: Optional[str]


class AttributionOverrideApplied(TypedDict):
    attribution_id: str
    invocation_id: str
    version: int
    owner: Optional[str]
    service: Optional[str]
    by: str
    # The reason that the author of the correction gave
    reason: str
    override_id: str
    previous: AttributionOverrideAppliedPrevious
    # The dispute that the override resolved. Null when none was open.
    dispute_id: Optional[str]


class _AttributionDisputedEventRequired(TypedDict):
    id: "EventId"
    created_at: str
    tenant_id: str
    sequence: "EventSequence"
    type: Literal['attribution.disputed']
    data: "AttributionDisputed"


class AttributionDisputedEvent(_AttributionDisputedEventRequired, total=False):
    """Ignore unknown members."""
    interpretation: "EventInterpretation"
    replayed: "EventReplayed"
    test: "EventTest"


class AttributionDisputed(TypedDict):
    attribution_id: str
    invocation_id: str
    version: int
    owner: Optional[str]
    service: Optional[str]
    by: str
    # The reason that the author of the correction gave
    reason: str
    dispute_id: str
    proposed_owner: Optional[str]
    proposed_service: Optional[str]


class _CostImplausibleEventRequired(TypedDict):
    id: "EventId"
    created_at: str
    tenant_id: str
    sequence: "EventSequence"
    type: Literal['cost.implausible']
    data: "CostImplausible"


class CostImplausibleEvent(_CostImplausibleEventRequired, total=False):
    """Ignore unknown members."""
    interpretation: "EventInterpretation"
    replayed: "EventReplayed"
    test: "EventTest"


class CostImplausible(TypedDict):
    """A cost is not counted until it is confirmed. At most one event an hour"""
    attribution_id: str
    occurred_at: str
    reported_cost_usd: Optional["DecimalString"]
    residency: Optional[str]


class _DegradationStateChangedEventRequired(TypedDict):
    id: "EventId"
    created_at: str
    tenant_id: str
    sequence: "EventSequence"
    type: Literal['degradation.state.changed']
    data: "DegradationStateChanged"


class DegradationStateChangedEvent(_DegradationStateChangedEventRequired, total=False):
    """Ignore unknown members."""
    interpretation: "EventInterpretation"
    replayed: "EventReplayed"
    test: "EventTest"


class DegradationStateChanged(TypedDict):
    previous: "DegradationState"
    state: "DegradationState"
    reason: Literal['model_unavailable', 'model_available', 'model_validated', 'model_recalled', 'inference_disabled', 'inference_enabled']
    # The affected model. Null when there is none.
    model_version: Optional[str]


class _CoverageDegradedEventRequired(TypedDict):
    id: "EventId"
    created_at: str
    tenant_id: str
    sequence: "EventSequence"
    type: Literal['coverage.degraded']
    data: "CoverageChange"


class CoverageDegradedEvent(_CoverageDegradedEventRequired, total=False):
    """Ignore unknown members."""
    interpretation: "EventInterpretation"
    replayed: "EventReplayed"
    test: "EventTest"


class CoverageChange(TypedDict):
    pathway_category: "PathwayCategory"
    previous: "CoverageState"
    state: "CoverageState"
    # Expected capture layers that report no events
    missing: List[str]
    # When the newest event arrived, rounded to ten minutes. Null when that was more than 35 days ago.
    last_seen: Optional[str]


CoverageState = Literal['active', 'degraded', 'lost', 'discovery_only', 'not_seen']


class _CoverageRestoredEventRequired(TypedDict):
    id: "EventId"
    created_at: str
    tenant_id: str
    sequence: "EventSequence"
    type: Literal['coverage.restored']
    data: "CoverageChange"


class CoverageRestoredEvent(_CoverageRestoredEventRequired, total=False):
    """Ignore unknown members."""
    interpretation: "EventInterpretation"
    replayed: "EventReplayed"
    test: "EventTest"


class _ConnectorHealthChangedEventRequired(TypedDict):
    id: "EventId"
    created_at: str
    tenant_id: str
    sequence: "EventSequence"
    type: Literal['connector.health.changed']
    data: "ConnectorHealthChanged"


class ConnectorHealthChangedEvent(_ConnectorHealthChangedEventRequired, total=False):
    """Ignore unknown members."""
    interpretation: "EventInterpretation"
    replayed: "EventReplayed"
    test: "EventTest"


class ConnectorHealthChanged(TypedDict):
    connector: str
    # Null when the connector had not reported before
    previous: Optional[Literal['healthy', 'degraded', 'failed']]
    status: Literal['healthy', 'degraded', 'failed']
    # When the connector reported the status
    reported_at: str
    # The lane of the credential that reported the status
    residency: Optional[str]


class _Bill_sourceHealthChangedEventRequired(TypedDict):
    id: "EventId"
    created_at: str
    tenant_id: str
    sequence: "EventSequence"
    type: Literal['bill_source.health.changed']
    data: "BillSourceHealthChanged"


class Bill_sourceHealthChangedEvent(_Bill_sourceHealthChangedEventRequired, total=False):
    """Ignore unknown members."""
    interpretation: "EventInterpretation"
    replayed: "EventReplayed"
    test: "EventTest"


class BillSourceHealthChanged(TypedDict):
    bill_source_id: str
    provider: "BillProvider"
    name: str
    account: Optional[str]
    previous: Literal['working', 'late', 'failing']
    # late: the provider published nothing for a day that ended more than 24 hours ago, and nothing for a later one. failing: imports do not complete. working: neither, so bills arrive. An error that passes by itself, such as rate_limited, is reported after five failures in a row
    state: Literal['working', 'late', 'failing']
    # Why imports do not complete. Null if they do, or if a new credential was not used yet
    error: Optional["BillImportError"]
    # End of the newest day for which the provider published charges
    published_until: Optional[str]


BillImportError = Literal['refused', 'not_found', 'rate_limited', 'unavailable', 'unreadable', 'other_currency', 'too_large', 'slow', 'credential_lost', 'interrupted']


class _BudgetThresholdCrossedEventRequired(TypedDict):
    id: "EventId"
    created_at: str
    tenant_id: str
    sequence: "EventSequence"
    type: Literal['budget.threshold.crossed']
    data: "BudgetThresholdCrossed"


class BudgetThresholdCrossedEvent(_BudgetThresholdCrossedEventRequired, total=False):
    """Ignore unknown members."""
    interpretation: "EventInterpretation"
    replayed: "EventReplayed"
    test: "EventTest"


class BudgetThresholdCrossedExact(TypedDict):
    period_to_date_usd: "Total"
    ceiling_usd: "Total"
    forecast_usd: "ForecastUsd"
    forecast_range_usd: "ForecastRange"
    forecast_unknown: "ForecastUnknownReason"


class _BudgetThresholdCrossedRequired(TypedDict):
    budget_id: str
    name: str
    basis: "BudgetBasis"
    # Percent of the ceiling
    threshold: int
    # Rounded to the nearest double. exact.period_to_date_usd has all digits.
    period_to_date_usd: float
    # Rounded to the nearest double
    ceiling_usd: float
    exact: BudgetThresholdCrossedExact
    period: "Between"
    # When the newest of the totals was computed. Calls may be missing, so at least this amount was spent
    as_of: str


class BudgetThresholdCrossed(_BudgetThresholdCrossedRequired, total=False):
    # The data-residency lane that it concerns. Null: all lanes
    residency: Optional[str]


BudgetBasis = Literal['records', 'cohorts']


Total = str


ForecastUsd = Optional["Total"]


class ForecastRange1(TypedDict):
    low: "Total"
    high: "Total"


ForecastRange = Optional[ForecastRange1]


ForecastUnknownReason = Optional["ForecastUnknown"]


ForecastUnknown = Literal['unpriced_calls', 'too_few_days']


Between = TypedDict("Between", {
    "from": "str",
    "to": "str",
})


class _BudgetForecastCrossedEventRequired(TypedDict):
    id: "EventId"
    created_at: str
    tenant_id: str
    sequence: "EventSequence"
    type: Literal['budget.forecast.crossed']
    data: "BudgetForecastCrossed"


class BudgetForecastCrossedEvent(_BudgetForecastCrossedEventRequired, total=False):
    """Ignore unknown members."""
    interpretation: "EventInterpretation"
    replayed: "EventReplayed"
    test: "EventTest"


class _BudgetForecastCrossedRequired(TypedDict):
    budget_id: str
    name: str
    basis: "BudgetBasis"
    # Percent of the ceiling
    threshold: int
    # possible: the high end of the forecast range reaches the threshold. likely: the low end does too, so about 19 of 20 outcomes do
    likelihood: Literal['possible', 'likely']
    period_to_date_usd: "Total"
    ceiling_usd: "Total"
    forecast_usd: "ForecastUsd"
    forecast_range_usd: "ForecastRange"
    forecast_unknown: "ForecastUnknownReason"
    period: "Between"
    # When the newest of the totals was computed
    as_of: str


class BudgetForecastCrossed(_BudgetForecastCrossedRequired, total=False):
    # The data-residency lane that it concerns. Null: all lanes
    residency: Optional[str]


class _ExportCompletedEventRequired(TypedDict):
    id: "EventId"
    created_at: str
    tenant_id: str
    sequence: "EventSequence"
    type: Literal['export.completed']
    data: "ExportCompleted"


class ExportCompletedEvent(_ExportCompletedEventRequired, total=False):
    """Ignore unknown members."""
    interpretation: "EventInterpretation"
    replayed: "EventReplayed"
    test: "EventTest"


ExportCompletedPeriod = TypedDict("ExportCompletedPeriod", {
    "from": "str",
    "to": "str",
})


class _ExportCompletedRequired(TypedDict):
    job_id: str
    format: Literal['focus']
    period: ExportCompletedPeriod
    status_url: str
    finished_at: str
    file_count: int
    row_count: int
    bytes: int
    # Attribution records that the rows contain
    records: int
    # Cost of the rows, corrections included. excluded_cost_usd is not included
    cost_usd: "Difference"
    excluded_records: int
    excluded_cost_usd: "Difference"
    files_expire_at: str


class ExportCompleted(_ExportCompletedRequired, total=False):
    # The data-residency lane that it concerns. Null: all lanes
    residency: Optional[str]
    # Whether calls that were accepted more than 90 seconds before the export began may be missing.
    stale: bool


Difference = str


class _ExportFailedEventRequired(TypedDict):
    id: "EventId"
    created_at: str
    tenant_id: str
    sequence: "EventSequence"
    type: Literal['export.failed']
    data: "ExportFailed"


class ExportFailedEvent(_ExportFailedEventRequired, total=False):
    """Ignore unknown members."""
    interpretation: "EventInterpretation"
    replayed: "EventReplayed"
    test: "EventTest"


ExportFailedPeriod = TypedDict("ExportFailedPeriod", {
    "from": "str",
    "to": "str",
})


class _ExportFailedRequired(TypedDict):
    job_id: str
    format: Literal['focus']
    period: ExportFailedPeriod
    status_url: str
    finished_at: str
    reason: "ExportFailureReason"
    detail: str


class ExportFailed(_ExportFailedRequired, total=False):
    # The data-residency lane that it concerns. Null: all lanes
    residency: Optional[str]


ExportFailureReason = Literal['too_large', 'inconsistent', 'timed_out', 'unauthorized', 'internal']


class _ExportDeliveredEventRequired(TypedDict):
    id: "EventId"
    created_at: str
    tenant_id: str
    sequence: "EventSequence"
    type: Literal['export.delivered']
    data: "ExportDelivered"


class ExportDeliveredEvent(_ExportDeliveredEventRequired, total=False):
    """Ignore unknown members."""
    interpretation: "EventInterpretation"
    replayed: "EventReplayed"
    test: "EventTest"


class _ExportDeliveredRequired(TypedDict):
    job_id: str
    # The export destination
    destination_id: str
    # The folder of the report below the location of the destination. One name for one report
    name: str
    billing_period: str
    status_url: str
    version: int
    supersedes: Optional["EarlierExportDelivery"]
    # The manifest of the version, as an S3 URI
    location: str
    delivered_at: str


class ExportDelivered(_ExportDeliveredRequired, total=False):
    # The data-residency lane that it concerns. Null: all lanes
    residency: Optional[str]


class EarlierExportDelivery(TypedDict):
    version: int
    export_id: str


class _ExportDeliveryFailedEventRequired(TypedDict):
    id: "EventId"
    created_at: str
    tenant_id: str
    sequence: "EventSequence"
    type: Literal['export.delivery.failed']
    data: "ExportDeliveryFailed"


class ExportDeliveryFailedEvent(_ExportDeliveryFailedEventRequired, total=False):
    """Ignore unknown members."""
    interpretation: "EventInterpretation"
    replayed: "EventReplayed"
    test: "EventTest"


class _ExportDeliveryFailedRequired(TypedDict):
    job_id: str
    # The export destination
    destination_id: str
    # The folder of the report below the location of the destination. One name for one report
    name: str
    billing_period: str
    status_url: str
    error: "ExportDeliveryError"
    attempts: int
    # Null: the delivery was given up. Otherwise it is tried again, up to once an hour
    next_attempt_at: Optional[str]


class ExportDeliveryFailed(_ExportDeliveryFailedRequired, total=False):
    # The data-residency lane that it concerns. Null: all lanes
    residency: Optional[str]


ExportDeliveryError = Literal['role_refused', 'access_denied', 'no_such_bucket', 'wrong_region', 'rate_limited', 'unavailable', 'refused', 'destination_deleted']


class _PeriodClosedEventRequired(TypedDict):
    id: "EventId"
    created_at: str
    tenant_id: str
    sequence: "EventSequence"
    type: Literal['period.closed']
    data: "PeriodClosed"


class PeriodClosedEvent(_PeriodClosedEventRequired, total=False):
    """Ignore unknown members."""
    interpretation: "EventInterpretation"
    replayed: "EventReplayed"
    test: "EventTest"


class PeriodClosed(TypedDict):
    # UTC month
    period: str
    by: str
    closed_at: str
    # The exports of the period show the records as of this instant
    as_of: str


class _PeriodReopenedEventRequired(TypedDict):
    id: "EventId"
    created_at: str
    tenant_id: str
    sequence: "EventSequence"
    type: Literal['period.reopened']
    data: "PeriodReopened"


class PeriodReopenedEvent(_PeriodReopenedEventRequired, total=False):
    """Ignore unknown members."""
    interpretation: "EventInterpretation"
    replayed: "EventReplayed"
    test: "EventTest"


class PeriodReopened(TypedDict):
    # UTC month
    period: str
    by: str
    reopened_at: str
    reason: str


class _AnomalyDetectedEventRequired(TypedDict):
    id: "EventId"
    created_at: str
    tenant_id: str
    sequence: "EventSequence"
    type: Literal['anomaly.detected']
    data: "AnomalyDetected"


class AnomalyDetectedEvent(_AnomalyDetectedEventRequired, total=False):
    """Ignore unknown members."""
    interpretation: "EventInterpretation"
    replayed: "EventReplayed"
    test: "EventTest"


class AnomalyDetectedExpectedUsd(TypedDict):
    """Expected cost of these hours or days, and the expected range"""
    low: "Total"
    central: "Total"
    high: "Total"


class _AnomalyDetectedRequired(TypedDict):
    detected_at: str
    # Whether hours or whole UTC days were outside their expected range
    grain: Literal['hour', 'day']
    dimension: Literal['tenant', 'owner', 'service', 'served_model']
    # The owner, service or model. Null for the whole tenant
    value: Optional[str]
    # The data-residency lane of the calls. Each lane is evaluated separately
    residency: Optional[str]
    # Extended while the following hours or days are outside their range too
    period: "Between"
    # Cost of the hours or days that were outside their range
    observed_usd: "Total"
    # Expected cost of these hours or days, and the expected range
    expected_usd: AnomalyDetectedExpectedUsd
    # Distance of the cost from the expected cost, divided by the distance of the upper end of the range. 1 is the end of the range. The highest value of all hours or days
    score: float
    drivers: "AnomalyDrivers"
    anomaly_id: str


class AnomalyDetected(_AnomalyDetectedRequired, total=False):
    observed_by_owner_state: "ObservedByOwnerState"


ObservedByOwnerState = Dict[str, "Total"]


AnomalyDrivers = List["AnomalyDriver"]


class AnomalyDriver(TypedDict):
    dimension: Literal['owner', 'service', 'provider', 'served_model']
    value: str
    # Share of the excess, in steps of 0.05
    share: float


class _WebhookDisabledEventRequired(TypedDict):
    id: "EventId"
    created_at: str
    tenant_id: str
    sequence: "EventSequence"
    type: Literal['webhook.disabled']
    data: "WebhookDisabled"


class WebhookDisabledEvent(_WebhookDisabledEventRequired, total=False):
    """Ignore unknown members."""
    interpretation: "EventInterpretation"
    replayed: "EventReplayed"
    test: "EventTest"


class WebhookDisabled(TypedDict):
    """Another endpoint of the tenant was disabled and receives no further events"""
    endpoint_id: str
    # gone: the endpoint answered 410. no_success: attempts failed for five days without a success. unauthorized: the credential or user that authorized the endpoint was revoked or removed, or lost a scope that its events need.
    reason: Literal['gone', 'no_success', 'unauthorized']
    disabled_at: str


class _WebhookVerificationEventRequired(TypedDict):
    id: "EventId"
    created_at: str
    tenant_id: str
    sequence: "EventSequence"
    type: Literal['webhook.verification']
    data: "WebhookVerification"


class WebhookVerificationEvent(_WebhookVerificationEventRequired, total=False):
    """Ignore unknown members."""
    interpretation: "EventInterpretation"
    replayed: "EventReplayed"
    test: "EventTest"


class WebhookVerification(TypedDict):
    # Return it in a JSON object under the same name
    challenge: str


class _ProblemRequired(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    # Request path
    instance: str
    error_code: "ErrorCode"
    # 32 hexadecimal digits. Quote it when you report an error
    trace_id: str
    docs_url: str


class Problem(_ProblemRequired, total=False):
    # Present when the caller is authenticated
    tenant_id: str
    # Present with INVALID_CREDENTIALS and EXPIRED of all routes except the OAuth endpoints. expired_token: request a new token. All others: another credential is needed
    reason: Literal['no_credential', 'two_credentials', 'invalid_credential', 'expired_token', 'expired_key']
    # Present with every challenge: the value of the header WWW-Authenticate, which API Gateway renames to x-amzn-remapped-www-authenticate
    www_authenticate: str
    # Present with status 400 and 422: every invalid part of the request
    errors: List["FieldError"]
    # Present with 503 of GET /readyz
    checks: "ReadinessChecks"


ErrorCode = Literal['INVALID_CREDENTIALS', 'EXPIRED', 'STEP_UP_REQUIRED', 'INSUFFICIENT_SCOPE', 'TENANT_MISMATCH', 'CROSS_SITE_REQUEST', 'NOT_FOUND', 'METHOD_NOT_ALLOWED', 'RESIDENCY_BLOCKED', 'IDEMPOTENCY_IN_PROGRESS', 'CONFLICT', 'INVALID_REQUEST', 'INVALID_CURSOR', 'INVALID_FILTER', 'IDEMPOTENCY_KEY_REQUIRED', 'PAYLOAD_TOO_LARGE', 'HEADERS_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'VALIDATION_FAILED', 'IDEMPOTENCY_CONFLICT', 'NO_SCOPE', 'WEBHOOK_URL_REJECTED', 'EXPORT_TOO_LARGE', 'RATE_LIMITED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE']


class _FieldErrorRequired(TypedDict):
    # The reason
    detail: str


class FieldError(_FieldErrorRequired, total=False):
    # JSON Pointer (RFC 6901) into the body
    pointer: str
    # Name of a query or form parameter
    parameter: str
    # Name of a header
    header: str
    # The field of a filter
    field: str
    # The operator of a filter
    operator: str
    # The allowed names or values, if they are listed
    allowed: List[str]
    # The known name that is nearest to an unknown one
    suggestion: str


ReadinessChecks = Dict[str, Literal['ok', 'failed']]


class _OAuthProblemRequired(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    # Request path
    instance: str
    error_code: "ErrorCode"
    # 32 hexadecimal digits. Quote it when you report an error
    trace_id: str
    docs_url: str
    # Error code of RFC 6749, for example invalid_client
    error: str


class OAuthProblem(_OAuthProblemRequired, total=False):
    # Present when the caller is authenticated
    tenant_id: str
    # Present with INVALID_CREDENTIALS and EXPIRED of all routes except the OAuth endpoints. expired_token: request a new token. All others: another credential is needed
    reason: Literal['no_credential', 'two_credentials', 'invalid_credential', 'expired_token', 'expired_key']
    # Present with every challenge: the value of the header WWW-Authenticate, which API Gateway renames to x-amzn-remapped-www-authenticate
    www_authenticate: str
    # Present with status 400 and 422: every invalid part of the request
    errors: List["FieldError"]
    # Present with 503 of GET /readyz
    checks: "ReadinessChecks"
    error_description: str


class _InvocationAcceptedRequired(TypedDict):
    event_id: str
    # Derived from the tenant and the event_id, so it is the same on every retry
    invocation_id: str
    status: Literal['queued']
    # Dotted paths of content members and of optional members that were dropped. Their values are not stored
    scrubbed: List[str]


class InvocationAccepted(_InvocationAcceptedRequired, total=False):
    # Why optional members were dropped or corrected: the rule that the value broke, or the kind of secret that it looks like
    warnings: List["FieldError"]


class GatewayError(TypedDict):
    """Sent by the gateway in front of the service, which knows no error codes: the throttle of all callers together (429), a request it cannot pass on (400, 413, 431), or a failed or late function (500, 503). With CloudFront in front of it, and on one machine, it is a Problem on all endpoints. OAuth and OpenTelemetry endpoints have it too, in application/json. Repeat 429, 500 and 503 with the same Idempotency-Key"""
    # The reason phrase of the status
    message: str


class _InvocationBatchAcceptedResultsItem1Required(TypedDict):
    event_id: str
    # Derived from the tenant and the event_id, so it is the same on every retry
    invocation_id: str
    status: Literal['queued']
    # Dotted paths of content members and of optional members that were dropped. Their values are not stored
    scrubbed: List[str]
    index: int


class InvocationBatchAcceptedResultsItem1(_InvocationBatchAcceptedResultsItem1Required, total=False):
    # Why optional members were dropped or corrected: the rule that the value broke, or the kind of secret that it looks like
    warnings: List["FieldError"]


class InvocationBatchAcceptedResultsItem2(TypedDict):
    index: int
    event_id: Optional[str]
    invocation_id: None
    status: Literal['rejected']
    errors: List["FieldError"]


class InvocationBatchAccepted(TypedDict):
    accepted: int
    rejected: int
    results: List[Union[InvocationBatchAcceptedResultsItem1, InvocationBatchAcceptedResultsItem2]]


class TraceExportAcceptedPartialSuccess(TypedDict):
    # Number of rejected items, as a 64-bit integer in text
    rejectedSpans: str
    # Why the first of them was rejected, and how values of the others were changed
    errorMessage: str


class TraceExportAccepted(TypedDict, total=False):
    partialSuccess: TraceExportAcceptedPartialSuccess


class OtlpProblem(TypedDict):
    """google.rpc.Status, with the members of Problem"""
    # Code of google.rpc.Code
    code: int
    message: str


class LogExportAcceptedPartialSuccess(TypedDict):
    # Number of rejected items, as a 64-bit integer in text
    rejectedLogRecords: str
    # Why the first of them was rejected, and how values of the others were changed
    errorMessage: str


class LogExportAccepted(TypedDict, total=False):
    partialSuccess: LogExportAcceptedPartialSuccess


class MetricExportAcceptedPartialSuccess(TypedDict):
    # Number of rejected items, as a 64-bit integer in text
    rejectedDataPoints: str
    # Why the first of them was rejected, and how values of the others were changed
    errorMessage: str


class MetricExportAccepted(TypedDict, total=False):
    partialSuccess: MetricExportAcceptedPartialSuccess


class _CallLogsAcceptedRequired(TypedDict):
    accepted: int
    # Calls that are no valid events
    rejected: int
    # Entries that are no calls, or of an unknown format
    skipped: int


class CallLogsAccepted(_CallLogsAcceptedRequired, total=False):
    # Why calls were rejected: the first ten reasons
    errors: List["FieldError"]
    # How values of accepted calls were changed
    warnings: List[str]


class _AttributionPageRequired(TypedDict):
    data: List["AttributionRecord"]
    page: "PageInfo"


class AttributionPage(_AttributionPageRequired, total=False):
    # Only where no record matches
    warnings: "Warnings"


class _AttributionRecordRequired(TypedDict):
    id: str
    tenant_id: str
    invocation_id: str
    event_id: str
    # Incremented by every override, dispute, re-pricing or re-attribution
    version: int
    occurred_at: str
    created_at: str
    # Start of the validity of this version
    as_of: str
    provider: str
    requested_model: str
    served_model: str
    service: Optional[str]
    owner: Optional[str]
    end_user: Optional[str]
    # Null when the price is unknown, never 0 instead
    cost_usd: Optional["DecimalString"]
    energy_wh: Optional["DecimalString"]
    carbon_gco2e: Optional["DecimalString"]
    input_tokens: Optional[int]
    cached_input_tokens: Optional[int]
    cache_write_tokens: Optional[int]
    output_tokens: Optional[int]
    reasoning_tokens: Optional[int]
    latency_ms: Optional[int]
    trace_id: Optional[str]
    ingestion_layer: str
    region: Optional[str]
    residency: Optional[str]
    pathway_category: "PathwayCategory"
    status: Literal['ok', 'error', 'incomplete']
    tags: List[str]
    output_state: "OutputState"
    # Equals interpretation.confidence
    coper: float
    interpretation: "Interpretation"


class AttributionRecord(_AttributionRecordRequired, total=False):
    # Absent if the record was never disputed
    dispute: "Dispute"


class InterpretationUnknown(TypedDict, total=False):
    """Why a quantity is null: one reason for each unknown quantity"""
    cost: str
    energy: str
    carbon: str


class InterpretationAnswers(TypedDict):
    """Owner and service are two answers. The other members describe the record as a whole: a record that is resolved by its service may have no owner"""
    owner: "Answer"
    service: "Answer"


class _InterpretationRequired(TypedDict):
    stage_origin: Literal['stage_a', 'stage_b', 'stage_c']
    # Operational confidence (coper)
    confidence: float
    confidence_band: "ConfidenceBand"
    # Strongest evidence that the result is based on
    evidence_basis: Literal['identity_resolved', 'service_resolved', 'workload_resolved', 'trace_correlated', 'credential_resolved', 'model_inferred', 'heuristic_baseline', 'allocation_rule', 'manual_override', 'none']
    # Version of the rules or model that produced the result
    model_version: str
    degradation_state: "DegradationState"
    # source_stale: the call was sent more than a day after it happened. index_stale: calls that the tenant sent more than 90 seconds ago may not be recorded yet, so there may be newer calls or versions
    freshness: Literal['fresh', 'index_stale', 'source_stale']
    export_eligibility: Literal['eligible', 'below_floor', 'residency_excluded', 'unpriced']
    # Owner and service are two answers. The other members describe the record as a whole: a record that is resolved by its service may have no owner
    answers: InterpretationAnswers


class Interpretation(_InterpretationRequired, total=False):
    # Why a quantity is null: one reason for each unknown quantity
    unknown: InterpretationUnknown
    # Absent if no other record is of the same call, as far as anything shows. Ids that all observers know make one record, and need no such join
    same_call: "SameCall"


class SameCall(TypedDict):
    # counted: this record stands for the call. repeat: another record does, and this one has no cost and counts in no total. ambiguous: it may be of the call of another record, but several fit, so it counts as a call of its own
    state: Literal['counted', 'repeat', 'ambiguous']
    # call_id: an id of the request or response. trace: the same trace, time, model and token counts. time: the same time, model and token counts, seen from different sides
    basis: Literal['call_id', 'trace', 'time']
    # Confidence that the records are of one call. Not a part of the confidence of the record
    confidence: float
    # Ids of the other records
    records: List[str]


class AnswerCandidatesItem(TypedDict):
    name: str
    confidence: float
    evidence_basis: Literal['identity_resolved', 'service_resolved', 'workload_resolved', 'trace_correlated', 'credential_resolved', 'model_inferred', 'heuristic_baseline', 'allocation_rule', 'manual_override', 'none']


class Answer(TypedDict):
    state: "AnswerState"
    # Confidence that the name is right, whatever the other answer is worth. 0 without a name
    confidence: float
    # Measured, without a ceiling. Null unless predicted or traced
    probability: Optional[float]
    # Evidence for the name
    evidence_basis: Literal['identity_resolved', 'service_resolved', 'workload_resolved', 'trace_correlated', 'credential_resolved', 'model_inferred', 'heuristic_baseline', 'allocation_rule', 'manual_override', 'none']
    # Whether the call can be charged to this name. ready: the answer is confirmed and the cost is known
    chargeback: Literal['ready', 'unpriced', 'below_floor', 'unassigned', 'residency_excluded']
    # Suggestions: other names that the evidence supports, rules first, in their order of precedence, then the model. Confidences of rules and of the model are not on one scale
    candidates: List[AnswerCandidatesItem]


AnswerState = Literal['confirmed', 'provisional', 'allocated', 'unassigned']


class Dispute(TypedDict):
    id: str
    status: Literal['open', 'resolved']
    reason: str
    proposed_owner: Optional[str]
    proposed_service: Optional[str]
    # Id of the key, client, user or sandbox reset
    opened_by: str
    opened_at: str
    resolved_at: Optional[str]


class PageInfo(TypedDict):
    # Opaque. Null on the last page
    next_cursor: Optional[str]
    limit: int
    has_more: bool


Warnings = List["FieldError"]


class _AttributionDetailRequired(TypedDict):
    id: str
    tenant_id: str
    invocation_id: str
    event_id: str
    # Incremented by every override, dispute, re-pricing or re-attribution
    version: int
    occurred_at: str
    created_at: str
    # Start of the validity of this version
    as_of: str
    provider: str
    requested_model: str
    served_model: str
    service: Optional[str]
    owner: Optional[str]
    end_user: Optional[str]
    # Null when the price is unknown, never 0 instead
    cost_usd: Optional["DecimalString"]
    energy_wh: Optional["DecimalString"]
    carbon_gco2e: Optional["DecimalString"]
    input_tokens: Optional[int]
    cached_input_tokens: Optional[int]
    cache_write_tokens: Optional[int]
    output_tokens: Optional[int]
    reasoning_tokens: Optional[int]
    latency_ms: Optional[int]
    trace_id: Optional[str]
    ingestion_layer: str
    region: Optional[str]
    residency: Optional[str]
    pathway_category: "PathwayCategory"
    status: Literal['ok', 'error', 'incomplete']
    tags: List[str]
    output_state: "OutputState"
    # Equals interpretation.confidence
    coper: float
    interpretation: "Interpretation"
    explanation: "Explanation"


class AttributionDetail(_AttributionDetailRequired, total=False):
    # Absent if the record was never disputed
    dispute: "Dispute"


class ExplanationRulesItemMapping(TypedDict):
    """The identity mapping that matched"""
    id: str
    name: str


class _ExplanationRulesItemRequired(TypedDict):
    rule: Literal['mapping', 'identity', 'service', 'workload', 'trace', 'credential']
    # Event fields that the rule read; for rule trace, the span whose evidence it used
    saw: Dict[str, str]
    # matched: the rule decided the owner or service; supporting: a stronger rule had decided; conflicting: it names another owner or service, which lowers the confidence of the rule that decided; absent: the event has no evidence for it
    outcome: Literal['matched', 'supporting', 'conflicting', 'absent']
    confidence: float


class ExplanationRulesItem(_ExplanationRulesItemRequired, total=False):
    # The identity mapping that matched
    mapping: ExplanationRulesItemMapping
    # What the mapping that matched read
    basis: Literal['identity_resolved', 'service_resolved', 'workload_resolved', 'trace_correlated', 'credential_resolved', 'model_inferred', 'heuristic_baseline', 'allocation_rule', 'manual_override', 'none']
    owner: str
    service: str


class ExplanationCost1NodeHoursEnergy(TypedDict):
    """Only if the power of the nodes is stated"""
    # Of all nodes of the pool in the hour
    hour_wh: "DecimalString"
    # Its part that calls used
    charged_wh: "DecimalString"
    # Of this call
    wh: "DecimalString"
    low: "DecimalString"
    high: "DecimalString"


class _ExplanationCost1NodeHoursRequired(TypedDict):
    pool: str
    hour: str
    # Cost of all nodes of the pool in the hour
    hour_usd: "DecimalString"
    # Its part that calls pay
    charged_usd: "DecimalString"
    # What charged_usd follows from. busy_time: the seconds in which calls ran. whole_hour: calls without a duration, so nothing says how long the nodes were idle
    busy: Literal['busy_time', 'whole_hour']
    # What charged_usd is divided by
    measure: Literal['tokens', 'seconds']
    # Of this call: weighted tokens, or seconds
    use: "DecimalString"
    # Of all calls of the hour
    whole_use: str
    low: "DecimalString"
    high: "DecimalString"


class ExplanationCost1NodeHours(_ExplanationCost1NodeHoursRequired, total=False):
    """Only if source is node_hours"""
    # Only if the power of the nodes is stated
    energy: ExplanationCost1NodeHoursEnergy


class _ExplanationCost1ComponentsItemRequired(TypedDict):
    # A kind other than input, cached_input, cache_write and output: only if the model prices it apart. total: the producer stated only the total, or parts with another sum
    kind: Literal['input', 'cached_input', 'cache_write', 'cache_write_1h', 'output', 'reasoning', 'audio_input', 'cached_audio_input', 'audio_output', 'image_input', 'cached_image_input', 'image_output', 'request', 'search', 'file_search', 'code_execution', 'rerank_search', 'audio_second', 'video_second', 'image', 'page', 'character', 'total']
    # Tokens, or for other kinds what their name says, such as requests and seconds; null if only the cost is known
    quantity: Optional[int]
    unit_price_usd_per_million: Optional["DecimalString"]
    cost_usd: "DecimalString"


class ExplanationCost1ComponentsItem(_ExplanationCost1ComponentsItemRequired, total=False):
    # Published price beside a contract price, if known
    list_unit_price_usd_per_million: "DecimalString"


class _ExplanationCost1Required(TypedDict):
    # structure: the span repeats the usage of its child spans and has no own cost. unmetered: the call is paid by a subscription or in advance. node_hours: its part of what own nodes cost in the hour
    source: Literal['producer', 'contract', 'override', 'catalogue', 'structure', 'unmetered', 'node_hours']
    # Price list with version, or the producer
    catalogue: str
    # How the model was matched: exact id, a known alias, or only its family
    price_match: Optional[Literal['exact', 'alias', 'family']]
    priced_model: Optional[str]
    # Null if it is unknown, or if the tier has prices of its own for each kind
    service_tier_multiplier: Optional["DecimalString"]
    low: "DecimalString"
    central: "DecimalString"
    high: "DecimalString"
    # Their sum is exactly central; empty if source is structure
    components: List[ExplanationCost1ComponentsItem]


class ExplanationCost1(_ExplanationCost1Required, total=False):
    # Price tables that state another price for this call, with their day. The range contains their prices too. Absent if none does
    differing_sources: List[str]
    # Why the cost is a range, besides unknown cache use, regions and tiers. counting_convention: counts may or may not include cached or reasoning tokens. client_estimate: a client computed it; contains the list price. unpriced_usage: a part of the usage has no known price. unread_usage: the source names usage that an event cannot hold, or leaves tokens out; contains the most that it can be. contradicting_statements: contains what two credentials state. possible_repeat: spans below that are not read may report its usage, so it begins at 0
    uncertain: List[Literal['counting_convention', 'client_estimate', 'unpriced_usage', 'unread_usage', 'contradicting_statements', 'possible_repeat']]
    # Cost that the producer reported, where it is not the cost of the call
    reported_usd: "DecimalString"
    # Name of a reported cost that may not be USD
    unread_cost: str
    # Absent if the call is paid by use
    billing_mode: "BillingMode"
    # Only if source is node_hours
    node_hours: ExplanationCost1NodeHours
    # What the call would cost by use. Only if it is not paid by use and a price is known
    list_price_usd: "DecimalString"


class ExplanationEnergy1Components1(TypedDict):
    output_wh: "DecimalString"
    input_wh: "DecimalString"


ExplanationEnergy1 = TypedDict("ExplanationEnergy1", {
    "method": "str",
    "version": "str",
    "class": "Literal['A', 'B', 'C', 'D']",
    "gsd": "float",
    "low": "DecimalString",
    "central": "DecimalString",
    "high": "DecimalString",
    "components": "Optional[ExplanationEnergy1Components1]",
})


class ExplanationCarbon1Components1(TypedDict):
    usage_gco2e: "DecimalString"
    embodied_gco2e: "DecimalString"


class ExplanationCarbon1MarketBased(TypedDict):
    """Absent if the operator of the data centre publishes no factor, and for a figure of the producer"""
    # Of the electricity. It takes the place of usage_gco2e
    usage_gco2e: "DecimalString"
    low: "DecimalString"
    high: "DecimalString"
    intensity_gco2e_per_kwh: "DecimalString"
    year: int
    source: str


class _ExplanationCarbon1Required(TypedDict):
    method: str
    version: str
    # Grid zone
    zone: Optional[str]
    zone_basis: Optional[Literal['region', 'country', 'provider_default']]
    year: Optional[int]
    intensity_gco2e_per_kwh: Optional["DecimalString"]
    gsd: float
    low: "DecimalString"
    central: "DecimalString"
    high: "DecimalString"
    components: Optional[ExplanationCarbon1Components1]


class ExplanationCarbon1(_ExplanationCarbon1Required, total=False):
    # Absent if the operator of the data centre publishes no factor, and for a figure of the producer
    market_based: ExplanationCarbon1MarketBased


class ExplanationWater(TypedDict):
    """Absent if it is unknown"""
    version: str
    low: "DecimalString"
    central: "DecimalString"
    high: "DecimalString"
    # For cooling the data centre
    on_site_ml: "DecimalString"
    # Where the electricity was generated
    electricity_ml: "DecimalString"
    # Of the operator, for a kWh of its machines
    wue_l_per_kwh: "DecimalString"
    # Of the country, for a kWh of electricity
    electricity_l_per_kwh: "DecimalString"


class ExplanationReportedCost(TypedDict):
    """A cost that is set aside as implausible_cost until it is confirmed"""
    usd: "DecimalString"
    confirmed_by: Optional[str]
    confirmed_at: Optional[str]


class ExplanationReportedFootprint(TypedDict, total=False):
    """Figures far above what the usage explains. The record has an estimate instead"""
    energy_wh: "DecimalString"
    carbon_gco2e: "DecimalString"


class ExplanationPredictionAlternativesItem(TypedDict):
    owner: Optional[str]
    service: Optional[str]
    probability: float


class ExplanationPrediction(TypedDict):
    """Absent if the rules named both, or if stage B predicted nothing"""
    model_version: str
    basis: Literal['model_inferred', 'heuristic_baseline']
    owner: Optional[str]
    service: Optional[str]
    # Calibrated, before the ceiling
    confidence: float
    # The call has names that are not in the training data. The confidence is at most 0.5
    novel: bool
    # Prediction of the fallback, or of a model that did not pass the publication gate. Always below the chargeback floor
    advisory: bool
    alternatives: List[ExplanationPredictionAlternativesItem]


ExplanationAllocationWindow = TypedDict("ExplanationAllocationWindow", {
    "from": "str",
    "to": "str",
})


class ExplanationAllocationPartsItem(TypedDict):
    # Null for the unallocated part
    owner: Optional[str]
    # Share of the cost. The ratios of a record sum to 1
    ratio: "DecimalString"
    cost_usd: Optional["DecimalString"]
    energy_wh: Optional["DecimalString"]
    carbon_gco2e: Optional["DecimalString"]


class ExplanationAllocation(TypedDict):
    """Present only if the owner is allocated"""
    # Version of the shares: a digest of their content
    version: str
    method: Literal['proportional', 'even', 'fixed']
    # Period of the attributed spend behind the shares; `to` excluded
    window: ExplanationAllocationWindow
    parts: List[ExplanationAllocationPartsItem]


class ExplanationObservationsItemContradictsItem(TypedDict):
    part: str
    # The members of the part
    stated: Dict[str, Any]


class _ExplanationObservationsItemRequired(TypedDict):
    ingestion_layer: str
    source_system: Optional[str]
    # Parts of the record that come from this observation, the richest of all observations
    supplied: List[str]


class ExplanationObservationsItem(_ExplanationObservationsItemRequired, total=False):
    stated_by: "StatedBy"
    # Parts that a connector stated without authority. Absent if there are none
    rejected: List[str]
    # What this credential states of cost, usage, model, owner or time that differs from the record. The record keeps the statement of the credential that reported the call first. Its ranges contain both costs, and the other name is a candidate. Absent if there is none
    contradicts: List[ExplanationObservationsItemContradictsItem]


class ExplanationRejectedStatementsItem(TypedDict):
    stated_by: "StatedBy"
    ingestion_layer: str
    source_system: Optional[str]


class ExplanationOverridesItemPrevious(TypedDict):
    owner: Optional[str]
    service: Optional[str]


class _ExplanationOverridesItemRequired(TypedDict):
    owner: Optional[str]
    service: Optional[str]
    id: str
    # Id of the key, client or user
    by: str
    at: str
    reason: str
    previous: ExplanationOverridesItemPrevious


class ExplanationOverridesItem(_ExplanationOverridesItemRequired, total=False):
    # What the override named. The other answer keeps its evidence
    named: List[Literal['owner', 'service']]


class _ExplanationRequired(TypedDict):
    rules_version: str
    rules: List[ExplanationRulesItem]
    cost: Optional[ExplanationCost1]
    energy: Optional[ExplanationEnergy1]
    carbon: Optional[ExplanationCarbon1]


class Explanation(_ExplanationRequired, total=False):
    # Absent if it is unknown
    water: ExplanationWater
    # A cost that is set aside as implausible_cost until it is confirmed
    reported_cost: ExplanationReportedCost
    # Figures far above what the usage explains. The record has an estimate instead
    reported_footprint: ExplanationReportedFootprint
    # Record of the call above, which states more of the usage
    usage_of: str
    # The time by the clock of the producer, if no clock can show it. occurred_at is then that of arrival
    reported_time: str
    # Absent if the rules named both, or if stage B predicted nothing
    prediction: ExplanationPrediction
    # How many owners from traces are right
    trace_probability: float
    # The owner from the trace is not charged
    trace_advisory: Literal[True]
    # Present only if the owner is allocated
    allocation: ExplanationAllocation
    # Present only if several capture layers or source systems observed the call. It is billed once, with the richest evidence of all
    observations: List[ExplanationObservationsItem]
    # Whom the newest 20 versions named, newest first. In the answer of getAttribution, for a record with several versions. The versions are at /v1/attribution/{id}/versions
    history: List["NameChange"]
    # The last statement of each connector that has no authority over what the record holds. Absent if there is none
    rejected_statements: List[ExplanationRejectedStatementsItem]
    # Manual overrides, newest last, at most 50; absent if there are none. They leave rules unchanged
    overrides: List[ExplanationOverridesItem]


class _StatedByRequired(TypedDict):
    kind: Literal['api_key', 'oauth_client', 'user', 'sender', 'service']
    # Id of the key, client, user or AWS principal
    id: str


class StatedBy(_StatedByRequired, total=False):
    # Name of the connector of a partner that the client is
    connector: str


_NameChangeRequired = TypedDict("_NameChangeRequired", {
    "version": "int",
    "owner": "Optional[str]",
    "owner_state": "AnswerState",
    "service": "Optional[str]",
    "from": "str",
    "until": "Optional[str]",
    "cause": "VersionCause",
})
_NameChangeOptional = TypedDict("_NameChangeOptional", {
    "by": "str",
    "reason": "str",
}, total=False)


class NameChange(_NameChangeRequired, _NameChangeOptional):
    pass


VersionCause = Literal['recorded', 'override', 'dispute', 'confirmation', 'allocation', 'observation', 'trace', 'rules', 'model', 'factors', 'unknown']


class RecordVersionPage(TypedDict):
    data: List["RecordVersion"]
    page: "PageInfo"


class _RecordVersionRequired(TypedDict):
    record: "AttributionRecord"
    # Null: until now
    valid_until: Optional[str]
    cause: "VersionCause"


class RecordVersion(_RecordVersionRequired, total=False):
    by: str
    reason: str


class _IdentityMappingRequired(TypedDict):
    id: str
    # Shown in the explanation of every record that the mapping decided
    name: str
    # Position in the order of evaluation: lower first, equal positions in the order of creation
    position: int
    # All of them must match
    conditions: List["MappingConditionOutput"]
    # The mapping applies to calls that occurred at or after this instant. It may be in the past or in the future. Existing records change only when they are reprocessed
    effective_from: str
    created_at: str
    updated_at: str
    # Id of the key, client or user
    created_by: str


class IdentityMapping(_IdentityMappingRequired, total=False):
    # Owner of the calls that match
    owner: str
    # Service of the calls that match
    service: str


class IdentityMappingPage(TypedDict):
    data: List["IdentityMapping"]
    page: "PageInfo"


class IdentityMappingDryRunChangesItemBefore(TypedDict):
    """Current owner and service"""
    owner: Optional[str]
    service: Optional[str]


class IdentityMappingDryRunChangesItemAfter(TypedDict):
    """Owner and service after the change"""
    owner: Optional[str]
    service: Optional[str]


class IdentityMappingDryRunChangesItem(TypedDict):
    attribution_id: str
    # Current owner and service
    before: IdentityMappingDryRunChangesItemBefore
    # Owner and service after the change
    after: IdentityMappingDryRunChangesItemAfter


class IdentityMappingDryRunOwnersItem(TypedDict):
    # Null: calls without an owner
    owner: Optional[str]
    invocations_before: int
    invocations_after: int


class IdentityMappingDryRun(TypedDict):
    # Number of records examined: the newest of the period
    examined: int
    # True if the period has more records than were examined
    truncated: bool
    # Number of examined records whose owner or service would change
    changed: int
    # The newest changed records, at most 50
    changes: List[IdentityMappingDryRunChangesItem]
    # Owners whose number of examined calls would change, largest change first, at most 50
    owners: List[IdentityMappingDryRunOwnersItem]


class JobStarted(TypedDict):
    job_id: str
    type: str
    status: str
    created_at: str


class ModelPage(TypedDict):
    data: List["Model"]
    page: "PageInfo"


ModelWindow = TypedDict("ModelWindow", {
    "from": "str",
    "to": "str",
})


class Model(TypedDict):
    version: str
    state: "ModelState"
    trained_at: str
    # Time range of the calls that the model was trained on
    window: ModelWindow
    examples: int
    # Examples with a label from the deterministic stage or a person
    labelled: int
    # Distinct pairs of owner and service in the labels
    labels: int
    gate: "GateReport"
    activated_at: Optional[str]
    recalled_at: Optional[str]
    # Id of the key, client or user
    recalled_by: Optional[str]
    recall_reason: Optional[str]


ModelState = Literal['active', 'validated', 'rejected', 'recalled']


class _GateReportCriteriaItemRequired(TypedDict):
    criterion: str
    # Null when there was no data to measure it
    value: Optional[float]
    passed: bool


class GateReportCriteriaItem(_GateReportCriteriaItemRequired, total=False):
    at_least: float
    at_most: float


class GateReportReliabilityItem(TypedDict):
    calls: int
    # Mean confidence of the predictions
    confidence: float
    # Share of right predictions. Equal to the confidence when calibrated
    accuracy: float


class GateReport(TypedDict):
    passed: bool
    # Labelled calls that the model was tested on. Each was predicted before it was used for training
    tested: int
    criteria: List[GateReportCriteriaItem]
    # The tested calls in up to 15 bins of equal width, by confidence. Bins of fewer than five calls are left out. Empty for models that were trained before this member existed
    reliability: List[GateReportReliabilityItem]


class ModelRecall(TypedDict):
    model: "Model"
    # The job that attributes the affected records again
    job: "JobStarted"


class _UsageReportRequired(TypedDict):
    data: List["UsageRow"]
    page: "PageInfo"
    totals: "UsageTotals"
    billing_periods: "PeriodStatuses"
    period: "ReportPeriod"
    time_zone: "AnsweredTimeZone"
    undetermined_invocations: "UndeterminedInvocations"
    warnings: "Warnings"
    as_of: "ReportAsOf"
    stale: "ReportStale"


class UsageReport(_UsageReportRequired, total=False):
    idle_nodes: "IdleNodes"
    # Present with `compare` or `previous_from`
    previous: "PreviousPeriod"


class _UsageRowRequired(TypedDict):
    kind: "RowKind"
    invocations: int
    cost_usd: "KnownSum"
    cost_usd_low: "SumOrNull"
    cost_usd_high: "SumOrNull"
    energy_wh: "KnownSum"
    energy_wh_low: "SumOrNull"
    energy_wh_high: "SumOrNull"
    carbon_gco2e: "KnownSum"
    carbon_gco2e_low: "SumOrNull"
    carbon_gco2e_high: "SumOrNull"
    joint_ranges: "JointRanges"
    input_tokens: int
    cached_input_tokens: int
    cache_write_tokens: int
    output_tokens: int
    reasoning_tokens: int
    # Calls whose cost is unknown. No cost sum includes them
    unpriced_invocations: int
    unknown_energy_invocations: int
    unknown_carbon_invocations: int
    output_states: "OutputStateTotals"
    confidence_bands: "ConfidenceBandTotals"
    owner_states: "AnswerStates"
    service_states: "AnswerStates"
    suppressed_groups: "SuppressedGroups"


class UsageRow(_UsageRowRequired, total=False):
    interval_start: "IntervalStart"
    owner: "RowOwner"
    service: "RowService"
    provider: str
    served_model: str
    pathway_category: "PathwayCategory"
    region: "RowRegion"
    tags: "RowTags"
    # Day in `time_zone`
    day: str
    # Start of the UTC hour
    hour: str
    # The sums of the same groups in the period before. Present with `compare`, if `interval` is not given. A group that has calls only in the period before has a row with sums of zero
    previous: "PreviousTotals"


RowKind = Literal['group', 'folded', 'other']


IntervalStart = str


RowOwner = Optional[str]


RowService = Optional[str]


RowRegion = Optional[str]


RowTags = Dict[str, Optional[str]]


KnownSum = "SumOrNull"


SumOrNull = Optional["Total"]


class JointRanges(TypedDict):
    """Ranges of the sum as a whole. Errors are shared by the calls of a model and independent between models, so these ranges are narrower than `_low` and `_high`, which add up the ends of all records. Energy and carbon: 90 % range of a log-normal total. Cost: ends of known prices, combined as the root of the sum of squares. Ranges of rows do not add up to those of totals"""
    cost_usd: "JointSpread"
    energy_wh: "JointRange"
    carbon_gco2e: "JointRange"


class JointSpread(TypedDict):
    low: "SumOrNull"
    high: "SumOrNull"


class JointRange(TypedDict):
    low: "SumOrNull"
    high: "SumOrNull"
    # Expected value. The centre is the sum of the medians of the records, so the mean exceeds it
    mean: "SumOrNull"


OutputStateTotals = Dict[str, "InvocationTotals"]


class InvocationTotals(TypedDict):
    invocations: int
    cost_usd: "Total"
    # Calls whose cost is unknown
    unpriced_invocations: int


ConfidenceBandTotals = Dict[str, "InvocationTotals"]


AnswerStates = Dict[str, "InvocationTotals"]


SuppressedGroups = int


class PreviousTotals(TypedDict):
    invocations: int
    cost_usd: "KnownSum"
    energy_wh: "KnownSum"
    carbon_gco2e: "KnownSum"
    # Calls whose cost is unknown. No cost sum includes them
    unpriced_invocations: int
    unknown_energy_invocations: int
    unknown_carbon_invocations: int


class UsageTotals(TypedDict):
    invocations: int
    cost_usd: "KnownSum"
    cost_usd_low: "SumOrNull"
    cost_usd_high: "SumOrNull"
    energy_wh: "KnownSum"
    energy_wh_low: "SumOrNull"
    energy_wh_high: "SumOrNull"
    carbon_gco2e: "KnownSum"
    carbon_gco2e_low: "SumOrNull"
    carbon_gco2e_high: "SumOrNull"
    joint_ranges: "JointRanges"
    input_tokens: int
    cached_input_tokens: int
    cache_write_tokens: int
    output_tokens: int
    reasoning_tokens: int
    # Calls whose cost is unknown. No cost sum includes them
    unpriced_invocations: int
    unknown_energy_invocations: int
    unknown_carbon_invocations: int
    output_states: "OutputStateTotals"
    confidence_bands: "ConfidenceBandTotals"
    owner_states: "AnswerStates"
    service_states: "AnswerStates"
    suppressed_groups: "SuppressedGroups"


PeriodStatuses = List["PeriodStatus"]


class PeriodStatus(TypedDict):
    # UTC month
    period: str
    state: "PeriodState"
    # Cost of the whole period today, less its cost at the close. 0 unless it is adjusted. Null for a credential that is bound to a residency lane, if it is adjusted
    adjustment_usd: Optional["Difference"]


PeriodState = Literal['open', 'closed', 'adjusted']


class IdleNodes(TypedDict):
    """Unused time of own nodes, in no row or total. Only with read:attribution, for all lanes, without filters and for at most 31 days. energy_wh is null if the power of a pool is unknown"""
    cost_usd: "DecimalString"
    energy_wh: Optional["DecimalString"]


class PreviousPeriod(TypedDict):
    period: "ReportPeriod"
    totals: "PreviousTotals"
    undetermined_invocations: int
    # Number of days of the period before with calls, whatever the filters
    days_with_calls: int
    # Whether the tenant already sent calls in the 31 days before that period. If not, it began within the period or later, and the two periods cannot be compared
    complete: bool


ReportPeriod = TypedDict("ReportPeriod", {
    "from": "str",
    "to": "str",
    "exact": "bool",
})


AnsweredTimeZone = str


UndeterminedInvocations = int


ReportAsOf = str


ReportStale = bool


class AdoptionReport(TypedDict):
    data: List["AdoptionRow"]
    page: "PageInfo"
    totals: "AdoptionTotals"
    period: "ReportPeriod"
    time_zone: "AnsweredTimeZone"
    undetermined_invocations: "UndeterminedInvocations"
    warnings: "Warnings"
    as_of: "ReportAsOf"
    stale: "ReportStale"


class _AdoptionRowRequired(TypedDict):
    kind: "RowKind"
    persons: "PersonCount"
    persons_estimated: "PersonsEstimated"
    invocations: int
    suppressed_groups: "SuppressedGroups"


class AdoptionRow(_AdoptionRowRequired, total=False):
    interval_start: "IntervalStart"
    owner: "RowOwner"
    service: "RowService"
    provider: str
    served_model: str
    pathway_category: "PathwayCategory"
    region: "RowRegion"
    tags: "RowTags"


PersonCount = int


PersonsEstimated = bool


class AdoptionTotals(TypedDict):
    persons: "PersonCount"
    persons_estimated: "PersonsEstimated"
    invocations: int
    suppressed_groups: "SuppressedGroups"


class ForecastReport(TypedDict):
    data: List["ForecastRow"]
    page: "PageInfo"
    totals: "ForecastTotals"
    period: "ReportPeriod"
    time_zone: "AnsweredTimeZone"
    undetermined_invocations: "UndeterminedInvocations"
    warnings: "Warnings"
    as_of: "ReportAsOf"
    stale: "ReportStale"


class _ForecastRowRequired(TypedDict):
    kind: "RowKind"
    # Cost of the period so far. Null, not zero, if it is unknown for all calls or hidden
    spent_usd: "SumOrNull"
    # With hidden calls
    spent_usd_maximum: "SumOrNull"
    owner_states: "AnswerStates"
    forecast_usd: "ForecastUsd"
    forecast_range_usd: "ForecastRange"
    forecast_unknown: "ForecastUnknownReason"
    # Calls of the period whose cost is unknown. No amount includes them
    unpriced_invocations: int


class ForecastRow(_ForecastRowRequired, total=False):
    owner: "RowOwner"
    service: "RowService"
    provider: str
    served_model: str
    pathway_category: "PathwayCategory"
    region: "RowRegion"
    tags: "RowTags"


class ForecastTotals(TypedDict):
    # Cost of the period so far. Null, not zero, if it is unknown for all calls or hidden
    spent_usd: "SumOrNull"
    # With hidden calls
    spent_usd_maximum: "SumOrNull"
    owner_states: "AnswerStates"
    forecast_usd: "ForecastUsd"
    forecast_range_usd: "ForecastRange"
    forecast_unknown: "ForecastUnknownReason"
    # Calls of the period whose cost is unknown. No amount includes them
    unpriced_invocations: int


class ChangesReport(TypedDict):
    data: List["ChangeRow"]
    page: "PageInfo"
    totals: "ChangeTotals"
    previous: "ComparedPeriod"
    # When prices of the shown models changed, from the start of the period before to the end of this one: the newest first. Prices of contracts are among them for callers with read:attribution, and else those of the list
    price_changes: List["PriceChange"]
    period: "ReportPeriod"
    time_zone: "AnsweredTimeZone"
    undetermined_invocations: "UndeterminedInvocations"
    warnings: "Warnings"
    as_of: "ReportAsOf"
    stale: "ReportStale"


class _ChangeRowRequired(TypedDict):
    kind: "RowKind"
    current: "ChangeSide"
    previous: "ChangeSide"
    # Difference of both costs. Null if one is null
    change_usd: Optional["Difference"]
    change_range_usd: Optional["ChangeRange"]
    # Null without a change
    parts: Optional["ChangeParts"]


class ChangeRow(_ChangeRowRequired, total=False):
    owner: "RowOwner"
    service: "RowService"
    provider: str
    served_model: str
    pathway_category: "PathwayCategory"
    region: "RowRegion"
    tags: "RowTags"


class ChangeSide(TypedDict):
    invocations: int
    # Calls whose cost is unknown. No cost sum includes them
    unpriced_invocations: int
    # With hidden calls
    invocations_maximum: int
    # Null, not zero, if it is unknown for all calls or hidden
    cost_usd: "SumOrNull"
    cost_usd_maximum: "SumOrNull"
    owner_states: "AnswerStates"


class ChangeRange(TypedDict):
    """With hidden calls. Null if a period has no known cost"""
    low: "Difference"
    high: "Difference"


class ChangeParts(TypedDict):
    """Parts of `change_usd`. They sum exactly to it"""
    # More or fewer calls, at the mean cost of a call before
    volume_usd: "Difference"
    # Other providers and models, at the mean cost of a call of each before. A new model: at its cost
    mix_usd: "Difference"
    # More or fewer tokens in a call, at the cost of a token before
    tokens_usd: "Difference"
    # Another share of the input read from or written to a cache
    cache_usd: "Difference"
    # The rest: list price, contract, service tier, fees
    price_usd: "Difference"
    # Calls whose model is hidden, and changes of the cost of a call of models without a price, without tokens, or with calls of unknown cost
    undivided_usd: "Difference"


class ChangeTotals(TypedDict):
    current: "ChangeSide"
    previous: "ChangeSide"
    # Difference of both costs. Null if one is null
    change_usd: Optional["Difference"]
    change_range_usd: Optional["ChangeRange"]
    # Null without a change
    parts: Optional["ChangeParts"]


class ComparedPeriod(TypedDict):
    """As `previous` of the usage report"""
    period: "ReportPeriod"
    undetermined_invocations: int
    complete: bool


class PriceChange(TypedDict):
    at: str
    provider: str
    served_model: str
    before: "ListedTokenPrices"
    now: "ListedTokenPrices"


class ListedTokenPrices(TypedDict):
    """USD per million tokens. Null: no price of its own"""
    uncached_input: "SumOrNull"
    cached_input: "SumOrNull"
    cache_write: "SumOrNull"
    output: "SumOrNull"


class UnitCostsReport(TypedDict):
    data: List["UnitCostRow"]
    page: "PageInfo"
    totals: "UnitCosts"
    period: "ReportPeriod"
    time_zone: "AnsweredTimeZone"
    undetermined_invocations: "UndeterminedInvocations"
    warnings: "Warnings"
    as_of: "ReportAsOf"
    stale: "ReportStale"


class _UnitCostRowRequired(TypedDict):
    kind: "RowKind"
    invocations: int
    cost_usd: "KnownSum"
    # Calls whose cost is unknown. No cost sum includes them
    unpriced_invocations: int
    # With hidden calls that can be of the group. Ratios are those of the shown calls
    invocations_maximum: int
    # Of calls whose cost is known. Null without one
    cost_per_invocation_usd: "SumOrNull"
    person_costs: "PersonCosts"
    token_costs: "TokenCosts"
    cache: "CacheUse"
    suppressed_groups: "SuppressedGroups"


class UnitCostRow(_UnitCostRowRequired, total=False):
    interval_start: "IntervalStart"
    owner: "RowOwner"
    service: "RowService"
    provider: str
    served_model: str
    pathway_category: "PathwayCategory"
    region: "RowRegion"
    tags: "RowTags"
    outcomes: "OutcomesCosts"


class PersonCosts(TypedDict):
    """The known cost of the groups of calls that name persons, for each person. A range, because persons are rounded down or estimated. Null without persons or a known cost"""
    persons: "PersonCount"
    persons_estimated: "PersonsEstimated"
    low_usd: "SumOrNull"
    high_usd: "SumOrNull"


class TokenCosts(TypedDict):
    """The cost, divided among tokens in the proportion of the prices of the model. The parts sum exactly to `cost_usd`"""
    uncached_input: "TokenCost"
    cached_input: "TokenCost"
    cache_write: "TokenCost"
    output: "TokenCost"
    # Cost of calls whose model is hidden or has no price, without tokens, or only shown with calls of unknown cost
    undivided_usd: "Total"


class TokenCost(TypedDict):
    tokens: int
    cost_usd: "Total"
    # Null without such tokens
    usd_per_million: "SumOrNull"


class CacheUse(TypedDict):
    # Of the input tokens, that was read from a cache, 0 to 1. Null without input
    share: "SumOrNull"
    # What that saved, less the surcharge of cache writes, at the prices of `token_costs`. Null if no call is divided
    saving_usd: Optional["Difference"]


class OutcomesCosts(TypedDict):
    """Calls with the status `error` or `incomplete`, which a provider can charge. A call of which no producer reports a status counts as `ok`. Only with read:attribution"""
    error: "OutcomeCosts"
    incomplete: "OutcomeCosts"
    # Further calls that can have such a status: hidden ones of `invocations_maximum`, and those of sums that were stored before it was counted
    unexamined_invocations: int


class OutcomeCosts(TypedDict):
    # Null if the status of no call is known
    invocations: Optional[int]
    # Those with a known cost above 0
    paid_invocations: Optional[int]
    # Calls whose cost is unknown. No cost sum includes them
    unpriced_invocations: int
    cost_usd: "KnownSum"
    cost_usd_low: "SumOrNull"
    cost_usd_high: "SumOrNull"


class _UnitCostsRequired(TypedDict):
    invocations: int
    cost_usd: "KnownSum"
    # Calls whose cost is unknown. No cost sum includes them
    unpriced_invocations: int
    # With hidden calls that can be of the group. Ratios are those of the shown calls
    invocations_maximum: int
    # Of calls whose cost is known. Null without one
    cost_per_invocation_usd: "SumOrNull"
    person_costs: "PersonCosts"
    token_costs: "TokenCosts"
    cache: "CacheUse"
    suppressed_groups: "SuppressedGroups"


class UnitCosts(_UnitCostsRequired, total=False):
    outcomes: "OutcomesCosts"


class SavingsReport(TypedDict):
    data: List["Saving"]
    page: "PageInfo"
    period: "ReportPeriod"
    time_zone: "AnsweredTimeZone"
    undetermined_invocations: "UndeterminedInvocations"
    warnings: "Warnings"
    as_of: "ReportAsOf"
    stale: "ReportStale"
    # How many suggestions with these filters are dismissed and have not grown
    dismissed_suggestions: int


class SavingReplacement(TypedDict):
    """No claim about its answers"""
    model: str
    # Where the provider recommends it
    source: str
    checked: str


class SavingEnergyWh1(TypedDict):
    low: "Difference"
    high: "Difference"


class _SavingRequired(TypedDict):
    # prompt_caching: long inputs, few of them cached. batch: nobody seems to wait for the calls, and they cost more than a batch or the flex tier. replacement_model: the provider recommends another model, which is cheaper. failed_calls: calls that failed or were cut off, and cost something; needs read:attribution. long_context: calls that read just more tokens than those up to which a lower price applies; needs read:attribution. idle_nodes: hours of own nodes that no call used
    saving: Literal['prompt_caching', 'batch', 'replacement_model', 'failed_calls', 'long_context', 'idle_nodes']
    kind: "RowKind"
    # The least that it saves in 30 days
    low_usd: "Total"
    # The most
    high_usd: "Total"
    # In 30 days. Negative: it needs more. Null: unknown
    energy_wh: Optional[SavingEnergyWh1]
    # low: also from a judgement about what calls have in common or can wait for
    confidence: Literal['low', 'medium']
    invocations: int
    # Of the calls that it rests on
    cost_usd: "Total"
    # The figures of the computation, by name
    basis: Dict[str, str]
    # How to check it
    verify: str
    # What was saved since the period before, as compare=previous_period has it
    realised: "RealisedSaving"
    # Null: it was not dismissed
    dismissal: Optional["DismissedSaving"]


class Saving(_SavingRequired, total=False):
    owner: "RowOwner"
    service: "RowService"
    provider: str
    served_model: str
    pool: str
    # No claim about its answers
    replacement: SavingReplacement


RealisedUnknown = Optional[Literal['too_few_earlier_calls', 'volume_changed', 'price_changed', 'unpriced_calls', 'hidden_calls', 'unexamined_calls']]


class RealisedSaving(TypedDict):
    # The least that the change saves in 30 days. Null: unknown. 0 to 0: nothing changed
    low_usd: Optional["Total"]
    # The most
    high_usd: Optional["Total"]
    unknown: "RealisedUnknown"
    # Calls of the period before that it rests on
    previous_invocations: int
    # Calls of the period that it rests on
    invocations: int
    # The figures of the computation, by name
    basis: Dict[str, str]


class DismissedSaving(TypedDict):
    id: str
    # What it saved at most in 30 days when it was dismissed
    high_usd: "Total"
    reason: str
    dismissed_by: str
    dismissed_at: str
    # Whether it saves at least 1.5 times as much since, and 1 USD more: it is suggested again
    has_grown: bool


class _SavingDismissalRequired(TypedDict):
    id: str
    saving: Literal['prompt_caching', 'batch', 'replacement_model', 'failed_calls', 'long_context', 'idle_nodes']
    # As in the suggestion. folded: a group with a hidden name
    kind: Literal['group', 'folded']
    # What it saved at most in 30 days when it was dismissed
    high_usd: "Total"
    reason: str
    # The lane whose suggestion it is. Null: all
    residency: Optional[str]
    dismissed_by: str
    dismissed_at: str


class SavingDismissal(_SavingDismissalRequired, total=False):
    # Null: no owner. Absent: hidden
    owner: Optional[str]
    # Null: no service. Absent: hidden
    service: Optional[str]
    provider: str
    served_model: str
    # The `model` of `replacement`
    replacement_model: str
    # Of idle_nodes
    pool: str


class SavingDismissalPage(TypedDict):
    data: List["SavingDismissal"]
    page: "PageInfo"


class Annotation(TypedDict):
    id: str
    # The day, in UTC
    date: str
    # What happened
    text: str
    # The lane of who wrote it. Null: all
    residency: Optional[str]
    created_by: str
    created_at: str


class AnnotationPage(TypedDict):
    data: List["Annotation"]
    page: "PageInfo"


class _SavedViewRequired(TypedDict):
    id: str
    # The page of the console
    page: Literal['explore', 'records', 'savings']
    # What people call it
    name: str
    # The lane of who saved it. Null: all
    residency: Optional[str]
    created_by: str
    created_at: str


class SavedView(_SavedViewRequired, total=False):
    # The query of the address of the page, without the question mark. Absent: the page as it opens
    search: str


class SavedViewPage(TypedDict):
    data: List["SavedView"]
    page: "PageInfo"


class MetricCosts(TypedDict):
    data: List["MetricCost"]
    page: "PageInfo"
    period: "ReportPeriod"
    time_zone: "AnsweredTimeZone"
    as_of: "ReportAsOf"
    stale: "ReportStale"


class _MetricCostRequired(TypedDict):
    metric_id: str
    # What is counted
    name: str
    # Only the cost of its calls. Null: of all owners
    owner: Optional[str]
    # Only the cost of its calls. Null: of all services
    service: Optional[str]
    # The sum of the numbers. Null: no day has one
    units: "SumOrNull"
    # Days that have a number. Cost is that of these days only
    days: int
    # They count neither as 0 nor with their cost
    days_without_number: int
    invocations: int
    # With hidden calls that can be of the owner or service
    invocations_maximum: int
    # Shown calls of unknown cost, in no amount
    unpriced_invocations: int
    # Null: unknown, or no day has a number
    cost_usd: "SumOrNull"
    # Of calls whose cost is known, rounded to twelve digits. Null: the cost is unknown, or there are no units
    cost_per_unit_usd: "SumOrNull"
    cost_per_unit_range_usd: "MetricCostRange"


class MetricCost(_MetricCostRequired, total=False):
    # Start of the day or month. Present if `interval` is given
    interval_start: str


class MetricCostRange1(TypedDict):
    low: "SumOrNull"
    # Null: unknown, because calls have no known cost
    high: "SumOrNull"


MetricCostRange = Optional[MetricCostRange1]


class BusinessMetric(TypedDict):
    id: str
    # What is counted
    name: str
    # Only the cost of its calls. Null: of all owners
    owner: Optional[str]
    # Only the cost of its calls. Null: of all services
    service: Optional[str]
    # How many days have a number
    days: int
    first_day: Optional[str]
    last_day: Optional[str]
    # The lane whose calls it divides. Null: all
    residency: Optional[str]
    updated_at: str
    updated_by: str


class BusinessMetricPage(TypedDict):
    data: List["BusinessMetric"]
    page: "PageInfo"


class NodeHoursTotals(TypedDict):
    cost_usd: "DecimalString"
    charged_usd: "DecimalString"
    idle_usd: "DecimalString"


class NodeHours(TypedDict):
    # By hour and pool
    lines: List["NodeHourLine"]
    totals: NodeHoursTotals


class NodeHourLineCredentialsItem(TypedDict):
    id: str
    calls: int
    charged_usd: "DecimalString"


class _NodeHourLineRequired(TypedDict):
    pool: str
    hour: str
    cost_usd: "DecimalString"
    # The sum of the costs of the calls
    charged_usd: "DecimalString"
    # cost_usd without charged_usd
    idle_usd: "DecimalString"
    busy: Literal['busy_time', 'whole_hour']
    measure: Literal['tokens', 'seconds']
    calls: int
    # Calls whose use is unknown
    unmeasured_calls: int
    # With the calls recorded by then
    as_of: str


class NodeHourLine(_NodeHourLineRequired, total=False):
    # Only if the power of the nodes is stated
    energy_wh: "DecimalString"
    # energy_wh without that of the calls
    idle_wh: "DecimalString"
    # The 10 whose calls cost most
    credentials: List[NodeHourLineCredentialsItem]


class UnownedReport(TypedDict):
    data: List["UnownedService"]
    page: "PageInfo"
    # Services with calls without a confirmed owner
    services: int
    totals: "UnownedAmounts"
    period: "ReportPeriod"
    time_zone: "AnsweredTimeZone"
    # Records that suggestions were made from: the newest of the period, at most 1000. Null if none was read
    examined: Optional[int]
    # As in the usage report
    as_of: str
    # As in the usage report
    stale: bool


class _UnownedServiceRequired(TypedDict):
    # group: one service. folded: calls of which suppression hides the service. other: all services beyond `top`
    kind: Literal['group', 'folded', 'other']
    # Calls without a confirmed owner
    invocations: int
    # With the calls of which suppression hides whether they have one
    invocations_maximum: int
    # Known cost of `invocations`
    cost_usd: "Total"
    # Known cost of `invocations_maximum`
    cost_usd_maximum: "Total"
    # Of the known cost of all calls of the period, 0 to 1. Null if that is 0
    share: Optional[float]
    share_maximum: Optional[float]
    # Calls among `invocations` whose cost is unknown
    unpriced_invocations: int
    # The part of `cost_usd` with an owner of low confidence
    provisional: "Total"
    # The part that an allocation divides among owners
    allocated: "Total"
    # How the calls can be mapped, the most expensive group first. Those of a folded row are of the examined records that no other row names. Null without the scope read:attribution, and if no suggestions are asked for. Empty if none of the calls was examined: select the service
    groups: Optional[List["UnownedGroup"]]


class UnownedService(_UnownedServiceRequired, total=False):
    # Null: calls that name no service
    service: Optional[str]


class UnownedGroup(TypedDict):
    # Conditions of a mapping for these calls: what they name best. Empty if they name nothing that a mapping reads
    conditions: List["MappingConditionOutput"]
    # Calls of the group among the examined records
    examined: int
    # The known cost of these calls
    cost_usd: "Total"
    suggestions: List["OwnerSuggestion"]


class OwnerSuggestionMapping(TypedDict):
    id: str
    name: str


class _OwnerSuggestionRequired(TypedDict):
    owner: str
    # mapping: an identity mapping names the owner, but begins later, or is newer than the records. service, workload, tag, key_name: the owner has confirmed calls with the same value. rules: the evidence of the calls names the owner with less confidence than a charge needs. model: a prediction. name: the value contains the name of the owner
    basis: Literal['mapping', 'service', 'workload', 'rules', 'tag', 'key_name', 'model', 'name']
    # Null if several or none were read
    field: Optional["MappableField"]
    # The value of the field
    value: Optional[str]
    # Evidence: of service, workload, tag and key_name, the confirmed calls of this owner with the value. Of the others, the calls of the group for which they name the owner
    calls: int
    # All confirmed calls with the value, or all examined calls of the group
    of: int
    # Only of a prediction in whose services the confidence is calibrated: the mean of its calls. Null: not known
    confidence: Optional[float]


class OwnerSuggestion(_OwnerSuggestionRequired, total=False):
    """A suggestion. Nothing counts it as an owner"""
    mapping: OwnerSuggestionMapping


class UnownedAmounts(TypedDict):
    # Calls without a confirmed owner
    invocations: int
    # With the calls of which suppression hides whether they have one
    invocations_maximum: int
    # Known cost of `invocations`
    cost_usd: "Total"
    # Known cost of `invocations_maximum`
    cost_usd_maximum: "Total"
    # Of the known cost of all calls of the period, 0 to 1. Null if that is 0
    share: Optional[float]
    share_maximum: Optional[float]
    # Calls among `invocations` whose cost is unknown
    unpriced_invocations: int


class AttributionLookupBudgetsItem(TypedDict):
    budget_id: str
    period: Literal['month', 'quarter', 'rolling_30d']
    # Thresholds crossed in the current period, in percent of the ceiling, ascending. Null if the budget counts records and the caller lacks read:attribution
    crossed: Optional[List[int]]


class AttributionLookup(TypedDict):
    # Null if the rules name none
    owner: Optional[str]
    # Null if the rules name none
    service: Optional[str]
    output_state: Literal['deterministically_resolved', 'unresolved']
    interpretation: "Interpretation"
    # The budgets that would count the call, those with the highest crossed threshold first
    budgets: List[AttributionLookupBudgetsItem]
    # When the mappings and the crossed thresholds were read
    as_of: str


class Budget(TypedDict):
    """The figures are null in the answer to a change, which is evaluated afterwards, and if the caller lacks the scope that reads them: read:reporting for a budget that counts cohorts, read:attribution for one that counts records"""
    id: str
    name: str
    # Spending limit of a period, in USD
    ceiling_usd: "DecimalString"
    period: "BudgetPeriod"
    scope: "BudgetScopeOutput"
    # Percentages of the ceiling at which the budget alerts, ascending
    thresholds: List[int]
    # Percentages of the ceiling at which the budget alerts when its forecast reaches them, ascending
    forecast_thresholds: List[int]
    # The data-residency lane whose spend counts: the lane of the credential that created the budget. Null: all lanes
    residency: Optional[str]
    basis: "BudgetBasis"
    created_at: str
    updated_at: str
    # Id of the key, client or user
    created_by: str
    time_zone: "AnsweredTimeZone"
    current_period: "Between"
    # Spend of the current period. Calls without a known price are not included.
    period_to_date_usd: Optional["Total"]
    spent_by_owner_state: "SpendByOwnerState"
    # Calls of the current period without a known price. No amount of this budget includes them.
    unpriced_invocations: Optional[int]
    forecast_usd: "ForecastUsd"
    forecast_range_usd: "ForecastRange"
    forecast_unknown: "ForecastUnknownReason"
    # Thresholds crossed in the current period, in percent of the ceiling, ascending.
    crossed: Optional[List[int]]
    # Empty without calls
    warnings: Optional["Warnings"]
    # When the newest usage data of the period was aggregated. If a change of the records is not in it yet, the time of that change: the figures are complete up to then. Null before there is any, if nothing is known about pending changes, and where period_to_date_usd is null
    as_of: Optional[str]
    # Whether calls or changes from more than 90 seconds ago may be missing from the figures.
    stale: Optional[bool]


SpendByOwnerState = Optional[Dict[str, "Total"]]


class BudgetPage(TypedDict):
    data: List["Budget"]
    page: "PageInfo"


class BudgetPeriods(TypedDict):
    data: List["BudgetPeriodRecord"]
    page: "PageInfo"


class BudgetPeriodRecord(TypedDict):
    """The figures are null in the answer to a change, which is evaluated afterwards, and if the caller lacks the scope that reads them: read:reporting for a budget that counts cohorts, read:attribution for one that counts records"""
    time_zone: "AnsweredTimeZone"
    period: "Between"
    is_current: bool
    # Spend of the period. Calls without a known price are not included.
    spent_usd: Optional["Total"]
    spent_by_owner_state: "SpendByOwnerState"
    # Calls of the period without a known price.
    unpriced_invocations: Optional[int]
    # Thresholds of the present ceiling that the spend reaches, in percent, ascending. An alert may have been raised under another ceiling, or never.
    reached: Optional[List[int]]
    # When the newest usage data of the period was aggregated. Null without usage, and if nothing is known about pending changes.
    as_of: Optional[str]


class AnomalyPage(TypedDict):
    data: List["Anomaly"]
    page: "PageInfo"
    # When the service last looked. Null: not yet, so an empty list says nothing
    evaluated_at: Optional[str]


class AnomalyExpectedUsd(TypedDict):
    """Expected cost of these hours or days, and the expected range"""
    low: "Total"
    central: "Total"
    high: "Total"


class _AnomalyRequired(TypedDict):
    id: str
    detected_at: str
    # When an hour or day was last added to the anomaly
    updated_at: str
    # Whether hours or whole UTC days were outside their expected range
    grain: Literal['hour', 'day']
    dimension: Literal['tenant', 'owner', 'service', 'served_model']
    # The owner, service or model. Null for the whole tenant
    value: Optional[str]
    # The data-residency lane of the calls. Each lane is evaluated separately
    residency: Optional[str]
    # Extended while the following hours or days are outside their range too
    period: "Between"
    # Cost of the hours or days that were outside their range
    observed_usd: "Total"
    # Expected cost of these hours or days, and the expected range
    expected_usd: AnomalyExpectedUsd
    # Distance of the cost from the expected cost, divided by the distance of the upper end of the range. 1 is the end of the range. The highest value of all hours or days
    score: float
    drivers: "AnomalyDrivers"
    # Until when its series raises no events and notifications. Null: it is not muted
    muted_until: Optional[str]


class Anomaly(_AnomalyRequired, total=False):
    observed_by_owner_state: "ObservedByOwnerState"


class ExplainedAnomalyExpectedUsd(TypedDict):
    """Expected cost of these hours or days, and the expected range"""
    low: "Total"
    central: "Total"
    high: "Total"


class ExplainedAnomalyLinks(TypedDict):
    """Requests for more: changes, usage by the hour, and the calls, which take read:attribution"""
    changes: str
    hours: str
    calls: str


class _ExplainedAnomalyRequired(TypedDict):
    id: str
    detected_at: str
    # When an hour or day was last added to the anomaly
    updated_at: str
    # Whether hours or whole UTC days were outside their expected range
    grain: Literal['hour', 'day']
    dimension: Literal['tenant', 'owner', 'service', 'served_model']
    # The owner, service or model. Null for the whole tenant
    value: Optional[str]
    # The data-residency lane of the calls. Each lane is evaluated separately
    residency: Optional[str]
    # Extended while the following hours or days are outside their range too
    period: "Between"
    # Cost of the hours or days that were outside their range
    observed_usd: "Total"
    # Expected cost of these hours or days, and the expected range
    expected_usd: ExplainedAnomalyExpectedUsd
    # Distance of the cost from the expected cost, divided by the distance of the upper end of the range. 1 is the end of the range. The highest value of all hours or days
    score: float
    drivers: "AnomalyDrivers"
    # Until when its series raises no events and notifications. Null: it is not muted
    muted_until: Optional[str]
    # The first hour that costs at least the mean of all hours more than the same hour of the earlier period. Null: no such hour is shown, or the anomaly has more than 31 days
    first_hour: Optional[str]
    # Why its calls cost more than those of `previous`, as getChangesReport divides the change. It differs from the excess over the expected cost, which is a median of weeks
    change: "ChangeTotals"
    # The same weekdays, a week before, or as many weeks as the anomaly has
    previous: "ComparedPeriod"
    # The largest changes by service, or by model for a service, or by owner for the tenant and for a model
    movers: List["ChangeRow"]
    # Requests for more: changes, usage by the hour, and the calls, which take read:attribution
    links: ExplainedAnomalyLinks
    as_of: str
    stale: bool


class ExplainedAnomaly(_ExplainedAnomalyRequired, total=False):
    observed_by_owner_state: "ObservedByOwnerState"


class _AnomalyMuteRequired(TypedDict):
    dimension: Literal['tenant', 'owner', 'service', 'served_model']
    # The owner, service or model. Null for the whole tenant
    value: Optional[str]
    # The data-residency lane of the calls. Each lane is evaluated separately
    residency: Optional[str]
    until: str
    muted_by: str
    muted_at: str


class AnomalyMute(_AnomalyMuteRequired, total=False):
    reason: str


class CoverageMapConnectorsItem(TypedDict):
    connector: str
    status: Literal['healthy', 'degraded', 'failed']
    # Time of the newest connector.health event of the connector
    reported_at: str


class CoverageMap(TypedDict):
    as_of: str
    # Pathways with observations, discoveries or expectations
    pathways: List["PathwayCoverage"]
    connectors: List[CoverageMapConnectorsItem]
    # What sent token counts in the last 24 hours that made no record, by instrumentation scope. Empty for a credential bound to a lane
    unread_usage: List["UnreadUsage"]
    # All integrations, also those that are not used
    integrations: List["Integration"]


class PathwayCoverage(TypedDict):
    pathway_category: "PathwayCategory"
    state: "CoverageState"
    # Start of the state. Null for a credential bound to a lane, because states are stored per tenant
    since: Optional[str]
    layers: List["CaptureLayer"]
    # Layers that the tenant expects. Empty: any layer is enough
    expected: List[str]
    # Expected layers that are not live
    missing: List[str]
    # Use reported by CASB, DNS, firewall or admin API. It is never counted as calls
    discovered: List["Discovered"]


class CaptureLayerSourceSystemsItem(TypedDict):
    source_system: Optional[str]
    last_seen: str


class CaptureLayer(TypedDict):
    ingestion_layer: str
    # silent: for longer than silence_allowed_seconds. lost: for longer than three times that
    status: Literal['live', 'silent', 'lost']
    # First activity in the last 35 days, to ten minutes
    first_seen: str
    # Arrival of the newest event, to ten minutes
    last_seen: str
    # The silence threshold of the layer: 1.5 times its second longest silence in the last 35 days. The longest silence may have been an outage. From one hour to ten days, and at least three days during the first two weeks of a layer
    silence_allowed_seconds: int
    source_systems: List[CaptureLayerSourceSystemsItem]


class Discovered(TypedDict):
    source: Literal['casb', 'dns', 'firewall', 'admin_api']
    provider: str
    first_seen: str
    last_seen: str


class UnreadUsage(TypedDict):
    # Name of the instrumentation scope
    scope: str
    # Spans and log records
    count: int
    # How to make them readable
    hint: str


class IntegrationSetup(TypedDict):
    """How to enable the integration"""
    instruction: str
    language: Literal['sh', 'yaml']
    # It names the endpoint of this service. Replace YOUR_INGEST_KEY by a key with ingest:write
    snippet: str


class Integration(TypedDict):
    # events_api: events of a client library, of your own code, or CloudEvents. coding_agents: Claude Code, Codex and Gemini CLI. An event counts for the integration that its ingestion_layer, source_system and pathway name
    integration: Literal['events_api', 'opentelemetry', 'coding_agents', 'litellm', 'bedrock', 'vertex_ai', 'azure_api_management']
    # By the silence threshold of the integration, as for a layer. not_seen: no event in the last 35 days
    status: Literal['live', 'silent', 'lost', 'not_seen']
    # Arrival of the newest event, to ten minutes
    last_seen: Optional[str]
    # Source systems of its events, the newest first
    source_systems: List[str]
    # How to enable the integration
    setup: IntegrationSetup


class _SignalsAcceptedResultsItem1Required(TypedDict):
    index: int
    source: str
    id: str
    status: Literal['accepted']
    # Dotted paths of content members that were dropped. Their values are not stored
    scrubbed: List[str]


class SignalsAcceptedResultsItem1(_SignalsAcceptedResultsItem1Required, total=False):
    # Why optional members of an inference event were dropped or corrected, and a type or member that may be misspelt
    warnings: List["FieldError"]


class SignalsAcceptedResultsItem2(TypedDict):
    index: int
    source: Optional[str]
    id: Optional[str]
    status: Literal['rejected']
    errors: List["FieldError"]


class SignalsAccepted(TypedDict):
    accepted: int
    rejected: int
    results: List[Union[SignalsAcceptedResultsItem1, SignalsAcceptedResultsItem2]]


class PartnerConnectorHealth1(TypedDict):
    status: Literal['healthy', 'degraded', 'failed']
    reported_at: str


class PartnerConnectorUsageItem(TypedDict):
    day: str
    events: int


class PartnerConnector(TypedDict):
    client_id: str
    # The name under which the tenant registered it
    connector: str
    residency: Optional[str]
    # The newest report. Null if there is none
    health: Optional[PartnerConnectorHealth1]
    source_systems: List[str]
    # Accepted events of the last 31 UTC days, newest first. Repeated requests count again
    usage: List[PartnerConnectorUsageItem]


class PartnerHealth(TypedDict):
    status: Literal['healthy', 'degraded', 'failed']
    reported_at: str


class PartnerCoverageSourceSystemsItem(TypedDict):
    source_system: str
    # By the silence threshold of the source system, as for a layer of the coverage map. not_seen: no event in the last 35 days
    status: Literal['live', 'silent', 'lost', 'not_seen']
    # Arrival of the newest event, to ten minutes
    last_seen: Optional[str]
    # Capture layers of its events, by name
    ingestion_layers: List[str]


class PartnerCoverage(TypedDict):
    as_of: str
    source_systems: List[PartnerCoverageSourceSystemsItem]


class ExportStarted(TypedDict):
    job_id: str
    status: "ExportState"
    status_url: str
    created_at: str


ExportState = Literal['queued', 'running', 'succeeded', 'failed', 'cancelled', 'expired']


class ExportPage(TypedDict):
    data: List["ExportJob"]
    page: "PageInfo"


class ExportJobError1(TypedDict):
    reason: "ExportFailureReason"
    detail: str


class ExportJobProgress(TypedDict):
    """Steps that are done, of all steps. A total of 0 means that the number is not known yet"""
    done: int
    total: int


class _ExportJobRequired(TypedDict):
    job_id: str
    type: Literal['focus_export']
    status: "ExportState"
    basis: "ExportBasis"
    created_at: str
    # Id of the credential, user or schedule that created the export
    created_by: str
    # The residency lane of the exported records. Null: all lanes
    residency: Optional[str]
    request: "ExportRequestOutput"
    # The export shows the ledger as of this instant
    as_of: str
    started_at: Optional[str]
    finished_at: Optional[str]
    # Edition of a scheduled export: provisional, or final when late events are included. Null for other exports
    edition: Optional[Literal['provisional', 'final']]
    error: Optional[ExportJobError1]
    # Steps that are done, of all steps. A total of 0 means that the number is not known yet
    progress: ExportJobProgress
    result: Optional["ExportResult"]
    # The delivery to the destination of the request. Null without one
    delivery: Optional["ExportDelivery"]
    # When the files are deleted: 30 days after the export finished. Null if there are no files yet
    files_expire_at: Optional[str]


class ExportJob(_ExportJobRequired, total=False):
    # The billing periods that the export overlaps, when it began. A closed one is shown as of its close
    billing_periods: "PeriodStatuses"


ExportBasis = Literal['records', 'cohorts']


class _ExportResultRequired(TypedDict):
    file_count: int
    row_count: int
    bytes: int
    # Attribution records that the rows contain
    records: int
    # Cost of the rows, corrections included. excluded_cost_usd is not included
    cost_usd: "Difference"
    excluded_records: int
    excluded_cost_usd: "Difference"


class ExportResult(_ExportResultRequired, total=False):
    # Whether calls that were accepted more than 90 seconds before the export began may be missing.
    stale: bool


class ExportDelivery(TypedDict):
    # The export destination
    destination_id: str
    # The folder of the report below the location of the destination. One name for one report
    name: str
    # waiting: the export is not finished. pending: files are being put, or the next attempt waits. delivered: all files and the manifest are in the bucket. superseded: a later export with this name and month came first, so nothing was put. failed: tried for 5 days, or the destination was deleted. cancelled: the export has no files
    state: Literal['waiting', 'pending', 'delivered', 'superseded', 'failed', 'cancelled']
    attempts: int
    # Why the last attempt failed. Null if it did not
    last_error: Optional["ExportDeliveryError"]
    # Null before the first attempt
    version: Optional[int]
    supersedes: Optional["EarlierExportDelivery"]
    next_attempt_at: Optional[str]
    delivered_at: Optional[str]
    # The manifest of the version in the bucket. Null before the first attempt
    location: Optional[str]


class _ExportScheduleRequired(TypedDict):
    id: str
    every: Literal['day', 'month']
    # Request of each export, without its period
    request: "ExportTermsOutput"
    # The residency lane of its exports. Null: all lanes
    residency: Optional[str]
    created_at: str
    created_by: str


class ExportSchedule(_ExportScheduleRequired, total=False):
    # Who last changed it. Since then its exports need the rights of this principal instead of those of created_by
    changed_by: str


class ExportSchedulePage(TypedDict):
    data: List["ExportSchedule"]
    page: "PageInfo"


class ExportDestination(TypedDict):
    id: str
    name: str
    # The bucket, and the prefix of all objects that the service puts
    location: str
    # The AWS Region of the bucket
    region: str
    # An IAM role of the account of the bucket that may put objects below the location. Its name begins with attribution-exports-
    role_arn: str
    # The external id that the service sends when it assumes the role. The trust policy of the role must require it, so that the service can use the role for nothing else
    external_id: str
    # The IAM role of the service. The trust policy of the role must name it as the principal
    trusted_role_arn: str
    check: "ExportDestinationCheck"
    created_at: str
    created_by: str


class ExportDestinationCheck(TypedDict):
    # unchecked: not checked yet. checking: the service puts a test object within a minute. working: the object was put. failing: it was not, see error
    state: Literal['unchecked', 'checking', 'working', 'failing']
    error: Optional["ExportDeliveryError"]
    checked_at: Optional[str]


class ExportDestinationPage(TypedDict):
    data: List["ExportDestination"]
    page: "PageInfo"


class ContractPricesState(TypedDict):
    # Digest of the prices. `explanation.cost.catalogue` of a record names the version it used
    version: str
    prices: List["ContractPriceOutput"]


class ContractPricesChanged(TypedDict):
    # Digest of the prices. `explanation.cost.catalogue` of a record names the version it used
    version: str
    prices: List["ContractPriceOutput"]
    # Entries that this call added, changed or removed. Null if an earlier attempt of the call made the change and was interrupted, so that the earlier prices are not known any more
    changes: Optional[List["ContractPriceChange"]]


class ContractPriceChange(TypedDict):
    kind: Literal['added', 'changed', 'removed']
    # Null for an added entry
    before: Optional["ContractPriceOutput"]
    # Null for a removed entry
    after: Optional["ContractPriceOutput"]


class NodePoolsState(TypedDict):
    pools: List["NodePoolOutput"]


ReconciliationPeriod = TypedDict("ReconciliationPeriod", {
    "from": "str",
    "to": "str",
    "exact": "bool",
})


class ReconciliationAsOf(TypedDict):
    # When the newest rollup of these months was computed. If a change of the records is not in them yet, the time of that change. Null without any, and if nothing is known about pending changes
    attributed: Optional[str]
    # When the newest bill rows were imported
    billed: Optional[str]
    # End of the newest charge period of any bill
    billed_until: Optional[str]


class Reconciliation(TypedDict):
    data: List["ReconciliationRow"]
    page: "PageInfo"
    period: ReconciliationPeriod
    billing_periods: "PeriodStatuses"
    totals: "ReconciliationTotals"
    # One for each provider with a bill source, bills in the months of the period, or recorded calls that a row can name. Of a day without a bill the recorded costs are in not_billed_usd; they are no saving
    bill_coverage: List["BillCoverage"]
    # Contract prices that would make the recorded cost agree with the bills of the period, the largest difference first. There is one for each model whose bill names the tokens of every row, with one price for each kind in the whole period, and has exactly the recorded tokens of a day at another cost than recorded, beyond rounding. Charges of a tier, such as batch, and calls of suppressed groups suggest nothing. Records keep their cost until they are reprocessed, and a cost that a producer reported stays
    suggested_prices: List["SuggestedPrice"]
    as_of: ReconciliationAsOf
    # Whether calls or changes from more than 90 seconds ago may be missing from the recorded costs
    recorded_stale: bool
    # True if no bill covers the last 24 hours. The newest days cannot be compared yet
    stale: bool


class _ReconciliationRowRequired(TypedDict):
    invocations: int
    recorded_usd: "RecordedUsd"
    # Known cost of records that are attributed to an owner, including shares of allocated cost
    attributed_usd: str
    # Usage charges of the bills. Null if nothing was billed
    billed_usd: Optional[str]
    # billed − attributed. Null if nothing was billed
    difference_usd: Optional[str]
    # Known cost of records without an owner
    unattributed_usd: str
    # Known cost of groups that contain records with and without an owner. They are not split, because the parts could show the cost of fewer than five persons
    mixed_usd: str
    # Billed for a model on days that have no record of it
    not_seen_usd: str
    # Billed in excess of the recorded cost of the day: calls that were not captured, not priced, or priced too low
    under_recorded_usd: str
    # Recorded in excess of the billed cost: list prices above your prices, or credits
    over_attributed_usd: str
    # Recorded for a model on days without a bill row for it. The bill has not been imported or does not exist
    not_billed_usd: str
    difference_parts: "DifferenceParts"
    # Purchases, taxes, credits and adjustments. They are not compared
    other_charges_usd: str
    # Records whose cost is unknown. No sum includes them
    unpriced_invocations: int
    # Those of them whose cost is implausible and waits for a confirmation. A bill that contains these calls is higher for that reason alone
    implausible_invocations: int
    # True if records were added or changed after the newest bill row was imported
    changed_since_bill: bool
    # group: all records and charges of the named provider, model and day, except those that are folded. folded: records that are shown only together, with all charges of their models and days. A provider or model that they do not share is omitted
    kind: Literal['group', 'folded']
    # Number of groups (provider and model, if `group_by` names them) that are folded into this row. A group counts once for each day on which it occurs
    suppressed_groups: int
    # End of the newest charge period of the bills
    billed_until: Optional[str]


class ReconciliationRow(_ReconciliationRowRequired, total=False):
    # Omitted if it is folded
    provider: str
    # Null: charges without a model. Omitted if it is folded
    model: Optional[str]
    # UTC day. Records and charges of a day with too few persons are counted on another day
    day: str


RecordedUsd = Optional[str]


class DifferenceParts(TypedDict):
    """What explains the difference. Positive: billed above the records. The parts sum exactly to not_seen + under_recorded − over_attributed − not_billed. So billed − attributed = unattributed + mixed + the sum of the parts"""
    # Uncaptured calls: everything that is billed for a model on a day without a record of it, and tokens that are billed beyond the recorded ones, at the average price of the bill
    uncaptured_calls_usd: str
    # Calls that are not on the bill: everything recorded for a model on a day without a bill row, and recorded tokens beyond the billed ones, at the average price of the bill. Never positive
    unbilled_calls_usd: str
    # As many tokens, of other kinds than recorded, for example billed as cache reads and recorded as input
    token_kinds_usd: str
    # Tokens that are billed at a batch price: their charge, compared with the standard price. Only as much as the records differ by
    batch_usd: str
    # Tokens that are billed at the price of another tier, such as flex, priority, a long context or a cache write for one hour. Only as much as the records differ by
    tier_usd: str
    # The recorded tokens at another price, or recorded without a known price, or with a cost that waits for a confirmation (implausible_invocations)
    price_usd: str
    # Rounding of the bill: at most half a unit of its last digit for each row (a digit is a cent or less)
    rounding_usd: str
    # The bill does not show it: rows without a model, without numbers of tokens, or with a tier whose standard price is unknown, and rows of kind folded, whose models are compared together
    unexplained_usd: str


class ReconciliationTotals(TypedDict):
    invocations: int
    recorded_usd: "RecordedUsd"
    # Known cost of records that are attributed to an owner, including shares of allocated cost
    attributed_usd: str
    # Usage charges of the bills. Null if nothing was billed
    billed_usd: Optional[str]
    # billed − attributed. Null if nothing was billed
    difference_usd: Optional[str]
    # Known cost of records without an owner
    unattributed_usd: str
    # Known cost of groups that contain records with and without an owner. They are not split, because the parts could show the cost of fewer than five persons
    mixed_usd: str
    # Billed for a model on days that have no record of it
    not_seen_usd: str
    # Billed in excess of the recorded cost of the day: calls that were not captured, not priced, or priced too low
    under_recorded_usd: str
    # Recorded in excess of the billed cost: list prices above your prices, or credits
    over_attributed_usd: str
    # Recorded for a model on days without a bill row for it. The bill has not been imported or does not exist
    not_billed_usd: str
    difference_parts: "DifferenceParts"
    # Purchases, taxes, credits and adjustments. They are not compared
    other_charges_usd: str
    # Records whose cost is unknown. No sum includes them
    unpriced_invocations: int
    # Those of them whose cost is implausible and waits for a confirmation. A bill that contains these calls is higher for that reason alone
    implausible_invocations: int
    # True if records were added or changed after the newest bill row was imported
    changed_since_bill: bool
    # Number of groups (provider and model, if `group_by` names them) that are folded into this row. A group counts once for each day on which it occurs
    suppressed_groups: int
    # End of the newest charge period of the bills
    billed_until: Optional[str]


class BillCoverage(TypedDict):
    provider: str
    # End of the newest charge of the provider in the months of the period. Null without a bill
    billed_until: Optional[str]
    # With bill sources: true if one of them is late (`is_late`). Otherwise true if a day of the period ended more than 24 hours ago, and neither it nor a later day has a bill. False for a provider without any bill
    is_late: bool
    # UTC days of the period, up to today, without a bill row of the provider. With bill sources also each day for which the provider published nothing to one of them, nor for a later day. A day without usage has no bill either
    days_without_bill: List[str]


class SuggestedPriceEvidenceTokensItem(TypedDict):
    kind: Literal['input', 'cached_input', 'cache_write', 'output', 'reasoning']
    # Billed tokens. The records have as many
    count: int
    billed_usd: str


SuggestedPriceEvidence = TypedDict("SuggestedPriceEvidence", {
    "from": "str",
    "to": "str",
    "days": "int",
    "tokens": "List[SuggestedPriceEvidenceTokensItem]",
    "billed_usd": "str",
    "recorded_usd": "str",
    "unpriced_invocations": "int",
})


class _SuggestedPriceRequired(TypedDict):
    # An element of `prices` of PUT /api/v1/contract-prices. Add it to the prices that GET returns, and send all of them. It has each kind of tokens that the bill names
    price: "ContractPriceOutput"
    evidence: SuggestedPriceEvidence


class SuggestedPrice(_SuggestedPriceRequired, total=False):
    # Regions whose own contract price applies to calls there instead of this price. Correct those prices too. Only with the scope admin:config or finance:config
    overridden_in: List[str]


class BillsImportedRejectedItem(TypedDict):
    index: int
    errors: List["FieldError"]


BillsImported = TypedDict("BillsImported", {
    "rows": "int",
    "rejected_rows": "int",
    "rejected": "List[BillsImportedRejectedItem]",
    "rounded_rows": "int",
    "from": "str",
    "to": "str",
    "billed_usd": "str",
    "as_of": "str",
    "delivery": "BillDelivery",
})


_BillDeliveryRequired = TypedDict("_BillDeliveryRequired", {
    "id": "str",
    "mode": "Literal['replace', 'merge']",
    "state": "Literal['open', 'complete', 'expired']",
    "provider": "Optional[str]",
    "account": "Optional[str]",
    "from": "str",
    "to": "str",
    "rows": "int",
    "rejected_rows": "int",
    "billed_usd": "str",
    "other_charges_usd": "str",
    "imported_at": "str",
    "imported_by": "Optional[str]",
    "source_id": "Optional[str]",
    "expires_at": "Optional[str]",
})
_BillDeliveryOptional = TypedDict("_BillDeliveryOptional", {
    "exchanged": "List[ExchangedAmount]",
}, total=False)


class BillDelivery(_BillDeliveryRequired, _BillDeliveryOptional):
    pass


class ExchangedAmount(TypedDict):
    currency: str
    source: str
    billed: str
    billed_usd: str
    # USD for one unit
    lowest_rate: str
    highest_rate: str


class BillDeliveryPage(TypedDict):
    data: List["BillDelivery"]
    page: "PageInfo"


class BillSourceUnreadDaysItem(TypedDict):
    day: str
    error: "BillImportError"


class BillSource(TypedDict):
    id: str
    provider: "BillProvider"
    name: str
    account: Optional[str]
    # Null for OpenAI and Anthropic
    data_export: Optional["TrustedDataExport"]
    # For charges in other currencies than USD. Null without
    exchange_rates: Optional["ExchangeRatesOutput"]
    # pending: nothing was imported yet. active: the last import completed. failing: the last import did not complete, or left out days, see last_error and unread_days. paused: no imports
    status: Literal['pending', 'active', 'failing', 'paused']
    # When an import last completed
    last_success_at: Optional[str]
    # Why the last import did not complete, or why it left out the first of unread_days. Null if it did, and left out no day
    last_error: Optional["BillImportError"]
    # Days whose report cannot be stored, each with the reason. All other days are imported. These days are tried again every 6 hours
    unread_days: List[BillSourceUnreadDaysItem]
    # The next import starts at the first run from this instant on. Runs start every 15 minutes. After failures the pause grows up to 6 hours. Null while the source is paused
    next_import_at: Optional[str]
    # All days from the first import up to this instant were read from the provider, except for unread_days
    imported_until: Optional[str]
    # End of the newest day for which the provider published charges
    published_until: Optional[str]
    # True if the provider published nothing for a day that ended more than 24 hours ago, and nothing for a later day. Also true if nothing was used for so long. False while the source is paused
    is_late: bool
    created_at: str
    # When its settings last changed
    updated_at: str


class TrustedDataExport(TypedDict):
    location: "DataExportLocation"
    # The AWS Region of the bucket
    region: str
    # An IAM role of your account that may read the export. Its name begins with attribution-bills-
    role_arn: str
    # The external id that the service sends when it assumes the role. The trust policy of the role must require it, so that the service can use the role for nothing else
    external_id: str
    # The IAM role of the service. The trust policy of the role must name it as the principal
    trusted_role_arn: str


class BillSourcePage(TypedDict):
    data: List["BillSource"]
    page: "PageInfo"


class PeriodPage(TypedDict):
    data: List["Period"]
    page: "PageInfo"


class PeriodClosedValue1(TypedDict):
    at: str
    by: str
    # Its exports show the records as of this instant
    as_of: str
    sums: "ExportSums"


class PeriodAdjustmentsItem(TypedDict):
    # UTC month
    booked_in: str
    sums: "ExportSums"


class Period(TypedDict):
    # UTC month
    period: str
    state: "PeriodState"
    closed: Optional[PeriodClosedValue1]
    # What its records have changed by since the close, by the period whose exports have it as corrections. In the open period this follows the records
    adjustments: List[PeriodAdjustmentsItem]


class ExportSums(TypedDict):
    records: int
    cost_usd: "Difference"
    energy_wh: "Difference"
    carbon_gco2e: "Difference"


class _WebhookEndpointWithSecretRequired(TypedDict):
    id: str
    # The normalized URL, which may differ in spelling from the one that was sent
    url: str
    description: Optional[str]
    events: List[str]
    # The most events in one request
    max_batch_size: int
    # pending: only the challenge is sent. disabled: nothing is sent.
    status: Literal['pending', 'verified', 'disabled']
    disabled_reason: "DisabledReason"
    disabled_at: Optional[str]
    # The first failure since the last success. Null while deliveries succeed.
    failing_since: Optional[str]
    # When the open challenge expires. Null when none is open.
    challenge_valid_until: Optional[str]
    secret_rotated_at: Optional[str]
    # Until when deliveries are also signed with the previous secret. Null when they are not.
    previous_secret_valid_until: Optional[str]
    created_at: str
    updated_at: str
    # Id of the key, client or user that created the endpoint
    created_by: str
    # Id of the key, client or user whose scopes allow the events to be sent. It created the endpoint, last changed its URL or events, or last enabled it.
    authorized_by: Optional[str]
    # Signs every delivery. It cannot be read again. The signing key is the whole text, prefix included. Null in an idempotent replay to another credential, scope set or lane than the first
    signing_secret: Optional[str]


class WebhookEndpointWithSecret(_WebhookEndpointWithSecretRequired, total=False):
    # Present if a replay withholds the secret: the reason and the remedy
    withheld: str


DisabledReason = Optional[Literal['admin', 'gone', 'no_success', 'unauthorized']]


class WebhookPage(TypedDict):
    data: List["WebhookEndpoint"]
    page: "PageInfo"


class WebhookEndpoint(TypedDict):
    id: str
    # The normalized URL, which may differ in spelling from the one that was sent
    url: str
    description: Optional[str]
    events: List[str]
    # The most events in one request
    max_batch_size: int
    # pending: only the challenge is sent. disabled: nothing is sent.
    status: Literal['pending', 'verified', 'disabled']
    disabled_reason: "DisabledReason"
    disabled_at: Optional[str]
    # The first failure since the last success. Null while deliveries succeed.
    failing_since: Optional[str]
    # When the open challenge expires. Null when none is open.
    challenge_valid_until: Optional[str]
    secret_rotated_at: Optional[str]
    # Until when deliveries are also signed with the previous secret. Null when they are not.
    previous_secret_valid_until: Optional[str]
    created_at: str
    updated_at: str
    # Id of the key, client or user that created the endpoint
    created_by: str
    # Id of the key, client or user whose scopes allow the events to be sent. It created the endpoint, last changed its URL or events, or last enabled it.
    authorized_by: Optional[str]


class WebhookQueued(TypedDict):
    endpoint_id: str
    # In order of creation
    event_ids: List[str]


class DeliveryPage(TypedDict):
    data: List["WebhookDelivery"]
    page: "PageInfo"


class _WebhookDeliveryRequired(TypedDict):
    id: str
    endpoint_id: str
    event_id: str
    event_type: str
    sequence: int
    # The number of the attempt at this delivery. A replay starts again at 1.
    attempt: int
    attempted_at: str
    # From the start of name resolution to the end of the response
    latency_ms: int
    # The HTTP status. Null when there was no response.
    response_status: Optional[int]
    # dead_lettered: not retried, because it cannot succeed or because 24 hours have passed
    outcome: Literal['acknowledged', 'retried', 'dead_lettered']
    # Why it was not acknowledged. unauthorized: nothing was sent, because authorized_by may no longer read such an event. paused: nothing was sent, because the endpoint was paused for longer than a day. Later versions may add reasons.
    failure: Optional[Literal['status', 'refused_url', 'refused_address', 'dns', 'connect', 'tls', 'timeout', 'redirect', 'reset', 'protocol', 'too_large', 'unauthorized', 'paused']]
    # When the next attempt is due. Null when there is none.
    next_attempt_at: Optional[str]
    # Whether it is a requested sample
    test: bool
    replayed: bool
    # When this entry is deleted
    retained_until: str


class WebhookDelivery(_WebhookDeliveryRequired, total=False):
    # Attempts with the same value were sent in one request. Present if the endpoint receives batches.
    request_id: str


class WebhookEventPage(TypedDict):
    data: List["WebhookEventEntry"]
    page: "PageInfo"


class _WebhookEventEntryRequired(TypedDict):
    # The same as in every delivery of the event
    id: str
    type: "WebhookEventType"
    created_at: str
    tenant_id: str
    # The data of the event, as in the webhook of its type
    data: Dict[str, Any]


class WebhookEventEntry(_WebhookEventEntryRequired, total=False):
    interpretation: "EventInterpretation"


class NotificationPage(TypedDict):
    data: List["InboxNotification"]
    page: "PageInfo"


class InboxNotification(TypedDict):
    id: str
    # When the event was created
    created_at: str
    type: "NotifiableEventType"
    severity: Literal['warning', 'critical']
    title: str
    text: str
    # The API path of the affected resource
    link: str
    # The event. The id of the notification is derived from this id.
    event_id: str
    # The data-residency lane it concerns. Null when it concerns more than one.
    residency: Optional[str]
    # Whether this caller has marked it as read
    is_read: bool


class ReportSubscription(TypedDict):
    id: str
    # week: from Monday to Sunday. month: a calendar month. Both in the time zone of the tenant, and sent after their end
    every: Literal['week', 'month']
    # email: to the recipient. chat: to the chat of the notification channels
    channel: Literal['email', 'chat']
    owner: Optional[str]
    # Id of a user. Null: the chat
    recipient: Optional[str]
    # The lane whose calls it counts. Null: all
    residency: Optional[str]
    created_at: str
    created_by: str


class ReportSubscriptionPage(TypedDict):
    data: List["ReportSubscription"]
    page: "PageInfo"


class TenantSettings(TypedDict):
    tenant_id: str
    name: str
    # Only the operator can change it
    plan: Literal['free', 'standard', 'enterprise']
    residency: "ResidencyLanes"
    # Maximum lifetime of a new API key in days
    key_lifetime_days: int
    stage_b: "StageB"
    cost_allocation_tags: "TagKeys"
    # IANA time zone of days and months in reports and budgets. Default: UTC. A change applies at once, also to earlier calls
    time_zone: str
    # A higher cost of one call is set aside until it is confirmed. Null: only what the usage cannot explain
    largest_reported_cost_usd: Optional["DecimalString"]
    # How cost without an owner is allocated after each UTC day: proportional to attributed spend (default), evenly, by fixed shares, or not at all. Allocated cost is never part of a chargeback
    allocation: "AllocationPolicyOutput"
    # First UTC day on whose calls `cost_allocation_tags` apply. Null: they apply to all calls
    cost_allocation_tags_from: Optional[str]
    # Channels for notifications
    notifications: "NotificationChannels"
    # Whether the tenant holds synthetic data and can be reset
    sandbox: bool
    # Current state of the prediction service
    degradation_state: "DegradationState"
    created_at: str


class NotificationChannelsChat1(TypedDict):
    # Masked after the host
    url: str


class NotificationChannels(TypedDict):
    email: List[str]
    chat: Optional[NotificationChannelsChat1]
    # The lowest severity that is sent by e-mail and chat. Default: warning.
    minimum_severity: Literal['warning', 'critical']
    # Id of the key, client or user that set the channels last. Channels send while it has admin:config, read:reporting, read:attribution, export:create, webhooks:manage. Null before channels are set
    authorized_by: Optional[str]


RateLimitBudgetClassesItem = TypedDict("RateLimitBudgetClassesItem", {
    "class": "Literal['read', 'write', 'ingest', 'bulk']",
    "rate": "float",
    "limit": "int",
    "remaining": "int",
    "reset": "int",
})


class RateLimitBudget(TypedDict):
    plan: str
    classes: List[RateLimitBudgetClassesItem]


class DiagnosticsLast24HoursEventsSetAside(TypedDict):
    """Queued events that could not be recorded, by reason. They are kept in a dead-letter queue, and an operator can redrive them"""
    malformed_message: int
    invalid_event: int
    attribution_failed: int


class DiagnosticsLast24HoursSignals(TypedDict):
    discovery: int
    connector_health: int
    other: int


class DiagnosticsLast24Hours(TypedDict):
    """The current hour and the 23 hours before it, for the whole tenant. A count is readable as soon as its event is recorded, usually within seconds. If the queue delivers a message twice, its counts can be doubled. Records and costs do not depend on them"""
    # Events that were already recorded
    duplicates: int
    # Events with a known event_id and other content from the same credential, capture layer and source system. The first event is kept
    duplicate_mismatches: int
    # Events with a known event_id from another credential, capture layer or source system. Their evidence is merged into the record, which is billed once
    merged_observations: int
    # Events with a known event_id whose cost, usage, model or owner differs from what another credential of the tenant had stated. The first statement is kept, and the explanation of the record names both
    contradicting_statements: int
    # Records of calls that another record stands for, because an id, a trace, or time, model and token counts show it. They count in no total
    joined_calls: int
    # Records that may be of the call of another record, of which several fit. Each counts as a call, so the totals can be too high
    ambiguous_calls: int
    # Calls of OpenTelemetry exports that state no token counts, so that their cost is unknown. Where another instrumentation reports them with their counts in another trace, each is one call too many
    uncounted_calls: int
    # Events of connectors about calls of which they may state nothing. The explanation of the record names them
    rejected_statements: int
    # Content members that ingestion dropped from events
    dropped_members: int
    # Records with a reported amount that their usage cannot explain: a cost that waits for a confirmation (implausible_cost), or energy or carbon (explanation.reported_footprint)
    implausible_amounts: int
    # Queued events that could not be recorded, by reason. They are kept in a dead-letter queue, and an operator can redrive them
    events_set_aside: DiagnosticsLast24HoursEventsSetAside
    # Events that were refused, cleaned or repaired, by member and producer, most first. At most 100
    event_faults: List["EventFault"]
    # OpenTelemetry spans and log records that have token counts and made no record, by scope, most first
    unread_usage: List["UnreadUsage"]
    signals: DiagnosticsLast24HoursSignals


class DiagnosticsFreshness(TypedDict):
    """For the residency lane of the credential, if it is bound to one"""
    # The minute of the newest call in the ledger. Null without a call in the last 31 days
    newest_call: Optional[str]
    # When that minute was aggregated. Reports, budgets and reconciliation include it from then on
    summed_at: Optional[str]


class DiagnosticsReportGroups(TypedDict):
    """Groups of this month in the totals: combinations of owner, service, provider, served model, pathway, lane, and the tags that budgets name"""
    month: str
    # Groups with sums of their own
    count: int
    # Beyond this number, a new group counts under service "(other)", and beyond a second limit under owner "(other)", for the rest of the month. Sums over all groups stay exact
    limit: int


class DiagnosticsLastTraining1(TypedDict):
    version: str
    state: "ModelState"
    trained_at: str
    gate: "GateReport"


class DiagnosticsUnfinishedJobsItem(TypedDict):
    job_id: str
    type: Literal['training', 'reprocessing', 'allocation', 'node_hours', 'archive']
    status: str
    created_at: str


class Diagnostics(TypedDict):
    as_of: str
    # The current hour and the 23 hours before it, for the whole tenant. A count is readable as soon as its event is recorded, usually within seconds. If the queue delivers a message twice, its counts can be doubled. Records and costs do not depend on them
    last_24_hours: DiagnosticsLast24Hours
    # For the residency lane of the credential, if it is bound to one
    freshness: DiagnosticsFreshness
    # Groups of this month in the totals: combinations of owner, service, provider, served model, pathway, lane, and the tags that budgets name
    report_groups: DiagnosticsReportGroups
    last_training: Optional[DiagnosticsLastTraining1]
    unfinished_jobs: List[DiagnosticsUnfinishedJobsItem]
    degradation_state: "DegradationState"


class EventFault(TypedDict):
    # refused: no record was made. dropped: the member was left out. corrected: its form was repaired
    outcome: Literal['refused', 'dropped', 'corrected']
    # The member of the event. content: prompts and the like. event: none of its members
    member: str
    # Id of the credential or AWS principal that sent them. Null without read:attribution
    producer: Optional[str]
    count: int


class JobPage(TypedDict):
    data: List[Union["ExportJob", "BackgroundJob"]]
    page: "PageInfo"


BackgroundJobPeriod1 = TypedDict("BackgroundJobPeriod1", {
    "from": "str",
    "to": "str",
})


class BackgroundJobProgress1(TypedDict):
    done: int
    total: int


class BackgroundJobResult1(TypedDict, total=False):
    # Records read. Absent without read:attribution
    examined: int
    # Records with a new version. Absent without read:attribution
    changed: int
    # Of a training. Null if too few calls were new
    model_version: Optional[str]
    erased_rows: int
    sent_events: int


class BackgroundJobError1(TypedDict):
    reason: Literal['internal']
    detail: str


class BackgroundJob(TypedDict):
    job_id: str
    # Open enumeration. reprocessing: attributes records again. allocation: divides unattributed cost of closed days. node_hours: divides the cost of own nodes in an hour. archive: stores a closed day. sandbox_reset: the newest one
    type: Literal['training', 'reprocessing', 'allocation', 'node_hours', 'archive', 'sandbox_reset']
    status: Literal['queued', 'running', 'succeeded', 'failed']
    created_at: str
    finished_at: Optional[str]
    # The calls that it works on. Null: not a choice of the caller
    period: Optional[BackgroundJobPeriod1]
    # Only records of this recalled model are attributed again
    recalled_model: Optional[str]
    # Records examined, or calls that a reset sent. A total of 0 is not known yet. Null without read:attribution, except of a reset
    progress: Optional[BackgroundJobProgress1]
    # Null until the job has succeeded
    result: Optional[BackgroundJobResult1]
    error: Optional[BackgroundJobError1]


class ExportJobWithFilesError1(TypedDict):
    reason: "ExportFailureReason"
    detail: str


class ExportJobWithFilesProgress(TypedDict):
    """Steps that are done, of all steps. A total of 0 means that the number is not known yet"""
    done: int
    total: int


class _ExportJobWithFilesRequired(TypedDict):
    job_id: str
    type: Literal['focus_export']
    status: "ExportState"
    basis: "ExportBasis"
    created_at: str
    # Id of the credential, user or schedule that created the export
    created_by: str
    # The residency lane of the exported records. Null: all lanes
    residency: Optional[str]
    request: "ExportRequestOutput"
    # The export shows the ledger as of this instant
    as_of: str
    started_at: Optional[str]
    finished_at: Optional[str]
    # Edition of a scheduled export: provisional, or final when late events are included. Null for other exports
    edition: Optional[Literal['provisional', 'final']]
    error: Optional[ExportJobWithFilesError1]
    # Steps that are done, of all steps. A total of 0 means that the number is not known yet
    progress: ExportJobWithFilesProgress
    result: Optional["ExportResult"]
    # The delivery to the destination of the request. Null without one
    delivery: Optional["ExportDelivery"]
    # When the files are deleted: 30 days after the export finished. Null if there are no files yet
    files_expire_at: Optional[str]


class ExportJobWithFiles(_ExportJobWithFilesRequired, total=False):
    # The billing periods that the export overlaps, when it began. A closed one is shown as of its close
    billing_periods: "PeriodStatuses"
    # URL of the file, or of the first file if there are several
    result_url: str
    # URLs of all files in chronological order
    result_urls: List[str]
    # URL of the manifest (JSON): contents of the files, and excluded records by reason
    manifest_url: str
    # URL of the FOCUS metadata of the files (JSON)
    metadata_url: str
    # When these URLs expire. Each request returns new URLs that are valid for 15 minutes
    expires_at: str


class Sandbox(TypedDict):
    # Whether synthetic calls arrive now
    live_traffic: bool
    # When live traffic ends. Null if it is off
    live_until: Optional[str]
    # The newest reset. Null if there was none
    reset: Optional["SandboxReset"]


class SandboxReset(TypedDict):
    reset_id: str
    # A reset is repeated until it succeeds, so there is no failed state
    status: Literal['queued', 'running', 'succeeded']
    requested_at: str
    finished_at: Optional[str]
    # Table rows that were deleted so far
    erased_rows: int
    # Synthetic calls that were queued so far, of 3000. They are readable within about a minute
    sent_events: int
    # The reset as a job, at /api/v1/jobs/{job_id}
    job_id: str


class CallerTenant(TypedDict):
    id: str
    name: str
    plan: Literal['free', 'standard', 'enterprise']
    # Whether the data of the tenant is synthetic
    sandbox: bool


class Caller(TypedDict):
    type: Literal['api_key', 'oauth_client', 'user']
    id: str
    # Of a user; otherwise null
    email: Optional[str]
    # Of a user; otherwise null
    role: Optional[Literal['admin', 'finops', 'engineer', 'viewer']]
    # What this credential may do now
    scopes: List["Scope"]
    # The lane that the credential is bound to; null if it is bound to none
    residency: Optional[str]
    # When the user last signed in. Some operations need a sign-in within 15 minutes
    signed_in_at: Optional[str]
    tenant: CallerTenant


class User(TypedDict):
    id: str
    email: str
    role: "UserRole"
    state: Literal['active', 'removed']
    created_at: str
    removed_at: Optional[str]


class UserPage(TypedDict):
    data: List["User"]
    page: "PageInfo"


class _ApiKeyWithSecretRequired(TypedDict):
    id: str
    name: str
    scopes: List["Scope"]
    residency: Optional[str]
    state: Literal['active', 'rotating', 'revoked', 'expired']
    created_by: str
    created_at: str
    rotated_at: Optional[str]
    expires_at: str
    revoked_at: Optional[str]
    previous_secret_valid_until: Optional[str]
    last_used_at: "LastUsedAt"
    # The API key. It cannot be read again. Null in an idempotent replay to another credential, scope set or lane than the first
    secret: Optional[str]


class ApiKeyWithSecret(_ApiKeyWithSecretRequired, total=False):
    # Present if a replay withholds the secret: the reason and the remedy
    withheld: str


LastUsedAt = Optional[str]


class ApiKeyPage(TypedDict):
    data: List["ApiKey"]
    page: "PageInfo"


class ApiKey(TypedDict):
    id: str
    name: str
    scopes: List["Scope"]
    residency: Optional[str]
    state: Literal['active', 'rotating', 'revoked', 'expired']
    created_by: str
    created_at: str
    rotated_at: Optional[str]
    expires_at: str
    revoked_at: Optional[str]
    previous_secret_valid_until: Optional[str]
    last_used_at: "LastUsedAt"


class _OAuthClientWithSecretRequired(TypedDict):
    client_id: str
    name: str
    scopes: List["Scope"]
    source_systems: List[str]
    # Capture layer of the events of a connector. Null for all other clients
    ingestion_layer: Optional[str]
    fills_other_sources: bool
    residency: Optional[str]
    grant_types: List[Literal['client_credentials', 'authorization_code', 'refresh_token']]
    redirect_uris: List[str]
    token_endpoint_auth_method: Literal['client_secret_basic', 'client_secret_post', 'none']
    created_by: str
    created_at: str
    previous_secret_valid_until: Optional[str]
    last_used_at: "LastUsedAt"
    # Cannot be read again. Null for a public client. Null in an idempotent replay to another credential, scope set or lane than the first
    client_secret: Optional[str]


class OAuthClientWithSecret(_OAuthClientWithSecretRequired, total=False):
    # Present if a replay withholds the secret: the reason and the remedy
    withheld: str


class OAuthClientPage(TypedDict):
    data: List["OAuthClient"]
    page: "PageInfo"


class OAuthClient(TypedDict):
    client_id: str
    name: str
    scopes: List["Scope"]
    source_systems: List[str]
    # Capture layer of the events of a connector. Null for all other clients
    ingestion_layer: Optional[str]
    fills_other_sources: bool
    residency: Optional[str]
    grant_types: List[Literal['client_credentials', 'authorization_code', 'refresh_token']]
    redirect_uris: List[str]
    token_endpoint_auth_method: Literal['client_secret_basic', 'client_secret_post', 'none']
    created_by: str
    created_at: str
    previous_secret_valid_until: Optional[str]
    last_used_at: "LastUsedAt"


class AuthorizationServerMetadata(TypedDict):
    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    revocation_endpoint: str
    jwks_uri: str
    scopes_supported: List[Literal['read:attribution', 'read:lookup', 'read:reporting', 'export:create', 'webhooks:manage', 'admin:config', 'finance:config', 'ingest:write', 'partner:connector']]
    response_types_supported: List[str]
    response_modes_supported: List[str]
    grant_types_supported: List[Literal['client_credentials', 'authorization_code', 'refresh_token']]
    code_challenge_methods_supported: List[str]
    token_endpoint_auth_methods_supported: List[Literal['client_secret_basic', 'client_secret_post', 'none']]
    revocation_endpoint_auth_methods_supported: List[Literal['client_secret_basic', 'client_secret_post', 'none']]
    authorization_response_iss_parameter_supported: bool
    service_documentation: str


class JwksKeysItem(TypedDict):
    kty: Literal['EC']
    crv: Literal['P-256']
    x: str
    y: str
    kid: str
    alg: Literal['ES256']
    use: Literal['sig']


class Jwks(TypedDict):
    keys: List[JwksKeysItem]


class _TokenResponseRequired(TypedDict):
    access_token: str
    token_type: Literal['Bearer']
    # Seconds
    expires_in: int
    # Space-separated
    scope: str


class TokenResponse(_TokenResponseRequired, total=False):
    # Present for the grant of a user if the client has the grant type refresh_token. Replaces the previous refresh token
    refresh_token: str


Revoked = Dict[str, Any]


class AuditPage(TypedDict):
    data: List["AuditEntry"]
    page: "PageInfo"


class AuditEntryActor(TypedDict):
    type: Literal['api_key', 'oauth_client', 'user', 'operator']
    id: str


class _AuditEntryRequired(TypedDict):
    id: str
    at: str
    action: "AuditAction"
    actor: AuditEntryActor
    # Id of the affected resource; null if there is none
    resource: Optional[str]
    outcome: Literal['succeeded', 'refused']
    # Of a refusal; null if the action succeeded
    error_code: Optional["ErrorCode"]
    # Host and port of a rejected URL (WEBHOOK_URL_REJECTED), nothing else of it; otherwise null
    refused_host: Optional[str]
    # Client address as seen by the gateway; null for operators
    source_ip: Optional[str]
    trace_id: Optional[str]
    # What changed, at most 40 members. Empty for refusals and reads
    changes: List["AuditChange"]
    # Number of further changed members
    more_changes: int


class AuditEntry(_AuditEntryRequired, total=False):
    # operationId. Only for records.read, access.denied and connector.access, of which the first of equal calls in each hour is an entry
    operation: str


class AuditChange(TypedDict):
    """Values are text or JSON, at most 200 characters. Secrets are [redacted], also in URLs"""
    # JSON Pointer (RFC 6901) to the member of the resource
    pointer: str
    before: Optional[str]
    after: Optional[str]


class Health(TypedDict):
    status: Literal['ok']


class Readiness(TypedDict):
    status: Literal['ready', 'not_ready']
    checks: "ReadinessChecks"


class ContractChangelogReleasesItem(TypedDict):
    version: str
    date: str
    # Since the release before
    changes: List["ContractChange"]


class ContractChangelog(TypedDict):
    # Releases of this major version, newest first
    releases: List[ContractChangelogReleasesItem]
    # Changes of this deployment since the newest release
    unreleased: List["ContractChange"]


class ContractChange(TypedDict):
    # The part of the version that the change raises. Only a major change can break a client
    bump: Literal['major', 'minor', 'patch']
    # Method and path, or the webhook event
    operation: str
    # The place in the operation
    at: str
    change: str


class ErrorCatalogueErrorsItem(TypedDict):
    error_code: "ErrorCode"
    status: int
    title: str
    retryable: bool
    # Cause and remedy
    help: str
    # type and docs_url of the problem
    type: str


class ErrorCatalogue(TypedDict):
    # Semantic version. A new error code raises the minor version
    version: str
    errors: List[ErrorCatalogueErrorsItem]


class ErrorPage(TypedDict):
    error_code: "ErrorCode"
    status: int
    title: str
    retryable: bool
    # Cause and remedy
    help: str


class NotificationHelp(TypedDict):
    type: "NotifiableEventType"
    title: str
    # What it means and what to do
    help: str
    # A command that reads the notifications of this type
    read_notification: str
    # A command that reads what the notification is about. The notification has its path in `link`
    read_subject: str
    # The OpenAPI document
    reference: str


class WebhookChallengeAnswer(TypedDict):
    challenge: str


class MappingConditionOutput(TypedDict):
    field: "MappableField"
    operator: "MappingOperator"
    # At most 128 characters for a glob
    value: str


class BudgetScopeOutput(TypedDict, total=False):
    """Filters of the calls that count towards the budget. A call must match all of them. An empty scope matches every call"""
    owner: str
    service: str
    provider: str
    served_model: str
    # Cloud region that served the calls
    region: str
    tags: "BudgetTags"


class CoverageExpectationsOutputExpectationsItem(TypedDict):
    pathway_category: "PathwayCategory"
    # Values of ingestion_layer in events
    layers: List[str]


class CoverageExpectationsOutput(TypedDict):
    # A pathway that is left out has no expected layers
    expectations: List[CoverageExpectationsOutputExpectationsItem]


ExportRequestOutputPeriod = TypedDict("ExportRequestOutputPeriod", {
    "from": "DayOrInstant",
    "to": "DayOrInstant",
})


class _ExportRequestOutputRequired(TypedDict):
    format: Literal['focus']
    period: ExportRequestOutputPeriod
    group_by: "ExportGrouping"
    granularity: "Granularity"
    file_format: Literal['csv', 'csv.gz', 'parquet']
    focus_version: Literal['1.2', '1.3', '1.4', '1.5-draft']
    cost_mode: "CostMode"


class ExportRequestOutput(_ExportRequestOutputRequired, total=False):
    tags: "ExportTags"
    columns: "ExportColumns"
    # Reader of CSV. program: original text
    consumer: Literal['spreadsheet', 'program']
    importer: "Importer"
    delivery: "ExportDeliveryTargetOutput"


class ExportDeliveryTargetOutput(TypedDict):
    """Puts the files into a bucket of yours too. The export covers one UTC month, or its part up to now"""
    # The export destination
    destination_id: str
    # The folder of the report below the location of the destination. One name for one report
    name: str


class _ExportTermsOutputRequired(TypedDict):
    format: Literal['focus']
    group_by: "ExportGrouping"
    granularity: "Granularity"
    file_format: Literal['csv', 'csv.gz', 'parquet']
    focus_version: Literal['1.2', '1.3', '1.4', '1.5-draft']
    cost_mode: "CostMode"


class ExportTermsOutput(_ExportTermsOutputRequired, total=False):
    tags: "ExportTags"
    columns: "ExportColumns"
    # Reader of CSV. program: original text
    consumer: Literal['spreadsheet', 'program']
    importer: "Importer"
    delivery: "ExportDeliveryTargetOutput"


_ContractPriceOutputRequired = TypedDict("_ContractPriceOutputRequired", {
    "provider": "str",
    "model": "str",
    "from": "Timestamp",
})
_ContractPriceOutputOptional = TypedDict("_ContractPriceOutputOptional", {
    "region": "str",
    "billing_mode": "BillingMode",
    "input": "UnitPrice",
    "cached_input": "UnitPrice",
    "cache_write": "UnitPrice",
    "cache_write_1h": "UnitPrice",
    "output": "UnitPrice",
    "reasoning": "UnitPrice",
    "audio_input": "UnitPrice",
    "cached_audio_input": "UnitPrice",
    "audio_output": "UnitPrice",
    "image_input": "UnitPrice",
    "cached_image_input": "UnitPrice",
    "image_output": "UnitPrice",
    "request": "UnitPrice",
    "search": "UnitPrice",
    "file_search": "UnitPrice",
    "code_execution": "UnitPrice",
    "rerank_search": "UnitPrice",
    "audio_second": "UnitPrice",
    "video_second": "UnitPrice",
    "image": "UnitPrice",
    "page": "UnitPrice",
    "character": "UnitPrice",
    "bands": "List[PriceBandOutput]",
    "batch": "TierPricesOutput",
    "flex": "TierPricesOutput",
    "priority": "TierPricesOutput",
    "source": "str",
}, total=False)


class ContractPriceOutput(_ContractPriceOutputRequired, _ContractPriceOutputOptional):
    pass


class _PriceBandOutputRequired(TypedDict):
    # The prices apply to all tokens of a call that reads more tokens than this. Cached tokens count as read
    above_tokens: int


class PriceBandOutput(_PriceBandOutputRequired, total=False):
    input: "UnitPrice"
    cached_input: "UnitPrice"
    cache_write: "UnitPrice"
    # Cache writes kept for an hour. `cache_write`: for a shorter time
    cache_write_1h: "UnitPrice"
    output: "UnitPrice"
    reasoning: "UnitPrice"
    audio_input: "UnitPrice"
    cached_audio_input: "UnitPrice"
    audio_output: "UnitPrice"
    image_input: "UnitPrice"
    cached_image_input: "UnitPrice"
    image_output: "UnitPrice"
    request: "UnitPrice"
    # Web searches that the provider ran for a call
    search: "UnitPrice"
    # Searches of files or vector stores that the provider ran
    file_search: "UnitPrice"
    # Sessions or runs of a code interpreter of the provider
    code_execution: "UnitPrice"
    # Searches of a rerank model
    rerank_search: "UnitPrice"
    # Seconds of audio that were read or generated
    audio_second: "UnitPrice"
    # Seconds of video
    video_second: "UnitPrice"
    # Generated images
    image: "UnitPrice"
    # Pages of documents
    page: "UnitPrice"
    # Characters, for speech
    character: "UnitPrice"


class TierPricesOutput(TypedDict, total=False):
    """Prices of a service tier. A kind or band that they leave out costs as much more or less than the standard price as the kind that contains it"""
    input: "UnitPrice"
    cached_input: "UnitPrice"
    cache_write: "UnitPrice"
    # Cache writes kept for an hour. `cache_write`: for a shorter time
    cache_write_1h: "UnitPrice"
    output: "UnitPrice"
    reasoning: "UnitPrice"
    audio_input: "UnitPrice"
    cached_audio_input: "UnitPrice"
    audio_output: "UnitPrice"
    image_input: "UnitPrice"
    cached_image_input: "UnitPrice"
    image_output: "UnitPrice"
    request: "UnitPrice"
    # Web searches that the provider ran for a call
    search: "UnitPrice"
    # Searches of files or vector stores that the provider ran
    file_search: "UnitPrice"
    # Sessions or runs of a code interpreter of the provider
    code_execution: "UnitPrice"
    # Searches of a rerank model
    rerank_search: "UnitPrice"
    # Seconds of audio that were read or generated
    audio_second: "UnitPrice"
    # Seconds of video
    video_second: "UnitPrice"
    # Generated images
    image: "UnitPrice"
    # Pages of documents
    page: "UnitPrice"
    # Characters, for speech
    character: "UnitPrice"
    # Prices of calls with a long context
    bands: List["PriceBandOutput"]


class _NodePoolOutputServesItemRequired(TypedDict):
    # As the events name it
    provider: str
    # A model id, or a prefix that ends in *
    model: str


class NodePoolOutputServesItem(_NodePoolOutputServesItemRequired, total=False):
    # Only calls with this region
    region: str
    # Only calls to this host (server_address), whatever client made them
    host: str


_NodePoolOutputRatesItemRequired = TypedDict("_NodePoolOutputRatesItemRequired", {
    "from": "Timestamp",
    "node_hour_usd": "DecimalString",
    "nodes": "int",
})
_NodePoolOutputRatesItemOptional = TypedDict("_NodePoolOutputRatesItemOptional", {
    "node_watts": "DecimalString",
}, total=False)


class NodePoolOutputRatesItem(_NodePoolOutputRatesItemRequired, _NodePoolOutputRatesItemOptional):
    pass


class NodePoolOutputWeights(TypedDict):
    """Measured work of a token, relative to the others. Without it, an output token counts as four input tokens and a cached one as a tenth, and the cost is a range"""
    input: "DecimalString"
    cached_input: "DecimalString"
    output: "DecimalString"


class _NodePoolOutputRequired(TypedDict):
    name: str
    serves: List[NodePoolOutputServesItem]
    rates: List[NodePoolOutputRatesItem]


class NodePoolOutput(_NodePoolOutputRequired, total=False):
    # Measured work of a token, relative to the others. Without it, an output token counts as four input tokens and a cached one as a tenth, and the cost is a range
    weights: NodePoolOutputWeights


class ExchangeRatesOutput(TypedDict):
    # Who published the rates
    source: str
    # The currency whose unit the rates are for
    base: str
    # Units of each currency for one unit of the base, by day
    rates: Dict[str, Dict[str, str]]


class ReadMarkOutput(TypedDict):
    # Notifications created up to this time are read
    until: "Timestamp"


class AllocationPolicyOutput1(TypedDict):
    method: Literal['proportional']


class AllocationPolicyOutput2(TypedDict):
    method: Literal['even']


class AllocationPolicyOutput3FixedItem(TypedDict):
    owner: str
    # Part of the whole as a decimal string: above 0, at most 1
    share: str


class AllocationPolicyOutput3(TypedDict):
    method: Literal['fixed']
    # The rest up to 1 stays unallocated
    fixed: List[AllocationPolicyOutput3FixedItem]


class AllocationPolicyOutput4(TypedDict):
    method: Literal['none']


AllocationPolicyOutput = Union[AllocationPolicyOutput1, AllocationPolicyOutput2, AllocationPolicyOutput3, AllocationPolicyOutput4]


ListAttributionQuery = TypedDict("ListAttributionQuery", {
    "limit": "int",
    "sort": "Literal['occurred_at', '-occurred_at', 'cost_usd', '-cost_usd', 'confidence', '-confidence']",
    "occurred_at": "DayOrInstant",
    "occurred_at[eq]": "DayOrInstant",
    "occurred_at[ne]": "DayOrInstant",
    "occurred_at[gt]": "DayOrInstant",
    "occurred_at[gte]": "DayOrInstant",
    "occurred_at[lt]": "DayOrInstant",
    "occurred_at[lte]": "DayOrInstant",
    "cost_usd": "DecimalString",
    "cost_usd[eq]": "DecimalString",
    "cost_usd[ne]": "DecimalString",
    "cost_usd[gt]": "DecimalString",
    "cost_usd[gte]": "DecimalString",
    "cost_usd[lt]": "DecimalString",
    "cost_usd[lte]": "DecimalString",
    "cost_usd[exists]": "Literal['true', 'false']",
    "confidence": "ConfidenceBound",
    "confidence[eq]": "ConfidenceBound",
    "confidence[ne]": "ConfidenceBound",
    "confidence[gt]": "ConfidenceBound",
    "confidence[gte]": "ConfidenceBound",
    "confidence[lt]": "ConfidenceBound",
    "confidence[lte]": "ConfidenceBound",
    "owner": "str",
    "owner[eq]": "str",
    "owner[ne]": "str",
    "owner[in]": "Union[str, List[str]]",
    "owner[contains]": "str",
    "owner[exists]": "Literal['true', 'false']",
    "service": "str",
    "service[eq]": "str",
    "service[ne]": "str",
    "service[in]": "Union[str, List[str]]",
    "service[contains]": "str",
    "service[exists]": "Literal['true', 'false']",
    "end_user": "str",
    "end_user[eq]": "str",
    "end_user[ne]": "str",
    "end_user[in]": "Union[str, List[str]]",
    "end_user[contains]": "str",
    "end_user[exists]": "Literal['true', 'false']",
    "provider": "str",
    "provider[eq]": "str",
    "provider[ne]": "str",
    "provider[in]": "Union[str, List[str]]",
    "served_model": "str",
    "served_model[eq]": "str",
    "served_model[ne]": "str",
    "served_model[in]": "Union[str, List[str]]",
    "served_model[contains]": "str",
    "pathway_category": "PathwayCategory",
    "pathway_category[eq]": "PathwayCategory",
    "pathway_category[ne]": "PathwayCategory",
    "pathway_category[in]": "Union[str, List[PathwayCategory]]",
    "output_state": "OutputState",
    "output_state[eq]": "OutputState",
    "output_state[ne]": "OutputState",
    "output_state[in]": "Union[str, List[OutputState]]",
    "confidence_band": "ConfidenceBand",
    "confidence_band[eq]": "ConfidenceBand",
    "confidence_band[ne]": "ConfidenceBand",
    "confidence_band[in]": "Union[str, List[ConfidenceBand]]",
    "stage_origin": "Literal['stage_a', 'stage_b', 'stage_c']",
    "stage_origin[eq]": "Literal['stage_a', 'stage_b', 'stage_c']",
    "stage_origin[ne]": "Literal['stage_a', 'stage_b', 'stage_c']",
    "stage_origin[in]": "Union[str, List[Literal['stage_a', 'stage_b', 'stage_c']]]",
    "cost_unknown": "CostUnknown",
    "cost_unknown[eq]": "CostUnknown",
    "cost_unknown[ne]": "CostUnknown",
    "status": "Literal['ok', 'error', 'incomplete']",
    "status[eq]": "Literal['ok', 'error', 'incomplete']",
    "status[ne]": "Literal['ok', 'error', 'incomplete']",
    "invocation_id": "str",
    "invocation_id[eq]": "str",
    "invocation_id[ne]": "str",
    "invocation_id[in]": "Union[str, List[str]]",
    "trace_id": "str",
    "trace_id[eq]": "str",
    "trace_id[ne]": "str",
    "trace_id[in]": "Union[str, List[str]]",
}, total=False)


class ListAttributionVersionsQuery(TypedDict, total=False):
    # Page size. Default: 50
    limit: int


class ListDisputesQuery(TypedDict, total=False):
    # Page size. Default: 50
    limit: int
    # Default: both
    status: Literal['open', 'resolved']


class ListIdentityMappingsQuery(TypedDict, total=False):
    # Page size. Default: 50
    limit: int


class ListModelsQuery(TypedDict, total=False):
    # Page size. Default: 50
    limit: int


GetUsageReportQuery = TypedDict("GetUsageReportQuery", {
    "from": "ReportBound",
    "to": "ReportBound",
    "interval": "Literal['hour', 'day', 'month']",
    "owner": "str",
    "owner[ne]": "str",
    "owner[in]": "Union[str, List[str]]",
    "owner[exists]": "Literal['true', 'false']",
    "service": "str",
    "service[ne]": "str",
    "service[in]": "Union[str, List[str]]",
    "service[exists]": "Literal['true', 'false']",
    "provider": "str",
    "provider[ne]": "str",
    "provider[in]": "Union[str, List[str]]",
    "served_model": "str",
    "served_model[ne]": "str",
    "served_model[in]": "Union[str, List[str]]",
    "pathway_category": "PathwayCategory",
    "pathway_category[ne]": "PathwayCategory",
    "pathway_category[in]": "Union[str, List[PathwayCategory]]",
    "region": "str",
    "region[ne]": "str",
    "region[in]": "Union[str, List[str]]",
    "region[exists]": "Literal['true', 'false']",
    "tags": "Union[str, List[str]]",
    "limit": "int",
    "group_by": "Union[str, List[Union[Literal['owner', 'service', 'provider', 'served_model', 'pathway_category', 'region', 'day', 'hour'], str]]]",
    "top": "int",
    "top_by": "Literal['cost_usd', 'energy_wh', 'carbon_gco2e', 'invocations', 'unpriced_invocations']",
    "compare": "Literal['previous_period']",
    "previous_from": "ReportBound",
    "previous_to": "ReportBound",
}, total=False)


GetAdoptionReportQuery = TypedDict("GetAdoptionReportQuery", {
    "from": "ReportBound",
    "to": "ReportBound",
    "interval": "Literal['hour', 'day', 'month']",
    "owner": "str",
    "owner[ne]": "str",
    "owner[in]": "Union[str, List[str]]",
    "owner[exists]": "Literal['true', 'false']",
    "service": "str",
    "service[ne]": "str",
    "service[in]": "Union[str, List[str]]",
    "service[exists]": "Literal['true', 'false']",
    "provider": "str",
    "provider[ne]": "str",
    "provider[in]": "Union[str, List[str]]",
    "served_model": "str",
    "served_model[ne]": "str",
    "served_model[in]": "Union[str, List[str]]",
    "pathway_category": "PathwayCategory",
    "pathway_category[ne]": "PathwayCategory",
    "pathway_category[in]": "Union[str, List[PathwayCategory]]",
    "region": "str",
    "region[ne]": "str",
    "region[in]": "Union[str, List[str]]",
    "region[exists]": "Literal['true', 'false']",
    "tags": "Union[str, List[str]]",
    "limit": "int",
    "group_by": "Union[str, List[Union[Literal['owner', 'service', 'provider', 'served_model', 'pathway_category', 'region'], str]]]",
}, total=False)


GetForecastReportQuery = TypedDict("GetForecastReportQuery", {
    "period": "Literal['month', 'quarter']",
    "owner": "str",
    "owner[ne]": "str",
    "owner[in]": "Union[str, List[str]]",
    "owner[exists]": "Literal['true', 'false']",
    "service": "str",
    "service[ne]": "str",
    "service[in]": "Union[str, List[str]]",
    "service[exists]": "Literal['true', 'false']",
    "provider": "str",
    "provider[ne]": "str",
    "provider[in]": "Union[str, List[str]]",
    "served_model": "str",
    "served_model[ne]": "str",
    "served_model[in]": "Union[str, List[str]]",
    "pathway_category": "PathwayCategory",
    "pathway_category[ne]": "PathwayCategory",
    "pathway_category[in]": "Union[str, List[PathwayCategory]]",
    "region": "str",
    "region[ne]": "str",
    "region[in]": "Union[str, List[str]]",
    "region[exists]": "Literal['true', 'false']",
    "tags": "Union[str, List[str]]",
    "group_by": "Union[str, List[Union[Literal['owner', 'service', 'provider', 'served_model', 'pathway_category', 'region'], str]]]",
    "limit": "int",
}, total=False)


GetChangesReportQuery = TypedDict("GetChangesReportQuery", {
    "from": "ReportBound",
    "to": "ReportBound",
    "previous_from": "ReportBound",
    "previous_to": "ReportBound",
    "owner": "str",
    "owner[ne]": "str",
    "owner[in]": "Union[str, List[str]]",
    "owner[exists]": "Literal['true', 'false']",
    "service": "str",
    "service[ne]": "str",
    "service[in]": "Union[str, List[str]]",
    "service[exists]": "Literal['true', 'false']",
    "provider": "str",
    "provider[ne]": "str",
    "provider[in]": "Union[str, List[str]]",
    "served_model": "str",
    "served_model[ne]": "str",
    "served_model[in]": "Union[str, List[str]]",
    "pathway_category": "PathwayCategory",
    "pathway_category[ne]": "PathwayCategory",
    "pathway_category[in]": "Union[str, List[PathwayCategory]]",
    "region": "str",
    "region[ne]": "str",
    "region[in]": "Union[str, List[str]]",
    "region[exists]": "Literal['true', 'false']",
    "tags": "Union[str, List[str]]",
    "group_by": "Union[str, List[Union[Literal['owner', 'service', 'provider', 'served_model', 'pathway_category', 'region'], str]]]",
    "limit": "int",
}, total=False)


GetUnitCostsReportQuery = TypedDict("GetUnitCostsReportQuery", {
    "from": "ReportBound",
    "to": "ReportBound",
    "interval": "Literal['hour', 'day', 'month']",
    "owner": "str",
    "owner[ne]": "str",
    "owner[in]": "Union[str, List[str]]",
    "owner[exists]": "Literal['true', 'false']",
    "service": "str",
    "service[ne]": "str",
    "service[in]": "Union[str, List[str]]",
    "service[exists]": "Literal['true', 'false']",
    "provider": "str",
    "provider[ne]": "str",
    "provider[in]": "Union[str, List[str]]",
    "served_model": "str",
    "served_model[ne]": "str",
    "served_model[in]": "Union[str, List[str]]",
    "pathway_category": "PathwayCategory",
    "pathway_category[ne]": "PathwayCategory",
    "pathway_category[in]": "Union[str, List[PathwayCategory]]",
    "region": "str",
    "region[ne]": "str",
    "region[in]": "Union[str, List[str]]",
    "region[exists]": "Literal['true', 'false']",
    "tags": "Union[str, List[str]]",
    "limit": "int",
    "group_by": "Union[str, List[Union[Literal['owner', 'service', 'provider', 'served_model', 'pathway_category', 'region'], str]]]",
}, total=False)


GetSavingsReportQuery = TypedDict("GetSavingsReportQuery", {
    "from": "ReportBound",
    "to": "ReportBound",
    "owner": "str",
    "owner[ne]": "str",
    "owner[in]": "Union[str, List[str]]",
    "owner[exists]": "Literal['true', 'false']",
    "service": "str",
    "service[ne]": "str",
    "service[in]": "Union[str, List[str]]",
    "service[exists]": "Literal['true', 'false']",
    "provider": "str",
    "provider[ne]": "str",
    "provider[in]": "Union[str, List[str]]",
    "served_model": "str",
    "served_model[ne]": "str",
    "served_model[in]": "Union[str, List[str]]",
    "pathway_category": "PathwayCategory",
    "pathway_category[ne]": "PathwayCategory",
    "pathway_category[in]": "Union[str, List[PathwayCategory]]",
    "region": "str",
    "region[ne]": "str",
    "region[in]": "Union[str, List[str]]",
    "region[exists]": "Literal['true', 'false']",
    "tags": "Union[str, List[str]]",
    "dismissed": "Literal['exclude', 'include', 'only']",
    "limit": "int",
}, total=False)


class ListSavingDismissalsQuery(TypedDict, total=False):
    # Page size. Default: 50
    limit: int


class ListAnnotationsQuery(TypedDict, total=False):
    # Page size. Default: 50
    limit: int


class ListSavedViewsQuery(TypedDict, total=False):
    # Page size. Default: 50
    limit: int


GetMetricCostsQuery = TypedDict("GetMetricCostsQuery", {
    "from": "ReportBound",
    "to": "ReportBound",
    "name": "str",
    "interval": "Literal['day', 'month']",
    "limit": "int",
}, total=False)


class ListBusinessMetricsQuery(TypedDict, total=False):
    # Page size. Default: 50
    limit: int


GetNodeHoursQuery = TypedDict("GetNodeHoursQuery", {
    "from": "ReportBound",
    "to": "ReportBound",
}, total=False)


GetUnownedReportQuery = TypedDict("GetUnownedReportQuery", {
    "from": "ReportBound",
    "to": "ReportBound",
    "service": "str",
    "service[exists]": "Literal['true', 'false']",
    "suggestions": "Literal['true', 'false']",
    "top": "int",
}, total=False)


class LookUpAttributionQuery(TypedDict, total=False):
    # Who pays
    attributed_identity: str
    # The person who uses the feature. The owner is another, unless a mapping names one
    end_user: str
    attributed_service: str
    spiffe_id: str
    k8s_cluster: str
    k8s_namespace: str
    k8s_workload: str
    # Name of the provider API key that was billed. Never send the secret
    api_key_name: str
    source_system: str
    # As text: comma-separated
    tags: Union[str, List[str]]
    # For budgets by provider
    provider: str
    # For budgets by model
    served_model: str
    # For budgets by region
    region: str


class ListBudgetsQuery(TypedDict, total=False):
    # Page size. Default: 50
    limit: int


class ListBudgetPeriodsQuery(TypedDict, total=False):
    # Page size. Default: 50
    limit: int


class ListAnomaliesQuery(TypedDict, total=False):
    # Page size. Default: 50
    limit: int


class ListExportsQuery(TypedDict, total=False):
    # Page size. Default: 50
    limit: int


class ListExportSchedulesQuery(TypedDict, total=False):
    # Page size. Default: 50
    limit: int


class ListExportDestinationsQuery(TypedDict, total=False):
    # Page size. Default: 50
    limit: int


GetReconciliationQuery = TypedDict("GetReconciliationQuery", {
    "limit": "int",
    "from": "UtcDay",
    "to": "UtcDay",
    "group_by": "Union[str, List[Literal['provider', 'model', 'day']]]",
}, total=False)


class ListBillsQuery(TypedDict, total=False):
    # Page size. Default: 50
    limit: int


class ListBillSourcesQuery(TypedDict, total=False):
    # Page size. Default: 50
    limit: int


class ListPeriodsQuery(TypedDict, total=False):
    # Page size. Default: 50
    limit: int


class ListWebhooksQuery(TypedDict, total=False):
    # Page size. Default: 50
    limit: int


ListWebhookDeliveriesQuery = TypedDict("ListWebhookDeliveriesQuery", {
    "limit": "int",
    "sort": "Literal['attempted_at', '-attempted_at']",
    "outcome": "Literal['acknowledged', 'retried', 'dead_lettered']",
    "response_status": "int",
    "event_type": "str",
    "event_id": "str",
    "attempted_at[gt]": "DayOrInstant",
    "attempted_at[gte]": "DayOrInstant",
    "attempted_at[lt]": "DayOrInstant",
    "attempted_at[lte]": "DayOrInstant",
}, total=False)


ListWebhookEventsQuery = TypedDict("ListWebhookEventsQuery", {
    "types": "Union[str, List[WebhookEventType]]",
    "from": "DayOrInstant",
    "last_seconds": "int",
    "to": "DayOrInstant",
    "limit": "int",
}, total=False)


class ListNotificationsQuery(TypedDict, total=False):
    # Page size. Default: 50
    limit: int
    type: "NotifiableEventType"
    severity: Literal['warning', 'critical']


class ListReportSubscriptionsQuery(TypedDict, total=False):
    # Page size. Default: 50
    limit: int


class ListJobsQuery(TypedDict, total=False):
    # Only jobs of this type. Default: all
    type: Literal['focus_export', 'training', 'reprocessing', 'allocation', 'node_hours', 'archive', 'sandbox_reset']
    # Page size. Default: 50
    limit: int


ListJobsItem = Union["ExportJob", "BackgroundJob"]


GetJobResult = Union["ExportJobWithFiles", "BackgroundJob"]


class ListUsersQuery(TypedDict, total=False):
    # Page size. Default: 50
    limit: int


class ListApiKeysQuery(TypedDict, total=False):
    # Page size. Default: 50
    limit: int


class ListOAuthClientsQuery(TypedDict, total=False):
    # Page size. Default: 50
    limit: int


ListAuditLogQuery = TypedDict("ListAuditLogQuery", {
    "limit": "int",
    "sort": "Literal['at', '-at']",
    "action": "AuditAction",
    "actor": "str",
    "resource": "str",
    "outcome": "Literal['succeeded', 'refused']",
    "at[gt]": "DayOrInstant",
    "at[gte]": "DayOrInstant",
    "at[lt]": "DayOrInstant",
    "at[lte]": "DayOrInstant",
}, total=False)


class GetOpenapiResult(TypedDict):
    openapi: str


class GetPostmanResultInfo(TypedDict):
    schema: str


class GetPostmanResult(TypedDict):
    info: GetPostmanResultInfo
