import { EXPORT_HOURS_MAXIMUM } from '../../../../schemas/exports.ts';
import { LENGTH } from '../../../ledger/rollups/grain.ts';
import { type FailDependencies, failExport } from '../steps/fail.ts';
import type { Executions } from './execution.store.ts';
import type { ExportRef, ExportWatchStore } from './export.store.ts';
import { isOpen } from './job.ts';

/** Younger exports are skipped: the call that created them may still be starting them. */
const START_GRACE_MS = 2 * LENGTH.minute;
const MAX_AGE_MS = EXPORT_HOURS_MAXIMUM * LENGTH.hour;

/**
 * Repairs an open export: starts it when its start was lost, and fails it when its execution is gone or takes too long. When
 * the export changes at the same time, the next run handles it.
 */
const reapStaleExport = async (
  deps: FailDependencies & { readonly executions: Executions },
  name: ExportRef,
): Promise<void> => {
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

/** Returns the reaper of stale exports of all tenants. An error of one export does not affect the others. */
export const staleExportReaper =
  (
    deps: FailDependencies & { readonly exports: ExportWatchStore; readonly executions: Executions },
    onError: (name: ExportRef, error: unknown) => void,
  ) =>
  async (): Promise<void> => {
    for (const name of await deps.exports.unfinished()) {
      await reapStaleExport(deps, name).catch((error: unknown) => onError(name, error));
    }
  };
