import type { EventData, RaisedEvent } from '../../../schemas/events.ts';
import { DELIVERY_RETENTION_DAYS, type DeliveryAttempt } from '../../../schemas/webhooks.ts';
import type { EgressOutcome } from '../../egress/outcome.ts';
import { createEvent } from '../../events/createEvent.ts';
import { sha256Of } from '../../shared/hash.ts';
import { idOf, tagInId } from '../../shared/ids.ts';
import { ulidOf } from '../../shared/ulid.ts';
import type { Authorization } from '../endpoints/authorization.ts';
import { parseChallengeEcho } from '../endpoints/challenge.ts';
import type { StoredEndpoint } from '../endpoints/endpoint.store.ts';
import {
  applyAttemptResult,
  applyChallengeAnswer,
  type EndpointState,
  toAttemptResult,
  unauthorized,
} from '../endpoints/endpointState.ts';
import type { StoredEntry } from '../streams/stream.store.ts';
import { decideRetry, type RetryDecision } from './retrySchedule.ts';

const RETENTION = DELIVERY_RETENTION_DAYS * 24 * 60 * 60 * 1_000;
const OUTCOMES = { acknowledged: 'acknowledged', retry: 'retried', dead_lettered: 'dead_lettered' } as const;

/** A delivery for which no call is made, because whoever authorized the endpoint may not read the event now. */
export interface Withheld {
  readonly kind: 'withheld';
  /** The authorization that was lost, by which the endpoint is disabled; undefined where it only lacks this event. */
  readonly lost: Authorization | null | undefined;
  readonly status: null;
  /** Milliseconds. */
  readonly latency: 0;
}

/** What became of a delivery whose turn came. */
export type DeliveryOutcome = EgressOutcome | Withheld;

/** The outcome where nothing is sent; `lost` as in {@link Withheld}. */
export const withheld = (lost?: Authorization | null): Withheld => ({
  kind: 'withheld',
  lost,
  status: null,
  latency: 0,
});

const instant = (at: number): string => new Date(at).toISOString();

/**
 * What follows from an attempt that ended at `now` (epoch milliseconds), with every wait and the end of all of them
 * multiplied by `scale`.
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
  if (outcome.kind === 'withheld') return 'unauthorized';
  if (outcome.kind === 'failed') return outcome.failure;
  return outcome.status < 300 ? null : 'status';
};

/** An attempt as the log keeps it; `startedAt` in epoch milliseconds, `by` whoever made it. */
export const toDeliveryAttempt = (
  entry: StoredEntry,
  outcome: DeliveryOutcome,
  made: {
    readonly attempt: number;
    readonly startedAt: number;
    readonly next: RetryDecision;
    readonly by: string;
  },
): DeliveryAttempt => {
  const { attempt, startedAt, next, by } = made;
  const { endpoint_id, event, sequence, kind, replayed } = entry;
  const digest = sha256Of('delivery attempt', endpoint_id, String(sequence), String(attempt), by);
  return {
    id: idOf('dlv', tagInId(endpoint_id), ulidOf(startedAt, digest)),
    endpoint_id,
    event_id: event.id,
    event_type: event.type,
    sequence,
    attempt,
    attempted_at: instant(startedAt),
    latency_ms: Math.round(outcome.latency),
    response_status: outcome.status,
    outcome: OUTCOMES[next.kind],
    failure: failureOf(outcome),
    next_attempt_at: next.kind === 'retry' ? instant(next.at) : null,
    test: kind === 'test',
    replayed,
    retained_until: instant(startedAt + RETENTION),
  };
};

const isSameState = <Value extends EndpointState | Authorization | null>(one: Value, other: Value): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Where an endpoint stands after an attempt that ended at `now` (epoch milliseconds). */
const stateAfter = (
  { state, authorized_by }: StoredEndpoint,
  { kind }: Pick<StoredEntry, 'kind'>,
  attempt: { readonly outcome: DeliveryOutcome; readonly next: RetryDecision; readonly now: number },
): EndpointState => {
  const { outcome, next, now } = attempt;
  if (outcome.kind === 'withheld') {
    // Somebody may have authorized the endpoint anew since the one before was found lost.
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

/** The endpoint after an attempt; null where it stands as before. */
export const endpointAfter = (
  endpoint: StoredEndpoint,
  entry: Pick<StoredEntry, 'kind'>,
  attempt: { readonly outcome: DeliveryOutcome; readonly next: RetryDecision; readonly now: number },
): StoredEndpoint | null => {
  const standing = stateAfter(endpoint, entry, attempt);
  if (isSameState(standing, endpoint.state)) return null;
  return {
    ...endpoint,
    state: standing,
    sealed_challenge: standing.status === 'pending' ? endpoint.sealed_challenge : null,
  };
};

/** The event of an endpoint that is sent nothing any more since `now`, for the tenant's other endpoints; null of another. */
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
