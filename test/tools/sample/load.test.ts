import { afterEach, beforeEach, expect, it } from 'vitest';
import { sampleTraffic } from '../../../functions/tenants/sandbox/sample/traffic.ts';
import { createClient, type ServiceClient } from '../../../tools/client/serviceClient.ts';
import { loadSample } from '../../../tools/sample/load.ts';
import { type ContractServer, startContractServer } from '../replay/contractServer.ts';

let server: ContractServer;
let client: ServiceClient;
beforeEach(async () => {
  server = await startContractServer();
  client = createClient({
    baseUrl: server.url,
    apiKey: 'a-key',
    transport: { wait: async () => undefined, random: () => 0 },
  });
});
afterEach(() => server.close());

const load = (end = '2026-06-15T00:00:00Z', log: string[] = []) =>
  loadSample({
    client,
    traffic: sampleTraffic({ seed: 3, events: 450, end: new Date(end), days: 2 }),
    log: (line) => log.push(line),
    wait: async () => undefined,
    now: () => Date.parse('2026-06-20T00:00:00Z'),
  });

it('sends batches of 200 and returns every record', async () => {
  const records = await load();

  expect(server.batches.toSorted()).toEqual([200, 200, 50].toSorted());
  expect(new Set(records.map(({ event_id }) => event_id)).size).toBe(450);
});

it('sends the same requests on a second load and adds no record', async () => {
  await load();
  const keys = new Set(server.keys);

  const records = await load();

  expect(new Set(server.keys)).toEqual(keys);
  expect(server.ledger.size).toBe(450);
  expect(records).toHaveLength(450);
});

it('adds no record for a later window, and returns the existing records', async () => {
  await load();

  const records = await load('2026-06-18T09:00:00Z');

  expect(server.ledger.size).toBe(450);
  expect(records).toHaveLength(450);
});

it('sends no further events while 400 are not readable, so that calls of the user do not wait behind all of them', async () => {
  server.listsUntilVisible = 3;
  const sent: number[] = [];
  await loadSample({
    client: {
      ...client,
      postBatch: (events, signal) => {
        sent.push(-events.length);
        return client.postBatch(events, signal);
      },
    },
    traffic: sampleTraffic({ seed: 3, events: 1_000, end: new Date('2026-06-15T00:00:00Z'), days: 2 }),
    log: () => undefined,
    onProgress: (readable) => sent.push(readable),
    wait: async () => undefined,
    now: () => Date.parse('2026-06-20T00:00:00Z'),
  });

  expect(server.batches).toHaveLength(5);
  // Before the third batch, all 400 of the first two are readable.
  expect(sent.slice(0, 2)).toEqual([-200, -200]);
  expect(sent.slice(2, 403)).toEqual([...Array.from({ length: 400 }, (_, index) => index + 1), -200]);
});

it('leaves out records of other events', async () => {
  const [foreign] = await loadSample({
    client,
    traffic: sampleTraffic({ seed: 99, events: 1, end: new Date('2026-06-14T12:00:00Z'), days: 0.1 }),
    log: () => undefined,
  });

  const records = await load();

  expect(records.map(({ event_id }) => event_id)).not.toContain(foreign?.event_id);
});

it('waits for records that appear after half an hour', async () => {
  server.listsUntilVisible = 3_600;

  await expect(load()).resolves.toHaveLength(450);
});

it('waits for late records', async () => {
  server.listsUntilVisible = 4;

  await expect(load()).resolves.toHaveLength(450);
});

it('stops waiting for records that do not appear, and logs their count', async () => {
  server.listsUntilVisible = Number.POSITIVE_INFINITY;
  const log: string[] = [];

  await expect(load(undefined, log)).resolves.toEqual([]);
  expect(log).toEqual(['400 sample events are not readable yet: no new record appeared for 3600 s.']);
});

it('loads every record despite throttling and broken connections', async () => {
  server.faults.push({ throttle: 1 }, 'dropped after', 'unavailable');

  await expect(load()).resolves.toHaveLength(450);
  expect(server.ledger.size).toBe(450);
});
