import { afterAll, describe, expect, it } from 'vitest';
import { Problem } from '../../schemas/problems.ts';
import { startCorrectionInstance } from './correctionInstance.ts';

const service = await startCorrectionInstance();
afterAll(() => service.stop());

const OVERRIDE = { owner: 'team-ranking', reason: 'The gateway ran under the key of another team' };

describe('rejected overrides and disputes', () => {
  it.each([
    ['without an owner or service', { reason: 'no name' }, ''],
    ['without a reason', { owner: 'team-b' }, '/reason'],
    ['with an empty reason', { owner: 'team-b', reason: '' }, '/reason'],
    ['with a reason that is too long', { owner: 'team-b', reason: 'x'.repeat(513) }, '/reason'],
    ['with a control character in the owner', { owner: 'team\u0007', reason: 'why' }, '/owner'],
    ['of the cost', { owner: 'team-b', reason: 'why', cost_usd: '0' }, '/cost_usd'],
  ])('returns VALIDATION_FAILED for an override %s', async (_, body, pointer) => {
    const id = await service.newRecord();

    const answer = await service.override(id, body);

    const { error_code, errors = [] } = Problem.parse(answer.body);
    expect(error_code).toBe('VALIDATION_FAILED');
    expect([...new Set(errors.map((error) => error.pointer))]).toEqual([pointer]);
    expect(await service.read(id)).toMatchObject({ version: 1 });
  });

  it('returns INSUFFICIENT_SCOPE for a read-only key', async () => {
    const id = await service.newRecord();
    const key = service.acme.api_keys.read;

    const answers = [
      await service.override(id, OVERRIDE, { key }),
      await service.dispute(id, { reason: 'why' }, { key }),
    ];

    expect(answers.map(({ body }) => body['error_code'])).toEqual([
      'INSUFFICIENT_SCOPE',
      'INSUFFICIENT_SCOPE',
    ]);
    expect(await service.read(id)).toMatchObject({ version: 1 });
  });

  it('returns 409 for a second dispute, and records the rejection in the audit log', async () => {
    const id = await service.newRecord();
    await service.dispute(id, { reason: 'Not our traffic' });

    const rejected = await service.dispute(id, { reason: 'Nor ours' });

    expect(rejected.body).toMatchObject({ status: 409, error_code: 'CONFLICT' });
    expect(await service.read(id)).toMatchObject({ version: 2, dispute: { reason: 'Not our traffic' } });
    expect((await service.traceOf(id)).audited).toEqual([
      ['attribution.dispute', 'succeeded'],
      ['attribution.dispute', 'refused'],
      ['records.read', 'succeeded'],
    ]);
  });
});
