import { chunksWithin } from '../../../../platform/shared/chunksWithin.ts';
import type { StoredEntry } from '../../streams/stream.store.ts';
import type { Delivery } from '../delivery.ts';
import { batchLimits, serializeBatch } from './batchBody.ts';

/** A delivery that is due, with the bytes of its event. */
export interface SerializedDelivery {
  readonly entry: Pick<StoredEntry, 'kind' | 'sequence'>;
  readonly found: { readonly document: Pick<Delivery, 'attempts' | 'batch'> };
  readonly envelope: Uint8Array;
}

/** The deliveries of one request, in order of sequence, and its body. */
export interface PlannedRequest<Item> {
  readonly deliveries: readonly [Item, ...Item[]];
  readonly body: Uint8Array;
  /** Whether the body is a list of events. */
  readonly isBatch: boolean;
}

/**
 * The requests for deliveries to an endpoint that receives at most `size` events in a request. With a size of 1, the body
 * is the event. Otherwise it is a list, except for a challenge. Events share a request if none of them was isolated, and if
 * they were attempted equally often, so that they are due together again after a failure.
 */
export const planRequests = <Item extends SerializedDelivery>(
  deliveries: readonly Item[],
  size: number,
): PlannedRequest<Item>[] => {
  const inOrder = deliveries.toSorted((one, other) => one.entry.sequence - other.entry.sequence);
  const groups = Map.groupBy(inOrder, ({ entry, found: { document } }) =>
    document.batch === undefined ? `alone ${entry.sequence}` : `attempt ${document.attempts}`,
  );
  return [...groups.values()]
    .flatMap((group) => chunksWithin(group, batchLimits(size), ({ envelope }) => envelope.length))
    .map((chunk) => {
      const isBatch = size > 1 && chunk[0].entry.kind !== 'verification';
      const body = isBatch ? serializeBatch(chunk.map(({ envelope }) => envelope)) : chunk[0].envelope;
      return { deliveries: chunk, body, isBatch };
    });
};
