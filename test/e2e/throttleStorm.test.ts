import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, listAllRecords, someEvent } from '../support/client.ts';
import { enginesOf } from '../support/engines.ts';
import { type Instance, startInstance } from '../support/instance.ts';
import { demoTenants, UNLIMITED } from '../support/localService.ts';

/** The tables that an event passes on its way to a total. */
const TABLES = ['claims', 'ledger', 'traces', 'counters', 'rollups', 'idempotency'];
const REQUESTS = 4;
const EVENTS = 5;
/** Half of the calls: a call then succeeds after a few attempts, as while DynamoDB splits a partition. */
const THROTTLED_SHARE = 0.5;

let instance: Instance;
beforeAll(async () => {
  instance = await startInstance({ environment: UNLIMITED });
});
afterAll(() => instance.stop());

// About 20 s, of which the start of the instance takes a third.
it('loses nothing and counts nothing twice while each table in turn is throttled under load', async () => {
  const { runtime, credentials, baseUrl } = instance;
  const { acme } = demoTenants(credentials);
  const engines = enginesOf(credentials);
  const sent: unknown[] = [];
  const recovered: string[] = [];

  for (const table of TABLES) {
    const name = credentials.tables[table] ?? '';
    const throttle = (share: number) => {
      for (const access of ['write', 'read'] as const) runtime.throttle(name, access, share);
    };
    throttle(THROTTLED_SHARE);
    await Promise.all(
      Array.from({ length: REQUESTS }, async () => {
        const events = Array.from({ length: EVENTS }, () => someEvent());
        const body = { events };
        const idempotencyKey = crypto.randomUUID();
        const send = () =>
          call(baseUrl, '/api/v1/invocations/batch', { key: acme.api_keys.ingest, body, idempotencyKey });
        // A client repeats a request that was refused for a lack of capacity.
        await expect.poll(async () => (await send()).status, { interval: 200 }).toBeLessThan(300);
        sent.push(...events.map((event) => event['event_id']));
      }),
    );
    throttle(0);
    const endedAt = performance.now();
    await runtime.idle();
    recovered.push(`${table} ${Math.round(performance.now() - endedAt)} ms`);
  }
  console.info(`Recovered after throttling of: ${recovered.join(', ')}`);

  await runtime.idle({ delayed: true });
  const records = await listAllRecords(baseUrl, acme.api_keys.admin);
  expect(records.map((record) => record['event_id']).sort()).toEqual(sent.sort());
  const depths = await engines.depths();
  engines.close();
  const deadLetters = Object.entries(depths).filter(([queue]) => queue.endsWith('DeadLetter'));
  expect(deadLetters.length).toBeGreaterThan(0);
  expect(deadLetters.filter(([, depth]) => depth > 0)).toEqual([]);
});
