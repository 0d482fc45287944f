import { expect, it } from 'vitest';
import { announcer } from '../../functions/notifications/announce.ts';
import { sampleEvent } from '../../functions/webhooks/streams/samples.ts';
import { criticalTypes } from '../../schemas/notifications.ts';
import { subscribableTypes } from '../../schemas/webhooks.ts';

it('hands over events of the types that people may have to be told of, and no others', async () => {
  const cause = { ulid: '01KA3Z5V7JQ2M6X9R8T4B1C0DE', at: 0, tenant: { tenant_id: 'acme', tag: 'abcdefgh' } };
  const events = subscribableTypes.map((type) => ({ ...sampleEvent(type, cause), id: `evt_${type}` }));
  const sent: unknown[] = [];

  await announcer({ send: async (messages) => void sent.push(...messages) })('acme', events);

  expect(sent).toHaveLength(criticalTypes.length);
  expect(sent).toEqual(
    expect.arrayContaining(
      criticalTypes.map((type) => ({ message: { tenant_id: 'acme', event_id: `evt_${type}` }, wait: 0 })),
    ),
  );
});
