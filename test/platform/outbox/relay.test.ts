import type { DynamoDBRecord } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventInOutbox, relay } from '../../../functions/platform/outbox/relay.ts';
import { unpublishedRetrier } from '../../../functions/platform/outbox/retryUnpublished.ts';
import {
  type ItemKey,
  type ReadMessage,
  UnpublishedMessage,
} from '../../../functions/platform/outbox/unpublishedEvents.store.ts';
import { RaisedEvent } from '../../../schemas/delivery/events.ts';

const NOW = Date.parse('2026-11-21T10:00:00.000Z');

const eventOf = (tenant_id: string, number: number) => ({
  id: `evt_${tenant_id}_${number}`,
  type: 'apikey.rotated',
  created_at: '2026-11-21T10:00:00.000Z',
  tenant_id,
  data: {},
});

const change = (
  tenant: string,
  number: number,
  document = JSON.stringify(eventOf(tenant, number)),
): DynamoDBRecord => ({
  eventName: 'INSERT',
  dynamodb: {
    SequenceNumber: String(number),
    Keys: { pk: { S: `${tenant}#1` }, sk: { S: `evt_${tenant}_${number}` } },
    NewImage: { document: { S: document } },
  },
});

/** A relay whose publishing fails for some tenants, and whose queue may fail too. */
const startRelay = (
  options: { readonly unpublishable?: readonly string[]; readonly queueFails?: boolean } = {},
) => {
  const published: [string, string[]][] = [];
  const queued: [string, readonly ItemKey[]][] = [];
  const handle = relay({
    eventOf: eventInOutbox,
    publish: async (tenantId, items) => {
      if (options.unpublishable?.includes(tenantId)) throw new Error('no');
      published.push([tenantId, items.map(({ event }) => event.id)]);
    },
    queueForRetry: async (tenantId, keys) => {
      if (options.queueFails) throw new Error('no');
      queued.push([tenantId, keys]);
    },
    clock: () => NOW,
  });
  return { published, queued, handle: (...Records: DynamoDBRecord[]) => handle({ Records }) };
};

beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('relay', () => {
  it('publishes events per tenant, in order', async () => {
    const { published, handle } = startRelay();

    const answer = await handle(change('a', 1), change('b', 2), change('a', 3));

    expect(answer).toEqual({ batchItemFailures: [] });
    expect(published).toEqual([
      ['a', ['evt_a_1', 'evt_a_3']],
      ['b', ['evt_b_2']],
    ]);
  });

  it('queues the events of a tenant whose publishing fails, and publishes those of other tenants', async () => {
    const { published, queued, handle } = startRelay({ unpublishable: ['a'] });

    const answer = await handle(change('a', 1), change('b', 2), change('a', 3));

    expect(answer).toEqual({ batchItemFailures: [] });
    expect(published).toEqual([['b', ['evt_b_2']]]);
    const keys = ['evt_a_1', 'evt_a_3'].map((sk) => ({ pk: 'a#1', sk }));
    expect(queued).toEqual([['a', keys]]);
  });

  it.each([
    ['publishes every event of a batch while the stream is on time', 10, 100],
    ['queues the events of a tenant beyond forty while the stream is late', 11, 40],
  ])('%s', async (_, seconds, direct) => {
    const { published, queued, handle } = startRelay();
    const at = { ApproximateCreationDateTime: NOW / 1_000 - seconds };
    const noisy = Array.from({ length: 100 }, (_, number) => change('noisy', number));
    const changes = [...noisy, change('quiet', 100)].map((one) => ({
      ...one,
      dynamodb: { ...one.dynamodb, ...at },
    }));

    await handle(...changes);

    expect(published.map(([tenant, ids]) => [tenant, ids.length])).toEqual([
      ['noisy', direct],
      ['quiet', 1],
    ]);
    const ids = [...(published[0]?.[1] ?? []), ...queued.flatMap(([, keys]) => keys.map(({ sk }) => sk))];
    expect(ids).toEqual(noisy.map((_, number) => `evt_noisy_${number}`));
  });

  it('queues each event that cannot be parsed by itself, and publishes all others of its tenant', async () => {
    const { published, queued, handle } = startRelay();
    const bad = '{"type":"of a later version"}';

    await handle(change('a', 1, bad), change('a', 2), change('a', 3, bad), change('a', 4));

    expect(queued).toEqual([
      ['a', [{ pk: 'a#1', sk: 'evt_a_1' }]],
      ['a', [{ pk: 'a#1', sk: 'evt_a_3' }]],
    ]);
    expect(published).toEqual([['a', ['evt_a_2', 'evt_a_4']]]);
  });

  it('reports a batch item failure from the first unpublished event when the queue fails too', async () => {
    const { handle } = startRelay({ unpublishable: ['b'], queueFails: true });

    const answer = await handle(change('a', 1), change('b', 2), change('b', 3));

    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: '2' }] });
  });
});

describe('the retry of unpublished events', () => {
  const tenant_id = 'acme';
  const bad = 'evt_acme_13';
  const ids = Array.from({ length: 100 }, (_, number) => `evt_acme_${number}`);
  /** Works off the queue as the worker does. A message that fails ten times is a dead letter. */
  const startRetry = (failure: { readonly in: 'read' | 'publish'; readonly error?: Error }) => {
    const waiting: ReadMessage[] = [];
    const published = new Set<string>();
    const dead: ReadMessage[] = [];
    const error = failure.error ?? new Error('this event fails');
    const retry = unpublishedRetrier({
      eventOf: async (_tenant, id) => {
        if (failure.in === 'read' && id === bad) throw error;
        return RaisedEvent.parse({ ...eventOf(tenant_id, 0), id });
      },
      itemsOf: async (_tenant, keys) =>
        keys.map((key) => ({ key, event: RaisedEvent.parse({ ...eventOf(tenant_id, 0), id: key.sk }) })),
      publish: async (_tenant, events) => {
        if (failure.in === 'publish' && events.some(({ id }) => id === bad)) throw error;
        for (const { id } of events) published.add(id);
      },
      queue: { send: async (message) => void waiting.push(UnpublishedMessage.parse(message)) },
    });
    const drain = async (message: ReadMessage): Promise<void> => {
      waiting.push(message);
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        let receives = 0;
        for (; receives < 10; receives += 1) {
          try {
            await retry(next);
            break;
          } catch {}
        }
        if (receives === 10) dead.push(next);
      }
    };
    return { drain, published, dead };
  };

  it.each<['read' | 'publish']>([['read'], ['publish']])(
    'publishes 99 of 100 events when one cannot be %s, which alone is a dead letter',
    async (step) => {
      const { drain, published, dead } = startRetry({ in: step });

      await drain(UnpublishedMessage.parse({ tenant_id, event_ids: ids }));

      expect(published.size).toBe(99);
      expect(dead).toEqual([{ tenant_id, event_ids: [bad], versions: [] }]);
    },
  );

  it('does the same for versions of records', async () => {
    const { drain, published, dead } = startRetry({ in: 'publish' });

    await drain(UnpublishedMessage.parse({ tenant_id, versions: ids.map((sk) => ({ pk: 'acme#1', sk })) }));

    expect(published.size).toBe(99);
    expect(dead).toEqual([{ tenant_id, event_ids: [], versions: [{ pk: 'acme#1', sk: bad }] }]);
  });

  it('keeps a throttled message together, because it is good', async () => {
    const error = Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
    const { drain, published, dead } = startRetry({ in: 'read', error });

    await drain(UnpublishedMessage.parse({ tenant_id, event_ids: ids }));

    expect(published.size).toBe(0);
    expect(dead).toMatchObject([{ event_ids: ids }]);
  });
});
