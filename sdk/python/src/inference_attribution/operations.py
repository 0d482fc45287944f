# Generated from the OpenAPI document by `npm run sdk`. Do not edit.
from __future__ import annotations

from typing import Optional, cast

from . import types as t
from .pages import AsyncPages, Pages
from .request import Request, fill, new_key
from .transport import AsyncTransport, Transport


class Operations:
    """The operations of the API. Use `Client`."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def post_invocation(
        self,
        body: t.InvocationEvent,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.InvocationAccepted:
        """Send one inference event.

        Unknown members are dropped, with a warning if near a known one. Dropped content members are listed in scrubbed. An optional label that looks like a secret or has more than 12 words is dropped too, with a reason in warnings. Only required members make an event invalid. An optional member with an invalid value is corrected if clear, or dropped, with a reason in warnings. If a part of a token count exceeds the count, both are dropped. An event_id creates one record. A retry with other content does not change it. Another capture layer or source system that sends the same event_id adds its evidence to the record. Timestamps more than 13 months in the past are rejected. The arrival replaces those more than 10 minutes in the future or before 2020, with a warning, and the explanation of the record has the reported time. If the idempotency store or the rate-limit store is unavailable, events are still accepted and the response has a Degraded header."""
        return cast(t.InvocationAccepted, self._transport.send(Request("POST", "/api/v1/invocations", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def post_invocation_batch(
        self,
        body: t.InvocationBatch,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.InvocationBatchAccepted:
        """Send up to 1000 inference events.

        Returns one result for each event, in request order. An invalid event does not reject the others. Unknown members are dropped, with a warning if near a known one. Dropped content members are listed in scrubbed. An optional label that looks like a secret or has more than 12 words is dropped too, with a reason in warnings. Only required members make an event invalid. An optional member with an invalid value is corrected if clear, or dropped, with a reason in warnings. If a part of a token count exceeds the count, both are dropped. An event_id creates one record. A retry with other content does not change it. Another capture layer or source system that sends the same event_id adds its evidence to the record. Timestamps more than 13 months in the past are rejected. The arrival replaces those more than 10 minutes in the future or before 2020, with a warning, and the explanation of the record has the reported time. If the idempotency store or the rate-limit store is unavailable, events are still accepted and the response has a Degraded header."""
        return cast(t.InvocationBatchAccepted, self._transport.send(Request("POST", "/api/v1/invocations/batch", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def post_call_logs(
        self,
        body: t.CallLogs,
        *,
        timeout: Optional[float] = None,
    ) -> t.CallLogsAccepted:
        """Send the call logs of a gateway or provider.

        Each logged call makes one record. LiteLLM sends them with its callback generic_api, and CloudEvents come in any HTTP mode. The body is one entry, an array, lines of JSON, CSV with a line of names, or the answer of an API that has the entries in a list, optionally gzip. The format is recognised by its shape. Prompts and model output are never stored. Repeated entries add nothing. A call that an application or OpenTelemetry reports too, with the same response id, makes one record."""
        return cast(t.CallLogsAccepted, self._transport.send(Request("POST", "/api/v1/call-logs", body=body, timeout=timeout)))

    def list_attribution(
        self,
        query: Optional[t.ListAttributionQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.AttributionPage, t.AttributionRecord]:
        """List attribution records, filtered and sorted.

        Follow next_cursor until has_more is false. The pages return every record that existed at the first request exactly once, regardless of concurrent writes. While has_more is true, a page can have fewer records than its limit, or none.

`field=value` is short for `field[eq]=value`. A record must match all filters. A request takes at most 10 filters, each at most once. `[eq]` and `[contains]` take the value literally, commas included. `[in]` takes a list: one text that is cut at commas, or the parameter repeated or a JSON array, whose values may contain commas. `[ne]` also matches records without a value. The other operators never match null values. Use `[exists]=false` to find them.

Sorted by cost_usd or confidence, the pages show corrections made at least five seconds before the first request. Sorted by occurred_at, they show all corrections made before it."""
        return Pages(self._transport, Request("GET", "/v1/attribution", query=query, timeout=timeout))

    def get_attribution(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.AttributionDetail:
        """Read one attribution record with its full explanation.

        The explanation has every rule with its result, and the method, version and range of cost, energy and carbon."""
        return cast(t.AttributionDetail, self._transport.send(Request("GET", fill("/v1/attribution/{id}", id), timeout=timeout)))

    def list_attribution_versions(
        self,
        id: str,
        query: Optional[t.ListAttributionVersionsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.RecordVersionPage, t.RecordVersion]:
        """List the versions of a record, newest first.

        Who the owner was until when, and what changed it."""
        return Pages(self._transport, Request("GET", fill("/v1/attribution/{id}/versions", id), query=query, timeout=timeout))

    def override_attribution(
        self,
        id: str,
        body: t.OverrideRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.AttributionDetail:
        """Override the owner or service of a record.

        Creates a new version of the record with output_state manually_overridden and the highest confidence. Cost, energy and carbon do not change, and an unknown price stays unknown. The explanation keeps the earlier rule results beside the override. The override resolves an open dispute. Emits attribution.override.applied. The response contains the record, so the caller also needs read:attribution."""
        return cast(t.AttributionDetail, self._transport.send(Request("POST", fill("/v1/attribution/{id}/overrides", id), body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def dispute_attribution(
        self,
        id: str,
        body: t.DisputeRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.AttributionDetail:
        """Dispute the attribution of a record.

        Creates a new version of the record with the dispute. Owner and service do not change until an override resolves the dispute. CONFLICT if the record already has an open dispute. Emits attribution.disputed. The response contains the record, so the caller also needs read:attribution."""
        return cast(t.AttributionDetail, self._transport.send(Request("POST", fill("/v1/attribution/{id}/disputes", id), body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def confirm_cost(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.AttributionDetail:
        """Confirm the cost of a record.

        A cost far above what the usage explains, or above 60,000 USD or largest_reported_cost_usd, is not counted (implausible_cost). This makes explanation.reported_cost the cost, in a new version. CONFLICT if none waits. The caller also needs read:attribution."""
        return cast(t.AttributionDetail, self._transport.send(Request("POST", fill("/v1/attribution/{id}/cost-confirmation", id), idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def list_disputes(
        self,
        query: Optional[t.ListDisputesQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.AttributionPage, t.AttributionRecord]:
        """List disputed records, newest dispute first.

        Each record has its newest dispute and its present owner. A record appears once. While has_more is true, a page can have fewer records than its limit, or none."""
        return Pages(self._transport, Request("GET", "/v1/disputes", query=query, timeout=timeout))

    def create_identity_mapping(
        self,
        body: t.IdentityMappingRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.IdentityMapping:
        """Create an identity mapping.

        Maps calls with a certain identity, workload or key name to an owner, a service or both. The first matching mapping with an owner sets the owner. The first matching mapping with a service sets the service. If no mapping matches, the other evidence of the call decides. The mapping applies to new events within seconds. A tenant can have 500 mappings; beyond that the response is VALIDATION_FAILED."""
        return cast(t.IdentityMapping, self._transport.send(Request("POST", "/api/v1/identity/mappings", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def list_identity_mappings(
        self,
        query: Optional[t.ListIdentityMappingsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.IdentityMappingPage, t.IdentityMapping]:
        """List identity mappings in evaluation order.

        Each mapping appears once. A mapping moved between two page requests can appear twice or not at all."""
        return Pages(self._transport, Request("GET", "/api/v1/identity/mappings", query=query, timeout=timeout))

    def get_identity_mapping(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.IdentityMapping:
        """Read one identity mapping.

        The mapping with its match rules and its target."""
        return cast(t.IdentityMapping, self._transport.send(Request("GET", fill("/api/v1/identity/mappings/{id}", id), timeout=timeout)))

    def update_identity_mapping(
        self,
        id: str,
        body: t.IdentityMappingPatch,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.IdentityMapping:
        """Change or move an identity mapping.

        The change applies to new events within seconds. Existing records do not change until they are reprocessed. effective_from does not change unless the request contains it."""
        return cast(t.IdentityMapping, self._transport.send(Request("PATCH", fill("/api/v1/identity/mappings/{id}", id), body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def delete_identity_mapping(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Delete an identity mapping.

        Existing records do not change until they are reprocessed."""
        self._transport.send(Request("DELETE", fill("/api/v1/identity/mappings/{id}", id), idempotency_key=idempotency_key or new_key(), timeout=timeout))

    def dry_run_identity_mapping(
        self,
        body: t.IdentityMappingDryRunRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.IdentityMappingDryRun:
        """Dry-run a change of the identity mappings.

        Changes nothing. With mapping only, the dry run creates the mapping. With mapping and replaces, it changes the existing mapping. With replaces only, it deletes that mapping. It examines the newest records of the period that the credential can read, at most 1000. Manual overrides do not change. A new mapping without effective_from applies to the whole period. The conditions select single calls, so the caller also needs read:attribution."""
        return cast(t.IdentityMappingDryRun, self._transport.send(Request("POST", "/api/v1/identity/mappings/dry-run", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def reprocess_records(
        self,
        body: t.ReprocessRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.JobStarted:
        """Apply the current mappings to recorded calls.

        A job attributes the records of the period again, newest first, by the current mappings, rules, model and prices. A record whose result changes gets a new version. Manual overrides stay. Reports follow within minutes."""
        return cast(t.JobStarted, self._transport.send(Request("POST", "/api/v1/identity/mappings/reprocess", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def list_models(
        self,
        query: Optional[t.ListModelsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.ModelPage, t.Model]:
        """List trained models, newest first.

        Lists every training with the result of its publication gate. Models are trained every three hours on the results of the deterministic stage of the last 28 days. A model serves only after the gate has verified its calibration and precision on later calls."""
        return Pages(self._transport, Request("GET", "/api/v1/models", query=query, timeout=timeout))

    def train_model(
        self,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.JobStarted:
        """Train a model now, independent of the schedule.

        The training runs in the background and takes seconds to a few minutes. Then the model appears in the list. It serves new events if it passes the publication gate."""
        return cast(t.JobStarted, self._transport.send(Request("POST", "/api/v1/models", idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def recall_model(
        self,
        version: str,
        body: t.RecallRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.ModelRecall:
        """Recall a model and withdraw its attributions.

        The previous validated model serves again, or the heuristic if there is none. degradation_state is model_recalled until the next model is validated. A job attributes the records of the recalled model again, newest first, as new versions. CONFLICT if the model never served or is already recalled. Emits degradation.state.changed."""
        return cast(t.ModelRecall, self._transport.send(Request("POST", fill("/api/v1/models/{version}/recall", version), body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def get_usage_report(
        self,
        query: Optional[t.GetUsageReportQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.UsageReport, t.UsageRow]:
        """Report cost, energy, carbon and tokens by group and time.

        Rows sum exactly to `totals`, and totals of adjacent ranges to those of the whole range. The report is computed for the first page. The other pages show the same result, for one hour.

Rows and totals include only calls that match all filters. `[ne]` also matches calls without a value. Calls of which suppression hides the filtered member are only counted in `undetermined_invocations`.

Suppression (k=5): calls of fewer than 5 distinct persons are shown only together with other calls, in rows of kind folded. Such a row omits the owner first, then the service, provider, model and pathway. Suppression is decided once for each day. If fewer than 5 persons of a residency lane called on a day, it is decided for several days together. It does not depend on the query, so no two responses differ by the calls of fewer than 5 persons. A month with fewer than 5 named persons is one sum. A person is the attributed_identity of a call or of its trace; spellings of one name are one person. A call that names nobody counts as one unknown person for each api_key_name, or else for each workload, unless an identity mapping declares it a service: one that reads the key or workload and sets a service but no owner. Other calls without a person are not suppressed. An owner that is the identity of a person is always folded. A credential bound to a residency lane sees only that lane, as far as the lane can be shown separately."""
        return Pages(self._transport, Request("GET", "/v1/reports/usage", query=query, timeout=timeout))

    def get_adoption_report(
        self,
        query: Optional[t.GetAdoptionReportQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.AdoptionReport, t.AdoptionRow]:
        """Report the number of persons who use inference, by group and time.

        A person can be counted in several rows, so the counts of rows must not be summed. The report is computed for the first page. The other pages show the same result, for one hour.

Filters and suppression: as in the usage report."""
        return Pages(self._transport, Request("GET", "/v1/reports/adoption", query=query, timeout=timeout))

    def get_forecast_report(
        self,
        query: Optional[t.GetForecastReportQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.ForecastReport, t.ForecastRow]:
        """Forecast the cost of the current month or quarter, by group.

        The amounts spent so far sum exactly to `totals`. The forecast of the totals is made from all calls, so it is not the sum of those of the rows. The report is computed for the first page. The other pages show the same result, for one hour.

Filters and suppression: as in the usage report."""
        return Pages(self._transport, Request("GET", "/v1/reports/forecast", query=query, timeout=timeout))

    def get_changes_report(
        self,
        query: Optional[t.GetChangesReportQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.ChangesReport, t.ChangeRow]:
        """Explain the change of cost between two periods, by group.

        Rows come in order of the size of their change, and their changes sum exactly to that of `totals`. The parts of `totals` are those of all calls: what is volume in the rows of two groups can be mix in the whole. The report is computed for the first page. The other pages show the same result, for one hour.

Filters and suppression: as in the usage report."""
        return Pages(self._transport, Request("GET", "/v1/reports/changes", query=query, timeout=timeout))

    def get_unit_costs_report(
        self,
        query: Optional[t.GetUnitCostsReportQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.UnitCostsReport, t.UnitCostRow]:
        """Report the cost of a call, a token of each kind and a person, by group and time.

        Costs are those of the usage report, and sum exactly to `totals`. Ratios are rounded to twelve digits. The report is computed for the first page. The other pages show the same result, for one hour.

Filters and suppression: as in the usage report."""
        return Pages(self._transport, Request("GET", "/v1/reports/unit-costs", query=query, timeout=timeout))

    def get_savings_report(
        self,
        query: Optional[t.GetSavingsReportQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.SavingsReport, t.Saving]:
        """Suggest savings, with the calls and figures they rest on.

        The largest first. Amounts are for 30 days, from sums with at least 100 calls, at the prices of your contracts or of the list, in the proportion that was paid. Prices of contracts need read:attribution. They overlap, so there is no total. A dismissed suggestion is left out until it has grown (has_grown). At most 31 days. Idle nodes need read:attribution, and no residency lane. The report is computed for the first page. The other pages show the same result, for one hour.

Filters and suppression: as in the usage report."""
        return Pages(self._transport, Request("GET", "/v1/reports/savings", query=query, timeout=timeout))

    def dismiss_saving(
        self,
        body: t.SavingDismissalRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.SavingDismissal:
        """Dismiss a suggested saving, with a reason.

        The members are those of the suggestion in the report. It is left out of the report and of what is sent to people, until it saves at least 1.5 times `high_usd` and 1 USD more in 30 days. Dismissing it again replaces the amount and the reason, under the same id. A tenant can have 200; beyond that the response is VALIDATION_FAILED. A credential bound to a residency lane sees and dismisses the suggestions of that lane only."""
        return cast(t.SavingDismissal, self._transport.send(Request("POST", "/api/v1/saving-dismissals", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def list_saving_dismissals(
        self,
        query: Optional[t.ListSavingDismissalsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.SavingDismissalPage, t.SavingDismissal]:
        """List dismissed savings.

        In the order of their ids, also those of suggestions that no report of now has. Those of idle nodes need read:attribution. A credential bound to a residency lane sees and dismisses the suggestions of that lane only."""
        return Pages(self._transport, Request("GET", "/api/v1/saving-dismissals", query=query, timeout=timeout))

    def restore_saving(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Suggest a dismissed saving again.

        The next report shows it, if its calls are still there. A credential bound to a residency lane sees and dismisses the suggestions of that lane only."""
        self._transport.send(Request("DELETE", fill("/api/v1/saving-dismissals/{id}", id), idempotency_key=idempotency_key or new_key(), timeout=timeout))

    def create_annotation(
        self,
        body: t.AnnotationRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.Annotation:
        """Note on a day what happened, such as a release.

        Charts over time show it. The same text of the same day has the same id. A tenant can have 200; beyond that the response is VALIDATION_FAILED. A credential bound to a residency lane sees and writes those of that lane only."""
        return cast(t.Annotation, self._transport.send(Request("POST", "/api/v1/annotations", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def list_annotations(
        self,
        query: Optional[t.ListAnnotationsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.AnnotationPage, t.Annotation]:
        """List annotations.

        In the order of their ids. A credential bound to a residency lane sees and writes those of that lane only."""
        return Pages(self._transport, Request("GET", "/api/v1/annotations", query=query, timeout=timeout))

    def delete_annotation(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Delete an annotation.

        A credential bound to a residency lane sees and writes those of that lane only."""
        self._transport.send(Request("DELETE", fill("/api/v1/annotations/{id}", id), idempotency_key=idempotency_key or new_key(), timeout=timeout))

    def create_saved_view(
        self,
        body: t.SavedViewRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.SavedView:
        """Save what a page of the console shows, with a name.

        Everyone of the tenant sees it. Saving under a name of the page again replaces the view. A tenant can have 200; beyond that the response is VALIDATION_FAILED. A credential bound to a residency lane sees and writes those of that lane only."""
        return cast(t.SavedView, self._transport.send(Request("POST", "/api/v1/saved-views", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def list_saved_views(
        self,
        query: Optional[t.ListSavedViewsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.SavedViewPage, t.SavedView]:
        """List saved views.

        In the order of their ids. A credential bound to a residency lane sees and writes those of that lane only."""
        return Pages(self._transport, Request("GET", "/api/v1/saved-views", query=query, timeout=timeout))

    def delete_saved_view(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Delete a saved view.

        A credential bound to a residency lane sees and writes those of that lane only."""
        self._transport.send(Request("DELETE", fill("/api/v1/saved-views/{id}", id), idempotency_key=idempotency_key or new_key(), timeout=timeout))

    def get_metric_costs(
        self,
        query: Optional[t.GetMetricCostsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.MetricCosts, t.MetricCost]:
        """Report the cost of a unit of each business metric.

        The cost that the usage report by day shows for the owner and service of a metric, on the days that have a number, divided by the sum of the numbers. Only whole days that have ended count. In order of names. A credential bound to a residency lane sees the metrics of that lane, any other one those of no lane. The report is computed for the first page. The other pages show the same result, for one hour."""
        return Pages(self._transport, Request("GET", "/v1/reports/metric-costs", query=query, timeout=timeout))

    def post_business_metric(
        self,
        body: t.BusinessMetricRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.BusinessMetric:
        """Send the daily numbers of a business metric.

        Such as tickets solved, for the whole tenant, an owner or a service. The number of a day replaces an earlier one; other days stay. Name, owner and service make the metric, and its id. A tenant can have 50 metrics, each with 800 days; beyond that the response is VALIDATION_FAILED. A credential bound to a residency lane sees and sends the metrics of that lane only."""
        return cast(t.BusinessMetric, self._transport.send(Request("POST", "/api/v1/business-metrics", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def list_business_metrics(
        self,
        query: Optional[t.ListBusinessMetricsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.BusinessMetricPage, t.BusinessMetric]:
        """List business metrics.

        In the order of their ids. A credential bound to a residency lane sees and sends the metrics of that lane only."""
        return Pages(self._transport, Request("GET", "/api/v1/business-metrics", query=query, timeout=timeout))

    def delete_business_metric(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Delete a business metric with its numbers.

        Records and reports stay as they are. A credential bound to a residency lane sees and sends the metrics of that lane only."""
        self._transport.send(Request("DELETE", fill("/api/v1/business-metrics/{id}", id), idempotency_key=idempotency_key or new_key(), timeout=timeout))

    def get_node_hours(
        self,
        query: Optional[t.GetNodeHoursQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.NodeHours:
        """Report what node pools cost, and how much of it is idle.

        Each hour that is divided: its cost is what the calls of the pool cost and what nobody used, to the last digit. At most 31 days. A credential bound to a residency lane gets RESIDENCY_BLOCKED."""
        return cast(t.NodeHours, self._transport.send(Request("GET", "/v1/reports/node-hours", query=query, timeout=timeout)))

    def get_unowned_report(
        self,
        query: Optional[t.GetUnownedReportQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.UnownedReport:
        """List services whose calls have no confirmed owner, with suggestions.

        Amounts are sums of the usage report: of calls that it hides, only the maximum is known. Rows sum to `totals`, highest cost first. A caller with read:attribution also gets the groups in which calls can be mapped, with suggestions for their owner, from the newest 1000 records of the period. With `service`, its newest records are examined too. A suggestion is no answer: create an identity mapping from it, after a dry run, and reprocess the period."""
        return cast(t.UnownedReport, self._transport.send(Request("GET", "/v1/reports/unowned", query=query, timeout=timeout)))

    def look_up_attribution(
        self,
        query: Optional[t.LookUpAttributionQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.AttributionLookup:
        """Look up owner and budgets of a call before it is made.

        For decisions in the path of a call (P99 objective: 50 ms). Takes the signals of its event. Rules and identity mappings decide owner and service; a trained model is not asked, so a call that is unresolved here can get an owner later. The response is at most 5 seconds old. The service never blocks a call: what follows from the answer is up to the caller, and a call without an answer must go on."""
        return cast(t.AttributionLookup, self._transport.send(Request("GET", "/api/v1/lookup", query=query, timeout=timeout)))

    def create_budget(
        self,
        body: t.BudgetRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.Budget:
        """Create a budget with alerts.

        A budget only alerts. It does not block calls. At each of its thresholds it emits budget.threshold.crossed, once for each threshold and period, within one minute after the spend appears in reports. A correction that lowers the spend by more than 5 % of the ceiling below a threshold rearms it; below 10 %, half of the threshold is enough. At each of forecast_thresholds it emits budget.forecast.crossed, looked at once an hour: once when the high end of the forecast range reaches the threshold (possible), and once when the low end does (likely). A threshold that the spend has reached has no forecast alert. Spend of the current period before the creation counts. The response has no figures yet: they are evaluated, usually within seconds. Calls without a known price are not in the spend; unpriced_invocations is their number. A budget created with a credential bound to a residency lane counts only that lane. A credential without read:attribution creates a budget with the basis cohorts: it counts what the usage report shows under the same names, and takes no tags. A tenant can have 200 budgets; beyond that the response is VALIDATION_FAILED."""
        return cast(t.Budget, self._transport.send(Request("POST", "/api/v1/budgets", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def list_budgets(
        self,
        query: Optional[t.ListBudgetsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.BudgetPage, t.Budget]:
        """List budgets with their current spend, newest first.

        A credential bound to a residency lane sees only the budgets of that lane."""
        return Pages(self._transport, Request("GET", "/api/v1/budgets", query=query, timeout=timeout))

    def get_budget(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.Budget:
        """Read one budget with its current spend.

        The spend is that of the current period in UTC, and as recent as the usage report."""
        return cast(t.Budget, self._transport.send(Request("GET", fill("/api/v1/budgets/{id}", id), timeout=timeout)))

    def update_budget(
        self,
        id: str,
        body: t.BudgetPatch,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.Budget:
        """Change a budget.

        The budget alerts as createBudget says. The response has no figures yet. After a change of ceiling, scope or period, the spend of the current period is evaluated, usually within seconds. A threshold that was already reported is reported again only if the change moved the spend below it. To change the ceiling, period or scope of a budget that counts records, the caller needs read:attribution. Otherwise it could find out the spend by trying ceilings."""
        return cast(t.Budget, self._transport.send(Request("PATCH", fill("/api/v1/budgets/{id}", id), body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def delete_budget(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Delete a budget.

        The budget emits no further alerts. Alerts that were emitted remain in the notifications."""
        self._transport.send(Request("DELETE", fill("/api/v1/budgets/{id}", id), idempotency_key=idempotency_key or new_key(), timeout=timeout))

    def list_budget_periods(
        self,
        id: str,
        query: Optional[t.ListBudgetPeriodsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.BudgetPeriods, t.BudgetPeriodRecord]:
        """Read the spend of a budget in its current and earlier periods, newest first.

        Earlier periods are measured with the present scope and ceiling, also those before the creation of the budget, as far back as records are kept. Periods of a rolling budget are ranges of 30 days, one after the other. Calls from before the first budget that names a tag are not in the sums of that tag."""
        return Pages(self._transport, Request("GET", fill("/api/v1/budgets/{id}/periods", id), query=query, timeout=timeout))

    def list_anomalies(
        self,
        query: Optional[t.ListAnomaliesQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.AnomalyPage, t.Anomaly]:
        """List cost anomalies, newest first.

        An anomaly is a UTC hour or day whose cost is far above its baseline. The baseline is the same hour of the week, or the same weekday, of up to eight weeks. While a series is younger than four weeks, the baseline is the last fourteen days. The service evaluates the whole tenant and each owner, service and model, once there is one week of history. An hour is evaluated ten minutes to two hours after it ends. Each anomaly emits anomaly.detected once. All amounts are sums of the cohorts of the reports, so none of them contains only the calls of one to four persons. An hour with fewer than five callers is not evaluated. A credential bound to a residency lane sees only that lane."""
        return Pages(self._transport, Request("GET", "/api/v1/anomalies", query=query, timeout=timeout))

    def get_anomaly(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.ExplainedAnomaly:
        """Read one anomaly, with its first hour and what led to it.

        Divides the change of its cost since the same weekdays before exactly into calls, models, tokens, cache and price, as getChangesReport does, for the calls of its lane. All figures are sums of the cohorts of the reports."""
        return cast(t.ExplainedAnomaly, self._transport.send(Request("GET", fill("/api/v1/anomalies/{id}", id), timeout=timeout)))

    def mute_anomaly(
        self,
        id: str,
        body: t.AnomalyMuteRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.AnomalyMute:
        """Mute the series of an anomaly.

        For the given number of days, the series raises no anomaly.detected event and no notification, for example during a planned migration. The series is the tenant, owner, service or model of the anomaly, in its residency lane, by the hour and by the day. Its anomalies are still detected and listed. An anomaly that begins while the series is muted raises no event later either. Muting a muted series replaces the time and the reason. A tenant can have 200 muted series; beyond that the response is VALIDATION_FAILED. The response names the series, so the caller also needs read:reporting."""
        return cast(t.AnomalyMute, self._transport.send(Request("PUT", fill("/api/v1/anomalies/{id}/mute", id), body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def unmute_anomaly(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Unmute the series of an anomaly.

        The next anomaly of the series raises its event again. The series is the tenant, owner, service or model of the anomaly, in its residency lane, by the hour and by the day. Succeeds also if the series is not muted."""
        self._transport.send(Request("DELETE", fill("/api/v1/anomalies/{id}/mute", id), idempotency_key=idempotency_key or new_key(), timeout=timeout))

    def get_coverage(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.CoverageMap:
        """Read the coverage map: active and missing capture layers of each pathway.

        States are evaluated every hour and on every read. A pathway that is no longer active emits coverage.degraded once. A pathway that is active again emits coverage.restored once. Between active and not active, a state lasts at least one hour, so an unstable layer does not cause repeated events. A caller bound to a residency lane sees only the captures of that lane and the states derived from them."""
        return cast(t.CoverageMap, self._transport.send(Request("GET", "/api/v1/coverage", timeout=timeout)))

    def get_coverage_expectations(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.CoverageExpectationsOutput:
        """Read the required capture layers of each pathway.

        The coverage map shows them too, beside the layers that are live."""
        return cast(t.CoverageExpectationsOutput, self._transport.send(Request("GET", "/api/v1/coverage/expectations", timeout=timeout)))

    def put_coverage_expectations(
        self,
        body: t.CoverageExpectations,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.CoverageExpectationsOutput:
        """Set the required capture layers of each pathway.

        Replaces all earlier expectations. A pathway with expected layers is active while all of them are live. A pathway without expectations is active while any layer is live. The coverage map shows the expectations."""
        return cast(t.CoverageExpectationsOutput, self._transport.send(Request("PUT", "/api/v1/coverage/expectations", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def post_events(
        self,
        body: t.CloudEvents,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.SignalsAccepted:
        """Send CloudEvents: discovery signals, connector health or other types.

        Accepts CloudEvents 1.0 in the JSON format: one object (application/cloudevents+json) or an array of up to 1,000 (application/cloudevents-batch+json). application/json accepts both, and the data of one event in binary mode, whose attributes are ce- headers. Returns one result for each event, in request order. In an array, an invalid event does not reject the others. A single invalid event returns 422. source and id identify an event of a credential; a duplicate is acknowledged and changes nothing. discovery.signal and connector.health events update the coverage map and do not create attribution records. The data of an ai.inference.completed.v1 event is an inference event, which is recorded as postInvocation records it: source and id replace its event_id, time its times, and subject its attributed_identity, if it has none. The health of a connector that is registered is reported by it alone. A connector whose reported health changes emits connector.health.changed. Events of other types are counted and kept for 30 days, reduced to names, numbers and short text. Content members are dropped and listed in scrubbed."""
        return cast(t.SignalsAccepted, self._transport.send(Request("POST", "/api/v1/events", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def post_partner_invocation(
        self,
        body: t.InvocationEvent,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.InvocationAccepted:
        """Send one inference event of a registered source system.

        As postInvocation. source_system must be one of the connector; it can be left out if there is only one. An event of another source system is refused with INSUFFICIENT_SCOPE, which the audit log records. For an OAuth client that the tenant registered with source_systems. An administrator of the tenant may send events of any source system."""
        return cast(t.InvocationAccepted, self._transport.send(Request("POST", "/api/partner/v1/invocations", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def post_partner_events(
        self,
        body: t.InvocationBatch,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.InvocationBatchAccepted:
        """Send up to 1000 inference events of the registered source systems.

        As postInvocationBatch. source_system must be one of the connector; it can be left out if there is only one. An event of another source system refuses the whole batch with INSUFFICIENT_SCOPE, which the audit log records. For an OAuth client that the tenant registered with source_systems. An administrator of the tenant may send events of any source system."""
        return cast(t.InvocationBatchAccepted, self._transport.send(Request("POST", "/api/partner/v1/events", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def get_partner_connector(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.PartnerConnector:
        """Read the registration, health and usage of the connector.

        For an OAuth client that the tenant registered with source_systems. An administrator of the tenant may send events of any source system."""
        return cast(t.PartnerConnector, self._transport.send(Request("GET", "/api/partner/v1/connector", timeout=timeout)))

    def put_partner_health(
        self,
        body: t.PartnerHealthReport,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.PartnerHealth:
        """Report the health of the connector.

        A change emits connector.health.changed, and the coverage map shows the newest report. For an OAuth client that the tenant registered with source_systems. An administrator of the tenant may send events of any source system."""
        return cast(t.PartnerHealth, self._transport.send(Request("PUT", "/api/partner/v1/connector/health", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def get_partner_coverage(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.PartnerCoverage:
        """Read when each source system of the connector was last seen.

        Only source systems of the connector, in its lane. For an OAuth client that the tenant registered with source_systems. An administrator of the tenant may send events of any source system."""
        return cast(t.PartnerCoverage, self._transport.send(Request("GET", "/api/partner/v1/coverage", timeout=timeout)))

    def create_focus_export(
        self,
        body: t.ExportRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.ExportStarted:
        """Create a chargeback or showback export, aligned with FOCUS.

        Runs in the background. Poll status_url, or wait for export.completed or export.failed. Each month has its own files. Rows contain only records with a confidence of at least 0.80 and a known price. The manifest lists exclusions by reason; with them, rows sum exactly to the ledger. With read:attribution, rows are made from records, groups of fewer than 5 persons are merged into their parent group, and only callers with that scope see the export. Without it, each row, total and exclusion is a sum of cohorts of the usage report: without meters, unit prices and regions, and not by record. The export shows the ledger at the time of the request and replaces earlier exports of the same months. It succeeds or fails within 6 hours. A credential bound to a residency lane exports only that lane. EXPORT_TOO_LARGE: more than 13 months or 4 group_by fields."""
        return cast(t.ExportStarted, self._transport.send(Request("POST", "/v1/exports/focus", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def list_exports(
        self,
        query: Optional[t.ListExportsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.ExportPage, t.ExportJob]:
        """List exports, newest first.

        The list does not contain download URLs. Read the job to get them. A credential bound to a residency lane sees only the exports of that lane."""
        return Pages(self._transport, Request("GET", "/v1/exports", query=query, timeout=timeout))

    def cancel_job(
        self,
        job_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.ExportJob:
        """Cancel an export that is still queued.

        CONFLICT if the export is running or has ended. A running export cannot be cancelled."""
        return cast(t.ExportJob, self._transport.send(Request("POST", fill("/api/v1/jobs/{job_id}/cancel", job_id), idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def deliver_export(
        self,
        job_id: str,
        body: t.ExportDeliveryTarget,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.ExportJob:
        """Deliver a finished export to a destination, or deliver it again.

        Puts all its files and its manifest, as a delivery that is requested with the export does. At a place that has them already it keeps its version and bytes. If a later export with this name and month is there, it ends as superseded. CONFLICT: the export has not succeeded, is not of one UTC month, is being delivered, or its files expire within 5 days."""
        return cast(t.ExportJob, self._transport.send(Request("POST", fill("/api/v1/jobs/{job_id}/deliver", job_id), body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def create_export_schedule(
        self,
        body: t.ExportScheduleRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.ExportSchedule:
        """Create an export schedule.

        Each export replaces the previous one of the same month. The export of the 9th of the next month has the edition final, with late events; earlier ones are provisional. Until the next month is final, it is made again, at most once a day, when its records have changed. Each export starts within one hour after it is due, or when the totals are complete, one day later at most. Exports due before its creation are not made. The exports need the authorization of the creator: once it is revoked or loses the scope export:create, each due export fails as unauthorized. An expired key still authorizes the schedule. VALIDATION_FAILED: more than 20 schedules."""
        return cast(t.ExportSchedule, self._transport.send(Request("POST", "/v1/exports/schedules", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def list_export_schedules(
        self,
        query: Optional[t.ListExportSchedulesQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.ExportSchedulePage, t.ExportSchedule]:
        """List export schedules, newest first.

        A credential bound to a residency lane sees only the schedules of that lane."""
        return Pages(self._transport, Request("GET", "/v1/exports/schedules", query=query, timeout=timeout))

    def get_export_schedule(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.ExportSchedule:
        """Read one export schedule.

        A credential bound to a residency lane reads only the schedules of that lane."""
        return cast(t.ExportSchedule, self._transport.send(Request("GET", fill("/v1/exports/schedules/{id}", id), timeout=timeout)))

    def update_export_schedule(
        self,
        id: str,
        body: t.ExportScheduleChange,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.ExportSchedule:
        """Change an export schedule.

        Applies to exports that are due from now on. An export that exists already is not made again. From then on the exports need the authorization of the caller, and contain what it may read."""
        return cast(t.ExportSchedule, self._transport.send(Request("PATCH", fill("/v1/exports/schedules/{id}", id), body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def delete_export_schedule(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Delete an export schedule.

        Exports of the schedule are not deleted."""
        self._transport.send(Request("DELETE", fill("/v1/exports/schedules/{id}", id), idempotency_key=idempotency_key or new_key(), timeout=timeout))

    def create_export_destination(
        self,
        body: t.ExportDestinationRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.ExportDestination:
        """Name an S3 bucket to which exports are delivered.

        Requests for exports and schedules name it in delivery. The role trusts trusted_role_arn with external_id of the response; then check the destination. VALIDATION_FAILED: more than 20 destinations. A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED."""
        return cast(t.ExportDestination, self._transport.send(Request("POST", "/v1/exports/destinations", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def list_export_destinations(
        self,
        query: Optional[t.ListExportDestinationsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.ExportDestinationPage, t.ExportDestination]:
        """List export destinations, newest first.

        A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED."""
        return Pages(self._transport, Request("GET", "/v1/exports/destinations", query=query, timeout=timeout))

    def get_export_destination(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.ExportDestination:
        """Read one export destination with the result of its check.

        A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED."""
        return cast(t.ExportDestination, self._transport.send(Request("GET", fill("/v1/exports/destinations/{id}", id), timeout=timeout)))

    def update_export_destination(
        self,
        id: str,
        body: t.ExportDestinationChange,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.ExportDestination:
        """Rename an export destination.

        Bucket and role do not change: schedules of others send their exports there. Create another destination instead. A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED."""
        return cast(t.ExportDestination, self._transport.send(Request("PATCH", fill("/v1/exports/destinations/{id}", id), body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def delete_export_destination(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Delete an export destination.

        Open deliveries to it fail, and so do those of schedules that still name it. Objects in the bucket stay. A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED."""
        self._transport.send(Request("DELETE", fill("/v1/exports/destinations/{id}", id), idempotency_key=idempotency_key or new_key(), timeout=timeout))

    def check_export_destination(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.ExportDestination:
        """Put a test object into the bucket of an export destination.

        Within a minute the service puts attribution-check.json below the location, as deliveries put their files. Read the destination until its check is working or failing. A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED."""
        return cast(t.ExportDestination, self._transport.send(Request("POST", fill("/v1/exports/destinations/{id}/check", id), idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def get_contract_prices(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.ContractPricesState:
        """Read the contract prices.

        Prices that the tenant agreed with its providers. They take precedence over list prices, by model, region and time of the call."""
        return cast(t.ContractPricesState, self._transport.send(Request("GET", "/api/v1/contract-prices", timeout=timeout)))

    def put_contract_prices(
        self,
        body: t.ContractPricesChange,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.ContractPricesChanged:
        """Replace the contract prices.

        Replaces all contract prices and reports what changed. Prices are in USD per million tokens and apply to calls from `from` on: in `region` if it is given, otherwise in every region that has no entry of its own. An entry for a longer model id takes precedence. The prices apply to new events within seconds. Earlier records keep their cost until they are reprocessed. A cost that the provider stated takes precedence over all prices, an estimate of a client does not. Entries with `billing_mode` apply to calls that are paid in this way only, such as calls of a subscription, which cost nothing without one. At most 500 entries. The prices apply to every residency lane, so a credential bound to one is rejected with RESIDENCY_BLOCKED."""
        return cast(t.ContractPricesChanged, self._transport.send(Request("PUT", "/api/v1/contract-prices", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def get_node_pools(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.NodePoolsState:
        """Read the node pools.

        Own nodes that run models, and what an hour of them costs."""
        return cast(t.NodePoolsState, self._transport.send(Request("GET", "/api/v1/node-pools", timeout=timeout)))

    def put_node_pools(
        self,
        body: t.NodePoolsChange,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.NodePoolsState:
        """Replace the node pools.

        Calls of what a pool serves cost their part of its hours, in place of any price. A record has no cost (`node_hour_open`) until its hour is over and divided. A change divides the last 35 days again. To end a pool, add a rate with 0 nodes: calls of a removed one keep their cost until they are reprocessed."""
        return cast(t.NodePoolsState, self._transport.send(Request("PUT", "/api/v1/node-pools", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def get_reconciliation(
        self,
        query: Optional[t.GetReconciliationQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.Reconciliation, t.ReconciliationRow]:
        """Compare attributed cost with provider bills.

        Compares each UTC day and model and sums the results exactly by group. The comparison is computed for the first page. The other pages show the same result, for one hour, and every page has the totals of the whole period. Limit: 92 days. Provider and model names are normalized on both sides (gpt-4o-2024-08-06 becomes gpt-4o). Suppression (k=5): recorded costs use the same cohorts as the usage report, for every caller. If a cohort spans several models, providers or days, their records and charges are compared together in rows of kind folded, on the last day on which the usage report counts one of them. No difference is shown if one side is incomplete. Bills have no residency lane. A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED."""
        return Pages(self._transport, Request("GET", "/api/v1/reconciliation", query=query, timeout=timeout))

    def post_bills(
        self,
        body: t.Bills,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.BillsImported:
        """Import up to 5000 rows of provider bills.

        Rows have FOCUS columns, or those of an export of OpenAI, Anthropic, OpenRouter, DeepSeek, Azure, Google or CUR 2.0. Other columns are ignored, and an empty cell is null. With a delivery, all requests with its id make one, and complete ends it. From then on it is the bill of its provider, billing accounts and days; charges that it lacks are gone. CONFLICT for other rows of a complete delivery, and for another scope. Without a delivery, the rows replace earlier rows of the same purchase (provider, account, charge period, SKU, meter, model, resource, price, region, category), whatever their invoice, text or tags. Equal rows of one request are added. A row in another currency than USD takes its rate from exchange_rates, or from itself, or it is rejected. Usage must be within one UTC day, and charges begin on a day of the delivery; a correction of earlier days counts on the first. A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED."""
        return cast(t.BillsImported, self._transport.send(Request("POST", "/api/v1/reconciliation/bills", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def list_bills(
        self,
        query: Optional[t.ListBillsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.BillDeliveryPage, t.BillDelivery]:
        """List deliveries of bills, newest billed day first.

        Rows that were sent without a delivery have an entry too. A bill source has one for each account and day, which a restatement replaces. A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED."""
        return Pages(self._transport, Request("GET", "/api/v1/reconciliation/bills", query=query, timeout=timeout))

    def delete_bill(
        self,
        delivery_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Take back a delivery of bills.

        The delivery before it counts again, and its id is free. A day of a bill source stays away until the provider restates it. A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED."""
        self._transport.send(Request("DELETE", fill("/api/v1/reconciliation/bills/{delivery_id}", delivery_id), idempotency_key=idempotency_key or new_key(), timeout=timeout))

    def create_bill_source(
        self,
        body: t.BillSourceRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.BillSource:
        """Import the bills of a provider every hour.

        The bills are imported every hour: first the last 31 days, then each new day, and the last 7 ended days again, because providers restate them. Today is imported once it has ended. A source of aws reads the charges of Amazon Bedrock in an export of CUR 2.0 (AWS Data Exports), the whole month whenever AWS has delivered it again. OpenAI needs an admin key, Anthropic an Admin API key, and aws a data_export whose role trusts trusted_role_arn with external_id of the response. No response contains the credential of the provider. The report of a day is a delivery of the account that the provider reports. CONFLICT if there is a source with the same provider and account, and for a sandbox tenant, which has no bills. A tenant can have 20 sources; beyond that the response is VALIDATION_FAILED. A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED."""
        return cast(t.BillSource, self._transport.send(Request("POST", "/api/v1/bill-sources", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def list_bill_sources(
        self,
        query: Optional[t.ListBillSourcesQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.BillSourcePage, t.BillSource]:
        """List bill sources with the state of their imports, newest first.

        No response contains the credential of the provider. A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED."""
        return Pages(self._transport, Request("GET", "/api/v1/bill-sources", query=query, timeout=timeout))

    def get_bill_source(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.BillSource:
        """Read one bill source with the state of its imports.

        No response contains the credential of the provider. A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED."""
        return cast(t.BillSource, self._transport.send(Request("GET", fill("/api/v1/bill-sources/{id}", id), timeout=timeout)))

    def update_bill_source(
        self,
        id: str,
        body: t.BillSourcePatch,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.BillSource:
        """Rename, pause or resume a bill source, or replace its credential or export.

        With a new credential, a data_export, exchange_rates or paused set to false, the source is imported at the next run, within 15 minutes. Provider and account cannot change. VALIDATION_FAILED for a member that the provider of the source does not have. No response contains the credential of the provider. A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED."""
        return cast(t.BillSource, self._transport.send(Request("PATCH", fill("/api/v1/bill-sources/{id}", id), body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def delete_bill_source(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Delete a bill source and its credential.

        The imports stop. What was imported remains, until it is taken back or replaced. A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED."""
        self._transport.send(Request("DELETE", fill("/api/v1/bill-sources/{id}", id), idempotency_key=idempotency_key or new_key(), timeout=timeout))

    def list_periods(
        self,
        query: Optional[t.ListPeriodsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.PeriodPage, t.Period]:
        """List billing periods, newest first.

        UTC months, as exports and bills have them: from the first that was closed, or else of the last year, to the current one. A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED."""
        return Pages(self._transport, Request("GET", "/api/v1/periods", query=query, timeout=timeout))

    def close_period(
        self,
        period: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.Period:
        """Close a billing period.

        Its exports have the figures of this instant from now on, whatever comes later. What changes later is in the exports of the first open period, as FOCUS corrections, until that is closed too. A period that is closed stays as it is. CONFLICT: the period has not ended, an earlier one is open, or its totals are not complete. A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED."""
        return cast(t.Period, self._transport.send(Request("POST", fill("/api/v1/periods/{period}/close", period), idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def reopen_period(
        self,
        period: str,
        body: t.PeriodReopening,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.Period:
        """Open the period again that was closed last.

        Its exports follow the records again, and so do the corrections in them. CONFLICT: it is open, or a later one is closed. A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED."""
        return cast(t.Period, self._transport.send(Request("POST", fill("/api/v1/periods/{period}/reopen", period), body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def create_webhook(
        self,
        body: t.WebhookRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.WebhookEndpointWithSecret:
        """Register a webhook endpoint.

        The URL must use https and resolve to public IP addresses only. Otherwise the response is WEBHOOK_URL_REJECTED and nothing is stored. The URL is checked again at each delivery, and redirects are not followed. The service sends a signed webhook.verification event to the endpoint. The endpoint receives no other events until it is verified. To verify it, return data.challenge in the member challenge of a JSON response, or send it to POST …/verify within 24 hours. RATE_LIMITED after more than 5 new challenges of an endpoint, or 30 of the tenant, in an hour. The caller needs the scopes that read all event types of the endpoint after the request (INSUFFICIENT_SCOPE) and authorizes the endpoint. The endpoint is disabled as unauthorized and receives nothing more once the key is revoked, the client is deleted, the user is removed or one of these scopes is lost. An expired key still authorizes the endpoint. Endpoints receive events of the whole tenant, so a credential bound to a residency lane cannot manage them (RESIDENCY_BLOCKED). A tenant can have 20 endpoints; beyond that the response is VALIDATION_FAILED."""
        return cast(t.WebhookEndpointWithSecret, self._transport.send(Request("POST", "/api/v1/webhooks", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def list_webhooks(
        self,
        query: Optional[t.ListWebhooksQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.WebhookPage, t.WebhookEndpoint]:
        """List webhook endpoints, newest first.

        Each endpoint with its state, and the reason if the service disabled it. No response contains a signing secret."""
        return Pages(self._transport, Request("GET", "/api/v1/webhooks", query=query, timeout=timeout))

    def get_webhook(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.WebhookEndpoint:
        """Read one webhook endpoint.

        The state of the endpoint, and the reason if the service disabled it. The signing secret cannot be read again."""
        return cast(t.WebhookEndpoint, self._transport.send(Request("GET", fill("/api/v1/webhooks/{id}", id), timeout=timeout)))

    def update_webhook(
        self,
        id: str,
        body: t.WebhookPatch,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.WebhookEndpoint:
        """Change, disable or enable a webhook endpoint.

        The rules of the URL, the challenge and the scopes are those of createWebhook. A changed URL makes the endpoint pending again, because it can have another owner. Enabling an endpoint that was disabled after failures, or that was never verified, also makes it pending. A verified endpoint that was disabled by an admin or as unauthorized stays verified. A change of url or events, and enabled set to true, need the scopes of the events. Disabling or describing an endpoint, and a change of max_batch_size, require only webhooks:manage."""
        return cast(t.WebhookEndpoint, self._transport.send(Request("PATCH", fill("/api/v1/webhooks/{id}", id), body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def delete_webhook(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Delete a webhook endpoint.

        Pending retries to the endpoint are dropped."""
        self._transport.send(Request("DELETE", fill("/api/v1/webhooks/{id}", id), idempotency_key=idempotency_key or new_key(), timeout=timeout))

    def verify_webhook(
        self,
        id: str,
        body: Optional[t.WebhookAnswer] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.WebhookEndpoint:
        """Verify a webhook endpoint or request a new challenge.

        For receivers that do not return the challenge themselves. The challenge is in the data of the webhook.verification event. Without a challenge in the body, the service sends a new one, and invalidates the earlier ones and stops sending them. RATE_LIMITED after more than 5 new challenges of an endpoint, or 30 of the tenant, in an hour. CONFLICT if the endpoint is not pending."""
        return cast(t.WebhookEndpoint, self._transport.send(Request("POST", fill("/api/v1/webhooks/{id}/verify", id), body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def rotate_webhook_secret(
        self,
        id: str,
        body: Optional[t.WebhookRotation] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.WebhookEndpointWithSecret:
        """Replace the signing secret of a webhook endpoint.

        For 24 hours, or for overlap_seconds, every delivery carries two v1 signatures, one with each secret. A second rotation during the overlap invalidates the oldest secret. The secret signs all events of the endpoint, so the caller needs the scopes that read them (INSUFFICIENT_SCOPE)."""
        return cast(t.WebhookEndpointWithSecret, self._transport.send(Request("POST", fill("/api/v1/webhooks/{id}/rotate-secret", id), body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def test_webhook(
        self,
        id: str,
        body: t.WebhookTest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.WebhookQueued:
        """Send a sample event to a webhook endpoint.

        Sends a sample event of any type, even if the endpoint does not subscribe to it. The sample has the same synthetic data for every tenant, so the caller does not need the scope of the type. The sample is signed, delivered, retried and logged like any event and takes the next sequence number. Its body has test set to true. CONFLICT unless the endpoint is verified."""
        return cast(t.WebhookQueued, self._transport.send(Request("POST", fill("/api/v1/webhooks/{id}/test", id), body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def replay_to_webhook(
        self,
        id: str,
        body: t.WebhookReplay,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.WebhookQueued:
        """Send past events to a webhook endpoint again.

        Sends one event of any type, or all events of a time range whose types the endpoint currently subscribes to, whether or not they were sent before. Events are kept for 30 days. A replay keeps the id of the event, takes the next sequence number and is signed with the current time. Its body has replayed set to true. A replay covers at most 500 events; a time range with more returns VALIDATION_FAILED. Request shorter ranges. The caller needs the scopes that read the events (INSUFFICIENT_SCOPE): for one event the scope of its type, for a time range the scopes of all subscribed types. CONFLICT unless the endpoint is verified and authorized_by can read the events."""
        return cast(t.WebhookQueued, self._transport.send(Request("POST", fill("/api/v1/webhooks/{id}/replay", id), body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def list_webhook_deliveries(
        self,
        id: str,
        query: Optional[t.ListWebhookDeliveriesQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.DeliveryPage, t.WebhookDelivery]:
        """List the delivery attempts of a webhook endpoint.

        Lists one entry for each attempt at an event of the last 30 days. The attempts of a batch have the same request_id. An entry must match all filters. While has_more is true, a page can have fewer entries than its limit, or none. Types and times reveal information about events. Attempts for event types that the caller has no scope to read are therefore omitted."""
        return Pages(self._transport, Request("GET", fill("/api/v1/webhooks/{id}/deliveries", id), query=query, timeout=timeout))

    def list_webhook_events(
        self,
        query: Optional[t.ListWebhookEventsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.WebhookEventPage, t.WebhookEventEntry]:
        """List the events of the tenant, oldest first.

        Lists events whether or not an endpoint receives them, with the body that a delivery has, without sequence. Events are kept for 30 days. attribution.materialized events are raised only while an endpoint subscribes to them. An event can appear after later ones, because created_at is the time of its cause: call again with an overlapping range and discard known ids. The caller needs the scopes that read the events: a type in types that it may not read returns INSUFFICIENT_SCOPE, and without types such events are omitted. While has_more is true, a page can have fewer events than its limit, or none. Events belong to the whole tenant, so a credential bound to a residency lane cannot list them (RESIDENCY_BLOCKED)."""
        return Pages(self._transport, Request("GET", "/api/v1/webhook-events", query=query, timeout=timeout))

    def list_notifications(
        self,
        query: Optional[t.ListNotificationsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.NotificationPage, t.InboxNotification]:
        """List notifications, newest first.

        Lists the notifications of the last 30 days, one for each event: budgets whose spend or forecast reaches a threshold, anomalies, failed exports, disabled webhook endpoints, implausible costs, degraded attribution and coverage. The channels of the tenant (PATCH /api/v1/tenant) receive them within seconds, and after five messages in five minutes one digest of the others. Each credential has a read mark of its own (PUT /api/v1/notifications/read). While has_more is true, a page can have fewer rows than its limit, or none. Each needs its scope: anomalies and budgets read:reporting, budgets that count records, costs, coverage and attribution read:attribution, exports export:create, webhook endpoints webhooks:manage. A credential bound to a lane sees only notifications about that lane."""
        return Pages(self._transport, Request("GET", "/api/v1/notifications", query=query, timeout=timeout))

    def mark_notifications_read(
        self,
        body: t.ReadMark,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.ReadMarkOutput:
        """Mark notifications as read.

        Marks all notifications up to a time as read, for the caller only. Send created_at of the newest one that was shown. The mark never moves back, and not into the future."""
        return cast(t.ReadMarkOutput, self._transport.send(Request("PUT", "/api/v1/notifications/read", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def create_report_subscription(
        self,
        body: t.ReportSubscriptionRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.ReportSubscription:
        """Send a weekly or monthly report to a person or the chat.

        Spend beside the period before, the largest changes, the forecast of the month, spend without an owner, and suggested savings, as in the reports and with their suppression. It is sent once for each period, when the totals are complete, a day after its end at the latest. An e-mail contains what its recipient may read when it is sent: without read:reporting nothing, and idle nodes only with read:attribution. A chat has readers without roles, so it contains what read:reporting shows, and needs admin:config. VALIDATION_FAILED: no such user, no user calls, or too many subscriptions."""
        return cast(t.ReportSubscription, self._transport.send(Request("POST", "/api/v1/report-subscriptions", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def list_report_subscriptions(
        self,
        query: Optional[t.ListReportSubscriptionsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.ReportSubscriptionPage, t.ReportSubscription]:
        """List report subscriptions, newest first.

        With admin:config, those of the tenant. Otherwise those of the caller."""
        return Pages(self._transport, Request("GET", "/api/v1/report-subscriptions", query=query, timeout=timeout))

    def get_report_subscription(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.ReportSubscription:
        """Read one report subscription.

        With admin:config, those of the tenant. Otherwise those of the caller."""
        return cast(t.ReportSubscription, self._transport.send(Request("GET", fill("/api/v1/report-subscriptions/{id}", id), timeout=timeout)))

    def delete_report_subscription(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Unsubscribe from a report.

        With admin:config, those of the tenant. Otherwise those of the caller."""
        self._transport.send(Request("DELETE", fill("/api/v1/report-subscriptions/{id}", id), idempotency_key=idempotency_key or new_key(), timeout=timeout))

    def get_tenant(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.TenantSettings:
        """Read the tenant's settings.

        Settings that the tenant can change, and those that its plan fixes."""
        return cast(t.TenantSettings, self._transport.send(Request("GET", "/api/v1/tenant", timeout=timeout)))

    def update_tenant(
        self,
        body: t.TenantChange,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.TenantSettings:
        """Change the tenant's settings.

        Changes hold for new events within seconds. Switching stage B emits degradation.state.changed. The settings apply to every residency lane: a credential bound to one gets RESIDENCY_BLOCKED. Channels receive every kind of notification: whoever sets one also needs read:attribution, read:reporting, export:create and webhooks:manage (INSUFFICIENT_SCOPE) and authorizes the channels. They send nothing more once that credential ends or loses one of these scopes. Send them again to authorize them anew. Removing a channel needs no further scope. E-mail addresses are rejected if the service sends no mail."""
        return cast(t.TenantSettings, self._transport.send(Request("PATCH", "/api/v1/tenant", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def get_rate_limit(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.RateLimitBudget:
        """Read the caller's remaining rate limit in each rate class.

        This request is not rate limited. The values equal those of the RateLimit headers."""
        return cast(t.RateLimitBudget, self._transport.send(Request("GET", "/api/v1/rate-limit", timeout=timeout)))

    def get_diagnostics(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.Diagnostics:
        """Read ingestion, freshness and job diagnostics of the tenant.

        Counts of repeated, dropped and dead-lettered events, the freshness of the figures, and the running jobs. All values are of this tenant only. Waiting times of the shared queues are not included; the alarms of the operator cover them."""
        return cast(t.Diagnostics, self._transport.send(Request("GET", "/api/v1/diagnostics", timeout=timeout)))

    def list_jobs(
        self,
        query: Optional[t.ListJobsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.JobPage, t.ListJobsItem]:
        """List jobs, newest first.

        For 90 days after their creation. Whoever may start jobs of a type may read them. read:reporting shows all but exports and resets. A credential bound to a residency lane sees only its exports. Ignore types that your client does not know."""
        return Pages(self._transport, Request("GET", "/api/v1/jobs", query=query, timeout=timeout))

    def get_job(
        self,
        job_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.GetJobResult:
        """Read the state, progress and result of a job.

        Whoever may start jobs of a type may read them. read:reporting shows all but exports and resets. A credential bound to a residency lane sees only its exports. For a succeeded export, every response contains new download URLs that are valid for 15 minutes and need no credential. A user therefore needs a sign-in within the last 15 minutes to read a succeeded export (STEP_UP_REQUIRED), but not to poll it until then. Files are kept for 30 days; then the status is expired. A failed job has a reason and is not retried. Send the request again with a new Idempotency-Key."""
        return cast(t.GetJobResult, self._transport.send(Request("GET", fill("/api/v1/jobs/{job_id}", job_id), timeout=timeout)))

    def get_sandbox(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.Sandbox:
        """Read the live traffic and the newest reset of a sandbox.

        Only for a tenant that the operator created as a sandbox. Any other tenant gets CONFLICT, and nothing changes."""
        return cast(t.Sandbox, self._transport.send(Request("GET", "/api/v1/sandbox", timeout=timeout)))

    def update_sandbox(
        self,
        body: t.SandboxChange,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.Sandbox:
        """Switch the live traffic of a sandbox on or off.

        Takes effect within a minute. Calls that already arrived stay. Only for a tenant that the operator created as a sandbox. Any other tenant gets CONFLICT, and nothing changes."""
        return cast(t.Sandbox, self._transport.send(Request("PATCH", "/api/v1/sandbox", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def reset_sandbox(
        self,
        body: Optional[t.SandboxResetRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.Sandbox:
        """Delete the data of a sandbox and load the synthetic data set.

        Runs in the background for about ten minutes. It deletes records, reports, models, jobs, exports, bills, budgets, mappings, anomalies and notifications, and what running work writes meanwhile. Then it creates identity mappings and budgets, loads 3000 calls of the last 10 days with two anomalies, and opens disputes. The calls and event ids are the same each time, and their times follow the request. Credentials, users, settings, webhooks, the audit log and rate limits stay. A request during a reset returns that reset. Only for a tenant that the operator created as a sandbox. Any other tenant gets CONFLICT, and nothing changes."""
        return cast(t.Sandbox, self._transport.send(Request("POST", "/api/v1/sandbox/reset", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def get_caller(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.Caller:
        """Read who the caller is.

        The credential of the request, its scopes and its tenant. Needs no scope."""
        return cast(t.Caller, self._transport.send(Request("GET", "/api/v1/me", timeout=timeout)))

    def create_user(
        self,
        body: t.UserRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.User:
        """Add a user to the tenant.

        In the user pool of a deployed stack, the person gets an account and an invitation by e-mail, valid for three days. An account that the person has is kept as it is. With an identity provider of your own, the person can sign in as soon as the provider knows the verified e-mail address. A person who was removed is added as a new user. The caller needs every scope of the role, old and new (INSUFFICIENT_SCOPE), and must not be bound to a residency lane (RESIDENCY_BLOCKED)."""
        return cast(t.User, self._transport.send(Request("POST", "/api/v1/users", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def list_users(
        self,
        query: Optional[t.ListUsersQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.UserPage, t.User]:
        """List users by e-mail address.

        Removed users are listed too."""
        return Pages(self._transport, Request("GET", "/api/v1/users", query=query, timeout=timeout))

    def get_user(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.User:
        """Read one user.

        The role of the user, and whether the user was removed."""
        return cast(t.User, self._transport.send(Request("GET", fill("/api/v1/users/{id}", id), timeout=timeout)))

    def update_user(
        self,
        id: str,
        body: t.UserChange,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.User:
        """Change the role of a user.

        Takes effect with the next request of the user, also for tokens that were issued before. The last administrator stays (CONFLICT). The caller needs every scope of the role, old and new (INSUFFICIENT_SCOPE), and must not be bound to a residency lane (RESIDENCY_BLOCKED)."""
        return cast(t.User, self._transport.send(Request("PUT", fill("/api/v1/users/{id}", id), body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def remove_user(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Remove a user from the tenant with immediate effect.

        All sessions and tokens of the user end. The user remains in the list with state removed. Removing the user again changes nothing. The last administrator stays (CONFLICT). The caller needs every scope of the role, old and new (INSUFFICIENT_SCOPE), and must not be bound to a residency lane (RESIDENCY_BLOCKED)."""
        self._transport.send(Request("DELETE", fill("/api/v1/users/{id}", id), idempotency_key=idempotency_key or new_key(), timeout=timeout))

    def create_api_key(
        self,
        body: t.ApiKeyRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.ApiKeyWithSecret:
        """Create an API key.

        Only this response contains the secret. A retry with the same Idempotency-Key and credential returns it again for 24 hours. A key cannot have scopes that its creator lacks."""
        return cast(t.ApiKeyWithSecret, self._transport.send(Request("POST", "/api/v1/api-keys", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def list_api_keys(
        self,
        query: Optional[t.ListApiKeysQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.ApiKeyPage, t.ApiKey]:
        """List API keys, newest first.

        Revoked and expired keys are listed too. No response contains a secret."""
        return Pages(self._transport, Request("GET", "/api/v1/api-keys", query=query, timeout=timeout))

    def get_api_key(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.ApiKey:
        """Read one API key.

        The state, the scopes and the last use of the key. The secret cannot be read again."""
        return cast(t.ApiKey, self._transport.send(Request("GET", fill("/api/v1/api-keys/{id}", id), timeout=timeout)))

    def revoke_api_key(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Revoke an API key with immediate effect.

        The key remains in the list with state revoked. Revoking it again changes nothing. The caller needs every scope of the credential (INSUFFICIENT_SCOPE). If the caller is bound to a residency lane, the credential must be bound to the same one (RESIDENCY_BLOCKED). So a tenant administrator, which is a caller with every scope of the admin role and no lane, may revoke or delete any credential."""
        self._transport.send(Request("DELETE", fill("/api/v1/api-keys/{id}", id), idempotency_key=idempotency_key or new_key(), timeout=timeout))

    def rotate_api_key(
        self,
        id: str,
        body: Optional[t.ApiKeyRotation] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.ApiKeyWithSecret:
        """Replace the secret of an API key.

        Id, name, scopes and lane do not change, nor does expires_at unless the body sets it. An expired key cannot be rotated. With an overlap the old secret stays valid for that time. Emits apikey.rotated. The caller needs every scope of the credential (INSUFFICIENT_SCOPE). If the caller is bound to a residency lane, the credential must be bound to the same one (RESIDENCY_BLOCKED)."""
        return cast(t.ApiKeyWithSecret, self._transport.send(Request("POST", fill("/api/v1/api-keys/{id}/rotate", id), body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def create_oauth_client(
        self,
        body: t.OAuthClientRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.OAuthClientWithSecret:
        """Register an OAuth client.

        Member names follow RFC 7591. The scopes of a token are limited to those of the client. For a token that acts for a user, they are also limited to those of the user’s role."""
        return cast(t.OAuthClientWithSecret, self._transport.send(Request("POST", "/api/v1/oauth-clients", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def list_oauth_clients(
        self,
        query: Optional[t.ListOAuthClientsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.OAuthClientPage, t.OAuthClient]:
        """List OAuth clients, newest first.

        Deleted clients are not listed. No response contains a secret."""
        return Pages(self._transport, Request("GET", "/api/v1/oauth-clients", query=query, timeout=timeout))

    def get_oauth_client(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.OAuthClient:
        """Read one OAuth client.

        The grant types, the scopes and the last use of the client. The secret cannot be read again."""
        return cast(t.OAuthClient, self._transport.send(Request("GET", fill("/api/v1/oauth-clients/{id}", id), timeout=timeout)))

    def delete_oauth_client(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Delete an OAuth client and invalidate its tokens.

        The caller needs every scope of the credential (INSUFFICIENT_SCOPE). If the caller is bound to a residency lane, the credential must be bound to the same one (RESIDENCY_BLOCKED). So a tenant administrator, which is a caller with every scope of the admin role and no lane, may revoke or delete any credential."""
        self._transport.send(Request("DELETE", fill("/api/v1/oauth-clients/{id}", id), idempotency_key=idempotency_key or new_key(), timeout=timeout))

    def rotate_oauth_client(
        self,
        id: str,
        body: Optional[t.RotationRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.OAuthClientWithSecret:
        """Replace the secret of an OAuth client.

        CONFLICT for a public client, which has no secret. The caller needs every scope of the credential (INSUFFICIENT_SCOPE). If the caller is bound to a residency lane, the credential must be bound to the same one (RESIDENCY_BLOCKED)."""
        return cast(t.OAuthClientWithSecret, self._transport.send(Request("POST", fill("/api/v1/oauth-clients/{id}/rotate", id), body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def get_discovery(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.AuthorizationServerMetadata:
        """Authorization server metadata (RFC 8414).

        The endpoints, grant types and scopes of the authorization server, for OAuth libraries."""
        return cast(t.AuthorizationServerMetadata, self._transport.send(Request("GET", "/.well-known/oauth-authorization-server", is_public=True, timeout=timeout)))

    def get_jwks(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.Jwks:
        """Public keys that verify access tokens (RFC 7517).

        A new key is listed before it signs, and an old key for as long as its tokens are valid. Select the key by kid."""
        return cast(t.Jwks, self._transport.send(Request("GET", "/.well-known/jwks.json", is_public=True, timeout=timeout)))

    def list_audit_log(
        self,
        query: Optional[t.ListAuditLogQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Pages[t.AuditPage, t.AuditEntry]:
        """List audit log entries.

        The log is append-only: changes with what they changed, reads of single records, and refused calls. Rejected requests are also logged, with their error code. An entry must match all filters. While has_more is true, a page can have fewer entries than its limit, or none."""
        return Pages(self._transport, Request("GET", "/api/v1/audit-log", query=query, timeout=timeout))

    def get_health(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.Health:
        """Check that the service is running.

        Answers while the process runs, without a look at its dependencies. Use it to check whether a process is alive."""
        return cast(t.Health, self._transport.send(Request("GET", "/healthz", is_public=True, timeout=timeout)))

    def get_readiness(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.Readiness:
        """Check that all dependencies of the service are available.

        The result can be one second old."""
        return cast(t.Readiness, self._transport.send(Request("GET", "/readyz", is_public=True, timeout=timeout)))

    def get_openapi(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.GetOpenapiResult:
        """Read the OpenAPI 3.1 document of this API.

        The document is built from the route table that the service runs on. It changes only with a deployment. Send the ETag in If-None-Match to get 304 while it is unchanged."""
        return cast(t.GetOpenapiResult, self._transport.send(Request("GET", "/openapi.json", timeout=timeout)))

    def get_postman(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.GetPostmanResult:
        """Read the API as a Postman collection.

        Import the URL in Postman and set the variable apiKey. Examples are the bodies, and ids of lists and creations are kept for the requests that need one."""
        return cast(t.GetPostmanResult, self._transport.send(Request("GET", "/postman.json", timeout=timeout)))

    def get_changelog(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.ContractChangelog:
        """Read the changes of the API between its releases.

        Found by a comparison of the API documents: every added, changed or removed operation, member, limit, error and header. Texts and examples are not compared."""
        return cast(t.ContractChangelog, self._transport.send(Request("GET", "/changelog.json", timeout=timeout)))

    def list_errors(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.ErrorCatalogue:
        """List all error codes.

        Always public: a client whose credential is refused needs it most, and it holds no data of a tenant. Within a major version of the API no code is removed and no status changes."""
        return cast(t.ErrorCatalogue, self._transport.send(Request("GET", "/errors", is_public=True, timeout=timeout)))

    def get_error_page(
        self,
        slug: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.ErrorPage:
        """Read the cause and the remedy of an error code.

        Always public: a client whose credential is refused needs it most, and it holds no data of a tenant."""
        return cast(t.ErrorPage, self._transport.send(Request("GET", fill("/errors/{slug}", slug), is_public=True, timeout=timeout)))

    def get_notification_page(
        self,
        type: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.NotificationHelp:
        """Read what a notification means and how to read it in the API.

        The page that e-mails and chat messages link to. It is the same for every tenant."""
        return cast(t.NotificationHelp, self._transport.send(Request("GET", fill("/notifications/{type}", type), is_public=True, timeout=timeout)))


class AsyncOperations:
    """The operations of the API. Use `AsyncClient`."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def post_invocation(
        self,
        body: t.InvocationEvent,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.InvocationAccepted:
        """Send one inference event.

        Unknown members are dropped, with a warning if near a known one. Dropped content members are listed in scrubbed. An optional label that looks like a secret or has more than 12 words is dropped too, with a reason in warnings. Only required members make an event invalid. An optional member with an invalid value is corrected if clear, or dropped, with a reason in warnings. If a part of a token count exceeds the count, both are dropped. An event_id creates one record. A retry with other content does not change it. Another capture layer or source system that sends the same event_id adds its evidence to the record. Timestamps more than 13 months in the past are rejected. The arrival replaces those more than 10 minutes in the future or before 2020, with a warning, and the explanation of the record has the reported time. If the idempotency store or the rate-limit store is unavailable, events are still accepted and the response has a Degraded header."""
        return cast(t.InvocationAccepted, await self._transport.send(Request("POST", "/api/v1/invocations", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    async def post_invocation_batch(
        self,
        body: t.InvocationBatch,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.InvocationBatchAccepted:
        """Send up to 1000 inference events.

        Returns one result for each event, in request order. An invalid event does not reject the others. Unknown members are dropped, with a warning if near a known one. Dropped content members are listed in scrubbed. An optional label that looks like a secret or has more than 12 words is dropped too, with a reason in warnings. Only required members make an event invalid. An optional member with an invalid value is corrected if clear, or dropped, with a reason in warnings. If a part of a token count exceeds the count, both are dropped. An event_id creates one record. A retry with other content does not change it. Another capture layer or source system that sends the same event_id adds its evidence to the record. Timestamps more than 13 months in the past are rejected. The arrival replaces those more than 10 minutes in the future or before 2020, with a warning, and the explanation of the record has the reported time. If the idempotency store or the rate-limit store is unavailable, events are still accepted and the response has a Degraded header."""
        return cast(t.InvocationBatchAccepted, await self._transport.send(Request("POST", "/api/v1/invocations/batch", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    async def post_call_logs(
        self,
        body: t.CallLogs,
        *,
        timeout: Optional[float] = None,
    ) -> t.CallLogsAccepted:
        """Send the call logs of a gateway or provider.

        Each logged call makes one record. LiteLLM sends them with its callback generic_api, and CloudEvents come in any HTTP mode. The body is one entry, an array, lines of JSON, CSV with a line of names, or the answer of an API that has the entries in a list, optionally gzip. The format is recognised by its shape. Prompts and model output are never stored. Repeated entries add nothing. A call that an application or OpenTelemetry reports too, with the same response id, makes one record."""
        return cast(t.CallLogsAccepted, await self._transport.send(Request("POST", "/api/v1/call-logs", body=body, timeout=timeout)))

    def list_attribution(
        self,
        query: Optional[t.ListAttributionQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> AsyncPages[t.AttributionPage, t.AttributionRecord]:
        """List attribution records, filtered and sorted.

        Follow next_cursor until has_more is false. The pages return every record that existed at the first request exactly once, regardless of concurrent writes. While has_more is true, a page can have fewer records than its limit, or none.

`field=value` is short for `field[eq]=value`. A record must match all filters. A request takes at most 10 filters, each at most once. `[eq]` and `[contains]` take the value literally, commas included. `[in]` takes a list: one text that is cut at commas, or the parameter repeated or a JSON array, whose values may contain commas. `[ne]` also matches records without a value. The other operators never match null values. Use `[exists]=false` to find them.

Sorted by cost_usd or confidence, the pages show corrections made at least five seconds before the first request. Sorted by occurred_at, they show all corrections made before it."""
        return AsyncPages(self._transport, Request("GET", "/v1/attribution", query=query, timeout=timeout))

    async def get_attribution(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.AttributionDetail:
        """Read one attribution record with its full explanation.

        The explanation has every rule with its result, and the method, version and range of cost, energy and carbon."""
        return cast(t.AttributionDetail, await self._transport.send(Request("GET", fill("/v1/attribution/{id}", id), timeout=timeout)))

    def list_attribution_versions(
        self,
        id: str,
        query: Optional[t.ListAttributionVersionsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> AsyncPages[t.RecordVersionPage, t.RecordVersion]:
        """List the versions of a record, newest first.

        Who the owner was until when, and what changed it."""
        return AsyncPages(self._transport, Request("GET", fill("/v1/attribution/{id}/versions", id), query=query, timeout=timeout))

    async def override_attribution(
        self,
        id: str,
        body: t.OverrideRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.AttributionDetail:
        """Override the owner or service of a record.

        Creates a new version of the record with output_state manually_overridden and the highest confidence. Cost, energy and carbon do not change, and an unknown price stays unknown. The explanation keeps the earlier rule results beside the override. The override resolves an open dispute. Emits attribution.override.applied. The response contains the record, so the caller also needs read:attribution."""
        return cast(t.AttributionDetail, await self._transport.send(Request("POST", fill("/v1/attribution/{id}/overrides", id), body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    async def dispute_attribution(
        self,
        id: str,
        body: t.DisputeRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.AttributionDetail:
        """Dispute the attribution of a record.

        Creates a new version of the record with the dispute. Owner and service do not change until an override resolves the dispute. CONFLICT if the record already has an open dispute. Emits attribution.disputed. The response contains the record, so the caller also needs read:attribution."""
        return cast(t.AttributionDetail, await self._transport.send(Request("POST", fill("/v1/attribution/{id}/disputes", id), body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    async def confirm_cost(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.AttributionDetail:
        """Confirm the cost of a record.

        A cost far above what the usage explains, or above 60,000 USD or largest_reported_cost_usd, is not counted (implausible_cost). This makes explanation.reported_cost the cost, in a new version. CONFLICT if none waits. The caller also needs read:attribution."""
        return cast(t.AttributionDetail, await self._transport.send(Request("POST", fill("/v1/attribution/{id}/cost-confirmation", id), idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def list_disputes(
        self,
        query: Optional[t.ListDisputesQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> AsyncPages[t.AttributionPage, t.AttributionRecord]:
        """List disputed records, newest dispute first.

        Each record has its newest dispute and its present owner. A record appears once. While has_more is true, a page can have fewer records than its limit, or none."""
        return AsyncPages(self._transport, Request("GET", "/v1/disputes", query=query, timeout=timeout))

    async def create_identity_mapping(
        self,
        body: t.IdentityMappingRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.IdentityMapping:
        """Create an identity mapping.

        Maps calls with a certain identity, workload or key name to an owner, a service or both. The first matching mapping with an owner sets the owner. The first matching mapping with a service sets the service. If no mapping matches, the other evidence of the call decides. The mapping applies to new events within seconds. A tenant can have 500 mappings; beyond that the response is VALIDATION_FAILED."""
        return cast(t.IdentityMapping, await self._transport.send(Request("POST", "/api/v1/identity/mappings", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def list_identity_mappings(
        self,
        query: Optional[t.ListIdentityMappingsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> AsyncPages[t.IdentityMappingPage, t.IdentityMapping]:
        """List identity mappings in evaluation order.

        Each mapping appears once. A mapping moved between two page requests can appear twice or not at all."""
        return AsyncPages(self._transport, Request("GET", "/api/v1/identity/mappings", query=query, timeout=timeout))

    async def get_identity_mapping(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.IdentityMapping:
        """Read one identity mapping.

        The mapping with its match rules and its target."""
        return cast(t.IdentityMapping, await self._transport.send(Request("GET", fill("/api/v1/identity/mappings/{id}", id), timeout=timeout)))

    async def update_identity_mapping(
        self,
        id: str,
        body: t.IdentityMappingPatch,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.IdentityMapping:
        """Change or move an identity mapping.

        The change applies to new events within seconds. Existing records do not change until they are reprocessed. effective_from does not change unless the request contains it."""
        return cast(t.IdentityMapping, await self._transport.send(Request("PATCH", fill("/api/v1/identity/mappings/{id}", id), body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    async def delete_identity_mapping(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Delete an identity mapping.

        Existing records do not change until they are reprocessed."""
        await self._transport.send(Request("DELETE", fill("/api/v1/identity/mappings/{id}", id), idempotency_key=idempotency_key or new_key(), timeout=timeout))

    async def dry_run_identity_mapping(
        self,
        body: t.IdentityMappingDryRunRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.IdentityMappingDryRun:
        """Dry-run a change of the identity mappings.

        Changes nothing. With mapping only, the dry run creates the mapping. With mapping and replaces, it changes the existing mapping. With replaces only, it deletes that mapping. It examines the newest records of the period that the credential can read, at most 1000. Manual overrides do not change. A new mapping without effective_from applies to the whole period. The conditions select single calls, so the caller also needs read:attribution."""
        return cast(t.IdentityMappingDryRun, await self._transport.send(Request("POST", "/api/v1/identity/mappings/dry-run", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    async def reprocess_records(
        self,
        body: t.ReprocessRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.JobStarted:
        """Apply the current mappings to recorded calls.

        A job attributes the records of the period again, newest first, by the current mappings, rules, model and prices. A record whose result changes gets a new version. Manual overrides stay. Reports follow within minutes."""
        return cast(t.JobStarted, await self._transport.send(Request("POST", "/api/v1/identity/mappings/reprocess", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def list_models(
        self,
        query: Optional[t.ListModelsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> AsyncPages[t.ModelPage, t.Model]:
        """List trained models, newest first.

        Lists every training with the result of its publication gate. Models are trained every three hours on the results of the deterministic stage of the last 28 days. A model serves only after the gate has verified its calibration and precision on later calls."""
        return AsyncPages(self._transport, Request("GET", "/api/v1/models", query=query, timeout=timeout))

    async def train_model(
        self,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.JobStarted:
        """Train a model now, independent of the schedule.

        The training runs in the background and takes seconds to a few minutes. Then the model appears in the list. It serves new events if it passes the publication gate."""
        return cast(t.JobStarted, await self._transport.send(Request("POST", "/api/v1/models", idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    async def recall_model(
        self,
        version: str,
        body: t.RecallRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.ModelRecall:
        """Recall a model and withdraw its attributions.

        The previous validated model serves again, or the heuristic if there is none. degradation_state is model_recalled until the next model is validated. A job attributes the records of the recalled model again, newest first, as new versions. CONFLICT if the model never served or is already recalled. Emits degradation.state.changed."""
        return cast(t.ModelRecall, await self._transport.send(Request("POST", fill("/api/v1/models/{version}/recall", version), body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def get_usage_report(
        self,
        query: Optional[t.GetUsageReportQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> AsyncPages[t.UsageReport, t.UsageRow]:
        """Report cost, energy, carbon and tokens by group and time.

        Rows sum exactly to `totals`, and totals of adjacent ranges to those of the whole range. The report is computed for the first page. The other pages show the same result, for one hour.

Rows and totals include only calls that match all filters. `[ne]` also matches calls without a value. Calls of which suppression hides the filtered member are only counted in `undetermined_invocations`.

Suppression (k=5): calls of fewer than 5 distinct persons are shown only together with other calls, in rows of kind folded. Such a row omits the owner first, then the service, provider, model and pathway. Suppression is decided once for each day. If fewer than 5 persons of a residency lane called on a day, it is decided for several days together. It does not depend on the query, so no two responses differ by the calls of fewer than 5 persons. A month with fewer than 5 named persons is one sum. A person is the attributed_identity of a call or of its trace; spellings of one name are one person. A call that names nobody counts as one unknown person for each api_key_name, or else for each workload, unless an identity mapping declares it a service: one that reads the key or workload and sets a service but no owner. Other calls without a person are not suppressed. An owner that is the identity of a person is always folded. A credential bound to a residency lane sees only that lane, as far as the lane can be shown separately."""
        return AsyncPages(self._transport, Request("GET", "/v1/reports/usage", query=query, timeout=timeout))

    def get_adoption_report(
        self,
        query: Optional[t.GetAdoptionReportQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> AsyncPages[t.AdoptionReport, t.AdoptionRow]:
        """Report the number of persons who use inference, by group and time.

        A person can be counted in several rows, so the counts of rows must not be summed. The report is computed for the first page. The other pages show the same result, for one hour.

Filters and suppression: as in the usage report."""
        return AsyncPages(self._transport, Request("GET", "/v1/reports/adoption", query=query, timeout=timeout))

    def get_forecast_report(
        self,
        query: Optional[t.GetForecastReportQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> AsyncPages[t.ForecastReport, t.ForecastRow]:
        """Forecast the cost of the current month or quarter, by group.

        The amounts spent so far sum exactly to `totals`. The forecast of the totals is made from all calls, so it is not the sum of those of the rows. The report is computed for the first page. The other pages show the same result, for one hour.

Filters and suppression: as in the usage report."""
        return AsyncPages(self._transport, Request("GET", "/v1/reports/forecast", query=query, timeout=timeout))

    def get_changes_report(
        self,
        query: Optional[t.GetChangesReportQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> AsyncPages[t.ChangesReport, t.ChangeRow]:
        """Explain the change of cost between two periods, by group.

        Rows come in order of the size of their change, and their changes sum exactly to that of `totals`. The parts of `totals` are those of all calls: what is volume in the rows of two groups can be mix in the whole. The report is computed for the first page. The other pages show the same result, for one hour.

Filters and suppression: as in the usage report."""
        return AsyncPages(self._transport, Request("GET", "/v1/reports/changes", query=query, timeout=timeout))

    def get_unit_costs_report(
        self,
        query: Optional[t.GetUnitCostsReportQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> AsyncPages[t.UnitCostsReport, t.UnitCostRow]:
        """Report the cost of a call, a token of each kind and a person, by group and time.

        Costs are those of the usage report, and sum exactly to `totals`. Ratios are rounded to twelve digits. The report is computed for the first page. The other pages show the same result, for one hour.

Filters and suppression: as in the usage report."""
        return AsyncPages(self._transport, Request("GET", "/v1/reports/unit-costs", query=query, timeout=timeout))

    def get_savings_report(
        self,
        query: Optional[t.GetSavingsReportQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> AsyncPages[t.SavingsReport, t.Saving]:
        """Suggest savings, with the calls and figures they rest on.

        The largest first. Amounts are for 30 days, from sums with at least 100 calls, at the prices of your contracts or of the list, in the proportion that was paid. Prices of contracts need read:attribution. They overlap, so there is no total. A dismissed suggestion is left out until it has grown (has_grown). At most 31 days. Idle nodes need read:attribution, and no residency lane. The report is computed for the first page. The other pages show the same result, for one hour.

Filters and suppression: as in the usage report."""
        return AsyncPages(self._transport, Request("GET", "/v1/reports/savings", query=query, timeout=timeout))

    async def dismiss_saving(
        self,
        body: t.SavingDismissalRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.SavingDismissal:
        """Dismiss a suggested saving, with a reason.

        The members are those of the suggestion in the report. It is left out of the report and of what is sent to people, until it saves at least 1.5 times `high_usd` and 1 USD more in 30 days. Dismissing it again replaces the amount and the reason, under the same id. A tenant can have 200; beyond that the response is VALIDATION_FAILED. A credential bound to a residency lane sees and dismisses the suggestions of that lane only."""
        return cast(t.SavingDismissal, await self._transport.send(Request("POST", "/api/v1/saving-dismissals", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def list_saving_dismissals(
        self,
        query: Optional[t.ListSavingDismissalsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> AsyncPages[t.SavingDismissalPage, t.SavingDismissal]:
        """List dismissed savings.

        In the order of their ids, also those of suggestions that no report of now has. Those of idle nodes need read:attribution. A credential bound to a residency lane sees and dismisses the suggestions of that lane only."""
        return AsyncPages(self._transport, Request("GET", "/api/v1/saving-dismissals", query=query, timeout=timeout))

    async def restore_saving(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Suggest a dismissed saving again.

        The next report shows it, if its calls are still there. A credential bound to a residency lane sees and dismisses the suggestions of that lane only."""
        await self._transport.send(Request("DELETE", fill("/api/v1/saving-dismissals/{id}", id), idempotency_key=idempotency_key or new_key(), timeout=timeout))

    async def create_annotation(
        self,
        body: t.AnnotationRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.Annotation:
        """Note on a day what happened, such as a release.

        Charts over time show it. The same text of the same day has the same id. A tenant can have 200; beyond that the response is VALIDATION_FAILED. A credential bound to a residency lane sees and writes those of that lane only."""
        return cast(t.Annotation, await self._transport.send(Request("POST", "/api/v1/annotations", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def list_annotations(
        self,
        query: Optional[t.ListAnnotationsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> AsyncPages[t.AnnotationPage, t.Annotation]:
        """List annotations.

        In the order of their ids. A credential bound to a residency lane sees and writes those of that lane only."""
        return AsyncPages(self._transport, Request("GET", "/api/v1/annotations", query=query, timeout=timeout))

    async def delete_annotation(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Delete an annotation.

        A credential bound to a residency lane sees and writes those of that lane only."""
        await self._transport.send(Request("DELETE", fill("/api/v1/annotations/{id}", id), idempotency_key=idempotency_key or new_key(), timeout=timeout))

    async def create_saved_view(
        self,
        body: t.SavedViewRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.SavedView:
        """Save what a page of the console shows, with a name.

        Everyone of the tenant sees it. Saving under a name of the page again replaces the view. A tenant can have 200; beyond that the response is VALIDATION_FAILED. A credential bound to a residency lane sees and writes those of that lane only."""
        return cast(t.SavedView, await self._transport.send(Request("POST", "/api/v1/saved-views", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def list_saved_views(
        self,
        query: Optional[t.ListSavedViewsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> AsyncPages[t.SavedViewPage, t.SavedView]:
        """List saved views.

        In the order of their ids. A credential bound to a residency lane sees and writes those of that lane only."""
        return AsyncPages(self._transport, Request("GET", "/api/v1/saved-views", query=query, timeout=timeout))

    async def delete_saved_view(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Delete a saved view.

        A credential bound to a residency lane sees and writes those of that lane only."""
        await self._transport.send(Request("DELETE", fill("/api/v1/saved-views/{id}", id), idempotency_key=idempotency_key or new_key(), timeout=timeout))

    def get_metric_costs(
        self,
        query: Optional[t.GetMetricCostsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> AsyncPages[t.MetricCosts, t.MetricCost]:
        """Report the cost of a unit of each business metric.

        The cost that the usage report by day shows for the owner and service of a metric, on the days that have a number, divided by the sum of the numbers. Only whole days that have ended count. In order of names. A credential bound to a residency lane sees the metrics of that lane, any other one those of no lane. The report is computed for the first page. The other pages show the same result, for one hour."""
        return AsyncPages(self._transport, Request("GET", "/v1/reports/metric-costs", query=query, timeout=timeout))

    async def post_business_metric(
        self,
        body: t.BusinessMetricRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.BusinessMetric:
        """Send the daily numbers of a business metric.

        Such as tickets solved, for the whole tenant, an owner or a service. The number of a day replaces an earlier one; other days stay. Name, owner and service make the metric, and its id. A tenant can have 50 metrics, each with 800 days; beyond that the response is VALIDATION_FAILED. A credential bound to a residency lane sees and sends the metrics of that lane only."""
        return cast(t.BusinessMetric, await self._transport.send(Request("POST", "/api/v1/business-metrics", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def list_business_metrics(
        self,
        query: Optional[t.ListBusinessMetricsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> AsyncPages[t.BusinessMetricPage, t.BusinessMetric]:
        """List business metrics.

        In the order of their ids. A credential bound to a residency lane sees and sends the metrics of that lane only."""
        return AsyncPages(self._transport, Request("GET", "/api/v1/business-metrics", query=query, timeout=timeout))

    async def delete_business_metric(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Delete a business metric with its numbers.

        Records and reports stay as they are. A credential bound to a residency lane sees and sends the metrics of that lane only."""
        await self._transport.send(Request("DELETE", fill("/api/v1/business-metrics/{id}", id), idempotency_key=idempotency_key or new_key(), timeout=timeout))

    async def get_node_hours(
        self,
        query: Optional[t.GetNodeHoursQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.NodeHours:
        """Report what node pools cost, and how much of it is idle.

        Each hour that is divided: its cost is what the calls of the pool cost and what nobody used, to the last digit. At most 31 days. A credential bound to a residency lane gets RESIDENCY_BLOCKED."""
        return cast(t.NodeHours, await self._transport.send(Request("GET", "/v1/reports/node-hours", query=query, timeout=timeout)))

    async def get_unowned_report(
        self,
        query: Optional[t.GetUnownedReportQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.UnownedReport:
        """List services whose calls have no confirmed owner, with suggestions.

        Amounts are sums of the usage report: of calls that it hides, only the maximum is known. Rows sum to `totals`, highest cost first. A caller with read:attribution also gets the groups in which calls can be mapped, with suggestions for their owner, from the newest 1000 records of the period. With `service`, its newest records are examined too. A suggestion is no answer: create an identity mapping from it, after a dry run, and reprocess the period."""
        return cast(t.UnownedReport, await self._transport.send(Request("GET", "/v1/reports/unowned", query=query, timeout=timeout)))

    async def look_up_attribution(
        self,
        query: Optional[t.LookUpAttributionQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.AttributionLookup:
        """Look up owner and budgets of a call before it is made.

        For decisions in the path of a call (P99 objective: 50 ms). Takes the signals of its event. Rules and identity mappings decide owner and service; a trained model is not asked, so a call that is unresolved here can get an owner later. The response is at most 5 seconds old. The service never blocks a call: what follows from the answer is up to the caller, and a call without an answer must go on."""
        return cast(t.AttributionLookup, await self._transport.send(Request("GET", "/api/v1/lookup", query=query, timeout=timeout)))

    async def create_budget(
        self,
        body: t.BudgetRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.Budget:
        """Create a budget with alerts.

        A budget only alerts. It does not block calls. At each of its thresholds it emits budget.threshold.crossed, once for each threshold and period, within one minute after the spend appears in reports. A correction that lowers the spend by more than 5 % of the ceiling below a threshold rearms it; below 10 %, half of the threshold is enough. At each of forecast_thresholds it emits budget.forecast.crossed, looked at once an hour: once when the high end of the forecast range reaches the threshold (possible), and once when the low end does (likely). A threshold that the spend has reached has no forecast alert. Spend of the current period before the creation counts. The response has no figures yet: they are evaluated, usually within seconds. Calls without a known price are not in the spend; unpriced_invocations is their number. A budget created with a credential bound to a residency lane counts only that lane. A credential without read:attribution creates a budget with the basis cohorts: it counts what the usage report shows under the same names, and takes no tags. A tenant can have 200 budgets; beyond that the response is VALIDATION_FAILED."""
        return cast(t.Budget, await self._transport.send(Request("POST", "/api/v1/budgets", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def list_budgets(
        self,
        query: Optional[t.ListBudgetsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> AsyncPages[t.BudgetPage, t.Budget]:
        """List budgets with their current spend, newest first.

        A credential bound to a residency lane sees only the budgets of that lane."""
        return AsyncPages(self._transport, Request("GET", "/api/v1/budgets", query=query, timeout=timeout))

    async def get_budget(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.Budget:
        """Read one budget with its current spend.

        The spend is that of the current period in UTC, and as recent as the usage report."""
        return cast(t.Budget, await self._transport.send(Request("GET", fill("/api/v1/budgets/{id}", id), timeout=timeout)))

    async def update_budget(
        self,
        id: str,
        body: t.BudgetPatch,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.Budget:
        """Change a budget.

        The budget alerts as createBudget says. The response has no figures yet. After a change of ceiling, scope or period, the spend of the current period is evaluated, usually within seconds. A threshold that was already reported is reported again only if the change moved the spend below it. To change the ceiling, period or scope of a budget that counts records, the caller needs read:attribution. Otherwise it could find out the spend by trying ceilings."""
        return cast(t.Budget, await self._transport.send(Request("PATCH", fill("/api/v1/budgets/{id}", id), body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    async def delete_budget(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Delete a budget.

        The budget emits no further alerts. Alerts that were emitted remain in the notifications."""
        await self._transport.send(Request("DELETE", fill("/api/v1/budgets/{id}", id), idempotency_key=idempotency_key or new_key(), timeout=timeout))

    def list_budget_periods(
        self,
        id: str,
        query: Optional[t.ListBudgetPeriodsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> AsyncPages[t.BudgetPeriods, t.BudgetPeriodRecord]:
        """Read the spend of a budget in its current and earlier periods, newest first.

        Earlier periods are measured with the present scope and ceiling, also those before the creation of the budget, as far back as records are kept. Periods of a rolling budget are ranges of 30 days, one after the other. Calls from before the first budget that names a tag are not in the sums of that tag."""
        return AsyncPages(self._transport, Request("GET", fill("/api/v1/budgets/{id}/periods", id), query=query, timeout=timeout))

    def list_anomalies(
        self,
        query: Optional[t.ListAnomaliesQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> AsyncPages[t.AnomalyPage, t.Anomaly]:
        """List cost anomalies, newest first.

        An anomaly is a UTC hour or day whose cost is far above its baseline. The baseline is the same hour of the week, or the same weekday, of up to eight weeks. While a series is younger than four weeks, the baseline is the last fourteen days. The service evaluates the whole tenant and each owner, service and model, once there is one week of history. An hour is evaluated ten minutes to two hours after it ends. Each anomaly emits anomaly.detected once. All amounts are sums of the cohorts of the reports, so none of them contains only the calls of one to four persons. An hour with fewer than five callers is not evaluated. A credential bound to a residency lane sees only that lane."""
        return AsyncPages(self._transport, Request("GET", "/api/v1/anomalies", query=query, timeout=timeout))

    async def get_anomaly(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.ExplainedAnomaly:
        """Read one anomaly, with its first hour and what led to it.

        Divides the change of its cost since the same weekdays before exactly into calls, models, tokens, cache and price, as getChangesReport does, for the calls of its lane. All figures are sums of the cohorts of the reports."""
        return cast(t.ExplainedAnomaly, await self._transport.send(Request("GET", fill("/api/v1/anomalies/{id}", id), timeout=timeout)))

    async def mute_anomaly(
        self,
        id: str,
        body: t.AnomalyMuteRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.AnomalyMute:
        """Mute the series of an anomaly.

        For the given number of days, the series raises no anomaly.detected event and no notification, for example during a planned migration. The series is the tenant, owner, service or model of the anomaly, in its residency lane, by the hour and by the day. Its anomalies are still detected and listed. An anomaly that begins while the series is muted raises no event later either. Muting a muted series replaces the time and the reason. A tenant can have 200 muted series; beyond that the response is VALIDATION_FAILED. The response names the series, so the caller also needs read:reporting."""
        return cast(t.AnomalyMute, await self._transport.send(Request("PUT", fill("/api/v1/anomalies/{id}/mute", id), body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    async def unmute_anomaly(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Unmute the series of an anomaly.

        The next anomaly of the series raises its event again. The series is the tenant, owner, service or model of the anomaly, in its residency lane, by the hour and by the day. Succeeds also if the series is not muted."""
        await self._transport.send(Request("DELETE", fill("/api/v1/anomalies/{id}/mute", id), idempotency_key=idempotency_key or new_key(), timeout=timeout))

    async def get_coverage(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.CoverageMap:
        """Read the coverage map: active and missing capture layers of each pathway.

        States are evaluated every hour and on every read. A pathway that is no longer active emits coverage.degraded once. A pathway that is active again emits coverage.restored once. Between active and not active, a state lasts at least one hour, so an unstable layer does not cause repeated events. A caller bound to a residency lane sees only the captures of that lane and the states derived from them."""
        return cast(t.CoverageMap, await self._transport.send(Request("GET", "/api/v1/coverage", timeout=timeout)))

    async def get_coverage_expectations(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.CoverageExpectationsOutput:
        """Read the required capture layers of each pathway.

        The coverage map shows them too, beside the layers that are live."""
        return cast(t.CoverageExpectationsOutput, await self._transport.send(Request("GET", "/api/v1/coverage/expectations", timeout=timeout)))

    async def put_coverage_expectations(
        self,
        body: t.CoverageExpectations,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.CoverageExpectationsOutput:
        """Set the required capture layers of each pathway.

        Replaces all earlier expectations. A pathway with expected layers is active while all of them are live. A pathway without expectations is active while any layer is live. The coverage map shows the expectations."""
        return cast(t.CoverageExpectationsOutput, await self._transport.send(Request("PUT", "/api/v1/coverage/expectations", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    async def post_events(
        self,
        body: t.CloudEvents,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.SignalsAccepted:
        """Send CloudEvents: discovery signals, connector health or other types.

        Accepts CloudEvents 1.0 in the JSON format: one object (application/cloudevents+json) or an array of up to 1,000 (application/cloudevents-batch+json). application/json accepts both, and the data of one event in binary mode, whose attributes are ce- headers. Returns one result for each event, in request order. In an array, an invalid event does not reject the others. A single invalid event returns 422. source and id identify an event of a credential; a duplicate is acknowledged and changes nothing. discovery.signal and connector.health events update the coverage map and do not create attribution records. The data of an ai.inference.completed.v1 event is an inference event, which is recorded as postInvocation records it: source and id replace its event_id, time its times, and subject its attributed_identity, if it has none. The health of a connector that is registered is reported by it alone. A connector whose reported health changes emits connector.health.changed. Events of other types are counted and kept for 30 days, reduced to names, numbers and short text. Content members are dropped and listed in scrubbed."""
        return cast(t.SignalsAccepted, await self._transport.send(Request("POST", "/api/v1/events", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    async def post_partner_invocation(
        self,
        body: t.InvocationEvent,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.InvocationAccepted:
        """Send one inference event of a registered source system.

        As postInvocation. source_system must be one of the connector; it can be left out if there is only one. An event of another source system is refused with INSUFFICIENT_SCOPE, which the audit log records. For an OAuth client that the tenant registered with source_systems. An administrator of the tenant may send events of any source system."""
        return cast(t.InvocationAccepted, await self._transport.send(Request("POST", "/api/partner/v1/invocations", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    async def post_partner_events(
        self,
        body: t.InvocationBatch,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.InvocationBatchAccepted:
        """Send up to 1000 inference events of the registered source systems.

        As postInvocationBatch. source_system must be one of the connector; it can be left out if there is only one. An event of another source system refuses the whole batch with INSUFFICIENT_SCOPE, which the audit log records. For an OAuth client that the tenant registered with source_systems. An administrator of the tenant may send events of any source system."""
        return cast(t.InvocationBatchAccepted, await self._transport.send(Request("POST", "/api/partner/v1/events", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    async def get_partner_connector(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.PartnerConnector:
        """Read the registration, health and usage of the connector.

        For an OAuth client that the tenant registered with source_systems. An administrator of the tenant may send events of any source system."""
        return cast(t.PartnerConnector, await self._transport.send(Request("GET", "/api/partner/v1/connector", timeout=timeout)))

    async def put_partner_health(
        self,
        body: t.PartnerHealthReport,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.PartnerHealth:
        """Report the health of the connector.

        A change emits connector.health.changed, and the coverage map shows the newest report. For an OAuth client that the tenant registered with source_systems. An administrator of the tenant may send events of any source system."""
        return cast(t.PartnerHealth, await self._transport.send(Request("PUT", "/api/partner/v1/connector/health", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    async def get_partner_coverage(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.PartnerCoverage:
        """Read when each source system of the connector was last seen.

        Only source systems of the connector, in its lane. For an OAuth client that the tenant registered with source_systems. An administrator of the tenant may send events of any source system."""
        return cast(t.PartnerCoverage, await self._transport.send(Request("GET", "/api/partner/v1/coverage", timeout=timeout)))

    async def create_focus_export(
        self,
        body: t.ExportRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.ExportStarted:
        """Create a chargeback or showback export, aligned with FOCUS.

        Runs in the background. Poll status_url, or wait for export.completed or export.failed. Each month has its own files. Rows contain only records with a confidence of at least 0.80 and a known price. The manifest lists exclusions by reason; with them, rows sum exactly to the ledger. With read:attribution, rows are made from records, groups of fewer than 5 persons are merged into their parent group, and only callers with that scope see the export. Without it, each row, total and exclusion is a sum of cohorts of the usage report: without meters, unit prices and regions, and not by record. The export shows the ledger at the time of the request and replaces earlier exports of the same months. It succeeds or fails within 6 hours. A credential bound to a residency lane exports only that lane. EXPORT_TOO_LARGE: more than 13 months or 4 group_by fields."""
        return cast(t.ExportStarted, await self._transport.send(Request("POST", "/v1/exports/focus", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def list_exports(
        self,
        query: Optional[t.ListExportsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> AsyncPages[t.ExportPage, t.ExportJob]:
        """List exports, newest first.

        The list does not contain download URLs. Read the job to get them. A credential bound to a residency lane sees only the exports of that lane."""
        return AsyncPages(self._transport, Request("GET", "/v1/exports", query=query, timeout=timeout))

    async def cancel_job(
        self,
        job_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.ExportJob:
        """Cancel an export that is still queued.

        CONFLICT if the export is running or has ended. A running export cannot be cancelled."""
        return cast(t.ExportJob, await self._transport.send(Request("POST", fill("/api/v1/jobs/{job_id}/cancel", job_id), idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    async def deliver_export(
        self,
        job_id: str,
        body: t.ExportDeliveryTarget,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.ExportJob:
        """Deliver a finished export to a destination, or deliver it again.

        Puts all its files and its manifest, as a delivery that is requested with the export does. At a place that has them already it keeps its version and bytes. If a later export with this name and month is there, it ends as superseded. CONFLICT: the export has not succeeded, is not of one UTC month, is being delivered, or its files expire within 5 days."""
        return cast(t.ExportJob, await self._transport.send(Request("POST", fill("/api/v1/jobs/{job_id}/deliver", job_id), body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    async def create_export_schedule(
        self,
        body: t.ExportScheduleRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.ExportSchedule:
        """Create an export schedule.

        Each export replaces the previous one of the same month. The export of the 9th of the next month has the edition final, with late events; earlier ones are provisional. Until the next month is final, it is made again, at most once a day, when its records have changed. Each export starts within one hour after it is due, or when the totals are complete, one day later at most. Exports due before its creation are not made. The exports need the authorization of the creator: once it is revoked or loses the scope export:create, each due export fails as unauthorized. An expired key still authorizes the schedule. VALIDATION_FAILED: more than 20 schedules."""
        return cast(t.ExportSchedule, await self._transport.send(Request("POST", "/v1/exports/schedules", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def list_export_schedules(
        self,
        query: Optional[t.ListExportSchedulesQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> AsyncPages[t.ExportSchedulePage, t.ExportSchedule]:
        """List export schedules, newest first.

        A credential bound to a residency lane sees only the schedules of that lane."""
        return AsyncPages(self._transport, Request("GET", "/v1/exports/schedules", query=query, timeout=timeout))

    async def get_export_schedule(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.ExportSchedule:
        """Read one export schedule.

        A credential bound to a residency lane reads only the schedules of that lane."""
        return cast(t.ExportSchedule, await self._transport.send(Request("GET", fill("/v1/exports/schedules/{id}", id), timeout=timeout)))

    async def update_export_schedule(
        self,
        id: str,
        body: t.ExportScheduleChange,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.ExportSchedule:
        """Change an export schedule.

        Applies to exports that are due from now on. An export that exists already is not made again. From then on the exports need the authorization of the caller, and contain what it may read."""
        return cast(t.ExportSchedule, await self._transport.send(Request("PATCH", fill("/v1/exports/schedules/{id}", id), body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    async def delete_export_schedule(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Delete an export schedule.

        Exports of the schedule are not deleted."""
        await self._transport.send(Request("DELETE", fill("/v1/exports/schedules/{id}", id), idempotency_key=idempotency_key or new_key(), timeout=timeout))

    async def create_export_destination(
        self,
        body: t.ExportDestinationRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.ExportDestination:
        """Name an S3 bucket to which exports are delivered.

        Requests for exports and schedules name it in delivery. The role trusts trusted_role_arn with external_id of the response; then check the destination. VALIDATION_FAILED: more than 20 destinations. A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED."""
        return cast(t.ExportDestination, await self._transport.send(Request("POST", "/v1/exports/destinations", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def list_export_destinations(
        self,
        query: Optional[t.ListExportDestinationsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> AsyncPages[t.ExportDestinationPage, t.ExportDestination]:
        """List export destinations, newest first.

        A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED."""
        return AsyncPages(self._transport, Request("GET", "/v1/exports/destinations", query=query, timeout=timeout))

    async def get_export_destination(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.ExportDestination:
        """Read one export destination with the result of its check.

        A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED."""
        return cast(t.ExportDestination, await self._transport.send(Request("GET", fill("/v1/exports/destinations/{id}", id), timeout=timeout)))

    async def update_export_destination(
        self,
        id: str,
        body: t.ExportDestinationChange,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.ExportDestination:
        """Rename an export destination.

        Bucket and role do not change: schedules of others send their exports there. Create another destination instead. A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED."""
        return cast(t.ExportDestination, await self._transport.send(Request("PATCH", fill("/v1/exports/destinations/{id}", id), body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    async def delete_export_destination(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Delete an export destination.

        Open deliveries to it fail, and so do those of schedules that still name it. Objects in the bucket stay. A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED."""
        await self._transport.send(Request("DELETE", fill("/v1/exports/destinations/{id}", id), idempotency_key=idempotency_key or new_key(), timeout=timeout))

    async def check_export_destination(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.ExportDestination:
        """Put a test object into the bucket of an export destination.

        Within a minute the service puts attribution-check.json below the location, as deliveries put their files. Read the destination until its check is working or failing. A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED."""
        return cast(t.ExportDestination, await self._transport.send(Request("POST", fill("/v1/exports/destinations/{id}/check", id), idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    async def get_contract_prices(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.ContractPricesState:
        """Read the contract prices.

        Prices that the tenant agreed with its providers. They take precedence over list prices, by model, region and time of the call."""
        return cast(t.ContractPricesState, await self._transport.send(Request("GET", "/api/v1/contract-prices", timeout=timeout)))

    async def put_contract_prices(
        self,
        body: t.ContractPricesChange,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.ContractPricesChanged:
        """Replace the contract prices.

        Replaces all contract prices and reports what changed. Prices are in USD per million tokens and apply to calls from `from` on: in `region` if it is given, otherwise in every region that has no entry of its own. An entry for a longer model id takes precedence. The prices apply to new events within seconds. Earlier records keep their cost until they are reprocessed. A cost that the provider stated takes precedence over all prices, an estimate of a client does not. Entries with `billing_mode` apply to calls that are paid in this way only, such as calls of a subscription, which cost nothing without one. At most 500 entries. The prices apply to every residency lane, so a credential bound to one is rejected with RESIDENCY_BLOCKED."""
        return cast(t.ContractPricesChanged, await self._transport.send(Request("PUT", "/api/v1/contract-prices", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    async def get_node_pools(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.NodePoolsState:
        """Read the node pools.

        Own nodes that run models, and what an hour of them costs."""
        return cast(t.NodePoolsState, await self._transport.send(Request("GET", "/api/v1/node-pools", timeout=timeout)))

    async def put_node_pools(
        self,
        body: t.NodePoolsChange,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.NodePoolsState:
        """Replace the node pools.

        Calls of what a pool serves cost their part of its hours, in place of any price. A record has no cost (`node_hour_open`) until its hour is over and divided. A change divides the last 35 days again. To end a pool, add a rate with 0 nodes: calls of a removed one keep their cost until they are reprocessed."""
        return cast(t.NodePoolsState, await self._transport.send(Request("PUT", "/api/v1/node-pools", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def get_reconciliation(
        self,
        query: Optional[t.GetReconciliationQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> AsyncPages[t.Reconciliation, t.ReconciliationRow]:
        """Compare attributed cost with provider bills.

        Compares each UTC day and model and sums the results exactly by group. The comparison is computed for the first page. The other pages show the same result, for one hour, and every page has the totals of the whole period. Limit: 92 days. Provider and model names are normalized on both sides (gpt-4o-2024-08-06 becomes gpt-4o). Suppression (k=5): recorded costs use the same cohorts as the usage report, for every caller. If a cohort spans several models, providers or days, their records and charges are compared together in rows of kind folded, on the last day on which the usage report counts one of them. No difference is shown if one side is incomplete. Bills have no residency lane. A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED."""
        return AsyncPages(self._transport, Request("GET", "/api/v1/reconciliation", query=query, timeout=timeout))

    async def post_bills(
        self,
        body: t.Bills,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.BillsImported:
        """Import up to 5000 rows of provider bills.

        Rows have FOCUS columns, or those of an export of OpenAI, Anthropic, OpenRouter, DeepSeek, Azure, Google or CUR 2.0. Other columns are ignored, and an empty cell is null. With a delivery, all requests with its id make one, and complete ends it. From then on it is the bill of its provider, billing accounts and days; charges that it lacks are gone. CONFLICT for other rows of a complete delivery, and for another scope. Without a delivery, the rows replace earlier rows of the same purchase (provider, account, charge period, SKU, meter, model, resource, price, region, category), whatever their invoice, text or tags. Equal rows of one request are added. A row in another currency than USD takes its rate from exchange_rates, or from itself, or it is rejected. Usage must be within one UTC day, and charges begin on a day of the delivery; a correction of earlier days counts on the first. A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED."""
        return cast(t.BillsImported, await self._transport.send(Request("POST", "/api/v1/reconciliation/bills", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def list_bills(
        self,
        query: Optional[t.ListBillsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> AsyncPages[t.BillDeliveryPage, t.BillDelivery]:
        """List deliveries of bills, newest billed day first.

        Rows that were sent without a delivery have an entry too. A bill source has one for each account and day, which a restatement replaces. A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED."""
        return AsyncPages(self._transport, Request("GET", "/api/v1/reconciliation/bills", query=query, timeout=timeout))

    async def delete_bill(
        self,
        delivery_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Take back a delivery of bills.

        The delivery before it counts again, and its id is free. A day of a bill source stays away until the provider restates it. A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED."""
        await self._transport.send(Request("DELETE", fill("/api/v1/reconciliation/bills/{delivery_id}", delivery_id), idempotency_key=idempotency_key or new_key(), timeout=timeout))

    async def create_bill_source(
        self,
        body: t.BillSourceRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.BillSource:
        """Import the bills of a provider every hour.

        The bills are imported every hour: first the last 31 days, then each new day, and the last 7 ended days again, because providers restate them. Today is imported once it has ended. A source of aws reads the charges of Amazon Bedrock in an export of CUR 2.0 (AWS Data Exports), the whole month whenever AWS has delivered it again. OpenAI needs an admin key, Anthropic an Admin API key, and aws a data_export whose role trusts trusted_role_arn with external_id of the response. No response contains the credential of the provider. The report of a day is a delivery of the account that the provider reports. CONFLICT if there is a source with the same provider and account, and for a sandbox tenant, which has no bills. A tenant can have 20 sources; beyond that the response is VALIDATION_FAILED. A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED."""
        return cast(t.BillSource, await self._transport.send(Request("POST", "/api/v1/bill-sources", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def list_bill_sources(
        self,
        query: Optional[t.ListBillSourcesQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> AsyncPages[t.BillSourcePage, t.BillSource]:
        """List bill sources with the state of their imports, newest first.

        No response contains the credential of the provider. A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED."""
        return AsyncPages(self._transport, Request("GET", "/api/v1/bill-sources", query=query, timeout=timeout))

    async def get_bill_source(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.BillSource:
        """Read one bill source with the state of its imports.

        No response contains the credential of the provider. A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED."""
        return cast(t.BillSource, await self._transport.send(Request("GET", fill("/api/v1/bill-sources/{id}", id), timeout=timeout)))

    async def update_bill_source(
        self,
        id: str,
        body: t.BillSourcePatch,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.BillSource:
        """Rename, pause or resume a bill source, or replace its credential or export.

        With a new credential, a data_export, exchange_rates or paused set to false, the source is imported at the next run, within 15 minutes. Provider and account cannot change. VALIDATION_FAILED for a member that the provider of the source does not have. No response contains the credential of the provider. A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED."""
        return cast(t.BillSource, await self._transport.send(Request("PATCH", fill("/api/v1/bill-sources/{id}", id), body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    async def delete_bill_source(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Delete a bill source and its credential.

        The imports stop. What was imported remains, until it is taken back or replaced. A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED."""
        await self._transport.send(Request("DELETE", fill("/api/v1/bill-sources/{id}", id), idempotency_key=idempotency_key or new_key(), timeout=timeout))

    def list_periods(
        self,
        query: Optional[t.ListPeriodsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> AsyncPages[t.PeriodPage, t.Period]:
        """List billing periods, newest first.

        UTC months, as exports and bills have them: from the first that was closed, or else of the last year, to the current one. A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED."""
        return AsyncPages(self._transport, Request("GET", "/api/v1/periods", query=query, timeout=timeout))

    async def close_period(
        self,
        period: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.Period:
        """Close a billing period.

        Its exports have the figures of this instant from now on, whatever comes later. What changes later is in the exports of the first open period, as FOCUS corrections, until that is closed too. A period that is closed stays as it is. CONFLICT: the period has not ended, an earlier one is open, or its totals are not complete. A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED."""
        return cast(t.Period, await self._transport.send(Request("POST", fill("/api/v1/periods/{period}/close", period), idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    async def reopen_period(
        self,
        period: str,
        body: t.PeriodReopening,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.Period:
        """Open the period again that was closed last.

        Its exports follow the records again, and so do the corrections in them. CONFLICT: it is open, or a later one is closed. A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED."""
        return cast(t.Period, await self._transport.send(Request("POST", fill("/api/v1/periods/{period}/reopen", period), body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    async def create_webhook(
        self,
        body: t.WebhookRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.WebhookEndpointWithSecret:
        """Register a webhook endpoint.

        The URL must use https and resolve to public IP addresses only. Otherwise the response is WEBHOOK_URL_REJECTED and nothing is stored. The URL is checked again at each delivery, and redirects are not followed. The service sends a signed webhook.verification event to the endpoint. The endpoint receives no other events until it is verified. To verify it, return data.challenge in the member challenge of a JSON response, or send it to POST …/verify within 24 hours. RATE_LIMITED after more than 5 new challenges of an endpoint, or 30 of the tenant, in an hour. The caller needs the scopes that read all event types of the endpoint after the request (INSUFFICIENT_SCOPE) and authorizes the endpoint. The endpoint is disabled as unauthorized and receives nothing more once the key is revoked, the client is deleted, the user is removed or one of these scopes is lost. An expired key still authorizes the endpoint. Endpoints receive events of the whole tenant, so a credential bound to a residency lane cannot manage them (RESIDENCY_BLOCKED). A tenant can have 20 endpoints; beyond that the response is VALIDATION_FAILED."""
        return cast(t.WebhookEndpointWithSecret, await self._transport.send(Request("POST", "/api/v1/webhooks", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def list_webhooks(
        self,
        query: Optional[t.ListWebhooksQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> AsyncPages[t.WebhookPage, t.WebhookEndpoint]:
        """List webhook endpoints, newest first.

        Each endpoint with its state, and the reason if the service disabled it. No response contains a signing secret."""
        return AsyncPages(self._transport, Request("GET", "/api/v1/webhooks", query=query, timeout=timeout))

    async def get_webhook(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.WebhookEndpoint:
        """Read one webhook endpoint.

        The state of the endpoint, and the reason if the service disabled it. The signing secret cannot be read again."""
        return cast(t.WebhookEndpoint, await self._transport.send(Request("GET", fill("/api/v1/webhooks/{id}", id), timeout=timeout)))

    async def update_webhook(
        self,
        id: str,
        body: t.WebhookPatch,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.WebhookEndpoint:
        """Change, disable or enable a webhook endpoint.

        The rules of the URL, the challenge and the scopes are those of createWebhook. A changed URL makes the endpoint pending again, because it can have another owner. Enabling an endpoint that was disabled after failures, or that was never verified, also makes it pending. A verified endpoint that was disabled by an admin or as unauthorized stays verified. A change of url or events, and enabled set to true, need the scopes of the events. Disabling or describing an endpoint, and a change of max_batch_size, require only webhooks:manage."""
        return cast(t.WebhookEndpoint, await self._transport.send(Request("PATCH", fill("/api/v1/webhooks/{id}", id), body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    async def delete_webhook(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Delete a webhook endpoint.

        Pending retries to the endpoint are dropped."""
        await self._transport.send(Request("DELETE", fill("/api/v1/webhooks/{id}", id), idempotency_key=idempotency_key or new_key(), timeout=timeout))

    async def verify_webhook(
        self,
        id: str,
        body: Optional[t.WebhookAnswer] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.WebhookEndpoint:
        """Verify a webhook endpoint or request a new challenge.

        For receivers that do not return the challenge themselves. The challenge is in the data of the webhook.verification event. Without a challenge in the body, the service sends a new one, and invalidates the earlier ones and stops sending them. RATE_LIMITED after more than 5 new challenges of an endpoint, or 30 of the tenant, in an hour. CONFLICT if the endpoint is not pending."""
        return cast(t.WebhookEndpoint, await self._transport.send(Request("POST", fill("/api/v1/webhooks/{id}/verify", id), body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    async def rotate_webhook_secret(
        self,
        id: str,
        body: Optional[t.WebhookRotation] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.WebhookEndpointWithSecret:
        """Replace the signing secret of a webhook endpoint.

        For 24 hours, or for overlap_seconds, every delivery carries two v1 signatures, one with each secret. A second rotation during the overlap invalidates the oldest secret. The secret signs all events of the endpoint, so the caller needs the scopes that read them (INSUFFICIENT_SCOPE)."""
        return cast(t.WebhookEndpointWithSecret, await self._transport.send(Request("POST", fill("/api/v1/webhooks/{id}/rotate-secret", id), body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    async def test_webhook(
        self,
        id: str,
        body: t.WebhookTest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.WebhookQueued:
        """Send a sample event to a webhook endpoint.

        Sends a sample event of any type, even if the endpoint does not subscribe to it. The sample has the same synthetic data for every tenant, so the caller does not need the scope of the type. The sample is signed, delivered, retried and logged like any event and takes the next sequence number. Its body has test set to true. CONFLICT unless the endpoint is verified."""
        return cast(t.WebhookQueued, await self._transport.send(Request("POST", fill("/api/v1/webhooks/{id}/test", id), body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    async def replay_to_webhook(
        self,
        id: str,
        body: t.WebhookReplay,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.WebhookQueued:
        """Send past events to a webhook endpoint again.

        Sends one event of any type, or all events of a time range whose types the endpoint currently subscribes to, whether or not they were sent before. Events are kept for 30 days. A replay keeps the id of the event, takes the next sequence number and is signed with the current time. Its body has replayed set to true. A replay covers at most 500 events; a time range with more returns VALIDATION_FAILED. Request shorter ranges. The caller needs the scopes that read the events (INSUFFICIENT_SCOPE): for one event the scope of its type, for a time range the scopes of all subscribed types. CONFLICT unless the endpoint is verified and authorized_by can read the events."""
        return cast(t.WebhookQueued, await self._transport.send(Request("POST", fill("/api/v1/webhooks/{id}/replay", id), body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def list_webhook_deliveries(
        self,
        id: str,
        query: Optional[t.ListWebhookDeliveriesQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> AsyncPages[t.DeliveryPage, t.WebhookDelivery]:
        """List the delivery attempts of a webhook endpoint.

        Lists one entry for each attempt at an event of the last 30 days. The attempts of a batch have the same request_id. An entry must match all filters. While has_more is true, a page can have fewer entries than its limit, or none. Types and times reveal information about events. Attempts for event types that the caller has no scope to read are therefore omitted."""
        return AsyncPages(self._transport, Request("GET", fill("/api/v1/webhooks/{id}/deliveries", id), query=query, timeout=timeout))

    def list_webhook_events(
        self,
        query: Optional[t.ListWebhookEventsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> AsyncPages[t.WebhookEventPage, t.WebhookEventEntry]:
        """List the events of the tenant, oldest first.

        Lists events whether or not an endpoint receives them, with the body that a delivery has, without sequence. Events are kept for 30 days. attribution.materialized events are raised only while an endpoint subscribes to them. An event can appear after later ones, because created_at is the time of its cause: call again with an overlapping range and discard known ids. The caller needs the scopes that read the events: a type in types that it may not read returns INSUFFICIENT_SCOPE, and without types such events are omitted. While has_more is true, a page can have fewer events than its limit, or none. Events belong to the whole tenant, so a credential bound to a residency lane cannot list them (RESIDENCY_BLOCKED)."""
        return AsyncPages(self._transport, Request("GET", "/api/v1/webhook-events", query=query, timeout=timeout))

    def list_notifications(
        self,
        query: Optional[t.ListNotificationsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> AsyncPages[t.NotificationPage, t.InboxNotification]:
        """List notifications, newest first.

        Lists the notifications of the last 30 days, one for each event: budgets whose spend or forecast reaches a threshold, anomalies, failed exports, disabled webhook endpoints, implausible costs, degraded attribution and coverage. The channels of the tenant (PATCH /api/v1/tenant) receive them within seconds, and after five messages in five minutes one digest of the others. Each credential has a read mark of its own (PUT /api/v1/notifications/read). While has_more is true, a page can have fewer rows than its limit, or none. Each needs its scope: anomalies and budgets read:reporting, budgets that count records, costs, coverage and attribution read:attribution, exports export:create, webhook endpoints webhooks:manage. A credential bound to a lane sees only notifications about that lane."""
        return AsyncPages(self._transport, Request("GET", "/api/v1/notifications", query=query, timeout=timeout))

    async def mark_notifications_read(
        self,
        body: t.ReadMark,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.ReadMarkOutput:
        """Mark notifications as read.

        Marks all notifications up to a time as read, for the caller only. Send created_at of the newest one that was shown. The mark never moves back, and not into the future."""
        return cast(t.ReadMarkOutput, await self._transport.send(Request("PUT", "/api/v1/notifications/read", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    async def create_report_subscription(
        self,
        body: t.ReportSubscriptionRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.ReportSubscription:
        """Send a weekly or monthly report to a person or the chat.

        Spend beside the period before, the largest changes, the forecast of the month, spend without an owner, and suggested savings, as in the reports and with their suppression. It is sent once for each period, when the totals are complete, a day after its end at the latest. An e-mail contains what its recipient may read when it is sent: without read:reporting nothing, and idle nodes only with read:attribution. A chat has readers without roles, so it contains what read:reporting shows, and needs admin:config. VALIDATION_FAILED: no such user, no user calls, or too many subscriptions."""
        return cast(t.ReportSubscription, await self._transport.send(Request("POST", "/api/v1/report-subscriptions", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def list_report_subscriptions(
        self,
        query: Optional[t.ListReportSubscriptionsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> AsyncPages[t.ReportSubscriptionPage, t.ReportSubscription]:
        """List report subscriptions, newest first.

        With admin:config, those of the tenant. Otherwise those of the caller."""
        return AsyncPages(self._transport, Request("GET", "/api/v1/report-subscriptions", query=query, timeout=timeout))

    async def get_report_subscription(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.ReportSubscription:
        """Read one report subscription.

        With admin:config, those of the tenant. Otherwise those of the caller."""
        return cast(t.ReportSubscription, await self._transport.send(Request("GET", fill("/api/v1/report-subscriptions/{id}", id), timeout=timeout)))

    async def delete_report_subscription(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Unsubscribe from a report.

        With admin:config, those of the tenant. Otherwise those of the caller."""
        await self._transport.send(Request("DELETE", fill("/api/v1/report-subscriptions/{id}", id), idempotency_key=idempotency_key or new_key(), timeout=timeout))

    async def get_tenant(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.TenantSettings:
        """Read the tenant's settings.

        Settings that the tenant can change, and those that its plan fixes."""
        return cast(t.TenantSettings, await self._transport.send(Request("GET", "/api/v1/tenant", timeout=timeout)))

    async def update_tenant(
        self,
        body: t.TenantChange,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.TenantSettings:
        """Change the tenant's settings.

        Changes hold for new events within seconds. Switching stage B emits degradation.state.changed. The settings apply to every residency lane: a credential bound to one gets RESIDENCY_BLOCKED. Channels receive every kind of notification: whoever sets one also needs read:attribution, read:reporting, export:create and webhooks:manage (INSUFFICIENT_SCOPE) and authorizes the channels. They send nothing more once that credential ends or loses one of these scopes. Send them again to authorize them anew. Removing a channel needs no further scope. E-mail addresses are rejected if the service sends no mail."""
        return cast(t.TenantSettings, await self._transport.send(Request("PATCH", "/api/v1/tenant", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    async def get_rate_limit(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.RateLimitBudget:
        """Read the caller's remaining rate limit in each rate class.

        This request is not rate limited. The values equal those of the RateLimit headers."""
        return cast(t.RateLimitBudget, await self._transport.send(Request("GET", "/api/v1/rate-limit", timeout=timeout)))

    async def get_diagnostics(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.Diagnostics:
        """Read ingestion, freshness and job diagnostics of the tenant.

        Counts of repeated, dropped and dead-lettered events, the freshness of the figures, and the running jobs. All values are of this tenant only. Waiting times of the shared queues are not included; the alarms of the operator cover them."""
        return cast(t.Diagnostics, await self._transport.send(Request("GET", "/api/v1/diagnostics", timeout=timeout)))

    def list_jobs(
        self,
        query: Optional[t.ListJobsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> AsyncPages[t.JobPage, t.ListJobsItem]:
        """List jobs, newest first.

        For 90 days after their creation. Whoever may start jobs of a type may read them. read:reporting shows all but exports and resets. A credential bound to a residency lane sees only its exports. Ignore types that your client does not know."""
        return AsyncPages(self._transport, Request("GET", "/api/v1/jobs", query=query, timeout=timeout))

    async def get_job(
        self,
        job_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.GetJobResult:
        """Read the state, progress and result of a job.

        Whoever may start jobs of a type may read them. read:reporting shows all but exports and resets. A credential bound to a residency lane sees only its exports. For a succeeded export, every response contains new download URLs that are valid for 15 minutes and need no credential. A user therefore needs a sign-in within the last 15 minutes to read a succeeded export (STEP_UP_REQUIRED), but not to poll it until then. Files are kept for 30 days; then the status is expired. A failed job has a reason and is not retried. Send the request again with a new Idempotency-Key."""
        return cast(t.GetJobResult, await self._transport.send(Request("GET", fill("/api/v1/jobs/{job_id}", job_id), timeout=timeout)))

    async def get_sandbox(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.Sandbox:
        """Read the live traffic and the newest reset of a sandbox.

        Only for a tenant that the operator created as a sandbox. Any other tenant gets CONFLICT, and nothing changes."""
        return cast(t.Sandbox, await self._transport.send(Request("GET", "/api/v1/sandbox", timeout=timeout)))

    async def update_sandbox(
        self,
        body: t.SandboxChange,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.Sandbox:
        """Switch the live traffic of a sandbox on or off.

        Takes effect within a minute. Calls that already arrived stay. Only for a tenant that the operator created as a sandbox. Any other tenant gets CONFLICT, and nothing changes."""
        return cast(t.Sandbox, await self._transport.send(Request("PATCH", "/api/v1/sandbox", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    async def reset_sandbox(
        self,
        body: Optional[t.SandboxResetRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.Sandbox:
        """Delete the data of a sandbox and load the synthetic data set.

        Runs in the background for about ten minutes. It deletes records, reports, models, jobs, exports, bills, budgets, mappings, anomalies and notifications, and what running work writes meanwhile. Then it creates identity mappings and budgets, loads 3000 calls of the last 10 days with two anomalies, and opens disputes. The calls and event ids are the same each time, and their times follow the request. Credentials, users, settings, webhooks, the audit log and rate limits stay. A request during a reset returns that reset. Only for a tenant that the operator created as a sandbox. Any other tenant gets CONFLICT, and nothing changes."""
        return cast(t.Sandbox, await self._transport.send(Request("POST", "/api/v1/sandbox/reset", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    async def get_caller(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.Caller:
        """Read who the caller is.

        The credential of the request, its scopes and its tenant. Needs no scope."""
        return cast(t.Caller, await self._transport.send(Request("GET", "/api/v1/me", timeout=timeout)))

    async def create_user(
        self,
        body: t.UserRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.User:
        """Add a user to the tenant.

        In the user pool of a deployed stack, the person gets an account and an invitation by e-mail, valid for three days. An account that the person has is kept as it is. With an identity provider of your own, the person can sign in as soon as the provider knows the verified e-mail address. A person who was removed is added as a new user. The caller needs every scope of the role, old and new (INSUFFICIENT_SCOPE), and must not be bound to a residency lane (RESIDENCY_BLOCKED)."""
        return cast(t.User, await self._transport.send(Request("POST", "/api/v1/users", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def list_users(
        self,
        query: Optional[t.ListUsersQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> AsyncPages[t.UserPage, t.User]:
        """List users by e-mail address.

        Removed users are listed too."""
        return AsyncPages(self._transport, Request("GET", "/api/v1/users", query=query, timeout=timeout))

    async def get_user(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.User:
        """Read one user.

        The role of the user, and whether the user was removed."""
        return cast(t.User, await self._transport.send(Request("GET", fill("/api/v1/users/{id}", id), timeout=timeout)))

    async def update_user(
        self,
        id: str,
        body: t.UserChange,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.User:
        """Change the role of a user.

        Takes effect with the next request of the user, also for tokens that were issued before. The last administrator stays (CONFLICT). The caller needs every scope of the role, old and new (INSUFFICIENT_SCOPE), and must not be bound to a residency lane (RESIDENCY_BLOCKED)."""
        return cast(t.User, await self._transport.send(Request("PUT", fill("/api/v1/users/{id}", id), body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    async def remove_user(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Remove a user from the tenant with immediate effect.

        All sessions and tokens of the user end. The user remains in the list with state removed. Removing the user again changes nothing. The last administrator stays (CONFLICT). The caller needs every scope of the role, old and new (INSUFFICIENT_SCOPE), and must not be bound to a residency lane (RESIDENCY_BLOCKED)."""
        await self._transport.send(Request("DELETE", fill("/api/v1/users/{id}", id), idempotency_key=idempotency_key or new_key(), timeout=timeout))

    async def create_api_key(
        self,
        body: t.ApiKeyRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.ApiKeyWithSecret:
        """Create an API key.

        Only this response contains the secret. A retry with the same Idempotency-Key and credential returns it again for 24 hours. A key cannot have scopes that its creator lacks."""
        return cast(t.ApiKeyWithSecret, await self._transport.send(Request("POST", "/api/v1/api-keys", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def list_api_keys(
        self,
        query: Optional[t.ListApiKeysQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> AsyncPages[t.ApiKeyPage, t.ApiKey]:
        """List API keys, newest first.

        Revoked and expired keys are listed too. No response contains a secret."""
        return AsyncPages(self._transport, Request("GET", "/api/v1/api-keys", query=query, timeout=timeout))

    async def get_api_key(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.ApiKey:
        """Read one API key.

        The state, the scopes and the last use of the key. The secret cannot be read again."""
        return cast(t.ApiKey, await self._transport.send(Request("GET", fill("/api/v1/api-keys/{id}", id), timeout=timeout)))

    async def revoke_api_key(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Revoke an API key with immediate effect.

        The key remains in the list with state revoked. Revoking it again changes nothing. The caller needs every scope of the credential (INSUFFICIENT_SCOPE). If the caller is bound to a residency lane, the credential must be bound to the same one (RESIDENCY_BLOCKED). So a tenant administrator, which is a caller with every scope of the admin role and no lane, may revoke or delete any credential."""
        await self._transport.send(Request("DELETE", fill("/api/v1/api-keys/{id}", id), idempotency_key=idempotency_key or new_key(), timeout=timeout))

    async def rotate_api_key(
        self,
        id: str,
        body: Optional[t.ApiKeyRotation] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.ApiKeyWithSecret:
        """Replace the secret of an API key.

        Id, name, scopes and lane do not change, nor does expires_at unless the body sets it. An expired key cannot be rotated. With an overlap the old secret stays valid for that time. Emits apikey.rotated. The caller needs every scope of the credential (INSUFFICIENT_SCOPE). If the caller is bound to a residency lane, the credential must be bound to the same one (RESIDENCY_BLOCKED)."""
        return cast(t.ApiKeyWithSecret, await self._transport.send(Request("POST", fill("/api/v1/api-keys/{id}/rotate", id), body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    async def create_oauth_client(
        self,
        body: t.OAuthClientRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.OAuthClientWithSecret:
        """Register an OAuth client.

        Member names follow RFC 7591. The scopes of a token are limited to those of the client. For a token that acts for a user, they are also limited to those of the user’s role."""
        return cast(t.OAuthClientWithSecret, await self._transport.send(Request("POST", "/api/v1/oauth-clients", body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    def list_oauth_clients(
        self,
        query: Optional[t.ListOAuthClientsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> AsyncPages[t.OAuthClientPage, t.OAuthClient]:
        """List OAuth clients, newest first.

        Deleted clients are not listed. No response contains a secret."""
        return AsyncPages(self._transport, Request("GET", "/api/v1/oauth-clients", query=query, timeout=timeout))

    async def get_oauth_client(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.OAuthClient:
        """Read one OAuth client.

        The grant types, the scopes and the last use of the client. The secret cannot be read again."""
        return cast(t.OAuthClient, await self._transport.send(Request("GET", fill("/api/v1/oauth-clients/{id}", id), timeout=timeout)))

    async def delete_oauth_client(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Delete an OAuth client and invalidate its tokens.

        The caller needs every scope of the credential (INSUFFICIENT_SCOPE). If the caller is bound to a residency lane, the credential must be bound to the same one (RESIDENCY_BLOCKED). So a tenant administrator, which is a caller with every scope of the admin role and no lane, may revoke or delete any credential."""
        await self._transport.send(Request("DELETE", fill("/api/v1/oauth-clients/{id}", id), idempotency_key=idempotency_key or new_key(), timeout=timeout))

    async def rotate_oauth_client(
        self,
        id: str,
        body: Optional[t.RotationRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.OAuthClientWithSecret:
        """Replace the secret of an OAuth client.

        CONFLICT for a public client, which has no secret. The caller needs every scope of the credential (INSUFFICIENT_SCOPE). If the caller is bound to a residency lane, the credential must be bound to the same one (RESIDENCY_BLOCKED)."""
        return cast(t.OAuthClientWithSecret, await self._transport.send(Request("POST", fill("/api/v1/oauth-clients/{id}/rotate", id), body=body, idempotency_key=idempotency_key or new_key(), timeout=timeout)))

    async def get_discovery(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.AuthorizationServerMetadata:
        """Authorization server metadata (RFC 8414).

        The endpoints, grant types and scopes of the authorization server, for OAuth libraries."""
        return cast(t.AuthorizationServerMetadata, await self._transport.send(Request("GET", "/.well-known/oauth-authorization-server", is_public=True, timeout=timeout)))

    async def get_jwks(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.Jwks:
        """Public keys that verify access tokens (RFC 7517).

        A new key is listed before it signs, and an old key for as long as its tokens are valid. Select the key by kid."""
        return cast(t.Jwks, await self._transport.send(Request("GET", "/.well-known/jwks.json", is_public=True, timeout=timeout)))

    def list_audit_log(
        self,
        query: Optional[t.ListAuditLogQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> AsyncPages[t.AuditPage, t.AuditEntry]:
        """List audit log entries.

        The log is append-only: changes with what they changed, reads of single records, and refused calls. Rejected requests are also logged, with their error code. An entry must match all filters. While has_more is true, a page can have fewer entries than its limit, or none."""
        return AsyncPages(self._transport, Request("GET", "/api/v1/audit-log", query=query, timeout=timeout))

    async def get_health(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.Health:
        """Check that the service is running.

        Answers while the process runs, without a look at its dependencies. Use it to check whether a process is alive."""
        return cast(t.Health, await self._transport.send(Request("GET", "/healthz", is_public=True, timeout=timeout)))

    async def get_readiness(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.Readiness:
        """Check that all dependencies of the service are available.

        The result can be one second old."""
        return cast(t.Readiness, await self._transport.send(Request("GET", "/readyz", is_public=True, timeout=timeout)))

    async def get_openapi(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.GetOpenapiResult:
        """Read the OpenAPI 3.1 document of this API.

        The document is built from the route table that the service runs on. It changes only with a deployment. Send the ETag in If-None-Match to get 304 while it is unchanged."""
        return cast(t.GetOpenapiResult, await self._transport.send(Request("GET", "/openapi.json", timeout=timeout)))

    async def get_postman(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.GetPostmanResult:
        """Read the API as a Postman collection.

        Import the URL in Postman and set the variable apiKey. Examples are the bodies, and ids of lists and creations are kept for the requests that need one."""
        return cast(t.GetPostmanResult, await self._transport.send(Request("GET", "/postman.json", timeout=timeout)))

    async def get_changelog(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.ContractChangelog:
        """Read the changes of the API between its releases.

        Found by a comparison of the API documents: every added, changed or removed operation, member, limit, error and header. Texts and examples are not compared."""
        return cast(t.ContractChangelog, await self._transport.send(Request("GET", "/changelog.json", timeout=timeout)))

    async def list_errors(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.ErrorCatalogue:
        """List all error codes.

        Always public: a client whose credential is refused needs it most, and it holds no data of a tenant. Within a major version of the API no code is removed and no status changes."""
        return cast(t.ErrorCatalogue, await self._transport.send(Request("GET", "/errors", is_public=True, timeout=timeout)))

    async def get_error_page(
        self,
        slug: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.ErrorPage:
        """Read the cause and the remedy of an error code.

        Always public: a client whose credential is refused needs it most, and it holds no data of a tenant."""
        return cast(t.ErrorPage, await self._transport.send(Request("GET", fill("/errors/{slug}", slug), is_public=True, timeout=timeout)))

    async def get_notification_page(
        self,
        type: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.NotificationHelp:
        """Read what a notification means and how to read it in the API.

        The page that e-mails and chat messages link to. It is the same for every tenant."""
        return cast(t.NotificationHelp, await self._transport.send(Request("GET", fill("/notifications/{type}", type), is_public=True, timeout=timeout)))
