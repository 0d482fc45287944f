import { EXPORT_HOURS_MAXIMUM } from '../../../schemas/exports.ts';
import { LENGTH } from '../../rollups/grain.ts';
import { type FailDependencies, failExport } from '../steps/fail.ts';
import type { Executions } from './execution.store.ts';
import type { ExportRef, ExportWatchStore } from './export.store.ts';
import { isOpen } from './job.ts';

/** Younger exports are left alone: whoever asked for them may be about to start them. */
const START_GRACE_MS = 2 * LENGTH.minute;
const MAX_AGE_MS = EXPORT_HOURS_MAXIMUM * LENGTH.hour;

/**
 * Looks after an export that has not ended: starts one whose start was lost, gives up one that nothing works on any more,
 * or that takes too long. What it finds changed when it writes, it leaves to the next turn.
 */
const reapStaleExport = async (
  deps: FailDependencies & { readonly executions: Executions },
  name: ExportRef,
): Promise<void> => {
  const { exports, executions, clock } = deps;
  const found = await exports.find(name);
  if (found === null || !isOpen(found.document)) return;
  const { status, created_at } = found.document;
  const age = clock() - Date.parse(created_at);
  if (age < START_GRACE_MS) return;
  if (age < MAX_AGE_MS) {
    if (status === 'queued' && (await executions.start(name))) return;
    if (await executions.isRunning(name)) return;
  } else if (await executions.isRunning(name)) {
    await executions.stop(name);
  }
  await failExport(deps, found, age < MAX_AGE_MS ? 'internal' : 'timed_out');
};

/** Looks after the exports of all tenants, each by itself: what fails leaves the others alone. */
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
