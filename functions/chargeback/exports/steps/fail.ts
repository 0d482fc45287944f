import * as z from 'zod';
import type { ExportFailure } from '../../../../schemas/chargeback/exportEvents.ts';
import type { StoredExport } from '../../../../schemas/chargeback/exports.ts';
import type { Outbox } from '../../../platform/outbox/outbox.store.ts';
import { commit, type Versioned } from '../../../platform/shared/aws/document.store.ts';
import { tagInId } from '../../../platform/shared/ids.ts';
import type { Clock } from '../../../platform/shared/time/clock.ts';
import { ExportRef, type ExportStore } from '../job/export.store.ts';
import { reasonOf } from '../job/exportError.ts';
import { exportFinishedEvent } from '../job/exportFinishedEvent.ts';
import { isHeldBy, markFailed } from '../job/job.ts';

export const FailInput = ExportRef.extend({ execution: z.string(), error: z.string() });
type FailInput = z.infer<typeof FailInput>;

export interface FailDependencies {
  readonly exports: ExportStore;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly attempt: () => string;
  readonly baseUrl: string;
}

/**
 * Marks an export as failed and raises its event in one transaction. Returns false when the export changed since it was
 * read.
 */
export const failExport = (
  { exports, outbox, clock, attempt, baseUrl }: FailDependencies,
  { document: job, revision }: Versioned<StoredExport>,
  reason: ExportFailure,
): Promise<boolean> => {
  const failedJob = markFailed(job, reason, clock());
  const tenant = { tenant_id: job.tenant_id, tag: tagInId(job.job_id) };
  return commit([
    ...exports.change(failedJob, revision, { claim: attempt(), attempt: 1 }),
    outbox.raise(exportFinishedEvent(tenant, failedJob, baseUrl)),
  ]);
};

/** The state machine uses the reason to decide whether the execution itself fails, which raises an alarm. */
export interface FailOutput {
  readonly reason: ExportFailure;
}

/**
 * Marks an export as failed after a step used up its retries, also when the export never started. Does nothing when the
 * export has ended or belongs to another execution. Throws an Error when the export changed during the write.
 */
export const fail =
  (deps: FailDependencies) =>
  async ({ execution, error, ...name }: FailInput): Promise<FailOutput> => {
    const reason = reasonOf(error);
    const current = await deps.exports.find(name);
    if (current === null) return { reason };
    const { document: job } = current;
    if (job.status !== 'queued' && !isHeldBy(job, execution)) return { reason };
    if (!(await failExport(deps, current, reason))) throw new Error('The export changed during the write.');
    return { reason };
  };
