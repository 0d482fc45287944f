import { DAY_MS, HOUR_MS } from '../../../schemas/durations.ts';
import { isHeld } from '../../platform/shared/time/lease.ts';
import type { TrainingState } from './prediction/training/trainingState.ts';

/** New calls after which a model is trained again: labelled ones, which it learns, or any, which shift the shares. */
const NEW_LABELLED_CALLS = 100;
const NEW_CALLS = 2_000;
/** With fewer new calls, the model is trained after this time. */
const QUIET_INTERVAL_MS = 3 * HOUR_MS;
/** After this time a training starts again from the ledger: it drops old calls, and reads late and corrected records. */
const RESTART_INTERVAL_MS = DAY_MS;

/** After this time the active model is applied to the records that are still open: once before a day is allocated. */
const RETRY_INTERVAL_MS = DAY_MS;

/** Whether open records are due, of which those of calls up to `retriedTo` (ISO 8601) were tried again, at `now`. */
export const isRetryDue = (retriedTo: string | null, now: number): boolean =>
  retriedTo === null || !isHeld({ until: Date.parse(retriedTo) + RETRY_INTERVAL_MS }, RETRY_INTERVAL_MS, now);

/** Whether the calls since the last training, `elapsed` milliseconds ago, justify a training. */
export const isTrainingDue = (
  { calls, labelled }: { readonly calls: number; readonly labelled: number },
  elapsed: number,
): boolean =>
  labelled >= NEW_LABELLED_CALLS || calls >= NEW_CALLS || (calls > 0 && elapsed >= QUIET_INTERVAL_MS);

/** Whether a training state is too old to continue at `now` (epoch milliseconds). */
export const isRestartDue = ({ startedAt }: Pick<TrainingState, 'startedAt'>, now: number): boolean =>
  !isHeld({ until: startedAt + RESTART_INTERVAL_MS }, RESTART_INTERVAL_MS, now);
