import { ulidInId } from '../../shared/ids.ts';

/** The stream of an endpoint, by its id or the ULID that ends with. */
export interface StreamKey {
  readonly tenantId: string;
  readonly endpointId: string;
}

/** A place in a stream. `cause` is what brought the entry about: no cause has two. */
export interface DeliveryKey extends StreamKey {
  readonly dedupKey: string;
}

/** The partition of the table that holds so much of a stream. */
export const partitionOf = (
  kind: 'stream' | 'entry' | 'delivery',
  { tenantId, endpointId }: StreamKey,
): string => `${kind}#${tenantId}#${ulidInId(endpointId)}`;

/** The place of the delivery under a key of the table, its endpoint by the ULID; null of a key of anything else. */
export const parseDeliveryKey = (pk: string, sk: string): DeliveryKey | null => {
  const [kind, tenantId, endpointId] = pk.split('#');
  if (kind !== 'delivery' || tenantId === undefined || endpointId === undefined) return null;
  return { tenantId, endpointId, dedupKey: sk };
};
