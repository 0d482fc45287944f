import { counterStore } from '../../diagnostics/counter.store.ts';
import { hourlyCounters } from '../../diagnostics/counters.ts';
import { idempotencyStore } from '../../idempotency/idempotencyKey.store.ts';
import { acceptedQueue } from '../../ingestion/acceptedQueue.store.ts';
import postInvocationBatch from '../../ingestion/postInvocationBatch.ts';
import { systemClock } from '../../shared/clock.ts';
import { resource } from '../../shared/settings.ts';
import { onionOf } from '../wiring/onion.ts';
import { unit } from '../wiring/unit.ts';

const stores = {
  accepted: acceptedQueue(resource('queue', 'accepted')),
  counters: hourlyCounters(counterStore(resource('table', 'counters')), systemClock),
};

export const handler = unit([postInvocationBatch(stores)], {
  ...onionOf(),
  claims: idempotencyStore(resource('table', 'idempotency')),
});
