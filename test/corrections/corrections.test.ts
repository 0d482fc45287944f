import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RETENTION_MILLISECONDS } from '../../functions/ledger/ledgerItem.ts';
import type { Tenant } from '../../functions/tenancy/tenant.ts';
import { AttributionDetail } from '../../schemas/routes/attribution.ts';
import type { TestResponse } from '../http/harness.ts';
import { newTenant, type TestRecord, testRecord, writeRecord } from '../ledger/ledgerFixture.ts';
import { type LiveTables, startTables } from '../shared/tables.ts';
import { type Attempt, LATER, rollupMarks, sendCorrection, storedDataOf } from './correctionFixture.ts';

const JULY = Date.parse('2026-07-01T00:00:00Z');
const MINUTE = 60_000;

let live: LiveTables;
let tenant: Tenant;
let row: TestRecord;

beforeAll(async () => {
  live = await startTables();
});
afterAll(() => live.stop());
beforeEach(async () => {
  tenant = newTenant([{ from: 0, count: 3 }]);
  row = testRecord(JULY, 1);
  await writeRecord(tenant, row, JULY);
});

const override = (owner: string, attempt: Partial<Attempt> = {}): Promise<TestResponse> =>
  sendCorrection(tenant, row, 'override', { body: { owner, reason: 'a reason' }, ...attempt });
const dispute = (attempt: Partial<Attempt> = {}): Promise<TestResponse> =>
  sendCorrection(tenant, row, 'dispute', { body: { reason: 'a doubt' }, ...attempt });
const held = () => storedDataOf(live, tenant);
const versionsHeld = async () =>
  (await held().versions(row)).map(({ attribution: { record } }) => [record.version, record.owner]);
const detailOf = ({ status, body }: TestResponse) => {
  expect(status).toBe(201);
  return AttributionDetail.parse(body);
};

describe('a correction', () => {
  it('ends one version and begins the next at one instant, and answers with it', async () => {
    const answer = await override('team-b');

    const { explanation, ...record } = detailOf(answer);
    const [first, second] = await held().versions(row);
    expect(first?.validity).toEqual({ version: 1, from: JULY, to: LATER });
    expect(second?.validity).toEqual({ version: 2, from: LATER, to: null });
    expect(second?.attribution).toMatchObject({ record, explanation });
    expect(record).toMatchObject({ version: 2, owner: 'team-b', as_of: new Date(LATER).toISOString() });
    expect(answer.headers['location']).toBe(`/v1/attribution/${record.id}`);
  });

  it('has its minute summed anew, ahead of the write that a crash could cut off', async () => {
    await override('team-b');

    expect(rollupMarks.at(-1)).toEqual({ tenantId: tenant.tenant_id, instants: [JULY], ahead: true });
  });

  it('leaves the version it ends as it was', async () => {
    const [before] = await held().versions(row);

    await override('team-b');

    const [after] = await held().versions(row);
    expect(after?.attribution).toEqual(before?.attribution);
  });

  it('tells the audit log and the outbox once', async () => {
    const { id, invocation_id } = detailOf(await override('team-b'));

    expect(await held().audited()).toMatchObject([
      { action: 'attribution.override', actor: { id: 'key_1' }, resource: id, outcome: 'succeeded' },
    ]);
    expect(await held().raised()).toMatchObject([
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

  it('does not prolong the life of a record', async () => {
    await override('team-b');

    const expires = String(Math.ceil((JULY + RETENTION_MILLISECONDS) / 1_000));
    expect((await held().versions(row)).map((version) => version.expires)).toEqual([expires, expires]);
  });

  it('begins behind the version it ends although its clock is behind', async () => {
    await override('team-b');
    await override('team-c', { at: LATER - MINUTE });

    expect((await held().versions(row)).map(({ validity }) => validity)).toEqual([
      { version: 1, from: JULY, to: LATER },
      { version: 2, from: LATER, to: LATER + 1 },
      { version: 3, from: LATER + 1, to: null },
    ]);
  });

  it('of a record that has expired, or was never there, finds nothing', async () => {
    const old = testRecord(JULY, 2);
    await writeRecord(tenant, old, LATER - RETENTION_MILLISECONDS);
    const body = { owner: 'team-b', reason: 'late' };

    const answers = [
      await sendCorrection(tenant, old, 'override', { body }),
      await sendCorrection(tenant, testRecord(JULY, 3), 'override', { body }),
    ];

    expect(answers.map((answer) => answer.body['error_code'])).toEqual(['NOT_FOUND', 'NOT_FOUND']);
    expect(await held().versions(old)).toHaveLength(1);
  });

  it('from another lane is refused, and told', async () => {
    const bound = { tenant: { ...tenant, residency: ['eu'] }, residency: 'eu' };

    const answers = [await override('team-b', { by: bound }), await dispute({ by: bound })];

    expect(answers.map(({ body }) => body['error_code'])).toEqual(['RESIDENCY_BLOCKED', 'RESIDENCY_BLOCKED']);
    expect(await versionsHeld()).toEqual([[1, null]]);
    expect(await held().raised()).toEqual([]);
    expect((await held().audited()).map(({ outcome }) => outcome)).toEqual(['refused', 'refused']);
  });
});

describe('a dispute', () => {
  it('appears with the record until an override resolves it, and stays resolved', async () => {
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
    const events = await held().raised();
    expect(events.map(({ type, data }) => [type, data['version'], data['dispute_id']]).toSorted()).toEqual([
      ['attribution.disputed', 2, opened.dispute?.id],
      ['attribution.override.applied', 3, opened.dispute?.id],
      ['attribution.override.applied', 4, null],
    ]);
  });

  it('is refused while another is open, and possible again once that is resolved', async () => {
    const first = detailOf(await dispute());
    const refused = await dispute();
    await override('team-b');
    const second = detailOf(await dispute());

    expect(refused.body).toMatchObject({ status: 409, error_code: 'CONFLICT' });
    expect(second.dispute).toMatchObject({ status: 'open', resolved_at: null });
    expect(second.dispute?.id).not.toBe(first.dispute?.id);
  });

  it('is opened once when several are at the same moment', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => dispute()));

    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409]);
    expect(await versionsHeld()).toHaveLength(2);
    expect(await held().raised()).toHaveLength(1);
  });
});

describe('corrections at the same moment', () => {
  it('follow on each other without a gap, each told once, one of them valid', async () => {
    const owners = Array.from({ length: 10 }, (_, index) => `team-${index}`);

    const answers = await Promise.all(owners.map((owner) => override(owner)));

    const details = answers.map(detailOf);
    expect(details.map(({ owner }) => owner)).toEqual(owners);
    expect(details.map(({ version }) => version).toSorted((a, b) => a - b)).toEqual([
      2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
    ]);
    const validities = (await held().versions(row)).map(({ validity }) => validity);
    expect(validities.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(validities.map(({ to }) => to)).toEqual([...validities.slice(1).map(({ from }) => from), null]);
    expect(await held().audited()).toHaveLength(10);
    expect(await held().raised()).toHaveLength(10);
    // Each was made on top of the one before.
    const [newest] = details.toSorted((one, other) => other.version - one.version);
    const told = newest?.explanation.overrides ?? [];
    expect(told.map(({ previous }) => previous.owner)).toEqual([
      null,
      ...told.slice(0, -1).map(({ owner }) => owner),
    ]);
  });

  it('of an override and a dispute both count, in either order', async () => {
    const answers = await Promise.all([override('team-b'), dispute()]);

    const [overridden, opened] = answers.map(detailOf);
    const newest = (await held().versions(row)).at(-1)?.attribution.record;
    expect(newest).toMatchObject({ version: 3, owner: 'team-b', output_state: 'manually_overridden' });
    expect(newest?.dispute?.id).toBe(opened?.dispute?.id);
    expect(newest?.dispute?.status).toBe(overridden?.version === 3 ? 'resolved' : 'open');
  });
});
