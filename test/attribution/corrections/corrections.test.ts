import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { RETENTION_MILLISECONDS } from '../../../functions/ledger/records/ledgerItem.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { AttributionDetail } from '../../../schemas/routes/attribution/attribution.ts';
import { newTenant, type TestRecord, testRecord, writeRecord } from '../../ledger/records/ledgerFixture.ts';
import type { TestResponse } from '../../platform/http/harness.ts';
import { startTables } from '../../support/tables.ts';
import { type Attempt, LATER, rollupMarks, sendCorrection, storedDataOf } from './correctionFixture.ts';

const JULY = Date.parse('2026-07-01T00:00:00Z');
const MINUTE = 60_000;

let tenant: Tenant;
let row: TestRecord;

const live = await startTables();
afterAll(() => live.stop());
beforeEach(async () => {
  tenant = newTenant();
  row = testRecord(JULY, 1);
  await writeRecord(tenant, row, JULY);
});

const override = (owner: string, attempt: Partial<Attempt> = {}): Promise<TestResponse> =>
  sendCorrection(tenant, row, 'override', { body: { owner, reason: 'a reason' }, ...attempt });
const dispute = (attempt: Partial<Attempt> = {}): Promise<TestResponse> =>
  sendCorrection(tenant, row, 'dispute', { body: { reason: 'a reason to dispute' }, ...attempt });
const stored = () => storedDataOf(live, tenant);
const storedVersions = async () =>
  (await stored().versions(row)).map(({ attribution: { record } }) => [record.version, record.owner]);
const detailOf = ({ status, body }: TestResponse) => {
  expect(status).toBe(201);
  return AttributionDetail.parse(body);
};

describe('correctRecord', () => {
  it('ends one version, starts the next at the same time, and returns it', async () => {
    const answer = await override('team-b');

    const { explanation, ...record } = detailOf(answer);
    const [first, second] = await stored().versions(row);
    expect(first?.validity).toEqual({ version: 1, from: JULY, to: LATER });
    expect(second?.validity).toEqual({ version: 2, from: LATER, to: null });
    expect(second?.attribution).toMatchObject({ record, explanation });
    expect(record).toMatchObject({ version: 2, owner: 'team-b', as_of: new Date(LATER).toISOString() });
    expect(answer.headers['location']).toBe(`/v1/attribution/${record.id}`);
  });

  it('marks the rollups before the write, in case of a crash after it, and again after a slow write', async () => {
    await override('team-b');

    const mark = { tenantId: tenant.tenant_id, instants: [JULY] };
    expect(rollupMarks.slice(-2)).toEqual([
      { ...mark, ahead: true },
      { ...mark, ahead: false },
    ]);
  });

  it('does not change the content of the previous version', async () => {
    const [before] = await stored().versions(row);

    await override('team-b');

    const [after] = await stored().versions(row);
    expect(after?.attribution).toEqual(before?.attribution);
  });

  it('writes one audit entry and one outbox event', async () => {
    const { id, invocation_id } = detailOf(await override('team-b'));

    expect(await stored().audited()).toMatchObject([
      { action: 'attribution.override', actor: { id: 'key_1' }, resource: id, outcome: 'succeeded' },
    ]);
    expect(await stored().raised()).toMatchObject([
      {
        type: 'attribution.override.applied',
        created_at: new Date(LATER).toISOString(),
        tenant_id: tenant.tenant_id,
        data: {
          attribution_id: id,
          invocation_id,
          version: 2,
          owner: 'team-b',
          service: null,
          previous: { owner: null, service: null },
          dispute_id: null,
          by: 'key_1',
          reason: 'a reason',
        },
        interpretation: {
          stage_origin: 'stage_a',
          confidence_band: 'chargeback_ready',
          degradation_state: 'none',
        },
      },
    ]);
  });

  it('does not extend the expiry of a record', async () => {
    await override('team-b');

    const expires = String(Math.ceil((JULY + RETENTION_MILLISECONDS) / 1_000));
    expect((await stored().versions(row)).map((version) => version.expires)).toEqual([expires, expires]);
  });

  it('starts after the version it ends, even when its clock is slow', async () => {
    await override('team-b');
    await override('team-c', { at: LATER - MINUTE });

    expect((await stored().versions(row)).map(({ validity }) => validity)).toEqual([
      { version: 1, from: JULY, to: LATER },
      { version: 2, from: LATER, to: LATER + 1 },
      { version: 3, from: LATER + 1, to: null },
    ]);
  });

  it('returns 404 for a record that expired or never existed', async () => {
    const old = testRecord(JULY, 2);
    await writeRecord(tenant, old, LATER - RETENTION_MILLISECONDS);
    const body = { owner: 'team-b', reason: 'late' };

    const answers = [
      await sendCorrection(tenant, old, 'override', { body }),
      await sendCorrection(tenant, testRecord(JULY, 3), 'override', { body }),
    ];

    expect(answers.map((answer) => answer.body['error_code'])).toEqual(['NOT_FOUND', 'NOT_FOUND']);
    expect(await stored().versions(old)).toHaveLength(1);
  });

  it('returns RESIDENCY_BLOCKED from another lane, and audits it', async () => {
    const bound = { tenant: { ...tenant, residency: ['eu'] }, residency: 'eu' };

    const answers = [await override('team-b', { by: bound }), await dispute({ by: bound })];

    expect(answers.map(({ body }) => body['error_code'])).toEqual(['RESIDENCY_BLOCKED', 'RESIDENCY_BLOCKED']);
    expect(await storedVersions()).toEqual([[1, null]]);
    expect(await stored().raised()).toEqual([]);
    expect((await stored().audited()).map(({ outcome }) => outcome)).toEqual(['refused', 'refused']);
  });
});

describe('disputeAttribution', () => {
  it('is part of the record, and resolved by an override', async () => {
    const opened = detailOf(await dispute());
    const resolved = detailOf(await override('team-b', { at: LATER + MINUTE }));
    const again = detailOf(await override('team-c', { at: LATER + 2 * MINUTE }));

    expect(opened).toMatchObject({ version: 2, output_state: 'unresolved', dispute: { status: 'open' } });
    expect(resolved.dispute).toEqual({
      ...opened.dispute,
      status: 'resolved',
      resolved_at: new Date(LATER + MINUTE).toISOString(),
    });
    expect(again.dispute).toEqual(resolved.dispute);
    const events = await stored().raised();
    expect(events.map(({ type, data }) => [type, data['version'], data['dispute_id']]).toSorted()).toEqual([
      ['attribution.disputed', 2, opened.dispute?.id],
      ['attribution.override.applied', 3, opened.dispute?.id],
      ['attribution.override.applied', 4, null],
    ]);
  });

  it('returns 409 while a dispute is open, and succeeds after its resolution', async () => {
    const first = detailOf(await dispute());
    const refused = await dispute();
    await override('team-b');
    const second = detailOf(await dispute());

    expect(refused.body).toMatchObject({ status: 409, error_code: 'CONFLICT' });
    expect(second.dispute).toMatchObject({ status: 'open', resolved_at: null });
    expect(second.dispute?.id).not.toBe(first.dispute?.id);
  });

  it('opens one dispute for concurrent calls', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => dispute()));

    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409]);
    expect(await storedVersions()).toHaveLength(2);
    expect(await stored().raised()).toHaveLength(1);
  });
});

describe('concurrent corrections', () => {
  it('write consecutive versions, each with one event and one audit entry', async () => {
    const owners = Array.from({ length: 10 }, (_, index) => `team-${index}`);

    const answers = await Promise.all(owners.map((owner) => override(owner)));

    const details = answers.map(detailOf);
    expect(details.map(({ owner }) => owner)).toEqual(owners);
    expect(details.map(({ version }) => version).toSorted((a, b) => a - b)).toEqual([
      2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
    ]);
    const validities = (await stored().versions(row)).map(({ validity }) => validity);
    expect(validities.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(validities.map(({ to }) => to)).toEqual([...validities.slice(1).map(({ from }) => from), null]);
    expect(await stored().audited()).toHaveLength(10);
    expect(await stored().raised()).toHaveLength(10);
    // Each correction is based on the previous one.
    const [newest] = details.toSorted((one, other) => other.version - one.version);
    const overrides = newest?.explanation.overrides ?? [];
    expect(overrides.map(({ previous }) => previous.owner)).toEqual([
      null,
      ...overrides.slice(0, -1).map(({ owner }) => owner),
    ]);
  });

  it('apply both an override and a dispute, in either order', async () => {
    const answers = await Promise.all([override('team-b'), dispute()]);

    const [overridden, opened] = answers.map(detailOf);
    const newest = (await stored().versions(row)).at(-1)?.attribution.record;
    expect(newest).toMatchObject({ version: 3, owner: 'team-b', output_state: 'manually_overridden' });
    expect(newest?.dispute?.id).toBe(opened?.dispute?.id);
    expect(newest?.dispute?.status).toBe(overridden?.version === 3 ? 'resolved' : 'open');
  });
});
