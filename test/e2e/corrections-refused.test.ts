import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Problem } from '../../schemas/problems.ts';
import { startCorrectionInstance } from './correctionInstance.ts';

let service: Awaited<ReturnType<typeof startCorrectionInstance>>;
beforeAll(async () => {
  service = await startCorrectionInstance();
});
afterAll(() => service.stop());

const NAMING = { owner: 'team-ranking', reason: 'The gateway ran under the key of another team' };

describe('nobody corrects', () => {
  it.each([
    ['nothing', { reason: 'no name' }, ''],
    ['without a reason', { owner: 'team-b' }, '/reason'],
    ['for an empty reason', { owner: 'team-b', reason: '' }, '/reason'],
    ['for a reason without end', { owner: 'team-b', reason: 'x'.repeat(513) }, '/reason'],
    ['to a name that hides a control character', { owner: 'team\u0007', reason: 'why' }, '/owner'],
    ['the cost', { owner: 'team-b', reason: 'why', cost_usd: '0' }, '/cost_usd'],
  ])('%s', async (_, body, pointer) => {
    const id = await service.newRecord();

    const answer = await service.override(id, body);

    const { error_code, errors = [] } = Problem.parse(answer.body);
    expect(error_code).toBe('VALIDATION_FAILED');
    expect([...new Set(errors.map((error) => error.pointer))]).toEqual([pointer]);
    expect(await service.read(id)).toMatchObject({ version: 1 });
  });

  it('with a key that may only read', async () => {
    const id = await service.newRecord();
    const key = service.acme.api_keys.read;

    const answers = [
      await service.override(id, NAMING, { key }),
      await service.dispute(id, { reason: 'why' }, { key }),
    ];

    expect(answers.map(({ body }) => body['error_code'])).toEqual([
      'INSUFFICIENT_SCOPE',
      'INSUFFICIENT_SCOPE',
    ]);
    expect(await service.read(id)).toMatchObject({ version: 1 });
  });

  it('the record of another tenant, nor one that is not there', async () => {
    const id = await service.newRecord();
    const absent = `${id.slice(0, -26)}01ARZ3NDEKTSV4RRFFQ69G5FAV`;

    const answers = [
      await service.override(id, NAMING, { key: service.globex.api_keys.admin }),
      await service.dispute(id, { reason: 'why' }, { key: service.globex.api_keys.admin }),
      await service.override(absent, NAMING),
      await service.dispute(absent, { reason: 'why' }),
    ];

    expect(answers.map(({ body }) => body['error_code'])).toEqual([
      'TENANT_MISMATCH',
      'TENANT_MISMATCH',
      'NOT_FOUND',
      'NOT_FOUND',
    ]);
    expect(await service.read(id)).toMatchObject({ version: 1 });
  });

  it('what is under dispute by another dispute, and every refusal is told', async () => {
    const id = await service.newRecord();
    await service.dispute(id, { reason: 'Not our traffic' });

    const refused = await service.dispute(id, { reason: 'Nor ours' });

    expect(refused.body).toMatchObject({ status: 409, error_code: 'CONFLICT' });
    expect(await service.read(id)).toMatchObject({ version: 2, dispute: { reason: 'Not our traffic' } });
    expect((await service.toldOf(id)).audited).toEqual([
      ['attribution.dispute', 'succeeded'],
      ['attribution.dispute', 'refused'],
    ]);
  });
});
