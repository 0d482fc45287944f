import { afterAll, beforeAll, expect, it } from 'vitest';
import { trustedAuthority } from '../platform/egress/httpsReceiver.ts';
import { isSoak } from '../support/properties.ts';
import { type AdminInstance, startAdminInstance } from './adminInstance.ts';
import { stormsOf } from './storm/stormTables.ts';
import { type StormReceiver, startStormReceiver } from './storm/webhookTraffic.ts';

/** Half of the calls: a call then succeeds after a few attempts, as while DynamoDB splits a partition. */
const THROTTLED_SHARE = 0.5;

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

/** The dead-letter queues with messages. */
const deadLetters = async () => {
  const queues = Object.entries(await api.engines.depths()).filter(([queue]) => queue.endsWith('DeadLetter'));
  expect(queues.length).toBeGreaterThan(0);
  return queues.filter(([, depth]) => depth > 0);
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
  expect(await deadLetters()).toEqual([]);
});
