import { ulidInId } from '../../../platform/shared/ids.ts';

/** Identifies the stream of an endpoint. `endpointId` is its id or the ULID of that id. */
export interface StreamKey {
  readonly tenantId: string;
  readonly endpointId: string;
}

/** Identifies an entry of a stream and its delivery. `dedupKey` is unique in the stream. */
export interface DeliveryKey extends StreamKey {
  readonly dedupKey: string;
}

/** The partition key of the head, the entries or the deliveries of a stream. */
export const partitionOf = (
  kind: 'stream' | 'entry' | 'delivery',
  { tenantId, endpointId }: StreamKey,
): string => `${kind}#${tenantId}#${ulidInId(endpointId)}`;
