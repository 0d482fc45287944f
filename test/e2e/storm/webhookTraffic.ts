import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:https';
import { json } from 'node:stream/consumers';
import { expect } from 'vitest';
import * as z from 'zod';
import { portOf } from '../../../local/engines/freePort.ts';
import { LOOPBACK, trustedAuthority } from '../../platform/egress/httpsReceiver.ts';
import { listAllRecords, someEvent } from '../../support/client.ts';
import type { AdminInstance } from '../adminInstance.ts';
import { type Traffic, trafficTenant } from './traffic.ts';

const EVENTS = 5;

const Received = z.object({
  id: z.string(),
  sequence: z.int(),
  data: z.object({ challenge: z.string().optional(), attribution_id: z.string().optional() }),
});

/** A receiver that acknowledges all deliveries and keeps them. */
export const startStormReceiver = async () => {
  const received: z.infer<typeof Received>[] = [];
  const server = createServer(trustedAuthority.issue([LOOPBACK]), async (request, response) => {
    received.push(Received.parse(await json(request)));
    response.end();
  });
  server.listen(0, LOOPBACK);
  await once(server, 'listening');
  return { host: `${LOOPBACK}:${portOf(server)}`, received, close: () => server.close() };
};
export type StormReceiver = Awaited<ReturnType<typeof startStormReceiver>>;

/** Calls whose records are delivered to a webhook endpoint. Delivery is at least once: repetitions carry the same id. */
export const webhookTraffic = async (
  api: AdminInstance,
  { host, received }: StormReceiver,
): Promise<Traffic> => {
  const { key, post } = await trafficTenant(api, 'webhooks');
  const endpoint = await post('/api/v1/webhooks', {
    url: `https://${host}/hook`,
    events: ['attribution.materialized'],
  });
  await expect.poll(() => received.length).toBeGreaterThan(0);
  await post(`/api/v1/webhooks/${endpoint['id']}/verify`, { challenge: received[0]?.data.challenge });
  return {
    send: async () => {
      await post(`/api/v1/webhooks/${endpoint['id']}`, { description: randomUUID() }, { method: 'PATCH' });
      await post('/api/v1/invocations/batch', { events: Array.from({ length: EVENTS }, () => someEvent()) });
    },
    check: async () => {
      const records = (await listAllRecords(api.baseUrl, key)).map(({ id }) => String(id));
      const bySequence = new Map(received.map((delivery) => [delivery.sequence, delivery]));
      const delivered = [...bySequence.values()].flatMap(({ data }) => data.attribution_id ?? []);
      expect(delivered.sort()).toEqual(records.sort());
      expect(Math.max(...bySequence.keys())).toBe(bySequence.size);
      expect(new Set(received.map(({ id }) => id)).size).toBe(bySequence.size);
    },
  };
};
