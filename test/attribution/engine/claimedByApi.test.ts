import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Arrival } from '../../../functions/attribution/engine/incomingCall.ts';
import { readInboundMessage } from '../../../functions/ingest/events/inboundMessage.ts';
import postInvocation from '../../../functions/ingest/events/postInvocation.ts';
import postInvocationBatch from '../../../functions/ingest/events/postInvocationBatch.ts';
import { type EventKeys, eventKeys } from '../../../functions/ledger/records/dedup/eventKey.store.ts';
import { ledgerReader } from '../../../functions/ledger/records/ledger.store.ts';
import { listRecords } from '../../../functions/ledger/records/query/listRecords.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { claims, recorderWithFault, writes } from '../../ledger/records/crashFixture.ts';
import { newTenant } from '../../ledger/records/ledgerFixture.ts';
import { callAsTenant } from '../../platform/http/callAsTenant.ts';
import { sqsRecord } from '../../platform/queue/sqsRecord.ts';
import { outage } from '../../support/outage.ts';
import { runs } from '../../support/properties.ts';
import { startTables } from '../../support/tables.ts';
import { anEvent } from './events.ts';

const NOON = Date.parse('2026-07-15T12:00:00Z');
const DAY = 24 * 60 * 60 * 1_000;
const SCOPES = ['ingest:write'] as const;

const live = await startTables();
afterAll(() => live.stop());
// Outages are logged; the output is not needed here.
beforeEach(() => void vi.spyOn(process.stdout, 'write').mockReturnValue(true));

type Moment = 'before' | 'after';
/** Where a request fails: a call that has no effect, or whose answer is lost. `crash`: the function ends before it sends. */
type RequestFault = `${'hold' | 'send'} ${Moment}` | 'crash' | 'none';

/** The API and the queue of a tenant. */
const apiOf = (tenant: Tenant) => {
  const queue: string[] = [];
  let shardBits = 0;
  const send = async (
    route: 'single' | 'batch',
    body: Record<string, unknown>,
    { key = String(randomUUID()), principal = 'key_one', fault = 'none' as RequestFault, later = 0 } = {},
  ) => {
    const failing = <Result>(call: 'hold' | 'send', run: () => Promise<Result>): Promise<Result> => {
      if (fault === `${call} before` || (fault === 'crash' && call === 'send')) throw outage();
      return run().then((result) => {
        if (fault === `${call} after`) throw outage();
        return result;
      });
    };
    const table = eventKeys('claims');
    const faulty: EventKeys = {
      peek: table.peek,
      hold: async (...held) => failing('hold', () => table.hold(...held)),
      // A function that has ended releases nothing.
      release: async (released) => (fault === 'crash' ? undefined : table.release(released)),
    };
    shardBits = (shardBits + 1) % 4;
    const stores = {
      accepted: {
        send: async (_: string, bodies: readonly string[]) =>
          failing('send', async () => void queue.push(...bodies)),
      },
      eventKeys: faulty,
      currentShardBits: async () => (shardBits === 3 ? null : shardBits),
      reportProgress: async () => undefined,
    };
    const operation = route === 'single' ? postInvocation(stores) : postInvocationBatch(stores);
    const sent = { tenant, principal, key, body: route === 'single' ? body : { events: [body] } };
    return callAsTenant(operation, sent, { scopes: SCOPES, clock: () => NOON + later });
  };
  return { queue, send };
};

const inboundOf = (body: string) => {
  const message = sqsRecord('accepted', { body });
  const tenants = { tenantOfSender: async () => null };
  const trustedSource = message.eventSourceARN;
  return readInboundMessage(message, { trustedSource, singleTenant: undefined, tenants });
};

type RecordEvent = (event: InvocationEvent, arrival: Arrival, tenant: Tenant) => Promise<unknown>;
const deliver = async (body: string, tenant: Tenant, recordEvent: RecordEvent = recorderWithFault()) => {
  const inbound = await inboundOf(body);
  const outcomes: unknown[] = [];
  for (const { event } of inbound.events) {
    if (event !== null) outcomes.push(await recordEvent(event, inbound, tenant));
  }
  return outcomes;
};

const reader = ledgerReader('ledger', () => NOON);
const recordsOf = async (tenant: Tenant) => {
  const period = { from: 0, to: NOON + 10 * DAY };
  const list = { tenant, period, descending: false, after: undefined, asOf: NOON + 20 * DAY };
  const { items } = await listRecords(reader, { ...list, residency: null, limit: 100 });
  return items.map(({ attribution }) => attribution.record);
};

const bodyOf = (eventId: string, members: Record<string, unknown> = {}) => ({
  ...anEvent({ event_id: eventId, occurred_at: new Date(NOON).toISOString(), ...members }),
});

describe('an event whose Idempotency-Key is its event id', () => {
  it('is claimed once, by the API, and recorded without a further claim', async () => {
    const [tenant, id] = [newTenant(), randomUUID()];
    const { queue, send } = apiOf(tenant);
    await send('single', bodyOf(id), { key: id });
    const claim = vi.spyOn(claims, 'claim');

    const outcomes = await deliver(queue[0] ?? '', tenant);

    expect([outcomes, claim.mock.calls, await recordsOf(tenant)]).toEqual([
      ['recorded'],
      [],
      [expect.objectContaining({ output_tokens: 200 })],
    ]);
    claim.mockRestore();
  });

  it('is queued by a retry, if the function ended between the claim and the message', async () => {
    const [tenant, id] = [newTenant(), randomUUID()];
    const { queue, send } = apiOf(tenant);
    const first = await send('single', bodyOf(id), { key: id, fault: 'crash' });
    const retry = await send('single', bodyOf(id), { key: id, later: 5_000 });
    for (const body of queue) await deliver(body, tenant);

    expect([first.status, retry.status, retry.headers['idempotency-replayed']]).toEqual([503, 202, 'true']);
    expect(await recordsOf(tenant)).toHaveLength(1);
  });

  it('is recorded with what another way in says, if the claimed content was never queued', async () => {
    const [tenant, id] = [newTenant(), randomUUID()];
    const { queue, send } = apiOf(tenant);
    await send('single', bodyOf(id), { key: id, fault: 'crash' });
    await send('batch', bodyOf(id, { output_tokens: 300 }));
    const outcomes = await deliver(queue[0] ?? '', tenant);

    expect([queue.length, outcomes, await recordsOf(tenant)]).toEqual([
      1,
      ['recorded'],
      [expect.objectContaining({ output_tokens: 300 })],
    ]);
  });

  it('stays unrecorded for the reading of a stored response, until the call is recorded', async () => {
    const [tenant, id] = [newTenant(), randomUUID()];
    const { queue, send } = apiOf(tenant);
    await send('single', bodyOf(id), { key: id });
    await send('batch', bodyOf(id, { retrieval: true, output_tokens: 300, source_system: 'poller' }));
    const [call = '', reading = ''] = queue;
    const outcomes = [
      await deliver(reading, tenant),
      await deliver(call, tenant),
      await deliver(reading, tenant),
    ];

    expect(outcomes.slice(0, 2)).toEqual([['no_call'], ['recorded']]);
    expect(outcomes[2]).not.toEqual(['no_call']);
    expect(await recordsOf(tenant)).toHaveLength(1);
  });
});

const contents = { a: {}, b: { output_tokens: 300 } } as const;
const requests = fc.record({
  kind: fc.constant('request' as const),
  route: fc.constantFrom('single' as const, 'single' as const, 'batch' as const),
  content: fc.constantFrom('a' as const, 'a' as const, 'b' as const),
  isKeyOfEvent: fc.constantFrom(true, true, false),
  principal: fc.constantFrom('key_one', 'key_one', 'key_two'),
  fault: fc.constantFrom<RequestFault>(
    'none',
    'none',
    'hold before',
    'hold after',
    'send before',
    'send after',
    'crash',
  ),
  later: fc.nat(60_000),
});
const deliveries = fc.record({
  kind: fc.constant('delivery' as const),
  index: fc.nat(5),
  isRepeated: fc.boolean(),
  fault: fc.option(
    fc.record({ write: fc.constantFrom(...writes), moment: fc.constantFrom<Moment>('before', 'after') }),
    { nil: undefined },
  ),
});

it('makes one record of one event id, whatever fails, is sent again, or comes by another way', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(requests, deliveries), { minLength: 2, maxLength: 10 }),
      async (steps) => {
        const [tenant, id] = [newTenant(), randomUUID()];
        const { queue, send } = apiOf(tenant);
        const bodies = new Map<string, string>();
        const queued = new Set<number>();
        let accepted = 0;
        for (const step of steps) {
          if (step.kind === 'request') {
            const { route, content, isKeyOfEvent, principal, fault, later } = step;
            const key = isKeyOfEvent ? id : `other-${content}`;
            const before = queue.length;
            const body = bodyOf(id, contents[content]);
            const answer = await send(route, body, { key, principal, fault, later });
            expect([202, 422, 503]).toContain(answer.status);
            if (answer.status === 422) expect(answer.body['error_code']).toBe('IDEMPOTENCY_CONFLICT');
            expect(answer.status === 422 && queue.length > before).toBe(false);
            if (queue.length > before) queued.add(content === 'a' ? 200 : 300);
            if (answer.status !== 202) continue;
            accepted += 1;
            expect(queue.length).toBeGreaterThan(before);
            // A repeat is answered as the first request was.
            const name = `${route} ${key} ${principal} ${content}`;
            expect(answer.text).toBe(bodies.get(name) ?? answer.text);
            bodies.set(name, answer.text);
          } else {
            const body = queue[step.index];
            if (body === undefined) continue;
            await deliver(body, tenant, recorderWithFault(step.fault)).catch(() => undefined);
          }
        }
        // The queue delivers each message at last, in any order.
        for (const body of queue.toReversed()) await deliver(body, tenant);
        const records = await recordsOf(tenant);
        expect(records).toHaveLength(queue.length > 0 ? 1 : 0);
        expect(accepted === 0 || records.length === 1).toBe(true);
        for (const { output_tokens } of records) expect(queued).toContain(output_tokens);
      },
    ),
    { numRuns: runs(20) },
  );
});
