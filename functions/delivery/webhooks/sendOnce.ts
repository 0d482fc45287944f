import * as z from 'zod';
import type { RaisedEvent } from '../../../schemas/delivery/events.ts';
import { changeOnce, type MutationCall } from '../../identity/audit/changeOnce.ts';
import type { EndpointReader, StoredEndpoint } from './endpoints/endpoint.store.ts';
import { requireVerifiedEndpoint } from './endpoints/requireEndpoint.ts';
import type { Publisher, PublishOptions } from './streams/publish.ts';

type SendCall = MutationCall & {
  readonly parameters: Readonly<Record<string, string>>;
  readonly stores: { readonly endpoints: EndpointReader; readonly publisher: Publisher };
};

/** What a call sends, which a retry sends again: events that were raised since are not part of it. */
const Sent = z.object({ endpoint_id: z.string(), event_ids: z.array(z.string()) });

/**
 * Sends events to the endpoint of the path, at the request of a tenant. What is sent is recorded and audited before.
 * `select` gets the endpoint, reads the events and may refuse them. Throws NOT_FOUND, or CONFLICT for an endpoint that is
 * not verified.
 */
export const sendOnce = async (
  call: SendCall,
  select: (endpoint: StoredEndpoint) => Promise<readonly RaisedEvent[]>,
  options: PublishOptions,
): Promise<z.infer<typeof Sent>> => {
  const { caller, parameters, stores } = call;
  const read = () => stores.endpoints.endpoint(caller.tenant.tenant_id, parameters['id'] ?? '');
  let selected: { readonly endpoint: StoredEndpoint; readonly events: readonly RaisedEvent[] } | undefined;
  const { result } = await changeOnce(call, Sent, async () => {
    const endpoint = requireVerifiedEndpoint(await read());
    const events = await select(endpoint);
    selected = { endpoint, events };
    const sent = { endpoint_id: endpoint.id, event_ids: events.map(({ id }) => id) };
    return { writes: [], result: sent, resource: endpoint.id, before: null, after: sent };
  });
  const endpoint = selected?.endpoint ?? (await read());
  // It was deleted since an earlier attempt, and its stream with it.
  if (endpoint === null) return result;
  const events = selected?.events ?? (await select(endpoint));
  const sent = events.filter(({ id }) => result.event_ids.includes(id));
  await stores.publisher.publishTo(endpoint, sent, options);
  return result;
};
