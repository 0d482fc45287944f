import type {
  BatchResult,
  InvocationAccepted,
  InvocationBatchAccepted,
} from '../../../schemas/routes/ingest/events.ts';
import { idSpaceOf } from '../../ledger/records/dedup/statementPolicy.ts';
import { idOf, invocationUlid } from '../../platform/shared/ids.ts';
import { memberAt } from '../../platform/shared/memberAt.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import type { Caller } from '../../platform/tenancy/caller.ts';
import { homeLane } from '../../platform/tenancy/tenant.ts';
import type { CheckedEvent } from './checkEvent.ts';

/** Most errors reported for one event of many, so that a batch of 1,000 stays within the Lambda response limit of 6 MB. */
export const ERRORS_MAXIMUM = 10;
const EVENT_ID_LENGTH = 128;

const eventIdOf = (sent: unknown): string | null => {
  const value = memberAt(sent, 'event_id');
  return typeof value === 'string' ? value.slice(0, EVENT_ID_LENGTH) : null;
};

const queuedResult = (
  { event, dropped }: Extract<CheckedEvent, { errors: null }>,
  { tenant, residency }: Pick<Caller, 'tenant' | 'residency'>,
): InvocationAccepted => ({
  event_id: event.event_id,
  invocation_id: idOf(
    'inv',
    tenant.tag,
    invocationUlid(
      tenant.tenant_id,
      event.event_id,
      idSpaceOf(null, residency ?? homeLane(tenant), homeLane(tenant)),
    ),
  ),
  status: 'queued',
  ...dropped,
});

/** The result of a request with one event. Throws VALIDATION_FAILED if the event is invalid. */
export const singleResult = (
  [checked]: readonly CheckedEvent[],
  caller: Pick<Caller, 'tenant' | 'residency'>,
): InvocationAccepted => {
  if (checked?.event == null) {
    const errors = [...(checked?.errors ?? [])];
    throw new ProblemError('VALIDATION_FAILED', 'The body is no valid event.', { errors });
  }
  return queuedResult(checked, caller);
};

/** The results of a batch: one for each event, in order. */
export const batchResult = (
  checked: readonly CheckedEvent[],
  caller: Pick<Caller, 'tenant' | 'residency'>,
): InvocationBatchAccepted => {
  const results = checked.map(
    (one, index): BatchResult =>
      one.event === null
        ? {
            index,
            event_id: eventIdOf(one.sent),
            invocation_id: null,
            status: 'rejected',
            errors: one.errors.slice(0, ERRORS_MAXIMUM),
          }
        : { index, ...queuedResult(one, caller) },
  );
  const accepted = results.filter(({ status }) => status === 'queued').length;
  return { accepted, rejected: results.length - accepted, results };
};
