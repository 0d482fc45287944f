import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ChannelMessageJob, NotifyMessage } from '../../../functions/delivery/notifications/queueMessage.ts';
import { DeliveryMessage } from '../../../functions/delivery/webhooks/deliveries/deliveryMessage.ts';
import { JobsQueueMessage } from '../../../functions/entries/wiring/jobsQueueMessage.ts';
import { AcceptedMessage } from '../../../functions/ingest/events/acceptedMessage.ts';
import { UnpublishedMessage } from '../../../functions/platform/outbox/unpublishedEvents.store.ts';
import { RaisedEvent } from '../../../schemas/delivery/events.ts';
import { RollupsQueueMessage } from '../../../schemas/ledger/rollup.ts';
import { queueNames } from '../../../schemas/platform/queues.ts';

/**
 * Every shape of a message that the last release sends. During a deployment, and after a rollback, functions of two
 * versions read the same queues and streams. A release adds a file with its shapes, and removes the oldest of three.
 */
const released = z
  .record(z.string(), z.array(z.record(z.string(), z.unknown())))
  .parse(JSON.parse(readFileSync(new URL('messages-0.1.json', import.meta.url), 'utf8')));

/** How the workers of this version read a message. */
const readers: Readonly<Record<string, z.ZodType>> = {
  accepted: AcceptedMessage,
  jobs: JobsQueueMessage,
  rollups: RollupsQueueMessage,
  events: UnpublishedMessage,
  deliveries: z.union([DeliveryMessage, ChannelMessageJob]),
  notifications: NotifyMessage,
  'stream of outbox': RaisedEvent,
};

const all = Object.entries(released).flatMap(([source, messages]) =>
  messages.map((message) => [source, message] as const),
);

it('has the messages of every queue, except the one whose messages producers write', () => {
  expect(
    Object.keys(released)
      .filter((source) => !source.startsWith('stream'))
      .sort(),
  ).toEqual(queueNames.filter((name) => name !== 'ingestion').sort());
});

describe('this version', () => {
  it.each(all)('reads every member of a message in the %s of the last release: %j', (source, message) => {
    expect(readers[source]?.parse(message)).toEqual(message);
  });

  it.each(all)('ignores a member that only the next release knows, in the %s: %j', (source, message) => {
    expect(readers[source]?.parse({ ...message, added_later: { by: 'the next release' } })).toEqual(message);
  });
});
