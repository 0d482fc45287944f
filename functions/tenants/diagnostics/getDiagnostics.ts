import { HOUR_MS } from '../../../schemas/durations.ts';
import { RECORDS_SCOPE } from '../../../schemas/routes/disclosure.ts';
import { getDiagnostics } from '../../../schemas/routes/tenants/diagnostics.ts';
import type { CounterName } from '../../../schemas/tenants/counters.ts';
import type { Diagnostics } from '../../../schemas/tenants/diagnostics.ts';
import { degradationOf } from '../../attribution/training/models/degradation.ts';
import { unreadUsageOf } from '../../ingest/otlp/counterSums.ts';
import { GROUPS_MAXIMUM } from '../../ledger/rollups/groupLimit.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { isFinished } from '../../platform/jobs/job.ts';
import { toJobStarted } from '../../platform/jobs/startedJob.ts';
import { monthOf } from '../../platform/shared/time/month.ts';
import { isoOrNull, toIso } from '../../platform/shared/time/toIso.ts';
import { eventFaultsOf } from './eventFaults.ts';
import { freshnessOf } from './freshness.ts';

const HOURS = 24;
/** Newest jobs that are searched for unfinished ones: more than a tenant starts in a day. */
const RECENT_JOBS = 50;

export default operation(getDiagnostics, async ({ caller, receivedAt: now, stores }) => {
  const { tenant } = caller;
  const { tenant_id: tenantId } = tenant;
  const month = monthOf(now);
  const [sums, freshness, groups, [model], serving, jobs] = await Promise.all([
    stores.counters.between(tenantId, now - (HOURS - 1) * HOUR_MS, now),
    freshnessOf(stores.rollups, tenantId, now),
    stores.groups.read(tenantId, month),
    stores.models.models(tenantId, { descending: true, limit: 1 }),
    stores.models.serving(tenantId),
    stores.jobs.list(tenantId, { descending: true, limit: RECENT_JOBS }),
  ]);
  const countOf = (name: CounterName): number => sums.get(name) ?? 0;
  const diagnostics: Diagnostics = {
    as_of: toIso(now),
    last_24_hours: {
      duplicates: countOf('duplicates'),
      duplicate_mismatches: countOf('duplicate_mismatches'),
      merged_observations: countOf('merged_observations'),
      joined_calls: countOf('joined_calls'),
      ambiguous_calls: countOf('ambiguous_calls'),
      uncounted_calls: countOf('uncounted_calls'),
      rejected_statements: countOf('rejected_statements'),
      contradicting_statements: countOf('contradicting_statements'),
      dropped_members: countOf('dropped_members'),
      implausible_amounts: countOf('implausible_amounts'),
      events_set_aside: {
        malformed_message: countOf('set_aside_malformed_message'),
        invalid_event: countOf('set_aside_invalid_event'),
        attribution_failed: countOf('set_aside_attribution_failed'),
      },
      event_faults: eventFaultsOf(sums, caller.scopes.has(RECORDS_SCOPE)),
      unread_usage: unreadUsageOf(sums),
      signals: {
        discovery: countOf('signals_discovery'),
        connector_health: countOf('signals_connector_health'),
        other: countOf('signals_other'),
      },
    },
    freshness: {
      newest_call: isoOrNull(freshness?.newestCall),
      summed_at: isoOrNull(freshness?.summedAt),
    },
    report_groups: { month, count: groups.size, limit: GROUPS_MAXIMUM },
    last_training:
      model === undefined
        ? null
        : {
            version: model.version,
            state: model.state,
            trained_at: model.trained_at,
            gate: model.gate,
          },
    unfinished_jobs: jobs.filter((job) => !isFinished(job)).map(toJobStarted),
    degradation_state: degradationOf(tenant, serving),
  };
  return reply(200, diagnostics);
});
