import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { tracePassQueue } from '../../../../functions/ledger/records/trace/tracePass.aws.ts';
import { sqs } from '../../../../functions/platform/shared/aws/sqs.client.ts';
import { HOUR_MS } from '../../../../schemas/durations.ts';
import { type LiveTables, startTables } from '../../../support/tables.ts';
import { newTenant } from '../ledgerFixture.ts';

let live: LiveTables;
beforeAll(async () => {
  live = await startTables();
});
afterAll(() => live.stop());
afterEach(() => vi.restoreAllMocks());

it('asks once for a pass until it begins, also at a time that a clock ahead has shown before', async () => {
  let messages = 0;
  vi.spyOn(sqs, 'send').mockImplementation(async () => {
    messages += 1;
  });
  const time = { now: Date.parse('2026-03-15T12:02:00Z') };
  const { request, begin } = tracePassQueue('traces', 'https://queue', () => time.now);
  const trace = { tenantId: newTenant().tenant_id, traceId: 'a trace', lane: undefined };

  time.now += HOUR_MS;
  await request(trace);
  await request(trace);
  expect(messages).toBe(1);
  await begin(trace);
  time.now -= HOUR_MS;
  // An hour later, the clock shows the same.
  time.now += HOUR_MS;
  await request(trace);
  await request(trace);
  expect(messages).toBe(2);
});
