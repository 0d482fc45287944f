import * as z from 'zod';
import type { ExportFailure, StoredExport } from '../../../schemas/exports.ts';
import type { Outbox } from '../../events/outbox.store.ts';
import { commit, type Versioned } from '../../shared/aws/document.store.ts';
import type { Clock } from '../../shared/clock.ts';
import { tagInId } from '../../shared/ids.ts';
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

/** Ends an export that was found as failed, together with its event; false when it was changed since. */
export const failExport = (
  { exports, outbox, clock, attempt, baseUrl }: FailDependencies,
  { document: job, revision }: Versioned<StoredExport>,
  reason: ExportFailure,
): Promise<boolean> => {
  const ended = markFailed(job, reason, clock());
  const tenant = { tenant_id: job.tenant_id, tag: tagInId(job.job_id) };
  return commit([
    ...exports.change(ended, revision, { claim: attempt(), attempt: 1 }),
    outbox.raise(exportFinishedEvent(tenant, ended, baseUrl)),
  ]);
};

/** What a failure says: whether somebody should look at it. */
export interface FailOutput {
  readonly reason: ExportFailure;
}

/** Ends an export whose step failed for good; one that was never begun, too. Leaves alone what has ended already. */
export const fail =
  (deps: FailDependencies) =>
  async ({ execution, error, ...name }: FailInput): Promise<FailOutput> => {
    const reason = reasonOf(error);
    const found = await deps.exports.find(name);
    if (found === null) return { reason };
    const { document: job } = found;
    if (job.status !== 'queued' && !isHeldBy(job, execution)) return { reason };
    if (!(await failExport(deps, found, reason))) throw new Error('an export was changed');
    return { reason };
  };
