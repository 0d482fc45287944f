import type { Publish } from '../../../platform/outbox/relay.ts';
import type { EndpointReader } from '../endpoints/endpoint.store.ts';
import { isPaused } from '../endpoints/endpointState.ts';
import type { Publisher } from './publish.ts';

/** Publishes events to the stream of every verified or paused endpoint of the tenant that subscribes to their types. */
export const fanOut =
  (deps: {
    readonly endpoints: Pick<EndpointReader, 'endpointsOf'>;
    readonly publisher: Publisher;
  }): Publish =>
  async (tenantId, events) => {
    const endpoints = await deps.endpoints.endpointsOf(tenantId);
    await Promise.all(
      endpoints
        .filter(({ state }) => state.status === 'verified' || isPaused(state))
        .map((endpoint) =>
          deps.publisher.publishTo(
            endpoint,
            events.filter(({ type }) => endpoint.events.includes(type)),
            { kind: 'event' },
          ),
        ),
    );
  };
