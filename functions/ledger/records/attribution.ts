import type { AttributionRecord } from '../../../schemas/attribution/attributionRecord.ts';
import type { Explanation } from '../../../schemas/attribution/explanation.ts';
import type { StoredEvent } from './storedEvent.ts';

/** One version of a record in the ledger, with its explanation and the event behind it. */
export interface Attribution {
  readonly record: AttributionRecord;
  readonly explanation: Explanation;
  /** The members of the event that the record does not contain. */
  readonly storedEvent: StoredEvent;
}
