import './outage/environment.ts';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { jobStore } from '../../../functions/platform/jobs/job.store.ts';
import { newJob } from '../../../functions/platform/jobs/job.ts';
import { commit } from '../../../functions/platform/shared/aws/document.store.ts';
import { deterministicUlid } from '../../../functions/platform/shared/ids.ts';
import { DEFAULT_THRESHOLDS as thresholds } from '../../../schemas/insight/budgets.ts';
import type { WorkerName } from '../../../schemas/platform/workers.ts';
import { KEY } from '../../delivery/webhooks/deliveryFixtures.ts';
import { answered } from '../../delivery/webhooks/egressOutcomes.ts';
import { simulatedQueues } from '../../platform/queue/simulatedQueues.ts';
import { startTables } from '../../support/tables.ts';
import { SQS_URL } from './outage/constants.ts';
import { outageTenant } from './outage/outageTenant.ts';
import { startSimulatedService } from './outage/simulatedService.ts';
import { simulatedTime } from './outage/simulatedTime.ts';

const START = Date.parse('2026-05-15T12:05:00Z');
const MINUTE = 60_000;
/** Calls of many hours, as after a long outage of a producer. */
const CALLS = 16;
const STEP_MS = 47 * MINUTE;
/** Calls in one message of the API. */
const PACKED = 4;
/** A store call takes so long that each run has time for one part of its work, or little more. */
const SLOW: Partial<Record<WorkerName, number>> = { rollups: 2_000, jobs: 20_000 };
/** Attempts that fail, of the first deliveries. The next one is hours later. */
const REFUSED_ATTEMPTS = 6;
const REFUSED = 3;
/** A message of one call, mark, event, delivery or job. Packed ones are larger. */
const MESSAGE_BYTES = 16 * 1_024;
/** Messages of a call: those of its marks, versions, deliveries and their attempts. Copies of copies would be thousands. */
const MESSAGES_OF_A_CALL = 100;

const attempts = vi.hoisted(() => new Map<string, number>());
vi.mock('../../../functions/entries/stores/webhookEgress.ts', () => ({
  webhookEgress: () => ({
    post: async (_url: string, { body }: { readonly body: Uint8Array }) => {
      const { id } = z.object({ id: z.string() }).parse(JSON.parse(Buffer.from(body).toString()));
      const before = attempts.get(id) ?? 0;
      attempts.set(id, before + 1);
      const isRefused = [...attempts.keys()].indexOf(id) < REFUSED && before < REFUSED_ATTEMPTS;
      return answered(isRefused ? 500 : 200);
    },
  }),
}));
vi.mock('../../../functions/platform/shared/aws/derivedKey.aws.ts', () => ({
  derivedKey: () => async () => KEY,
}));
vi.mock('node:timers/promises', () => ({
  setTimeout: async (milliseconds: number) => {
    vi.setSystemTime(Date.now() + milliseconds);
  },
}));

const live = await startTables();
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  attempts.clear();
});
afterAll(() => live.stop());

/** A service whose every message is delivered twice, and whose runs have no time. */
const startHurried = async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  // The longest delays: a message is early more than once.
  vi.spyOn(Math, 'random').mockReturnValue(0.99);
  const time = simulatedTime(START);
  const tenant = await outageTenant(live, time);
  const queues = simulatedQueues(time.now, SQS_URL, { copies: 2 });
  const service = await startSimulatedService(live, time, queues, SLOW);
  const expectBounded = (calls: number) => {
    const { messages, bytesMaximum } = queues.sent();
    expect(bytesMaximum).toBeLessThan(MESSAGE_BYTES);
    expect(messages).toBeLessThan(MESSAGES_OF_A_CALL * calls);
    expect(queues.deadLetters).toEqual([]);
  };
  const expectTotals = async () => {
    const { ledger, rollups } = await tenant.totals();
    expect(rollups).toEqual(ledger);
    expect(await tenant.pendingMarks()).toEqual([]);
  };
  return { time, tenant, queues, service, expectBounded, expectTotals };
};

const occurredAt = (index: number): number => START - index * STEP_MS;

describe('when every run is out of time and every message is delivered twice', () => {
  // Ten seconds.
  it('each worker from the event to its receivers converges with bounded messages', async () => {
    const { tenant, queues, service, expectBounded, expectTotals } = await startHurried();
    for (let first = 0; first < CALLS; first += PACKED) {
      const indexes = Array.from({ length: PACKED }, (_, index) => first + index);
      queues.send('accepted', tenant.message(START, indexes, occurredAt));
    }

    await service.run([]);

    expectBounded(CALLS);
    expect(await tenant.records()).toEqual(tenant.expected(CALLS));
    await expectTotals();
    expect((await tenant.crossings()).sort()).toEqual(thresholds.toSorted());
    const raised = (await tenant.raisedVersions()) + thresholds.length;
    expect(attempts.size).toBe(raised);
    expect([...attempts.values()].filter((count) => count > REFUSED_ATTEMPTS)).toHaveLength(REFUSED);
  });

  it('a job converges with bounded messages', async () => {
    const { time, tenant, queues, service, expectBounded, expectTotals } = await startHurried();
    queues.send('accepted', tenant.message(START, [0, 1, 2, 3], occurredAt));
    await service.run([]);
    const period = {
      from: new Date(START - 60 * MINUTE).toISOString(),
      to: new Date(START + MINUTE).toISOString(),
    };
    const ulid = deterministicUlid('job', 'a job', time.now());
    const request = { type: 'reprocessing', period, selection: { kind: 'all' } } as const;
    const job = newJob(tenant.tenant, ulid, request, time.now());
    const jobs = jobStore('jobs');
    await commit(jobs.create(job, { claim: randomUUID(), attempt: 1 }));
    queues.send('jobs', JSON.stringify({ tenant_id: job.tenant_id, job_id: job.job_id }));

    await service.run([]);

    expect((await jobs.read(job))?.document.status).toBe('succeeded');
    expectBounded(4 + 4);
    await expectTotals();
  });
});
