import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import type { Tenant } from '../../../../functions/platform/tenancy/tenant.ts';
import { Model } from '../../../../schemas/attribution/models.ts';
import type { TestResponse } from '../../../platform/http/harness.ts';
import { startModelHarness } from './harness.ts';

/** The remaining time of a function in the harness, plus the margin of its lease. */
const LEASE_MS = 10_000 + 2_000;
const REASON = { reason: 'mislabelled' };

let tenant: Tenant;

const world = await startModelHarness();
afterAll(() => world.live.stop());
beforeEach(async () => {
  tenant = await world.newTenant();
  world.queue.sent = [];
  // Keeps logged outages out of the test output.
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

const recall = (version: string | undefined, key?: string): Promise<TestResponse> =>
  world.call('recallModel', {
    tenant,
    body: REASON,
    id: version,
    ...(key !== undefined && { key }),
  });
const statesOf = async () => (await world.modelsOf(tenant)).map(({ state }) => state).toReversed();

describe('POST /models/{version}/recall', () => {
  it('recalls the model, activates the previous one and starts a reprocessing job', async () => {
    const [first, second] = await world.register(tenant, ['validated', 'active']);

    const answer = await recall(second);

    const at = new Date(world.time.now).toISOString();
    expect(answer.status, answer.text).toBe(202);
    expect(answer.body).toMatchObject({
      model: {
        version: second,
        state: 'recalled',
        recalled_at: at,
        recalled_by: 'key_1',
        recall_reason: 'mislabelled',
      },
      job: { type: 'reprocessing', status: 'queued', created_at: at },
    });
    expect(await statesOf()).toEqual(['active', 'recalled']);
    expect(await world.servingOf(tenant)).toEqual({
      active: first,
      candidate: null,
      retried_to: null,
      heuristic: first,
      degradation: 'model_recalled',
      since: at,
    });
    const [job] = await world.jobsOf(tenant);
    expect(job?.request).toEqual({
      type: 'reprocessing',
      period: { from: '1970-01-01T00:00:00.000Z', to: expect.any(String) },
      selection: { kind: 'model', version: second },
    });
    expect(world.queue.sent).toEqual([job?.job_id]);
    expect((await world.eventsOf(tenant)).map(({ data }) => data)).toEqual([
      { previous: 'none', state: 'model_recalled', reason: 'model_recalled', model_version: second },
    ]);
    expect(await world.auditOf(tenant)).toMatchObject([
      { action: 'model.recall', outcome: 'succeeded', resource: second },
    ]);
  });

  it('keeps the heuristic of the last model when every model is recalled, and raises one event', async () => {
    const [first, second] = await world.register(tenant, ['validated', 'active']);

    await recall(second);
    await recall(first);

    expect(await statesOf()).toEqual(['recalled', 'recalled']);
    expect(await world.servingOf(tenant)).toMatchObject({ active: null, heuristic: first });
    expect(await world.eventsOf(tenant)).toHaveLength(1);
    expect(await world.jobsOf(tenant)).toHaveLength(2);
  });

  it('starts a reprocessing job for an inactive model, and keeps the active one', async () => {
    const [first, second] = await world.register(tenant, ['validated', 'active']);

    await recall(first);

    expect(await statesOf()).toEqual(['recalled', 'active']);
    expect(await world.servingOf(tenant)).toMatchObject({ active: second, degradation: 'none' });
    expect(await world.eventsOf(tenant)).toEqual([]);
    expect(await world.jobsOf(tenant)).toHaveLength(1);
  });

  it.each(['rejected', 'recalled'] as const)('returns 409 for a model that is %s', async (state) => {
    const [version] = await world.register(tenant, [state]);

    const answer = await recall(version);

    expect(answer).toMatchObject({ status: 409, body: { error_code: 'CONFLICT' } });
    expect(await world.jobsOf(tenant)).toEqual([]);
    expect(await world.auditOf(tenant)).toMatchObject([{ outcome: 'refused', error_code: 'CONFLICT' }]);
  });

  it('raises no event when stage B is disabled', async () => {
    tenant = await world.newTenant({ stage_b: 'disabled' });
    const [version] = await world.register(tenant, ['active']);

    await recall(version);

    expect(await world.servingOf(tenant)).toMatchObject({ degradation: 'model_recalled' });
    expect(await world.eventsOf(tenant)).toEqual([]);
  });

  it('recalls a model once under concurrent calls', async () => {
    const [version] = await world.register(tenant, ['active']);

    const answers = await Promise.all(Array.from({ length: 5 }, () => recall(version)));

    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409, 409, 409]);
    expect(await world.jobsOf(tenant)).toHaveLength(1);
    expect(await world.eventsOf(tenant)).toHaveLength(1);
  });

  it('leaves no active model when both are recalled concurrently', async () => {
    const versions = await world.register(tenant, ['validated', 'active']);

    const answers = await Promise.all(versions.map((version) => recall(version)));

    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
    expect(await statesOf()).toEqual(['recalled', 'recalled']);
    expect(await world.servingOf(tenant)).toMatchObject({ active: null, degradation: 'model_recalled' });
    expect(await world.eventsOf(tenant)).toHaveLength(1);
  });
});

/** Retries a call after its lease, up to three times. */
const callWithRetries = async (send: () => Promise<TestResponse>): Promise<TestResponse> => {
  for (let tries = 1; ; tries += 1) {
    const answer = await send();
    if (answer.status < 300 || tries === 3) return answer;
    world.time.now += LEASE_MS;
  }
};

describe.each(['recallModel', 'trainModel'] as const)('%s', (operation) => {
  /** Expects that the call had one effect, after any faults. */
  const expectOneEffect = async (answer: TestResponse) => {
    const [auditEntry] = await world.auditOf(tenant);
    const [job] = await world.jobsOf(tenant);
    expect(answer.status, answer.text).toBe(202);
    expect([await world.auditOf(tenant), await world.jobsOf(tenant)].map((all) => all.length)).toEqual([
      1, 1,
    ]);
    expect(world.queue.sent).toContain(job?.job_id);
    expect(new Set(world.queue.sent).size).toBe(1);
    expect(job?.created_at).toBe(auditEntry?.at);
    if (operation === 'trainModel') return expect(answer.body).toMatchObject({ job_id: job?.job_id });
    expect(answer.body).toMatchObject({ job: { job_id: job?.job_id } });
    expect(z.object({ model: Model }).parse(answer.body).model).toEqual((await world.modelsOf(tenant)).at(0));
    expect((await world.eventsOf(tenant)).map(({ created_at }) => created_at)).toEqual([auditEntry?.at]);
  };
  const prepare = async () => {
    const [, version] = await world.register(tenant, ['validated', 'active']);
    return () =>
      operation === 'recallModel'
        ? recall(version, 'one-key')
        : world.call('trainModel', { tenant, key: 'one-key' });
  };

  it('sends its job with the retry when the queue was down', async () => {
    const send = await prepare();
    world.queue.isDown = true;
    const failed = await send();
    world.queue.isDown = false;
    world.time.now += LEASE_MS;

    const answer = await callWithRetries(send);

    expect(failed).toMatchObject({ status: 503, body: { error_code: 'SERVICE_UNAVAILABLE' } });
    await expectOneEffect(answer);
  });
});

it('GET /models pages through every training, newest first', async () => {
  const versions = await world.register(tenant, ['recalled', 'validated', 'rejected', 'active']);
  const Page = z.object({
    data: z.array(Model),
    page: z.object({ next_cursor: z.string().nullable(), has_more: z.boolean() }),
  });

  const first = Page.parse((await world.call('listModels', { tenant, query: { limit: '3' } })).body);
  const cursor = first.page.next_cursor ?? '';
  const second = Page.parse((await world.call('listModels', { tenant, query: { limit: '3', cursor } })).body);

  const listed = [...first.data, ...second.data];
  expect(listed.map(({ version }) => version)).toEqual(versions.toReversed());
  expect(listed).toEqual(await world.modelsOf(tenant));
  expect([first.page.has_more, second.page.has_more]).toEqual([true, false]);
});
