import { counterStore } from '../diagnostics/counter.store.ts';
import { hourlyCounters } from '../diagnostics/counters.ts';
import { onionOf } from '../http/onion.ts';
import { unit } from '../http/unit.ts';
import { idempotencyStore } from '../idempotency/store.ts';
import { systemClock } from '../shared/clock.ts';
import { resource } from '../shared/settings.ts';
import postInvocation from './postInvocation.ts';
import { acceptedQueue } from './store.ts';

const stores = {
  accepted: acceptedQueue(resource('queue', 'accepted')),
  counters: hourlyCounters(counterStore(resource('table', 'counters')), systemClock),
};

export const handler = unit([postInvocation(stores)], {
  ...onionOf(),
  claims: idempotencyStore(resource('table', 'idempotency')),
});
