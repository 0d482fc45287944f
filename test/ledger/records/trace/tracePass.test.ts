import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { tracesWrite } from '../../../../functions/entries/stores/ledger.ts';
import { tracePassQueue } from '../../../../functions/ledger/records/trace/tracePass.aws.ts';
import { sqs } from '../../../../functions/platform/shared/aws/sqs.client.ts';
import { HOUR_MS, MINUTE_MS } from '../../../../schemas/durations.ts';
import { testEnvironment } from '../../../platform/http/testEnvironment.ts';
import { startTables } from '../../../support/tables.ts';
import { newTenant } from '../ledgerFixture.ts';

const live = await startTables();
afterAll(() => live.stop());
afterEach(() => vi.restoreAllMocks());

it('asks once for a pass until it begins, also at a time that a clock ahead has shown before', async () => {
  let messages = 0;
  vi.spyOn(sqs, 'send').mockImplementation(async () => {
    messages += 1;
  });
  const time = { now: Date.parse('2026-03-15T12:02:00Z') };
  const { request, begin } = tracePassQueue('traces', 'https://queue', () => time.now, 5 * MINUTE_MS);
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

it('asks for a pass within ten seconds on one machine, where people and tests wait for it', async () => {
  const send = vi.spyOn(sqs, 'send').mockImplementation(async () => undefined);
  const startOfHour = Date.parse('2026-03-15T12:00:00Z');
  const { tracePasses } = tracesWrite(
    'traces',
    testEnvironment(() => startOfHour),
  );
  await tracePasses.request({ tenantId: newTenant().tenant_id, traceId: 'a trace', lane: undefined });
  expect(send.mock.lastCall?.[0].input).toMatchObject({ DelaySeconds: 10 });
});
