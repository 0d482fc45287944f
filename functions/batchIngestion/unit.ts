import { onionOf } from '../http/onion.ts';
import { unit } from '../http/unit.ts';
import { idempotencyStore } from '../idempotency/store.ts';
import postInvocationBatch from '../ingestion/postInvocationBatch.ts';
import { acceptedQueue } from '../ingestion/store.ts';
import { resource } from '../shared/settings.ts';

const stores = { accepted: acceptedQueue(resource('queue', 'accepted')) };

export const handler = unit([postInvocationBatch(stores)], {
  ...onionOf(),
  claims: idempotencyStore(resource('table', 'idempotency')),
});
