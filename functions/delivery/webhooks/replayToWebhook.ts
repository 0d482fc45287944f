import type { RaisedEvent } from '../../../schemas/delivery/events.ts';
import { REPLAYED_MAXIMUM } from '../../../schemas/delivery/webhooks.ts';
import { replayToWebhook, type WebhookReplay } from '../../../schemas/routes/delivery/webhookDeliveries.ts';
import { heldScopes } from '../../identity/access/principals/heldScopes.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { deterministicUlid, parseId } from '../../platform/shared/ids.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import { covers, requireReadable } from './endpoints/authorization.ts';
import type { StoredEndpoint } from './endpoints/endpoint.store.ts';
import { sendOnce } from './sendOnce.ts';
import type { ReplayReader } from './streams/replay.ts';

const invalidReplay = (pointer: string, detail: string) =>
  new ProblemError('VALIDATION_FAILED', 'The replay request is not valid.', {
    errors: [{ pointer, detail }],
  });

/** The delivery worker would withhold these events, so the replay is refused up front. */
const notCovered = () =>
  new ProblemError(
    'CONFLICT',
    'The principal that authorized the endpoint may not read these events. Use a credential that may read them to subscribe the endpoint to their types or to enable the endpoint again.',
  );

const findEvent = async (raised: ReplayReader, tenant: Tenant, eventId: string): Promise<RaisedEvent[]> => {
  const { kind } = parseId(eventId, 'evt', tenant.tag);
  if (kind === 'foreign') throw new ProblemError('TENANT_MISMATCH', 'The event belongs to another tenant.');
  const event = kind === 'own' ? await raised.event(tenant.tenant_id, eventId) : null;
  if (event === null)
    throw new ProblemError('NOT_FOUND', 'The event does not exist, or it is older than 30 days.');
  return [event];
};

const findEventsBetween = async (
  raised: ReplayReader,
  tenant: Tenant,
  { events: types }: StoredEndpoint,
  range: { readonly from: string; readonly to: string },
): Promise<RaisedEvent[]> => {
  const [from, to] = [Date.parse(range.from), Date.parse(range.to)];
  if (from >= to) throw invalidReplay('/to', 'must be later than from');
  const events = await raised.between(tenant, { from, to, types, limit: REPLAYED_MAXIMUM });
  if (events !== null) return events;
  throw invalidReplay('', `matches more than ${REPLAYED_MAXIMUM} events: request a shorter time range`);
};

const selectEvents = (
  raised: ReplayReader,
  tenant: Tenant,
  endpoint: StoredEndpoint,
  request: WebhookReplay,
) =>
  'event_id' in request
    ? findEvent(raised, tenant, request.event_id)
    : findEventsBetween(raised, tenant, endpoint, request);

export default operation(replayToWebhook, async (call) => {
  const { body, caller, receivedAt, claim, stores } = call;
  const { tenant } = caller;
  const select = async (endpoint: StoredEndpoint): Promise<RaisedEvent[]> => {
    // A time range is checked before its events are read, so that the answer discloses nothing about them.
    if (!('event_id' in body)) requireReadable(caller, endpoint.events);
    const events = await selectEvents(stores.raised, tenant, endpoint, body);
    const types = events.map(({ type }) => type);
    requireReadable(caller, types);
    const held = await heldScopes(stores.credentials, tenant.tag, endpoint.authorized_by);
    if (!covers(held, [...endpoint.events, ...types])) throw notCovered();
    return events;
  };
  const replay = deterministicUlid('webhook replay', claim.claim, receivedAt);
  return reply(202, await sendOnce(call, select, { kind: 'event', replay }));
});
