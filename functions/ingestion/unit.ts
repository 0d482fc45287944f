import { onionOf } from '../http/onion.ts';
import { unit } from '../http/unit.ts';
import { idempotencyStore } from '../idempotency/store.ts';
import { resource } from '../shared/settings.ts';
import postInvocation from './postInvocation.ts';
import postInvocationBatch from './postInvocationBatch.ts';
import { acceptedQueue } from './store.ts';

const stores = { accepted: acceptedQueue(resource('queue', 'accepted')) };

export const handler = unit([postInvocation(stores), postInvocationBatch(stores)], {
  ...onionOf(),
  claims: idempotencyStore(resource('table', 'idempotency')),
});
