import type { ExportBasis, StoredExport } from '../../../../schemas/chargeback/exports.ts';
import { DAY_MS } from '../../../../schemas/durations.ts';
import type { CredentialReader } from '../../../identity/access/principals/credential.store.ts';
import { heldScopes } from '../../../identity/access/principals/heldScopes.ts';
import type { ClosingReader } from '../../../insight/periods/closing.store.ts';
import type { Closings } from '../../../insight/periods/closings.ts';
import type { Follower, FollowPeriods } from '../../../ledger/freshness/followPeriods.ts';
import type { Outbox } from '../../../platform/outbox/outbox.store.ts';
import { commit } from '../../../platform/shared/aws/document.store.ts';
import { settleAll } from '../../../platform/shared/settleAll.ts';
import type { Tenant } from '../../../platform/tenancy/tenant.ts';
import type { Executions } from '../job/execution.aws.ts';
import type { ExportStore } from '../job/export.store.ts';
import { exportFinishedEvent } from '../job/exportFinishedEvent.ts';
import { markFailed } from '../job/job.ts';
import { basisFor, isAllowed } from '../request/exportBasis.ts';
import { type DueExport, dueAt, exportOf, withCorrections } from './dueExports.ts';
import type { ScheduleReader, StoredSchedule } from './schedule.store.ts';

/**
 * An export waits for totals that are complete. A final one is made again, once a day at most, while the totals of its
 * month or the corrections in it change, and when a period is closed or reopened: late calls, corrections and repaired
 * totals would otherwise never reach the file that finance keeps.
 */
const followerOf = (edition: DueExport['edition'], newestClose: Closings[number] | undefined): Follower => ({
  name: `${edition} exports`,
  grain: 'day',
  waitMs: DAY_MS,
  againAfterMs: edition === 'final' ? DAY_MS : Number.POSITIVE_INFINITY,
  servesEmpty: true,
  beginsWith: 'all',
  ...(newestClose !== undefined && { basis: newestClose.as_of }),
});

/**
 * Creates and starts the exports that are due for a tenant at `now` (epoch milliseconds). Idempotent: each export is
 * created once. When starting fails, the reaper of stale exports starts it later. If the creator of the schedule may no
 * longer create exports, the export fails at once, which informs the tenant. One schedule does not stop the others.
 */
export const dueExportOpener = (deps: {
  readonly schedules: Pick<ScheduleReader, 'list'>;
  readonly closings: ClosingReader;
  readonly exports: ExportStore;
  readonly executions: Pick<Executions, 'start'>;
  readonly credentials: CredentialReader;
  readonly outbox: Outbox;
  readonly baseUrl: string;
  readonly follow: FollowPeriods;
}) => {
  const { schedules, exports, executions, credentials, outbox, baseUrl, follow } = deps;

  /** The basis that the creator's scopes allow now. Null when it may no longer create exports with these terms. */
  const basisNow = async (
    tenant: Tenant,
    { authorized_by, request }: StoredSchedule,
  ): Promise<ExportBasis | null> => {
    const held = await heldScopes(credentials, tenant.tag, authorized_by);
    return held.has('export:create') && isAllowed(held, request) ? basisFor(held) : null;
  };

  const open = async (tenant: Tenant, schedule: StoredSchedule, job: StoredExport): Promise<void> => {
    if ((await exports.find(job)) !== null) return;
    const revision = { claim: job.job_id, attempt: 0 };
    const basis = await basisNow(tenant, schedule);
    if (basis !== null) {
      const opened = await commit([...exports.open({ ...job, basis }, revision)]);
      if (opened) await executions.start(job);
      return;
    }
    const failed = markFailed(job, 'unauthorized', Date.parse(job.created_at));
    await commit([
      ...exports.open(failed, revision),
      outbox.raise(exportFinishedEvent(tenant, failed, baseUrl)),
    ]);
  };

  return async (tenant: Tenant, now: number): Promise<void> => {
    const all = await schedules.list(tenant.tenant_id);
    if (all.length === 0) return;
    const closings = await deps.closings.list(tenant.tenant_id);
    const due = dueAt(all, now);
    const openPeriods = async (edition: DueExport['edition']): Promise<void> => {
      const ofEdition = new Map(due.filter((one) => one.edition === edition).map((one) => [one.to, one]));
      const follower = followerOf(edition, closings.at(-1));
      const periods = [...ofEdition.values()].map((one) => withCorrections(one, closings));
      await follow(tenant.tenant_id, follower, periods, now, async (period) => {
        const one = ofEdition.get(period.to);
        if (one === undefined) return;
        await settleAll(
          all.map(async (schedule) => {
            const job = exportOf(tenant, schedule, one, period, closings, now);
            if (job !== null) await open(tenant, schedule, job);
          }),
        );
      });
    };
    await settleAll([openPeriods('provisional'), openPeriods('final')]);
  };
};
