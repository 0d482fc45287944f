import type { AttributionRecord } from '../../schemas/attribution/attributionRecord.ts';
import type { Explanation } from '../../schemas/attribution/explanation.ts';
import type { StoredEvent } from './storedEvent.ts';

/** A record and everything behind it, as one version of the ledger holds it. */
export interface Attribution {
  readonly record: AttributionRecord;
  readonly explanation: Explanation;
  /** What of the event the record does not say. */
  readonly kept: StoredEvent;
}
