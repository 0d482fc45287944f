import { MINUTE_MS } from '../../../../schemas/durations.ts';
import type { Attribution } from '../../../ledger/records/attribution.ts';
import { identityOf } from '../observations/observationParts.ts';
import { observerIn } from '../observations/statement.ts';

/** How far apart the times are that observers of one call state. A provider logs the end of a call, its caller the begin. */
const CALL_DURATION_MS = 15 * MINUTE_MS;

/** Who reported the call of a record. A record with one observation does not list it. */
const observersOf = ({ record, explanation, storedEvent }: Attribution): string[] =>
  explanation.observations?.map((one) => identityOf(observerIn(one))) ?? [
    identityOf({
      layer: record.ingestion_layer,
      system: storedEvent.source_system ?? null,
      by: storedEvent.stated_by?.id,
    }),
  ];

const differ = (one: number | null, other: number | null): boolean => !!one && !!other && one !== other;

const areTwoCalls = (one: Attribution, other: Attribution): boolean => {
  const [first, second] = [one.record, other.record];
  const others = observersOf(other);
  return (
    observersOf(one).some((observer) => others.includes(observer)) ||
    Math.abs(Date.parse(first.occurred_at) - Date.parse(second.occurred_at)) > CALL_DURATION_MS ||
    (differ(first.input_tokens, second.input_tokens) && differ(first.output_tokens, second.output_tokens))
  );
};

/**
 * Whether records can be of one call, as a further id of a call says. The id is of somebody's choice: whoever names the ids of two
 * calls could hide one behind the other. So they are two if one observer reported both, if they are apart in time, or if
 * neither count of them agrees.
 */
export const canBeOneCall = (records: readonly Attribution[]): boolean =>
  records.every((one, index) => records.slice(index + 1).every((other) => !areTwoCalls(one, other)));
