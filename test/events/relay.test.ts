import type { DynamoDBRecord } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { relay } from '../../functions/events/relay.ts';
import type { UnpublishedMessage } from '../../functions/events/unpublishedEvents.store.ts';

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
    Keys: { pk: { S: tenant }, sk: { S: `evt_${tenant}_${number}` } },
    NewImage: { document: { S: document } },
  },
});

/** A relay whose publishing fails for some tenants, and whose queue may fail as well. */
const world = (
  options: { readonly unpublishable?: readonly string[]; readonly queueFails?: boolean } = {},
) => {
  const published: [string, string[]][] = [];
  const left: UnpublishedMessage[] = [];
  const tell = relay(
    async (tenantId, events) => {
      if (options.unpublishable?.includes(tenantId)) throw new Error('no');
      published.push([tenantId, events.map(({ id }) => id)]);
    },
    {
      send: async (message) => {
        if (options.queueFails) throw new Error('no');
        left.push(message);
      },
    },
  );
  return { published, left, tell: (...Records: DynamoDBRecord[]) => tell({ Records }) };
};

beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('events that were raised', () => {
  it('are published by tenant, in their order', async () => {
    const { published, tell } = world();

    const answer = await tell(change('a', 1), change('b', 2), change('a', 3));

    expect(answer).toEqual({ batchItemFailures: [] });
    expect(published).toEqual([
      ['a', ['evt_a_1', 'evt_a_3']],
      ['b', ['evt_b_2']],
    ]);
  });

  it('of one tenant that cannot be published wait on a queue, and hold up no other', async () => {
    const { published, left, tell } = world({ unpublishable: ['a'] });

    const answer = await tell(change('a', 1), change('b', 2), change('a', 3));

    expect(answer).toEqual({ batchItemFailures: [] });
    expect(published).toEqual([['b', ['evt_b_2']]]);
    expect(left).toEqual([{ tenant_id: 'a', event_ids: ['evt_a_1', 'evt_a_3'] }]);
  });

  it('that cannot be read wait on the queue too, by their keys', async () => {
    const { left, tell } = world();

    await tell(change('a', 1, '{"type":"of a later version"}'));

    expect(left).toEqual([{ tenant_id: 'a', event_ids: ['evt_a_1'] }]);
  });

  it('are told of again, from the first that is left, where the queue fails as well', async () => {
    const { tell } = world({ unpublishable: ['b'], queueFails: true });

    const answer = await tell(change('a', 1), change('b', 2), change('b', 3));

    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: '2' }] });
  });
});
