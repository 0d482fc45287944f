import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, describe, expect, it } from 'vitest';
import { idempotencyClaims } from '../../../functions/platform/idempotency/idempotencyClaim.store.ts';
import { startTables } from '../../support/tables.ts';

const NOON = Date.parse('2026-03-15T12:00:00Z');
const DAY = 24 * 60 * 60 * 1_000;

const store = idempotencyClaims('idempotency');

const live = await startTables();
afterAll(() => live.stop());

describe('idempotencyClaims', () => {
  it('returns a repeat with the first arrival time for the same request', async () => {
    await store.claim('repeated', 'print', NOON);

    expect(await store.claim('repeated', 'print', NOON + 5_000)).toEqual({
      kind: 'repeat',
      receivedAt: NOON,
    });
  });

  it('returns a conflict for another request and keeps the claim', async () => {
    await store.claim('conflicting', 'print', NOON);

    const other = await store.claim('conflicting', 'other print', NOON + 1);
    const again = await store.claim('conflicting', 'print', NOON + 2);

    expect([other, again]).toEqual([{ kind: 'conflict' }, { kind: 'repeat', receivedAt: NOON }]);
  });

  it('gives the claim to exactly one of 24 concurrent requests', async () => {
    const results = await Promise.all(
      Array.from({ length: 24 }, (_, index) => store.claim('raced', 'print', NOON + index)),
    );

    const firsts = results.flatMap((result, index) => (result.kind === 'first' ? [NOON + index] : []));
    expect(firsts).toHaveLength(1);
    expect(results.filter(({ kind }) => kind === 'repeat')).toEqual(
      Array(23).fill({ kind: 'repeat', receivedAt: firsts[0] }),
    );
  });
});

describe('after 24 hours, before the TTL deletes the row,', () => {
  it.each([
    [DAY - 1_000, 'print', 'repeat'],
    [DAY - 1, 'print', 'repeat'],
    [DAY - 1, 'other print', 'conflict'],
    [DAY, 'print', 'first'],
    [DAY + 1_000, 'other print', 'first'],
  ])('a key claimed %d ms later with the %s is a %s', async (later, fingerprint, kind) => {
    const key = `aged ${later} ${fingerprint}`;
    await store.claim(key, 'print', NOON);

    expect(await store.claim(key, fingerprint, NOON + later)).toMatchObject({ kind });
  });

  it('a new claim starts a new window of 24 hours', async () => {
    await store.claim('renewed', 'print', NOON);
    await store.claim('renewed', 'other print', NOON + DAY);

    const results = [
      await store.claim('renewed', 'other print', NOON + 2 * DAY - 1),
      await store.claim('renewed', 'print', NOON + 2 * DAY - 1),
    ];

    expect(results).toEqual([{ kind: 'repeat', receivedAt: NOON + DAY }, { kind: 'conflict' }]);
  });

  it('the TTL allows the table to delete the row, and not earlier', async () => {
    await store.claim('expiring', 'print', NOON + 1);

    const { Items = [] } = await live.client.send(new ScanCommand({ TableName: 'idempotency' }));

    const row = Items.find(({ pk }) => pk?.S === 'expiring');
    expect(Number(row?.['ttl']?.N) * 1_000).toBeGreaterThanOrEqual(NOON + 1 + DAY);
  });
});

describe('a released key', () => {
  it('can be claimed by any request', async () => {
    await store.claim('released', 'print', NOON);
    await store.release('released', 'print');

    expect(await store.claim('released', 'other print', NOON + 1)).toEqual({ kind: 'first' });
  });

  it('stays claimed when another request has claimed it meanwhile', async () => {
    await store.claim('taken over', 'print', NOON);
    await store.claim('taken over', 'other print', NOON + DAY);

    await store.release('taken over', 'print').catch(() => undefined);

    expect(await store.claim('taken over', 'other print', NOON + DAY + 1)).toMatchObject({ kind: 'repeat' });
  });
});
