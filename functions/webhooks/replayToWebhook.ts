import type { RaisedEvent } from '../../schemas/events.ts';
import { replayToWebhook, type WebhookReplay } from '../../schemas/routes/webhookDeliveries.ts';
import { REPLAYED_MAXIMUM } from '../../schemas/webhooks.ts';
import { buildAuditEntry } from '../audit/auditEntry.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { commit } from '../shared/aws/document.store.ts';
import { deterministicUlid, parseId } from '../shared/ids.ts';
import { orUnavailable, ProblemError } from '../shared/problem.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import { covers, heldScopes, requireReadable } from './endpoints/authorization.ts';
import type { StoredEndpoint } from './endpoints/endpoint.store.ts';
import { requireVerifiedEndpoint } from './endpoints/requireEndpoint.ts';
import { requireUnboundCredential } from './endpoints/residency.ts';
import type { ReplayReader } from './streams/replay.store.ts';

/** Events of any type that are looked through for those an endpoint subscribes to. */
const EXAMINED_MAXIMUM = 4 * REPLAYED_MAXIMUM;

const invalidReplay = (pointer: string, detail: string) =>
  new ProblemError('VALIDATION_FAILED', 'The replay cannot be made.', { errors: [{ pointer, detail }] });

/** Such a delivery would be withheld when its turn comes. */
const notCovered = () =>
  new ProblemError(
    'CONFLICT',
    'Whoever authorized the endpoint may not read these events. Subscribe to their types, or enable the endpoint, with a credential that may.',
  );

const findEvent = async (raised: ReplayReader, tenant: Tenant, eventId: string): Promise<RaisedEvent[]> => {
  const { kind } = parseId(eventId, 'evt', tenant.tag);
  if (kind === 'foreign') throw new ProblemError('TENANT_MISMATCH', 'The event belongs to another tenant.');
  const event = kind === 'own' ? await raised.event(tenant.tenant_id, eventId) : null;
  if (event === null) throw new ProblemError('NOT_FOUND', 'There is no such event, or none any more.');
  return [event];
};

const findEventsBetween = async (
  raised: ReplayReader,
  tenant: Tenant,
  { events: types }: StoredEndpoint,
  stretch: { readonly from: string; readonly to: string },
): Promise<RaisedEvent[]> => {
  const [from, to] = [Date.parse(stretch.from), Date.parse(stretch.to)];
  if (from >= to) throw invalidReplay('/to', 'must lie after from');
  const examined = await raised.between(tenant, { from, to, limit: EXAMINED_MAXIMUM + 1 });
  const events = examined.filter(({ type }) => types.includes(type));
  if (examined.length > EXAMINED_MAXIMUM || events.length > REPLAYED_MAXIMUM) {
    throw invalidReplay(
      '',
      `between from and to lie more than ${REPLAYED_MAXIMUM} events: ask for shorter stretches`,
    );
  }
  return events;
};

const selectEvents = (
  raised: ReplayReader,
  tenant: Tenant,
  endpoint: StoredEndpoint,
  asked: WebhookReplay,
) =>
  'event_id' in asked
    ? findEvent(raised, tenant, asked.event_id)
    : findEventsBetween(raised, tenant, endpoint, asked);

export default operation(replayToWebhook, async (call) => {
  const { parameters, body, caller, receivedAt, claim, auditContext, stores } = call;
  requireUnboundCredential(caller);
  const { tenant } = caller;

  return orUnavailable(async () => {
    const endpoint = requireVerifiedEndpoint(
      await stores.endpoints.endpoint(tenant.tenant_id, parameters['id'] ?? ''),
    );
    // Of a stretch before it is read: what it holds is not told to somebody who may not read it.
    if (!('event_id' in body)) requireReadable(caller, endpoint.events);
    const events = await selectEvents(stores.raised, tenant, endpoint, body);
    const types = events.map(({ type }) => type);
    requireReadable(caller, types);
    const held = await heldScopes(stores.credentials, tenant.tag, endpoint.authorized_by);
    if (!covers(held, [...endpoint.events, ...types])) throw notCovered();
    // Told first, and once however often the call is repeated: nothing is sent that nobody was told of.
    await commit([
      stores.audit.append(tenant.tenant_id, buildAuditEntry(auditContext, { resource: endpoint.id })),
    ]);
    await stores.publisher.publishTo(endpoint, events, {
      kind: 'event',
      replay: deterministicUlid('webhook replay', claim.claim, receivedAt),
    });
    return reply(202, { endpoint_id: endpoint.id, event_ids: events.map(({ id }) => id) });
  });
});
