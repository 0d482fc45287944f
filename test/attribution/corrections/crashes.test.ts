import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BoundOperation } from '../../../functions/platform/http/operation.ts';
import { reply } from '../../../functions/platform/http/reply.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { AttributionDetail } from '../../../schemas/routes/attribution/attribution.ts';
import { newTenant, type TestRecord, testRecord, writeRecord } from '../../ledger/records/ledgerFixture.ts';
import type { TestResponse } from '../../platform/http/harness.ts';
import { type LiveTables, startTables } from '../../support/tables.ts';
import { type Attempt, LATER, sendCorrection, storedDataOf } from './correctionFixture.ts';

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
  tenant = newTenant();
  row = testRecord(JULY, 1);
  await writeRecord(tenant, row, JULY);
  // Hides the log output of simulated crashes.
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

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

/** Crashes after all writes, before the response. */
const crash = async (run: BoundOperation['run'], exchange: Parameters<BoundOperation['run']>[0]) => {
  await run(exchange);
  throw new Error('a crash');
};

describe('correctRecord, after a crash', () => {
  it.each(['override', 'dispute'] as const)('returns the result of the crashed %s on retry', async (kind) => {
    const again = kind === 'override' ? (attempt: Partial<Attempt>) => override('team-b', attempt) : dispute;

    const crashed = await again({ key: `${tenant.tenant_id}-${kind}`, around: crash });
    const [, made] = await stored().versions(row);
    const answer = await again({ key: `${tenant.tenant_id}-${kind}`, at: LATER + MINUTE });

    const { explanation, ...record } = detailOf(answer);
    expect(crashed.status).toBe(500);
    expect(made?.attribution).toEqual({ record, explanation, storedEvent: {} });
    expect(await storedVersions()).toHaveLength(2);
    expect(await stored().audited()).toHaveLength(1);
    expect(await stored().raised()).toHaveLength(1);
  });

  it('finds the version of the crashed attempt behind later corrections', async () => {
    const key = `${tenant.tenant_id}-overtaken`;
    await override('team-b', { key, around: crash });
    await override('team-c', { at: LATER + MINUTE });

    const answer = await override('team-b', { key, at: LATER + 2 * MINUTE });

    expect(detailOf(answer)).toMatchObject({ version: 2, owner: 'team-b' });
    expect(await storedVersions()).toEqual([
      [1, null],
      [2, 'team-b'],
      [3, 'team-c'],
    ]);
    expect(await stored().raised()).toHaveLength(2);
  });

  it('ignores a stalled attempt that resumes after its retry succeeded', async () => {
    const key = `${tenant.tenant_id}-zombie`;
    const [claimed, wake] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];

    const zombie = override('team-b', {
      key,
      around: async (run, exchange) => {
        claimed.resolve();
        await wake.promise;
        return run(exchange);
      },
    });
    await claimed.promise;
    const refused = await override('team-b', { key });
    // The lease is 12 s. The retry comes a minute later, followed by another correction.
    const successor = await override('team-b', { key, at: LATER + MINUTE });
    await override('team-c', { at: LATER + MINUTE });
    wake.resolve();

    expect(refused.status).toBe(409);
    expect((await zombie).status).toBe(503);
    expect(detailOf(successor)).toMatchObject({ version: 2, as_of: new Date(LATER + MINUTE).toISOString() });
    expect((await storedVersions()).map(([, owner]) => owner)).toEqual([null, 'team-b', 'team-c']);
  });

  it('writes one version per call, for any crashes and interleaved calls', async () => {
    const calls = fc.array(
      fc.record({ call: fc.nat({ max: 2 }), ends: fc.constantFrom('before', 'after', 'well') }),
      { minLength: 1, maxLength: 8 },
    );

    await fc.assert(
      fc.asyncProperty(calls, async (attempts) => {
        tenant = newTenant();
        await writeRecord(tenant, row, JULY);
        const made = new Set<number>();
        for (const { call, ends } of attempts) {
          await override(`team-${call}`, {
            key: `${tenant.tenant_id}-${call}`,
            around: async (run, exchange) => {
              if (ends === 'before') throw new Error('a crash');
              const answer = await run(exchange);
              if (ends === 'after') throw new Error('a crash');
              return answer;
            },
          });
          if (ends !== 'before') made.add(call);
        }

        const owners = (await storedVersions()).slice(1).map(([, owner]) => owner);
        expect(owners).toEqual([...made].map((call) => `team-${call}`));
        expect(await stored().raised()).toHaveLength(made.size);
        expect(await stored().audited()).toHaveLength(made.size);
      }),
      { numRuns: 20 },
    );
  });

  it('returns the stored response for the same idempotency key', async () => {
    const key = `${tenant.tenant_id}-again`;
    const first = await override('team-b', { key });

    const again = await override('team-b', { key, around: async () => reply(500, {}) });

    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect(again.headers['idempotency-replayed']).toBe('true');
  });
});
