import type { EventData, RaisedEvent } from '../../../../../schemas/delivery/events.ts';
import { DELIVERY_RETENTION_DAYS, type DeliveryAttempt } from '../../../../../schemas/delivery/webhooks.ts';
import { DAY_MS } from '../../../../../schemas/durations.ts';
import type { EgressOutcome } from '../../../../platform/egress/outcome.ts';
import { createEvent } from '../../../../platform/outbox/createEvent.ts';
import { sha256Of } from '../../../../platform/shared/hash.ts';
import { idOf, tagInId } from '../../../../platform/shared/ids.ts';
import { toIso } from '../../../../platform/shared/time/toIso.ts';
import { ulidOf } from '../../../../platform/shared/ulid.ts';
import type { Authorization } from '../../../../platform/tenancy/authorization.ts';
import { parseChallengeEcho } from '../../endpoints/challenge.ts';
import type { StoredEndpoint } from '../../endpoints/endpoint.store.ts';
import {
  applyAttemptResult,
  applyChallengeAnswer,
  type EndpointState,
  toAttemptResult,
  unauthorized,
} from '../../endpoints/endpointState.ts';
import type { StoredEntry } from '../../streams/stream.store.ts';
import { decideRetry, type RetryDecision } from '../retrySchedule.ts';

const RETENTION_MS = DELIVERY_RETENTION_DAYS * DAY_MS;
const OUTCOMES = { acknowledged: 'acknowledged', retry: 'retried', dead_lettered: 'dead_lettered' } as const;

/**
 * A delivery that was not sent, because the principal that authorized the endpoint may no longer read the event, or because
 * the endpoint was paused for longer than events are kept.
 */
export interface Withheld {
  readonly kind: 'withheld';
  readonly failure: 'unauthorized' | 'paused';
  /**
   * The authorization that no longer covers the types of the endpoint, so that the endpoint is disabled. Undefined when it
   * still covers the types, and only this event is outside of it.
   */
  readonly lost: Authorization | null | undefined;
  readonly status: null;
  /** Milliseconds. */
  readonly latency: 0;
}

/** The outcome of an attempt at a delivery, sent or withheld. */
export type DeliveryOutcome = EgressOutcome | Withheld;

/** The outcome of a withheld delivery. `lost` as in {@link Withheld}. */
export const withheld = (failure: Withheld['failure'], lost?: Authorization | null): Withheld => ({
  kind: 'withheld',
  failure,
  lost,
  status: null,
  latency: 0,
});

/**
 * Decides what follows from an attempt that ended at `now` (epoch milliseconds). `scale` multiplies the delay and the
 * 24-hour horizon.
 */
export const decideScaledRetry = (
  outcome: DeliveryOutcome,
  delivery: { readonly attempts: number; readonly firstAt: number },
  options: { readonly now: number; readonly uniform: () => number; readonly scale: number },
): RetryDecision => {
  if (outcome.kind === 'withheld') return { kind: 'dead_lettered', reason: 'withheld' };
  const { now, uniform, scale } = options;
  const firstAt = now - (now - delivery.firstAt) / scale;
  const next = decideRetry(outcome, { attempts: delivery.attempts, firstAt }, { now, uniform });
  return next.kind === 'retry' ? { kind: 'retry', at: now + Math.floor((next.at - now) * scale) } : next;
};

const failureOf = (outcome: DeliveryOutcome): DeliveryAttempt['failure'] => {
  if (outcome.kind !== 'answered') return outcome.failure;
  return outcome.status < 300 ? null : 'status';
};

/** The log entry of an attempt. `startedAt` is epoch milliseconds. `by` is the unique name of the worker that made it. */
export const toDeliveryAttempt = (
  entry: StoredEntry,
  outcome: DeliveryOutcome,
  context: {
    readonly attempt: number;
    readonly startedAt: number;
    readonly next: RetryDecision;
    readonly requestId: string | undefined;
    readonly by: string;
  },
): DeliveryAttempt => {
  const { attempt, startedAt, next, requestId, by } = context;
  const { endpoint_id, event, sequence, kind, replayed } = entry;
  const digest = sha256Of('delivery attempt', endpoint_id, String(sequence), String(attempt), by);
  return {
    id: idOf('dlv', tagInId(endpoint_id), ulidOf(startedAt, digest)),
    endpoint_id,
    event_id: event.id,
    event_type: event.type,
    sequence,
    attempt,
    attempted_at: toIso(startedAt),
    latency_ms: Math.round(outcome.latency),
    response_status: outcome.status,
    outcome: OUTCOMES[next.kind],
    failure: failureOf(outcome),
    next_attempt_at: next.kind === 'retry' ? toIso(next.at) : null,
    test: kind === 'test',
    replayed,
    ...(requestId !== undefined && { request_id: requestId }),
    retained_until: toIso(startedAt + RETENTION_MS),
  };
};

export const isSameState = <Value extends EndpointState | Authorization | null>(
  one: Value,
  other: Value,
): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The state of an endpoint after an attempt that ended at `now` (epoch milliseconds). */
const stateAfter = (
  { state, authorized_by }: StoredEndpoint,
  { kind }: Pick<StoredEntry, 'kind'>,
  attempt: { readonly outcome: DeliveryOutcome; readonly next: RetryDecision; readonly now: number },
): EndpointState => {
  const { outcome, next, now } = attempt;
  if (outcome.kind === 'withheld') {
    // The endpoint may have been authorized again since the lost authorization was read.
    return outcome.lost !== undefined && isSameState(outcome.lost, authorized_by)
      ? unauthorized(state, now)
      : state;
  }
  if (kind === 'verification') {
    const echo = parseChallengeEcho(outcome);
    return (echo === null ? null : applyChallengeAnswer(state, echo, now)) ?? state;
  }
  const result = toAttemptResult(next);
  return result === null ? state : applyAttemptResult(state, result, now);
};

/** The endpoint after an attempt. Null when its state does not change. */
export const endpointAfter = (
  endpoint: StoredEndpoint,
  entry: Pick<StoredEntry, 'kind'>,
  attempt: { readonly outcome: DeliveryOutcome; readonly next: RetryDecision; readonly now: number },
): StoredEndpoint | null => {
  const state = stateAfter(endpoint, entry, attempt);
  if (isSameState(state, endpoint.state)) return null;
  return {
    ...endpoint,
    state,
    sealed_challenge: state.status === 'pending' ? endpoint.sealed_challenge : null,
  };
};

/** The `webhook.disabled` event of an endpoint that was disabled automatically at `now`. Null for any other endpoint. */
export const createDisabledEvent = (
  endpoint: StoredEndpoint,
  tenantId: string,
  now: number,
): RaisedEvent | null => {
  const { state } = endpoint;
  if (state.status !== 'disabled' || state.reason === 'admin') return null;
  const data: EventData<'webhook.disabled'> = {
    endpoint_id: endpoint.id,
    reason: state.reason,
    disabled_at: state.disabled_at,
  };
  return createEvent('webhook.disabled', data, {
    ulid: ulidOf(now, sha256Of('webhook disabled', endpoint.id, state.disabled_at)),
    at: now,
    tenant: { tenant_id: tenantId, tag: tagInId(endpoint.id) },
  });
};
