import type { DynamoDBRecord } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventInOutbox, relay } from '../../../functions/platform/outbox/relay.ts';
import type { ItemKey } from '../../../functions/platform/outbox/unpublishedEvents.store.ts';

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

  it('queues events that cannot be parsed, by their keys', async () => {
    const { queued, handle } = startRelay();

    await handle(change('a', 1, '{"type":"of a later version"}'));

    expect(queued).toEqual([['a', [{ pk: 'a#1', sk: 'evt_a_1' }]]]);
  });

  it('reports a batch item failure from the first unpublished event when the queue fails too', async () => {
    const { handle } = startRelay({ unpublishable: ['b'], queueFails: true });

    const answer = await handle(change('a', 1), change('b', 2), change('b', 3));

    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: '2' }] });
  });
});
