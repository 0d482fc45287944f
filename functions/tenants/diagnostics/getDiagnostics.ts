import { HOUR_MS } from '../../../schemas/durations.ts';
import { getDiagnostics } from '../../../schemas/routes/tenants/diagnostics.ts';
import type { Diagnostics } from '../../../schemas/tenants/diagnostics.ts';
import { degradationOf } from '../../attribution/training/models/degradation.ts';
import { UNREAD_USAGE_HINT } from '../../ingest/otlp/unreadUsage.ts';
import { GROUPS_MAXIMUM } from '../../ledger/rollups/groupLimit.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { isFinished } from '../../platform/jobs/job.ts';
import { toJobStarted } from '../../platform/jobs/startedJob.ts';
import { monthOf } from '../../platform/shared/time/month.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { freshnessOf } from './freshness.ts';

const HOURS = 24;
/** Newest jobs that are searched for unfinished ones: more than a tenant starts in a day. */
const RECENT_JOBS = 50;

const instant = (at: number | undefined): string | null => (at === undefined ? null : toIso(at));

export default operation(getDiagnostics, async ({ caller, receivedAt: now, stores }) => {
  const { tenant } = caller;
  const { tenant_id: tenantId } = tenant;
  const month = monthOf(now);
  const [counts, unread, freshness, groups, [model], serving, jobs] = await Promise.all([
    stores.counters.between(tenantId, now - (HOURS - 1) * HOUR_MS, now),
    stores.counters.unreadUsage(tenantId, now - (HOURS - 1) * HOUR_MS, now),
    freshnessOf(stores.rollups, tenantId, now),
    stores.groups.read(tenantId, month),
    stores.models.models(tenantId, { descending: true, limit: 1 }),
    stores.models.serving(tenantId),
    stores.jobs.list(tenantId, { descending: true, limit: RECENT_JOBS }),
  ]);
  const diagnostics: Diagnostics = {
    as_of: toIso(now),
    last_24_hours: {
      duplicates: counts.duplicates,
      duplicate_mismatches: counts.duplicate_mismatches,
      merged_observations: counts.merged_observations,
      joined_calls: counts.joined_calls,
      ambiguous_calls: counts.ambiguous_calls,
      rejected_statements: counts.rejected_statements,
      contradicting_statements: counts.contradicting_statements,
      dropped_members: counts.dropped_members,
      implausible_amounts: counts.implausible_amounts,
      events_set_aside: {
        malformed_message: counts.set_aside_malformed_message,
        invalid_event: counts.set_aside_invalid_event,
        attribution_failed: counts.set_aside_attribution_failed,
      },
      unread_usage: unread.map((one) => ({ ...one, hint: UNREAD_USAGE_HINT })),
      signals: {
        discovery: counts.signals_discovery,
        connector_health: counts.signals_connector_health,
        other: counts.signals_other,
      },
    },
    freshness: {
      newest_call: instant(freshness?.newestCall),
      summed_at: instant(freshness?.summedAt),
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
