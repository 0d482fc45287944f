import { expect, it } from 'vitest';
import { eventEnqueuer } from '../../../functions/delivery/notifications/enqueueEvents.ts';
import { sampleEvent } from '../../../functions/delivery/webhooks/streams/sampleEvents.ts';
import { notifiableEventTypes } from '../../../schemas/delivery/notifications.ts';
import { subscribableTypes } from '../../../schemas/delivery/webhooks.ts';

it('queues only events of notifiable types', async () => {
  const cause = { ulid: '01KA3Z5V7JQ2M6X9R8T4B1C0DE', at: 0, tenant: { tenant_id: 'acme', tag: 'abcdefgh' } };
  const events = subscribableTypes.map((type) => ({ ...sampleEvent(type, cause), id: `evt_${type}` }));
  const sent: unknown[] = [];

  await eventEnqueuer({ send: async (messages) => void sent.push(...messages) })('acme', events);

  expect(sent).toHaveLength(notifiableEventTypes.length);
  expect(sent).toEqual(
    expect.arrayContaining(
      notifiableEventTypes.map((type) => ({
        message: { tenant_id: 'acme', event_id: `evt_${type}` },
        wait: 0,
      })),
    ),
  );
});
