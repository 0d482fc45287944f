import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import listDisputes from '../../../functions/attribution/corrections/listDisputes.ts';
import { disputeReader } from '../../../functions/ledger/records/disputeIndex.store.ts';
import { ledgerReader } from '../../../functions/ledger/records/ledger.store.ts';
import { idOf } from '../../../functions/platform/shared/ids.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { AttributionPage } from '../../../schemas/routes/attribution/attribution.ts';
import {
  newTenant,
  type TestRecord,
  testRecord,
  ulidOfRecord,
  writeRecord,
} from '../../ledger/records/ledgerFixture.ts';
import { callAsTenant } from '../../platform/http/callAsTenant.ts';
import { startTables } from '../../support/tables.ts';
import { LATER, sendCorrection } from './correctionFixture.ts';

const JULY = Date.parse('2026-07-01T00:00:00Z');
const MINUTE = 60_000;

let tenant: Tenant;
let records: TestRecord[];
let isStale: boolean;

const live = await startTables();
afterAll(() => live.stop());
beforeEach(async () => {
  isStale = false;
  tenant = { ...newTenant(), residency: ['eu', 'us'] };
  records = [1, 2, 3].map((index) => testRecord(JULY, index));
  for (const record of records) await writeRecord(tenant, record, JULY);
});

const operation = listDisputes({
  cursorKey: async () => new Uint8Array(32),
  disputes: disputeReader('ledger'),
  indexLag: { areRecordsStale: async () => isStale, totalsLag: () => Promise.reject(Error('not read')) },
  ledger: ledgerReader('ledger', () => LATER),
});

const list = async (query: Record<string, string> = {}, sent: { residency?: string } = {}) => {
  const by = { scopes: ['read:attribution'], clock: () => LATER } as const;
  const { status, body } = await callAsTenant(operation, { tenant, query, ...sent }, by);
  expect(status).toBe(200);
  return AttributionPage.parse(body);
};
const idOfRecord = (index: number): string =>
  idOf('att', tenant.tag, ulidOfRecord(tenant, records[index] ?? testRecord(JULY, 0)));
const listedIds = async (query?: Record<string, string>, sent?: { residency?: string }) =>
  (await list(query, sent)).data.map(({ id }) => id);

const correct = async (index: number, kind: 'override' | 'dispute', minute: number): Promise<void> => {
  const [record] = records.slice(index);
  if (record === undefined) throw new Error('no such record');
  const body = kind === 'dispute' ? { reason: `reason ${minute}` } : { owner: 'team-b', reason: 'agreed' };
  const { status } = await sendCorrection(tenant, record, kind, { body, at: LATER + minute * MINUTE });
  expect(status).toBe(201);
};

describe('listDisputes', () => {
  it('lists records with their dispute, newest dispute first, and no other record', async () => {
    await correct(0, 'dispute', 1);
    await correct(2, 'dispute', 2);
    await correct(1, 'override', 3);

    const { data, page } = await list();

    expect(data).toMatchObject([
      { id: idOfRecord(2), version: 2, owner: null, dispute: { status: 'open', reason: 'reason 2' } },
      { id: idOfRecord(0), version: 2, owner: null, dispute: { status: 'open', reason: 'reason 1' } },
    ]);
    expect(page).toMatchObject({ has_more: false, next_cursor: null });
  });

  it('moves a dispute from open to resolved with the override that resolves it', async () => {
    await correct(0, 'dispute', 1);
    await correct(1, 'dispute', 2);
    await correct(0, 'override', 3);

    expect(await listedIds({ status: 'open' })).toEqual([idOfRecord(1)]);
    expect(await listedIds({ status: 'resolved' })).toEqual([idOfRecord(0)]);
    expect((await list({ status: 'resolved' })).data).toMatchObject([{ owner: 'team-b' }]);
    expect(await listedIds()).toEqual([idOfRecord(1), idOfRecord(0)]);
  });

  it('lists a record that is disputed again once, at its newest dispute', async () => {
    await correct(0, 'dispute', 1);
    await correct(0, 'override', 2);
    await correct(1, 'dispute', 3);
    await correct(0, 'dispute', 4);

    expect(await listedIds()).toEqual([idOfRecord(0), idOfRecord(1)]);
    expect(await listedIds({ status: 'open' })).toEqual([idOfRecord(0), idOfRecord(1)]);
    expect(await listedIds({ status: 'resolved' })).toEqual([]);
  });

  it('returns every dispute once over all pages', async () => {
    for (const index of [0, 1, 2]) await correct(index, 'dispute', index + 1);

    const first = await list({ limit: '2', status: 'open' });
    const rest = await list({ limit: '2', status: 'open', cursor: first.page.next_cursor ?? '' });

    expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual([2, 1, 0].map(idOfRecord));
    expect(rest.page.has_more).toBe(false);
  });

  it('shows no record of another lane and of no other tenant', async () => {
    await correct(0, 'dispute', 1);

    expect(await listedIds({}, { residency: 'us' })).toEqual([]);
    tenant = newTenant();
    expect(await listedIds()).toEqual([]);
  });

  it('marks fresh records as stale while calls of the tenant are late', async () => {
    await correct(0, 'dispute', 1);
    isStale = true;

    expect((await list()).data).toMatchObject([{ interpretation: { freshness: 'index_stale' } }]);
  });
});
