import { DAY_MS } from '../../../schemas/durations.ts';
import {
  LIVE_TRAFFIC_DAYS,
  type Sandbox,
  type SandboxState,
  type StoredReset,
} from '../../../schemas/tenants/sandbox.ts';
import { idOf, tagInId, ulidInId } from '../../platform/shared/ids.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';

export const notASandbox = () =>
  new ProblemError(
    'CONFLICT',
    'This tenant is not a sandbox, so nothing was changed. An operator creates a sandbox tenant in a sandbox deployment.',
  );

/** Whether a reset was requested and has not finished. */
export const isResetting = ({ reset }: Pick<SandboxState, 'reset'>): boolean =>
  reset !== null && reset.status !== 'succeeded';

/** Whether live traffic arrives at `now` (epoch milliseconds). It pauses during a reset. */
export const isLive = (state: SandboxState, now: number): boolean =>
  state.live_until !== null && now < Date.parse(state.live_until) && !isResetting(state);

/** The API representation of a sandbox at `now` (epoch milliseconds). */
export const toSandbox = (state: SandboxState, now: number): Sandbox => {
  const { live_until, reset } = state;
  return {
    live_traffic: isLive(state, now),
    live_until: live_until !== null && now < Date.parse(live_until) ? live_until : null,
    reset: reset && {
      reset_id: reset.reset_id,
      job_id: idOf('job', tagInId(reset.reset_id), ulidInId(reset.reset_id)),
      status: reset.status,
      requested_at: reset.requested_at,
      finished_at: reset.finished_at,
      erased_rows: reset.erased_rows,
      sent_events: reset.sent_events,
    },
  };
};

/** The sandbox with live traffic switched on or off at `now` (epoch milliseconds). */
export const withLiveTraffic = (state: SandboxState, isOn: boolean, now: number): SandboxState => ({
  reset: state.reset && { ...state.reset, live_traffic: isOn },
  // During a reset, the end of live traffic is not known: its days start when the reset has finished.
  live_until: isOn && !isResetting(state) ? toIso(now + LIVE_TRAFFIC_DAYS * DAY_MS) : null,
});

/**
 * Whether a call that the service received at `receivedAt` (epoch milliseconds) belongs to the data that the newest reset
 * deletes. A queue can deliver it after the reset.
 */
export const isBeforeReset = ({ reset }: SandboxState, receivedAt: number): boolean =>
  reset !== null && receivedAt < Date.parse(reset.requested_at);

interface ResetRequest {
  readonly id: string;
  /** Whether live traffic starts after the reset. */
  readonly live: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
}

const newReset = ({ id, live, now }: ResetRequest, step: StoredReset['step']): StoredReset => ({
  reset_id: id,
  status: 'queued',
  requested_at: toIso(now),
  finished_at: null,
  erased_rows: 0,
  sent_events: 0,
  live_traffic: live,
  step,
  lease: null,
});

/** The sandbox with a new reset. A reset that has not finished stays. */
export const withReset = (state: SandboxState, request: ResetRequest): SandboxState =>
  isResetting(state)
    ? state
    : { live_until: null, reset: newReset(request, { kind: 'erase', pass: 1, table: 0, resume: null }) };

/** The state of a new sandbox, whose data set is to be loaded. There is nothing to delete before that. */
export const newSandbox = (request: ResetRequest): SandboxState => ({
  live_until: null,
  reset: newReset(request, { kind: 'configure' }),
});
