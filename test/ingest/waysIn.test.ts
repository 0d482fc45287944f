import { ScanCommand } from '@aws-sdk/client-dynamodb';
import type { SQSRecord } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { fromVersionItem } from '../../functions/ledger/records/ledger.store.ts';
import { commit } from '../../functions/platform/shared/aws/document.store.ts';
import { sqs } from '../../functions/platform/shared/aws/sqs.client.ts';
import { tenantWriter } from '../../functions/platform/tenancy/tenant.store.ts';
import { scopeNames } from '../../schemas/identity/scopes.ts';
import { variableOf } from '../../schemas/platform/resourceVariables.ts';
import { tableNames } from '../../schemas/platform/tables.ts';
import { routes } from '../../schemas/routes/index.ts';
import { aKey, aTenant } from '../attribution/engine/events.ts';
import { callAsTenant, type TenantRequest } from '../platform/http/callAsTenant.ts';
import { caller, type TestResponse } from '../platform/http/harness.ts';
import { someEvent } from '../support/client.ts';
import { type LiveTables, startTables } from '../support/tables.ts';
import { aCall, eventOf, httpWays, type SentCall, type Way } from './waysIn.ts';

// Each way in, from the request to the record: the operation, the queue and the worker. The local queue engine reports one
// sender for all messages, so the messages are passed on here.

const ACCEPTED = 'arn:aws:sqs:us-east-1:000000000000:accepted';
const INGESTION = 'arn:aws:sqs:us-east-1:000000000000:ingestion';
const queueUrl = (name: string): string => `https://sqs.example/${name}`;
const MINUTE = 60_000;
const SECRET = ['sk', 'ant', 'api03', 'a'.repeat(40)].join('-');

let live: LiveTables;
let worker: typeof import('../../functions/entries/workers/attribution.worker.ts');
/** The messages that were sent to the accepted queue and not yet processed. */
let accepted: string[];
/** The messages that the worker sent to its dead-letter queue. */
let deadLetters: unknown[];
let isThrottled: boolean;

beforeAll(async () => {
  live = await startTables();
  for (const name of tableNames) vi.stubEnv(variableOf('table', name), name);
  for (const name of ['accepted', 'ingestion', 'jobs', 'rollups', 'acceptedDeadLetter'] as const) {
    vi.stubEnv(variableOf('queue', name), queueUrl(name));
  }
  vi.stubEnv(variableOf('bucket', 'artefacts'), 'artefacts');
  vi.stubEnv('SOURCE_ACCEPTED', ACCEPTED);
  // Loaded here, because the worker reads its environment when it is loaded.
  worker = await import('../../functions/entries/workers/attribution.worker.ts');
  vi.unstubAllEnvs();
  const writer = tenantWriter('tenants');
  const by = { claim: 'test', attempt: 1 };
  for (const tenant_id of ['acme', 'globex']) {
    await commit([writer.putTenant(aTenant({ tenant_id }), { expectedRevision: null, by })]);
  }
  await commit([writer.registerSender('AIDAACME', 'acme'), writer.registerSender('AROAGLOBEX', 'globex')]);
});
afterAll(() => live.stop());

beforeEach(() => {
  accepted = [];
  deadLetters = [];
  isThrottled = false;
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  vi.spyOn(sqs, 'send').mockImplementation(async ({ input }: { readonly input: object }) => {
    const {
      QueueUrl,
      MessageBody,
      Entries = [],
    } = input as {
      QueueUrl?: string;
      MessageBody?: string;
      Entries?: { MessageBody: string }[];
    };
    if (isThrottled) throw Object.assign(new Error('slow down'), { name: 'RequestThrottled', $metadata: {} });
    const bodies = MessageBody === undefined ? Entries.map((entry) => entry.MessageBody) : [MessageBody];
    if (QueueUrl === queueUrl('acceptedDeadLetter'))
      deadLetters.push(...bodies.map((body) => JSON.parse(body)));
    if (QueueUrl === queueUrl('accepted')) accepted.push(...bodies);
    return {};
  });
});
afterEach(() => vi.restoreAllMocks());

const message = (eventSourceARN: string, SenderId: string, body: string, index: number): SQSRecord => ({
  messageId: `message-${index}`,
  body,
  receiptHandle: `handle-${index}`,
  attributes: {
    ApproximateReceiveCount: '1',
    SentTimestamp: String(Date.now()),
    SenderId,
    ApproximateFirstReceiveTimestamp: String(Date.now()),
  },
  messageAttributes: {},
  md5OfBody: '',
  eventSource: 'aws:sqs',
  eventSourceARN,
  awsRegion: 'us-east-1',
});
const run = (Records: readonly SQSRecord[]) =>
  worker.handler({ Records: [...Records] }, { getRemainingTimeInMillis: () => 60_000 });
const handle = (...sent: readonly (readonly [sender: string, event: object])[]) =>
  run(sent.map(([sender, event], index) => message(INGESTION, sender, JSON.stringify(event), index)));

const allAttributions = async () => {
  const { Items = [] } = await live.client.send(
    new ScanCommand({ TableName: 'ledger', ConsistentRead: true }),
  );
  return Items.filter((item) => item['detail'] !== undefined).map(
    (item) => fromVersionItem(item, item['pk']?.S?.split('#')[0] ?? '').attribution,
  );
};
const allRecords = async () => (await allAttributions()).map(({ record }) => record);
/** The tenants whose ledger partitions hold the event. */
const holdersOf = async ({ event_id }: Record<string, unknown>): Promise<string[]> =>
  (await allRecords()).filter((record) => record.event_id === event_id).map(({ tenant_id }) => tenant_id);

/** Sends calls by a way over HTTP. One that takes one event has a request for each. */
const request = async (
  way: Way,
  calls: readonly SentCall[],
  by: Pick<TenantRequest, 'principal' | 'connector'> = {},
): Promise<TestResponse[]> => {
  const answers: TestResponse[] = [];
  for (const sent of way.takesOne ? calls.map((call) => [call]) : [calls]) {
    answers.push(
      await callAsTenant(
        way.operation,
        { tenant: aTenant({ tenant_id: 'acme' }), body: way.bodyOf(sent), ...by },
        { scopes: scopeNames, clock: Date.now },
      ),
    );
  }
  return answers;
};
/** Runs the worker on what is in the accepted queue. */
const drain = async (): Promise<void> => {
  const bodies = accepted.splice(0);
  if (bodies.length === 0) return;
  const records = bodies.map((body, index) => message(ACCEPTED, 'AROASTACK', body, index));
  expect(await run(records)).toEqual({ batchItemFailures: [] });
};
/** Sends calls, and returns what the producer is told. */
type Send = (calls: readonly SentCall[]) => Promise<string>;
const overHttp =
  (way: Way): Send =>
  async (calls) => {
    const answers = await request(way, calls);
    await drain();
    return answers.map(({ text }) => text).join();
  };
/** A producer with an AWS principal is told nothing. Its invalid events are in the dead-letter queue. */
const bySqs: Send = async (calls) => {
  await handle(...calls.map((call) => ['AIDAACME', eventOf(call)] as const));
  return JSON.stringify(deadLetters);
};

const ways = httpWays(queueUrl('accepted'));
const everyWay: readonly (readonly [string, Send])[] = [
  ...ways.map((way) => [way.name, overHttp(way)] as const),
  ['the ingestion queue', bySqs],
];
const recordsOf = async (...calls: readonly SentCall[]): Promise<number[]> => {
  const records = await allRecords();
  return calls.map(({ model }) => records.filter((record) => record.requested_model === model).length);
};

it.each(everyWay)(
  '%s: records the good events, and says why the bad ones among them are not',
  async (_, send) => {
    const [good, old, another] = [aCall(), aCall({ at: Date.parse('2020-01-01') }), aCall()];

    const told = await send([good, old, another]);

    expect(await recordsOf(good, old, another)).toEqual([1, 0, 1]);
    expect(told).toContain('must not be more than 13 months old');
  },
);

it.each(everyWay)(
  '%s: keeps the calls of a clock that is ahead, and says so if it is an hour ahead',
  async (_, send) => {
    const [near, far] = [aCall({ at: Date.now() + 9 * MINUTE }), aCall({ at: Date.now() + 60 * MINUTE })];

    const told = await send([near, far]);

    expect(await recordsOf(near, far)).toEqual([1, 1]);
    const [record] = (await allRecords()).filter(({ requested_model }) => requested_model === far.model);
    expect(Date.parse(record?.occurred_at ?? '')).toBeLessThanOrEqual(Date.now());
    if (send !== bySqs) expect(told).toContain('The time of arrival was used');
  },
);

it.each(everyWay)('%s: records an event whose service no event can hold', async (_, send) => {
  const calls = ['ann\n', '\u0007', '\ud83d', 's'.repeat(300), `${'s'.repeat(255)}\ud83d\ude00`].map(
    (service) => aCall({ service }),
  );

  await send(calls);

  expect(await recordsOf(...calls)).toEqual(calls.map(() => 1));
});

it.each(everyWay)('%s: records an event whose service is a secret, without the secret', async (_, send) => {
  const call = aCall({ service: SECRET });

  const told = await send([call]);

  expect(await recordsOf(call)).toEqual([1]);
  expect(told).not.toContain(SECRET);
  expect(await live.everything('ledger')).not.toContain(SECRET);
});

it.each(everyWay)(
  '%s: makes one record of an event that is sent twice in a request, and once more',
  async (_, send) => {
    const call = aCall();

    await send([call, call]);
    await send([call]);

    expect(await recordsOf(call)).toEqual([1]);
    expect(deadLetters).toEqual([]);
  },
);

it.each(ways.filter(({ namesTenant }) => namesTenant).map((way) => [way.name, overHttp(way)] as const))(
  '%s: rejects an event that names another tenant, and records the others',
  async (_, send) => {
    const [foreign, own, unnamed] = [aCall({ tenant: 'globex' }), aCall({ tenant: 'acme' }), aCall()];

    const told = await send([foreign, own, unnamed]);

    expect(await recordsOf(foreign, own, unnamed)).toEqual([0, 1, 1]);
    expect(told).toContain('must be left out or equal the tenant of the credential');
  },
);

it.each(ways.map((way) => [way.name, way] as const))(
  '%s: answers 503 with Retry-After while the queue is throttled, and a retry makes one record',
  async (_, way) => {
    const call = aCall();

    isThrottled = true;
    const [refused] = await request(way, [call]);
    isThrottled = false;
    await overHttp(way)([call]);

    expect([refused?.status, refused?.headers['retry-after']], refused?.text).toEqual([503, '1']);
    expect(await recordsOf(call)).toEqual([1]);
  },
);

/** The calls of this model, with the layer that observed them and who stated them. */
const statementsOf = async ({ model }: SentCall) =>
  (await allAttributions())
    .filter(({ record }) => record.requested_model === model)
    .map(({ record, storedEvent }) => [record.ingestion_layer, storedEvent.stated_by]);

it.each(everyWay)('%s: takes who states a call from the credential, not from the event', async (_, send) => {
  const call = aCall();
  const sender = { kind: 'sender', id: 'AIDAACME' };

  await send([call]);

  const expected = send === bySqs ? sender : { kind: caller.kind, id: caller.principal };
  expect(await statementsOf(call)).toEqual([[expect.any(String), expected]]);
});

it.each(ways.map((way) => [way.name, way] as const))(
  '%s: takes what a connector may state and its layer from its registration',
  async (_, way) => {
    const call = aCall();
    const connector = {
      name: 'kong-eu',
      sourceSystems: ['kong'],
      layer: 'registered',
      fillsOtherSources: false,
    };

    await request(way, [call], { principal: 'cli_kong', connector });
    await drain();

    expect(await statementsOf(call)).toEqual([
      [
        'registered',
        {
          kind: 'oauth_client',
          id: 'cli_kong',
          connector: 'kong-eu',
          registered: { source_systems: ['kong'], fills_other_sources: false },
        },
      ],
    ]);
  },
);

it.each(everyWay)(
  '%s: sets a cost aside that the usage cannot explain, and says so once',
  async (_, send) => {
    const [plausible, implausible] = [aCall({ cost: 2 }), aCall({ cost: 123_456 })];

    await send([plausible, implausible]);
    await send([implausible]);

    const costOf = async ({ model }: SentCall) =>
      (await allAttributions())
        .filter(({ record }) => record.requested_model === model)
        .map(({ record, explanation }) => [
          record.cost_usd,
          record.interpretation.unknown?.cost,
          explanation.reported_cost?.usd,
        ]);
    expect(await costOf(plausible)).toEqual([['2', undefined, undefined]]);
    expect(await costOf(implausible)).toEqual([[null, 'implausible_cost', '123456']]);
  },
);

it('raises one event an hour about costs that are set aside, whatever way they come', async () => {
  for (const [, send] of everyWay) await send([aCall({ cost: 123_456 })]);

  const { Items = [] } = await live.client.send(
    new ScanCommand({ TableName: 'outbox', ConsistentRead: true }),
  );
  const raised = Items.flatMap(({ document }) => (document?.S === undefined ? [] : [JSON.parse(document.S)]))
    .filter(({ type, tenant_id }) => type === 'cost.implausible' && tenant_id === 'acme')
    .map(({ created_at }) => String(created_at).slice(0, 13));
  expect(raised.length).toBeGreaterThan(0);
  expect(new Set(raised).size).toBe(raised.length);
});

it('knows every operation that can put events into the accepted queue', () => {
  const accepting = Object.values(routes).filter(({ needs }) =>
    needs.some((need) => need === 'accepted.send'),
  );

  expect(new Set(ways.map(({ operation }) => operation.route))).toEqual(new Set(accepting));
});

describe('the attribution worker, with producers of two tenants in one batch', () => {
  it('records the event of a sender for its tenant only, whatever tenant the event names', async () => {
    const [ofAcme, ofGlobex] = [someEvent(), someEvent()];
    const [forAcme, forGlobex] = [someEvent({ tenant_id: 'acme' }), someEvent({ tenant_id: 'globex' })];

    const answer = await handle(
      ['AIDAACME', forGlobex],
      ['AROAGLOBEX:session', forAcme],
      ['AIDAACME', ofAcme],
      ['AROAGLOBEX:session', ofGlobex],
    );

    expect(answer).toEqual({ batchItemFailures: [] });
    expect([await holdersOf(ofAcme), await holdersOf(ofGlobex)]).toEqual([['acme'], ['globex']]);
    // Each comes from the other tenant's sender.
    expect([await holdersOf(forAcme), await holdersOf(forGlobex)]).toEqual([['globex'], ['acme']]);
    expect(deadLetters).toEqual([]);
  });

  it('keeps the same event id of two tenants apart', async () => {
    const event = someEvent();

    await handle(['AIDAACME', event], ['AROAGLOBEX:session', event]);

    expect((await holdersOf(event)).toSorted()).toEqual(['acme', 'globex']);
    expect(deadLetters).toEqual([]);
  });

  it('sends the event of an unregistered sender to the dead-letter queue and records nothing', async () => {
    const event = someEvent({ tenant_id: 'acme' });
    const packed = { tenant_id: 'acme', stated_by: aKey, received_at: Date.now(), events: [someEvent()] };

    const answer = await handle(['AIDASTRANGER', event], ['AIDASTRANGER', packed]);

    expect(answer).toEqual({ batchItemFailures: [] });
    expect([await holdersOf(event), await holdersOf(packed.events[0] ?? {})]).toEqual([[], []]);
    expect(deadLetters).toMatchObject([
      { reason: 'unknown_sender', tenant_id: null, sender: 'AIDASTRANGER' },
      { reason: 'unknown_sender', tenant_id: null, sender: 'AIDASTRANGER' },
    ]);
  });
});
