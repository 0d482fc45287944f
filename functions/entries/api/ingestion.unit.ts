import { counterStore } from '../../diagnostics/counter.store.ts';
import { hourlyCounters } from '../../diagnostics/counters.ts';
import { idempotencyStore } from '../../idempotency/idempotencyKey.store.ts';
import { acceptedQueue } from '../../ingestion/acceptedQueue.store.ts';
import postInvocation from '../../ingestion/postInvocation.ts';
import { systemClock } from '../../shared/clock.ts';
import { resource } from '../../shared/settings.ts';
import { onionOf } from '../wiring/onion.ts';
import { unit } from '../wiring/unit.ts';

const stores = {
  accepted: acceptedQueue(resource('queue', 'accepted')),
  counters: hourlyCounters(counterStore(resource('table', 'counters')), systemClock),
};

export const handler = unit([postInvocation(stores)], {
  ...onionOf(),
  claims: idempotencyStore(resource('table', 'idempotency')),
});
