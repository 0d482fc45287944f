import { EXPORT_HOURS_MAXIMUM } from '../../../schemas/exports.ts';
import { LENGTH } from '../../rollups/period.ts';
import { type Failing, giveUp } from '../steps/fail.ts';
import type { Executions } from './execution.store.ts';
import type { ExportName, ExportWatchStore } from './export.store.ts';
import { isOpen } from './job.ts';

/** Younger exports are left alone: whoever asked for them may be about to start them. */
const GRACE = 2 * LENGTH.minute;
const LONGEST = EXPORT_HOURS_MAXIMUM * LENGTH.hour;

/**
 * Looks after an export that has not ended: starts one whose start was lost, gives up one that nothing works on any more,
 * or that takes too long. What it finds changed when it writes, it leaves to the next turn.
 */
const lookAfter = async (
  deps: Failing & { readonly executions: Executions },
  name: ExportName,
): Promise<void> => {
  const { exports, executions, clock } = deps;
  const found = await exports.find(name);
  if (found === null || !isOpen(found.document)) return;
  const { status, created_at } = found.document;
  const age = clock() - Date.parse(created_at);
  if (age < GRACE) return;
  if (age < LONGEST) {
    if (status === 'queued' && (await executions.start(name))) return;
    if (await executions.isRunning(name)) return;
  } else if (await executions.isRunning(name)) {
    await executions.stop(name);
  }
  await giveUp(deps, found, age < LONGEST ? 'internal' : 'timed_out');
};

/** Looks after the exports of all tenants, each by itself: what fails leaves the others alone. */
export const exportSweep =
  (
    deps: Failing & { readonly exports: ExportWatchStore; readonly executions: Executions },
    failed: (name: ExportName, error: unknown) => void,
  ) =>
  async (): Promise<void> => {
    for (const name of await deps.exports.unfinished()) {
      await lookAfter(deps, name).catch((error: unknown) => failed(name, error));
    }
  };
