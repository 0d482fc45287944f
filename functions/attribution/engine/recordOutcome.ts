/**
 * `set_aside`: recorded, and an amount that it reports (cost, energy or carbon) is not believed.
 * `same_arrival`: a record of an event with this arrival time exists, so the queue probably delivered a message again.
 * `merged`: the record has a new version with the evidence of this observer. `contradicted`: the version says too that the
 * observer, another credential of the tenant, states something else. `rejected`: the event is about a record over
 * which its sender has no authority. `no_call`: a stored response was read whose call was not reported.
 */
export type RecordOutcome =
  | 'recorded'
  | 'set_aside'
  | 'merged'
  | 'contradicted'
  | 'same_arrival'
  | 'duplicate'
  | 'duplicate_mismatch'
  | 'rejected'
  | 'no_call';
