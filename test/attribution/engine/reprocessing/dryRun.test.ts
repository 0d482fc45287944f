import pMap from 'p-map';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { applyOverride } from '../../../../functions/attribution/corrections/applyOverride.ts';
import { attribute } from '../../../../functions/attribution/engine/attribute.ts';
import { compileMappings } from '../../../../functions/attribution/mappings/mappingRules.ts';
import type { Attribution } from '../../../../functions/ledger/records/attribution.ts';
import { ledgerWriter } from '../../../../functions/ledger/records/ledger.store.ts';
import { recordPartitionOf } from '../../../../functions/ledger/records/ledgerKey.ts';
import { recordUlid } from '../../../../functions/platform/shared/ids.ts';
import { monthOf } from '../../../../functions/platform/shared/time/month.ts';
import type { Tenant } from '../../../../functions/platform/tenancy/tenant.ts';
import { DRY_RUN_RECORDS_MAXIMUM } from '../../../../schemas/routes/attribution/mappings.ts';
import { eventIdOf } from '../../../ledger/records/ledgerFixture.ts';
import { anOverride } from '../../corrections/recordFixtures.ts';
import { startMappingFixture } from '../../mappings/mappingFixture.ts';
import { condition, mappingId } from '../../mappings/mappings.ts';
import { anEvent, noFactors } from '../events.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let tenant: Tenant;
const world = await startMappingFixture();
afterAll(() => world.live.stop());
beforeEach(() => {
  tenant = world.newTenant();
});

const writer = ledgerWriter('ledger', () => 0);

/** Writes the record of a call made `ago` milliseconds before now, under the current mappings. Returns its id. */
const record = async (
  index: number,
  ago: number,
  members: object,
  options: { readonly residency?: string; readonly correct?: (made: Attribution) => Attribution } = {},
): Promise<string> => {
  const { residency = null, correct = (made) => made } = options;
  const occurredAt = world.time.now - ago;
  const event = anEvent({ event_id: eventIdOf(index), ...members });
  const mappings = compileMappings(await world.reader.all(tenant.tenant_id));
  const arrived = { occurredAt, receivedAt: occurredAt, residency };
  const made = attribute(event, arrived, tenant, noFactors, { mappings });
  const ulid = recordUlid(tenant.tenant_id, event.event_id, occurredAt);
  await writer.openMonth(tenant.tenant_id, monthOf(occurredAt), 0);
  await writer.add(recordPartitionOf(tenant, ulid), ulid, correct(made));
  return made.record.id;
};

const ofAnn = { attributed_identity: 'ann', attributed_service: 'ranking' };
const ofBob = { attributed_identity: 'bob', attributed_service: 'ranking' };
const toTeamA = { name: 'Ann', conditions: [condition('identity', 'ann')], owner: 'team-a' };

const create = async (body: object): Promise<string> =>
  String((await world.call('create', { tenant, body })).body['id']);
const dryRun = async (body: object, residency?: string) => {
  const answer = await world.call('dryRun', { tenant, body, ...(residency !== undefined && { residency }) });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};

describe('dryRunIdentityMapping', () => {
  it('shows the effect of a new mapping and changes nothing', async () => {
    const older = await record(1, 2 * MINUTE, ofAnn);
    await record(2, 90_000, ofBob);
    const newer = await record(3, MINUTE, ofAnn);

    const result = await dryRun({ mapping: toTeamA });

    const change = {
      before: { owner: 'ann', service: 'ranking' },
      after: { owner: 'team-a', service: 'ranking' },
    };
    expect(result).toEqual({
      examined: 3,
      truncated: false,
      changed: 2,
      changes: [
        { attribution_id: newer, ...change },
        { attribution_id: older, ...change },
      ],
      owners: expect.arrayContaining([
        { owner: 'ann', invocations_before: 2, invocations_after: 0 },
        { owner: 'team-a', invocations_before: 0, invocations_after: 2 },
      ]),
    });
    expect(result['owners']).toHaveLength(2);
    expect(await world.reader.all(tenant.tenant_id)).toEqual([]);
    expect(await world.auditOf(tenant)).toMatchObject([{ action: 'records.read', changes: [] }]);
  });

  it('evaluates a new mapping after the others, or at its position', async () => {
    await record(1, MINUTE, ofAnn);
    const validSinceJanuary = { effective_from: '2026-01-01T00:00:00Z' };
    await create({ ...toTeamA, service: 'search', ...validSinceJanuary });
    const other = { ...toTeamA, owner: 'team-b' };

    const [last, first] = [
      await dryRun({ mapping: other }),
      await dryRun({ mapping: { ...other, position: 0 } }),
    ];

    expect(last).toMatchObject({ examined: 1, changed: 0, changes: [], owners: [] });
    // The record is older than the existing mapping. The effect of that mapping is not part of this change.
    expect(first).toMatchObject({
      changed: 1,
      changes: [{ before: { owner: 'ann' }, after: { owner: 'team-b', service: 'ranking' } }],
    });
  });

  it('evaluates a replacement at the position and time of the mapping it replaces', async () => {
    await record(1, 3 * MINUTE, ofBob);
    const id = await record(2, MINUTE, ofBob);
    const effective_from = new Date(world.time.now - 2 * MINUTE).toISOString();
    const replaces = await create({ ...toTeamA, effective_from });
    await create({ name: 'All', conditions: [condition('identity', '*', 'glob')], owner: 'rest' });

    const result = await dryRun({
      replaces,
      mapping: { ...toTeamA, conditions: [condition('identity', 'bob')] },
    });

    expect(result).toMatchObject({
      examined: 2,
      changed: 1,
      changes: [{ attribution_id: id, after: { owner: 'team-a', service: 'ranking' } }],
    });
  });

  it('shows the effect of a deletion', async () => {
    const replaces = await create({ ...toTeamA, effective_from: '2026-01-01T00:00:00Z' });
    await record(1, MINUTE, ofAnn);
    await record(2, MINUTE, ofBob);

    expect(await dryRun({ replaces })).toMatchObject({
      examined: 2,
      changed: 1,
      changes: [{ after: { owner: 'ann', service: 'ranking' } }],
    });
  });

  it('respects effective_from of a new mapping', async () => {
    await record(1, 3 * HOUR, ofAnn);
    const id = await record(2, HOUR, ofAnn);
    const effective_from = new Date(world.time.now - 2 * HOUR).toISOString();

    const result = await dryRun({ mapping: { ...toTeamA, effective_from } });

    expect(result).toMatchObject({ examined: 2, changed: 1, changes: [{ attribution_id: id }] });
  });

  it('ignores overridden records', async () => {
    const at = world.time.now;
    await record(1, MINUTE, ofAnn, { correct: (made) => applyOverride(made, anOverride(), at) });

    expect(await dryRun({ mapping: toTeamA })).toMatchObject({ examined: 1, changed: 0, owners: [] });
  });

  it('examines the last 24 hours, or the requested period', async () => {
    for (const [index, hours] of [1, 23, 25, 49].entries()) await record(index, hours * HOUR, ofAnn);
    const ago = (hours: number) => new Date(world.time.now - hours * HOUR).toISOString();
    const mapping = toTeamA;

    const result = [
      await dryRun({ mapping }),
      await dryRun({ mapping, to: ago(24) }),
      await dryRun({ mapping, from: ago(49), to: ago(1) }),
      await dryRun({ mapping, from: '1970-01-01T00:00:00+14:00' }),
    ];

    expect(result.map(({ examined }) => examined)).toEqual([2, 1, 3, 4]);
  });

  it('examines only the lane of a credential bound to one', async () => {
    tenant = { ...tenant, residency: ['eu', 'us'] };
    const id = await record(1, MINUTE, ofAnn, { residency: 'eu' });
    await record(2, MINUTE, ofAnn, { residency: 'us' });

    expect(await dryRun({ mapping: toTeamA }, 'eu')).toMatchObject({
      examined: 1,
      changes: [{ attribution_id: id }],
    });
  });

  it('examines at most 1,000 records and lists at most 50 changes and owners', async () => {
    await pMap(
      Array(DRY_RUN_RECORDS_MAXIMUM + 1).keys(),
      (index) => record(index, MINUTE + index, { attributed_identity: `ann-${index % 70}` }),
      { concurrency: 16 },
    );

    const result = await dryRun({
      mapping: { ...toTeamA, conditions: [condition('identity', 'ann-', 'prefix')] },
    });

    expect(result).toMatchObject({ examined: 1_000, truncated: true, changed: 1_000 });
    expect([result['changes'], result['owners']]).toMatchObject([{ length: 50 }, { length: 50 }]);
    expect(Object(result['owners'])[0]).toEqual({
      owner: 'team-a',
      invocations_before: 0,
      invocations_after: 1_000,
    });
  });

  it.each([
    [{}, ''],
    [{ from: '2026-05-01T00:00:00Z' }, ''],
    [{ mapping: { ...toTeamA, owner: undefined } }, '/mapping'],
    [{ mapping: toTeamA, from: '2026-05-01T00:00:00Z', to: '2026-05-01T00:00:00Z' }, '/from'],
    [{ mapping: toTeamA, from: '2027-01-01T00:00:00Z' }, '/from'],
    [{ replaces: 'map_1' }, '/replaces'],
  ])('returns 422 for %j', async (body, pointer) => {
    const answer = await world.call('dryRun', { tenant, body });

    expect([answer.status, answer.body]).toMatchObject([422, { errors: [{ pointer }] }]);
  });

  it('returns an error for a missing mapping or one of another tenant', async () => {
    const absent = mappingId(1).replace('abcdefgh', tenant.tag);

    const answers = await Promise.all(
      [absent, mappingId(1)].map((replaces) => world.call('dryRun', { tenant, body: { replaces } })),
    );

    expect(answers.map(({ body }) => body['error_code'])).toEqual(['VALIDATION_FAILED', 'TENANT_MISMATCH']);
  });
});
