import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { trustedAuthority } from '../platform/egress/httpsReceiver.ts';
import { call, listAllRecords, someEvent } from '../support/client.ts';
import { isSoak } from '../support/properties.ts';
import { type AdminInstance, startAdminInstance } from './adminInstance.ts';
import { stormsOf } from './storm/stormTables.ts';
import { type StormReceiver, startStormReceiver } from './storm/webhookTraffic.ts';

/** Half of the calls: a call then succeeds after a few attempts, as while DynamoDB splits a partition. */
const THROTTLED_SHARE = 0.5;
const EVENTS = 5;

/** What the attribution worker has logged. */
const logOf = (dataDir: string): string => {
  const folder = join(dataDir, 'logs');
  const file = readdirSync(folder).find((name) => name.startsWith('WorkersAttribution'));
  return file === undefined ? '' : readFileSync(join(folder, file), 'utf8');
};

let receiver: StormReceiver;
let api: AdminInstance;
beforeAll(async () => {
  receiver = await startStormReceiver();
  api = await startAdminInstance({
    environment: {
      LOCAL_METER: 'keys',
      WEBHOOK_ALLOW_HOSTS: receiver.host,
      WEBHOOK_CA: trustedAuthority.cert,
      WEBHOOK_RETRY_SCALE: '0.02',
    },
  });
});
afterAll(async () => {
  await api?.stop();
  receiver.close();
});

/** The capacity units that were used so far to write to a table. */
const writtenTo = (table: string): number =>
  Object.entries(api.instance.runtime.keyUnits?.() ?? {})
    .filter(([name]) => name.startsWith(`write ${table} `))
    .reduce((sum, [, units]) => sum + units, 0);

const messagesIn = async (isCounted: (queue: string) => boolean) => {
  const depths = Object.entries(await api.engines.depths()).filter(([queue]) => isCounted(queue));
  expect(depths.length).toBeGreaterThan(0);
  return depths.filter(([, depth]) => depth > 0);
};

// About 20 s, of which the start of the instance takes a third. In the soak, with all tables, some minutes.
it('loses nothing and does nothing twice while each table in turn is throttled under load', async () => {
  const { runtime, credentials } = api.instance;
  const storms = await stormsOf(api, { receiver, isSoak });
  const recovered: string[] = [];

  for (const { table, traffic } of storms) {
    const name = credentials.tables[table] ?? '';
    const throttle = (share: number) => {
      for (const access of ['write', 'read'] as const) runtime.throttle(name, access, share);
    };
    const writtenBefore = writtenTo(name);
    throttle(THROTTLED_SHARE);
    await Promise.all(traffic.map(({ send }) => send()));
    // Background work also has to meet the throttles, and totals are summed after a delay.
    await expect
      .poll(() => writtenTo(name), { interval: 100, message: `writes to ${table}` })
      .toBeGreaterThan(writtenBefore);
    throttle(0);
    const endedAt = performance.now();
    await runtime.idle();
    recovered.push(`${table} ${Math.round(performance.now() - endedAt)} ms`);
  }
  console.info(`Recovered after throttling of: ${recovered.join(', ')}`);

  await runtime.idle({ delayed: true });
  for (const { check } of new Set(storms.flatMap(({ traffic }) => traffic))) await check();
  expect(await messagesIn((queue) => queue.endsWith('DeadLetter'))).toEqual([]);
});

// About 20 s: a worker repeats refused writes for some seconds, and its messages return after 5 s.
it('keeps the events of an outage of the ledger, and drains them when it ends', async () => {
  const { acme, globex, baseUrl } = api;
  const { runtime, credentials, dataDir } = api.instance;
  const ledger = credentials.tables['ledger'] ?? '';
  runtime.throttle(ledger, 'write', 1);

  const answers = await Promise.all(
    [acme, acme, globex].map(({ api_keys }) => {
      const body = { events: Array.from({ length: EVENTS }, () => someEvent()) };
      return call(baseUrl, '/api/v1/invocations/batch', { key: api_keys.ingest, body });
    }),
  );
  const refused = () => /"message":"message will be retried".*"reason":"throttled"/.test(logOf(dataDir));
  await expect.poll(refused, { timeout: 60_000, interval: 250 }).toBe(true);
  runtime.throttle(ledger, 'write', 0);
  await runtime.idle({ delayed: true });

  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
  expect(await listAllRecords(baseUrl, globex.api_keys.admin)).toHaveLength(EVENTS);
  expect(await listAllRecords(baseUrl, acme.api_keys.admin)).toHaveLength(2 * EVENTS);
  expect(await messagesIn(() => true)).toEqual([]);
});
