import { afterAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { settledAt } from '../../functions/attribution/training/trainingExamples.ts';
import { mulberry32 } from '../../functions/platform/shared/mulberry32.ts';
import { AttributionRecord } from '../../schemas/attribution/attributionRecord.ts';
import { Model } from '../../schemas/attribution/models.ts';
import { type Answer, call, listAllRecords, someEvent } from '../support/client.ts';
import { startAdminInstance } from './adminInstance.ts';

const MODELS = '/api/v1/models';
const HOUR = 60 * 60 * 1_000;
const BATCH = 200;
/** A few more than a model must be trained from. */
const LABELLED = 520;
const UNLABELLED = 80;
const OWNERS = ['team-search', 'team-billing', 'team-support', 'team-ranking'];

const api = await startAdminInstance();
const { key } = await api.newTenant('learning');
afterAll(() => api.stop());

const Recall = z.object({ model: Model, job: z.object({ job_id: z.string(), status: z.string() }) });

/** Calls with tags and models that identify the owner. `isLabelled` selects the calls that also carry the identity. */
const traffic = (count: number, isLabelled: (index: number) => boolean) => {
  // Sizes that depend on the index would differ between labelled and unlabelled calls, as those of unknown services do.
  const random = mulberry32(count);
  return Array.from({ length: count }, (_, index) => {
    const owner = OWNERS[index % OWNERS.length] ?? '';
    const event = someEvent({
      // A training leaves newer calls to the next one, so the sum would depend on how fast this machine sends.
      occurred_at: new Date(settledAt(Date.now()) - (count - index) * (HOUR / 1_800)).toISOString(),
      requested_model: index % OWNERS.length < 2 ? 'gpt-4o' : 'gpt-4o-mini',
      tags: [`for-${owner}`],
      input_tokens: 500 + Math.floor(random() * 400),
      attributed_identity: isLabelled(index) ? owner : undefined,
      attributed_service: undefined,
    });
    return { owner, event };
  });
};
type Sent = ReturnType<typeof traffic>;

const send = async (sent: Sent): Promise<void> => {
  for (let from = 0; from < sent.length; from += BATCH) {
    const events = sent.slice(from, from + BATCH).map(({ event }) => event);
    const answer = await api.send('/api/v1/invocations/batch', { key, body: { events } });
    expect(answer.status, answer.text).toBe(202);
  }
  await api.instance.runtime.idle();
};
const models = async (): Promise<Model[]> =>
  z.array(Model).parse((await api.send(MODELS, { key })).body['data']);
const recall = (version: string, as = key): Promise<Answer> =>
  api.send(`${MODELS}/${version}/recall`, { key: as, body: { reason: 'mislabelled traffic' } });
const degradation = async () => (await api.send('/api/v1/tenant', { key })).body['degradation_state'];
const degradationStates = async () =>
  (await api.events())
    .filter(({ type, tenant_id }) => type === 'degradation.state.changed' && tenant_id === 'learning')
    .map(({ data }) => data['state']);

/** The records of the sent events, each with its actual owner. */
const recordsOf = async (sent: Sent) => {
  const records = z.array(AttributionRecord).parse(await listAllRecords(api.baseUrl, key));
  const byEvent = new Map(records.map((record) => [record.event_id, record]));
  return sent.flatMap(({ owner, event }) => {
    const record = byEvent.get(String(event['event_id']));
    return record === undefined ? [] : [{ owner, record }];
  });
};
const statesOf = async (sent: Sent) =>
  new Set((await recordsOf(sent)).map(({ record }) => record.output_state));

describe('tenant with most of its calls labelled', () => {
  // Every owner has unlabelled calls, all over the time.
  const before = traffic(
    LABELLED + UNLABELLED,
    (index) => (Math.floor(index / OWNERS.length) % 15) % 7 !== 6,
  );
  const unnamed = before.filter(({ event }) => event['attributed_identity'] === undefined);
  const after = traffic(20, () => false);
  let version = '';

  it('attributes existing and new unlabelled calls after a model is trained', async () => {
    await send(before);
    const untrained = await statesOf(unnamed);

    const started = await api.send(MODELS, { key, method: 'POST' });
    // The job that applies the model to existing calls starts when no worker has the state before it any more.
    await api.instance.runtime.idle({ delayed: true });
    const [model, ...others] = await models();
    await send(after);

    expect(untrained).toEqual(new Set(['unresolved']));
    expect(started).toMatchObject({ status: 202, body: { type: 'training', status: 'queued' } });
    expect(others).toEqual([]);
    expect(model).toMatchObject({ state: 'active', labelled: LABELLED, labels: OWNERS.length });
    version = model?.version ?? '';
    for (const sent of [unnamed, after]) {
      const records = await recordsOf(sent);
      expect(records).toHaveLength(sent.length);
      // On a busy machine the model may time out. The heuristic then answers with low confidence.
      const confident = records.filter(({ record }) => record.coper >= 0.8);
      expect(confident.length).toBeGreaterThan(0);
      expect(confident.filter(({ owner, record }) => record.owner === owner).length).toBeGreaterThan(
        0.9 * confident.length,
      );
      expect(confident[0]?.record).toMatchObject({
        output_state: 'strongly_inferred',
        interpretation: {
          stage_origin: 'stage_b',
          evidence_basis: 'model_inferred',
          model_version: version,
          degradation_state: 'none',
        },
      });
    }
    expect((await recordsOf(unnamed)).every(({ record }) => record.version === 2)).toBe(true);
  });

  it('takes the names of a recalled model back in new versions', async () => {
    const modelRecords = (await recordsOf([...unnamed, ...after])).filter(
      ({ record }) => record.interpretation.model_version === version,
    );

    const answer = await recall(version);
    const { model, job } = Recall.parse(answer.body);
    await api.instance.runtime.idle({ delayed: true });

    expect(answer.status).toBe(202);
    expect(model).toMatchObject({ version, state: 'recalled', recall_reason: 'mislabelled traffic' });
    expect(job.status).toBe('queued');
    const now = new Map(
      (await recordsOf([...unnamed, ...after])).map(({ record }) => [record.id, record] as const),
    );
    expect(modelRecords.length).toBeGreaterThan(0);
    for (const { record: before } of modelRecords) {
      const record = now.get(before.id);
      expect(record).toMatchObject({
        version: before.version + 1,
        owner: null,
        interpretation: {
          degradation_state: 'model_recalled',
          answers: { owner: { state: 'unassigned', chargeback: 'unassigned' } },
        },
      });
    }
    expect(await degradation()).toBe('model_recalled');
    expect((await degradationStates()).filter((state) => state === 'model_recalled')).toHaveLength(1);
  });

  it('returns 409 for a second recall of the same model', async () => {
    expect(await recall(version)).toMatchObject({ status: 409, body: { error_code: 'CONFLICT' } });
    expect((await degradationStates()).filter((state) => state === 'model_recalled')).toHaveLength(1);
  });

  it('hides its models from other tenants', async () => {
    const { body } = await call(api.baseUrl, MODELS, { key: api.acme.api_keys.admin });

    expect(body['data']).toEqual([]);
  });

  it('records training and recall in the audit log', async () => {
    const entries = (await api.audit()).filter(({ action }) => action.startsWith('model.'));

    expect(entries.map(({ action, outcome, resource }) => [action, outcome, resource])).toEqual(
      expect.arrayContaining([
        ['model.train', 'succeeded', expect.stringMatching(/^job_/)],
        ['model.recall', 'succeeded', version],
        ['model.recall', 'refused', null],
      ]),
    );
  });
});

it('starts no training without the scope, and one training for a repeated request', async () => {
  const { key: other } = await api.newTenant('training-twice');
  const ask = (as: string) => api.send(MODELS, { key: as, method: 'POST', idempotencyKey: 'once' });

  const refused = await call(api.baseUrl, MODELS, { key: api.acme.api_keys.read, method: 'POST' });
  const [first, again] = [await ask(other), await ask(other)];
  await api.instance.runtime.idle();

  expect(refused.status).toBe(403);
  expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
  const listed = await api.send(MODELS, { key: other });
  expect(listed.body).toMatchObject({ data: [{ state: 'rejected', labelled: 0, gate: { passed: false } }] });
  expect((await api.send('/api/v1/tenant', { key: other })).body).toMatchObject({
    degradation_state: 'none',
  });
});
