import { onionOf } from '../http/onion.ts';
import { unit } from '../http/unit.ts';
import { idempotencyStore } from '../idempotency/store.ts';
import { resource } from '../shared/settings.ts';
import postInvocation from './postInvocation.ts';
import { acceptedQueue } from './store.ts';

const stores = { accepted: acceptedQueue(resource('queue', 'accepted')) };

export const handler = unit([postInvocation(stores)], {
  ...onionOf(),
  claims: idempotencyStore(resource('table', 'idempotency')),
});
