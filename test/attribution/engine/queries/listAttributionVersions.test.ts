import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import listAttributionVersions from '../../../../functions/attribution/engine/queries/listAttributionVersions.ts';
import { readNameChanges } from '../../../../functions/attribution/engine/recordVersions.ts';
import { causeOf } from '../../../../functions/attribution/engine/versionCause.ts';
import type { Attribution } from '../../../../functions/ledger/records/attribution.ts';
import { ledgerReader } from '../../../../functions/ledger/records/ledger.store.ts';
import { idOf } from '../../../../functions/platform/shared/ids.ts';
import type { Tenant } from '../../../../functions/platform/tenancy/tenant.ts';
import { listAttributionVersions as versionsRoute } from '../../../../schemas/routes/attribution/attribution.ts';
import {
  newTenant,
  type TestRecord,
  testRecord,
  ulidOfRecord,
  writeRecord,
} from '../../../ledger/records/ledgerFixture.ts';
import { callAsTenant } from '../../../platform/http/callAsTenant.ts';
import { startTables } from '../../../support/tables.ts';
import { LATER, sendCorrection } from '../../corrections/correctionFixture.ts';
import { attributionFor } from '../../corrections/recordFixtures.ts';
import { aPrediction } from '../inferenceStubs.ts';

const JULY = Date.parse('2026-07-01T00:00:00Z');
const MINUTE = 60_000;

let tenant: Tenant;
let row: TestRecord;

const live = await startTables();
afterAll(() => live.stop());
beforeEach(async () => {
  tenant = { ...newTenant(), residency: ['eu', 'us'] };
  row = testRecord(JULY, 1);
  await writeRecord(tenant, row, JULY);
  // A neighbour in the same partition.
  await writeRecord(tenant, testRecord(JULY, 2), JULY);
});

const operation = listAttributionVersions({
  cursorKey: async () => new Uint8Array(32),
  ledger: ledgerReader('ledger', () => LATER),
});

const list = async (
  query: Record<string, string> = {},
  sent: { readonly residency?: string } = {},
  of: TestRecord = row,
) => {
  const id = idOf('att', tenant.tag, ulidOfRecord(tenant, of));
  const by = { scopes: ['read:attribution'], clock: () => LATER } as const;
  return callAsTenant(operation, { tenant, id, query, ...sent }, by);
};
const pageOf = async (query?: Record<string, string>) => {
  const { status, body } = await list(query);
  expect(status).toBe(200);
  return versionsRoute.replies[200].body.parse(body);
};
const correct = async (kind: 'override' | 'dispute', minute: number, body: Record<string, unknown>) => {
  const at = LATER + minute * MINUTE;
  expect((await sendCorrection(tenant, row, kind, { body, at })).status).toBe(201);
  return new Date(at).toISOString();
};

describe('the versions of a record', () => {
  it('tell the owner of each period, newest first, with what changed it', async () => {
    const disputed = await correct('dispute', 1, { reason: 'not ours' });
    const overridden = await correct('override', 2, { owner: 'team-b', reason: 'agreed' });

    const { data } = await pageOf();

    expect(
      data.map(({ record, valid_until, cause, reason }) => [
        record.version,
        record.owner,
        record.as_of,
        valid_until,
        cause,
        reason,
      ]),
    ).toEqual([
      [3, 'team-b', overridden, null, 'override', 'agreed'],
      [2, null, disputed, overridden, 'dispute', 'not ours'],
      [1, null, new Date(JULY).toISOString(), disputed, 'recorded', undefined],
    ]);
  });

  it('tell in an explanation whom the record named until when, without versions that changed no name', async () => {
    await correct('dispute', 1, { reason: 'not ours' });
    const overridden = await correct('override', 2, { owner: 'team-b', reason: 'agreed' });

    const history = await readNameChanges(
      ledgerReader('ledger', () => LATER),
      tenant,
      ulidOfRecord(tenant, row),
    );

    expect(history).toMatchObject([
      {
        version: 3,
        owner: 'team-b',
        owner_state: 'confirmed',
        from: overridden,
        until: null,
        cause: 'override',
      },
      {
        version: 1,
        owner: null,
        owner_state: 'unassigned',
        from: new Date(JULY).toISOString(),
        until: overridden,
        cause: 'recorded',
      },
    ]);
  });

  it('come in pages that say the same as one page', async () => {
    await correct('dispute', 1, { reason: 'not ours' });
    await correct('override', 2, { owner: 'team-b', reason: 'agreed' });
    const whole = (await pageOf()).data;

    const paged: unknown[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { data, page }: Awaited<ReturnType<typeof pageOf>> = await pageOf({
        limit: '1',
        ...(cursor !== '' && { cursor }),
      });
      paged.push(...data);
      cursor = page.next_cursor;
    }

    expect(paged).toEqual(whole);
  });

  it('are not found for a record that does not exist, and not shown to another lane', async () => {
    expect((await list({}, {}, testRecord(JULY, 9))).status).toBe(404);
    const residency = (await pageOf()).data[0]?.record.residency;
    expect((await list({}, { residency: residency === 'eu' ? 'us' : 'eu' })).status).toBe(409);
  });
});

it.each<[string, (one: Attribution) => Attribution]>([
  ['allocation', (one) => ({ ...one, explanation: { ...one.explanation, allocation: { ...anAllocation } } })],
  ['observation', (one) => ({ ...one, storedEvent: { ...one.storedEvent, superseded: true } })],
  [
    'trace',
    (one) => ({
      ...one,
      explanation: { ...one.explanation, rules: [] },
      storedEvent: { ...one.storedEvent, trace: { source: null, repeatsUsage: true } },
    }),
  ],
  [
    'observation',
    (one) => ({
      ...one,
      explanation: { ...one.explanation, cost: aCost },
      storedEvent: { ...one.storedEvent, same_call: aRepeat },
    }),
  ],
  ['rules', (one) => ({ ...one, explanation: { ...one.explanation, rules: [] } })],
  // Any mapping changes the version of the rules, also one that says nothing about the call.
  [
    'model',
    (one) => ({
      ...one,
      explanation: { ...one.explanation, rules_version: 'other', prediction: aPrediction() },
    }),
  ],
  [
    'factors',
    (one) => ({
      record: { ...one.record, interpretation: { ...one.record.interpretation, model_version: 'other' } },
      explanation: { ...one.explanation, rules_version: 'other', cost: aCost },
      storedEvent: one.storedEvent,
    }),
  ],
  ['unknown', (one) => one],
])('a version is written because of %s', (cause, change) => {
  const previous = attributionFor();
  const current = change({ ...previous, record: { ...previous.record, version: 2 } });

  expect(causeOf(current, previous)).toEqual({ cause });
});

it('a version that ends an allocation is written because of what ended it', () => {
  const previous = attributionFor();
  const allocated = { ...previous, explanation: { ...previous.explanation, allocation: anAllocation } };
  const current = {
    ...previous,
    record: { ...previous.record, version: 3 },
    explanation: { ...previous.explanation, rules: [] },
  };

  expect(causeOf(current, allocated)).toEqual({ cause: 'rules' });
});

it('a version is written because a person confirmed its cost', () => {
  const previous = attributionFor();
  const confirmed_cost = { usd: '9', by: 'key_1', at: '2026-07-16T00:00:00.000Z' };
  const current = {
    record: { ...previous.record, version: 2 },
    explanation: { ...previous.explanation, cost: aCost },
    storedEvent: { ...previous.storedEvent, confirmed_cost },
  };

  expect(causeOf(current, previous)).toEqual({ cause: 'confirmation', by: 'key_1' });
});

const anAllocation: NonNullable<Attribution['explanation']['allocation']> = {
  version: 'allocation-1',
  method: 'fixed',
  window: { from: '2026-07-01T00:00:00.000Z', to: '2026-07-02T00:00:00.000Z' },
  parts: [],
};
const aRepeat: NonNullable<Attribution['storedEvent']['same_call']> = {
  state: 'repeat',
  basis: 'trace',
  confidence: 0.9,
  records: ['01K'],
};
const aCost: NonNullable<Attribution['explanation']['cost']> = {
  source: 'unmetered',
  catalogue: 'none',
  price_match: null,
  priced_model: null,
  service_tier_multiplier: null,
  low: '0',
  central: '0',
  high: '0',
  components: [],
};
