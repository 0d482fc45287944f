import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { verifyWebhook } from '../../sdk/typescript/webhooks/verify.ts';
import { LOOPBACK, startReceiver, trustedAuthority } from '../platform/egress/httpsReceiver.ts';
import { call } from '../support/client.ts';
import { type SpawnedInstance, spawnInstance } from '../support/instance.ts';
import { runs } from '../support/properties.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';

/** After each one, the endpoint stays leased to the killed process for up to 15 s. */
const KILLS = runs(1);
/** Between kills, and after the last one. */
const EVENTS_AT_ONCE = 6;
const EVENTS = EVENTS_AT_ONCE * (KILLS + 1);
const dataDir = temporaryDirectory();
let instance: SpawnedInstance | undefined;

afterEach(async () => {
  await instance?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** A receiver that fails every third call. */
const startFlakyReceiver = () => {
  let calls = 0;
  return startReceiver(
    (response, _request) => {
      calls += 1;
      return response.writeHead(calls % 3 === 0 ? 500 : 200).end();
    },
    trustedAuthority.issue([LOOPBACK]),
  );
};

it('delivers every event, signed and in gapless sequence, despite receiver failures and killed processes', async () => {
  const receiver = await startFlakyReceiver();
  const authority = join(dataDir, 'authority.pem');
  writeFileSync(authority, trustedAuthority.cert);
  const start = () =>
    spawnInstance(dataDir, [
      ...['--no-sample', '--rate-limit-scale', '1000', '--retry-scale', '0.02'],
      ...['--allow-webhook-host', `${LOOPBACK}:${receiver.port}`, '--ca', authority],
    ]);
  instance = await start();
  const key = instance.credentials.tenants[0]?.api_keys.admin ?? '';
  const post = (path: string, body: unknown) => call(instance?.baseUrl ?? '', path, { key, body });
  const created = await post('/api/v1/webhooks', {
    url: `https://${LOOPBACK}:${receiver.port}/hook`,
    events: ['apikey.rotated'],
  });
  const endpoint = `/api/v1/webhooks/${String(created.body['id'])}`;
  const sent = () => receiver.requests.map(({ body }) => JSON.parse(body.toString()));
  await expect.poll(() => sent().length).toBeGreaterThan(0);
  await post(`${endpoint}/verify`, { challenge: sent()[0].data.challenge });
  const apiKey = await post('/api/v1/api-keys', { name: 'Turned', scopes: ['ingest:write'] });

  const raised: string[] = [];
  for (let kill = 0; kill <= KILLS; kill += 1) {
    for (let index = 0; index < EVENTS_AT_ONCE; index += 1) {
      // One event from the outbox, and one sample event.
      await post(`/api/v1/api-keys/${String(apiKey.body['id'])}/rotate`, {});
      const test = await post(`${endpoint}/test`, { type: 'apikey.rotated' });
      raised.push(...(test.body['event_ids'] as string[]));
    }
    if (kill === KILLS) break;
    await instance.kill();
    instance = await start();
  }

  const acknowledged = async () => {
    const { body } = await call(instance?.baseUrl ?? '', `${endpoint}/deliveries?limit=200`, { key });
    const log = body['data'] as { event_id: string; event_type: string; outcome: string }[];
    return new Set(log.filter(({ outcome }) => outcome === 'acknowledged').map(({ event_id }) => event_id));
  };
  await expect
    .poll(async () => (await acknowledged()).size, { timeout: runs(200_000), interval: 250 })
    .toBe(1 + 2 * EVENTS);
  expect([...(await acknowledged())]).toEqual(expect.arrayContaining(raised));
  const sequences = new Set(sent().map(({ sequence }) => sequence));
  expect([...sequences].sort((one, other) => one - other)).toEqual(
    Array.from({ length: 1 + 2 * EVENTS }, (_, index) => index + 1),
  );
  for (const { body, headers } of receiver.requests) {
    const secrets = String(created.body['signing_secret']);
    await verifyWebhook({ body, signature: String(headers['service-signature']) }, { secrets });
  }
});
