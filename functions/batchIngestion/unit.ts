import { counterStore } from '../diagnostics/counter.store.ts';
import { hourlyCounters } from '../diagnostics/counters.ts';
import { onionOf } from '../http/onion.ts';
import { unit } from '../http/unit.ts';
import { idempotencyStore } from '../idempotency/store.ts';
import postInvocationBatch from '../ingestion/postInvocationBatch.ts';
import { acceptedQueue } from '../ingestion/store.ts';
import { systemClock } from '../shared/clock.ts';
import { resource } from '../shared/settings.ts';

const stores = {
  accepted: acceptedQueue(resource('queue', 'accepted')),
  counters: hourlyCounters(counterStore(resource('table', 'counters')), systemClock),
};

export const handler = unit([postInvocationBatch(stores)], {
  ...onionOf(),
  claims: idempotencyStore(resource('table', 'idempotency')),
});
