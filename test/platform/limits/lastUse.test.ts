import pMap from 'p-map';
import { afterAll, describe, expect, it } from 'vitest';
import { bucketStore } from '../../../functions/platform/limits/bucket.store.ts';
import { lastUse } from '../../../functions/platform/limits/lastUse.store.ts';
import { limiter } from '../../../functions/platform/limits/limiter.ts';
import { type RateClass, rateClasses } from '../../../schemas/platform/limits.ts';
import { aTenant } from '../../attribution/engine/events.ts';
import { startTables } from '../../support/tables.ts';

const NOON = Date.parse('2026-03-15T12:00:00Z');
const MINUTE = 60_000;
const tenant = aTenant();

const used = lastUse('limits');

const live = await startTables();
afterAll(() => live.stop());

/** One admitted call, charged as in the middleware pipeline. */
const call = (principal: string, at: number, rateClass: RateClass = 'read', cost = 1) =>
  limiter(bucketStore('limits'), { clock: () => at }).charge({ tenant, principal, rateClass, cost });

describe('the last use of a credential', () => {
  it.each(rateClasses)('is the minute of its last charge in class %s', async (rateClass) => {
    const principal = `key_${rateClass}`;
    await call(principal, NOON + 30_000, rateClass);

    expect(await used.read('acme', [principal], NOON + 10 * MINUTE)).toEqual(new Map([[principal, NOON]]));
  });

  it('is the latest charge of all rate classes', async () => {
    await call('key_several', NOON, 'read');
    await call('key_several', NOON + 5 * MINUTE, 'ingest', 50);
    await call('key_several', NOON + 2 * MINUTE, 'write');

    const times = await used.read('acme', ['key_several'], NOON + 10 * MINUTE);

    expect(times.get('key_several')).toBe(NOON + 5 * MINUTE);
  });

  it('is never in the future, even for a drained bucket', async () => {
    await call('key_drained', NOON, 'ingest', 20_000);

    expect((await used.read('acme', ['key_drained'], NOON + 1)).get('key_drained')).toBe(NOON);
  });

  it('is absent for a credential that never called, and for another tenant', async () => {
    await call('key_used', NOON);

    expect(await used.read('acme', ['key_unused'], NOON)).toEqual(new Map());
    expect(await used.read('globex', ['key_used'], NOON)).toEqual(new Map());
    expect(await used.read('acme', [], NOON)).toEqual(new Map());
  });

  it('is not changed by peek', async () => {
    await limiter(bucketStore('limits'), { clock: () => NOON }).peek({
      tenant,
      principal: 'key_peeking',
      rateClass: 'read',
    });

    expect(await used.read('acme', ['key_peeking'], NOON)).toEqual(new Map());
  });

  it('is read for a whole page of credentials', async () => {
    const principals = Array.from({ length: 200 }, (_, index) => `key_paged_${index}`);
    await pMap(principals, (principal) => call(principal, NOON), { concurrency: 10 });

    const times = await used.read('acme', principals, NOON);

    expect(times).toEqual(new Map(principals.map((principal) => [principal, NOON])));
  });
});
