import { ScanCommand } from '@aws-sdk/client-dynamodb';
import type { SQSRecord } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { fromVersionItem } from '../../../functions/ledger/records/ledger.store.ts';
import { commit } from '../../../functions/platform/shared/aws/document.store.ts';
import { sqs } from '../../../functions/platform/shared/aws/sqs.client.ts';
import { tenantWriter } from '../../../functions/platform/tenancy/tenant.store.ts';
import { variableOf } from '../../../schemas/platform/resourceVariables.ts';
import { tableNames } from '../../../schemas/platform/tables.ts';
import { aTenant } from '../../attribution/engine/events.ts';
import { someEvent } from '../../support/client.ts';
import { type LiveTables, startTables } from '../../support/tables.ts';

// The local queue engine reports one sender for all messages, so this test gives the worker messages of its own.

const INGESTION = 'arn:aws:sqs:us-east-1:000000000000:ingestion';
const DEAD_LETTERS = 'https://sqs.example/acceptedDeadLetter';

let live: LiveTables;
let worker: typeof import('../../../functions/entries/workers/attribution.worker.ts');
/** The messages that the worker sent to its dead-letter queue. */
let deadLetters: unknown[];

beforeAll(async () => {
  live = await startTables();
  for (const name of tableNames) vi.stubEnv(variableOf('table', name), name);
  for (const name of ['accepted', 'ingestion', 'rollups', 'acceptedDeadLetter'] as const) {
    vi.stubEnv(variableOf('queue', name), `https://sqs.example/${name}`);
  }
  vi.stubEnv(variableOf('bucket', 'artefacts'), 'artefacts');
  vi.stubEnv('SOURCE_ACCEPTED', 'arn:aws:sqs:us-east-1:000000000000:accepted');
  // Loaded here, because the worker reads its environment when it is loaded.
  worker = await import('../../../functions/entries/workers/attribution.worker.ts');
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
  deadLetters = [];
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  vi.spyOn(sqs, 'send').mockImplementation(async ({ input }: { readonly input: object }) => {
    if ('QueueUrl' in input && input.QueueUrl === DEAD_LETTERS && 'MessageBody' in input) {
      deadLetters.push(JSON.parse(String(input.MessageBody)));
    }
    return {};
  });
});
afterEach(() => vi.restoreAllMocks());

const message = (SenderId: string, event: object, index: number): SQSRecord => ({
  messageId: `message-${index}`,
  body: JSON.stringify(event),
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
  eventSourceARN: INGESTION,
  awsRegion: 'us-east-1',
});
const handle = (...sent: readonly (readonly [sender: string, event: object])[]) =>
  worker.handler(
    { Records: sent.map(([sender, event], index) => message(sender, event, index)) },
    { getRemainingTimeInMillis: () => 60_000 },
  );

/** The tenants whose ledger partitions hold the event. */
const holdersOf = async ({ event_id }: Record<string, unknown>): Promise<string[]> => {
  const { Items = [] } = await live.client.send(
    new ScanCommand({ TableName: 'ledger', ConsistentRead: true }),
  );
  return Items.filter((item) => item['detail'] !== undefined)
    .map((item) => fromVersionItem(item, item['pk']?.S?.split('#')[0] ?? '').attribution.record)
    .filter((record) => record.event_id === event_id)
    .map(({ tenant_id }) => tenant_id);
};

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
    const packed = { tenant_id: 'acme', received_at: Date.now(), events: [someEvent()] };

    const answer = await handle(['AIDASTRANGER', event], ['AIDASTRANGER', packed]);

    expect(answer).toEqual({ batchItemFailures: [] });
    expect([await holdersOf(event), await holdersOf(packed.events[0] ?? {})]).toEqual([[], []]);
    expect(deadLetters).toMatchObject([
      { reason: 'unknown_sender', tenant_id: null, sender: 'AIDASTRANGER' },
      { reason: 'unknown_sender', tenant_id: null, sender: 'AIDASTRANGER' },
    ]);
  });
});
