import { EXPORT_HOURS_MAXIMUM } from '../../../../schemas/chargeback/exports.ts';
import { HOUR_MS, MINUTE_MS } from '../../../../schemas/durations.ts';
import { type FailDependencies, failExport } from '../steps/fail.ts';
import type { Executions } from './execution.aws.ts';
import type { ExportRef } from './export.store.ts';
import { isOpen } from './job.ts';

/** Younger exports are skipped: the call that created them may still be starting them. */
const START_GRACE_MS = 2 * MINUTE_MS;
const MAX_AGE_MS = EXPORT_HOURS_MAXIMUM * HOUR_MS;

/**
 * Repairs an open export: starts it when its start was lost, and fails it when its execution is gone or takes too long. When
 * the export changes at the same time, a later call handles it.
 */
export const staleExportReaper =
  (deps: FailDependencies & { readonly executions: Executions }) =>
  async (name: ExportRef): Promise<void> => {
    const { exports, executions, clock } = deps;
    const current = await exports.find(name);
    if (current === null || !isOpen(current.document)) return;
    const { status, created_at } = current.document;
    const age = clock() - Date.parse(created_at);
    if (age < START_GRACE_MS) return;
    if (age < MAX_AGE_MS) {
      if (status === 'queued' && (await executions.start(name))) return;
      if (await executions.isRunning(name)) return;
    } else if (await executions.isRunning(name)) {
      await executions.stop(name);
    }
    await failExport(deps, current, age < MAX_AGE_MS ? 'internal' : 'timed_out');
  };
