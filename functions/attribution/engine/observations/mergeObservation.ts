import type { ObservationTrace } from '../../../../schemas/attribution/observation.ts';
import type { InvocationEvent } from '../../../../schemas/ingest/invocationEvent.ts';
import type { Attribution } from '../../../ledger/records/attribution.ts';
import { mergedEvent } from './mergedEvent.ts';
import { contradictionsIn, mergedObservations } from './mergedObservations.ts';
import { type Observation, statementOn, TAGS } from './statement.ts';
import { wonParts } from './wonParts.ts';

/** A call as all its observers together describe it. */
export interface ObservedCall {
  readonly event: InvocationEvent;
  readonly observations: readonly ObservationTrace[] | undefined;
  /** Whether the observation contradicts what another credential of the tenant states. */
  readonly isContradicted: boolean;
}

/**
 * The call of a record together with one more observation of it. Each part comes from the observation that knows most about
 * it, of those with the most authority over it (`statementPolicy.ts`). So of one credential, the result is the same for every
 * order of arrival. What another credential of the tenant states against the record is kept beside it. A second report of an
 * observer only adds what its first one left out. `known` if it adds nothing, `rejected` if its party has no authority over
 * any part that it states.
 */
export const mergeObservation = (
  current: Attribution,
  observation: Observation,
): ObservedCall | 'known' | 'rejected' => {
  const statement = statementOn(current, observation);
  const { incoming, earlier, others, rightTo, isForeign } = statement;
  // The first report is not merged, so nothing shows what it left out.
  if (observation.isRepeat === true && earlier === undefined) return 'known';

  const parts = wonParts(statement, observation);
  if (earlier !== undefined && parts.won.length === 0) return 'known';

  const hasTags = (incoming.tags ?? []).length > 0 && rightTo(TAGS) === 'always';
  const supplied = hasTags && isForeign ? [...parts.won, TAGS] : parts.won;
  if (isForeign && supplied.length === 0) return 'rejected';

  const event = mergedEvent(statement, parts);
  // A record with one observation does not list it.
  if (others.length === 0) return { event, observations: undefined, isContradicted: false };
  return {
    event,
    observations: mergedObservations(statement, parts, supplied, hasTags),
    isContradicted: contradictionsIn(statement, parts).length > 0,
  };
};
