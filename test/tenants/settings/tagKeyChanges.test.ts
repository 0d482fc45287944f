import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CostAllocationTags,
  initialTagKeys,
  latestTagKeys,
  tagKeysOn,
} from '../../../functions/platform/tenancy/costAllocationTags.ts';
import { withTagKeys } from '../../../functions/tenants/settings/tagKeyChanges.ts';
import { DAY_MS, HOUR_MS } from '../../../schemas/durations.ts';

const NOON = Date.parse('2026-03-02T12:00:00Z');

describe('the cost allocation tags of a tenant', () => {
  it('apply to calls of any time when the tenant is created with them', () => {
    const tags = initialTagKeys(['team', 'env']);

    expect(tagKeysOn(tags, 0)).toEqual(['env', 'team']);
    expect(latestTagKeys(tags)).toEqual({ keys: ['env', 'team'], from: null });
  });

  it('apply from the next UTC day on after a change', () => {
    const tags = withTagKeys([], ['env'], NOON);

    expect(latestTagKeys(tags)).toEqual({ keys: ['env'], from: '2026-03-03' });
    expect(tagKeysOn(tags, Date.parse('2026-03-02T23:59:59Z'))).toEqual([]);
    expect(tagKeysOn(tags, Date.parse('2026-03-03'))).toEqual(['env']);
  });

  it('apply a day later after a change in the last hour, because processes may still use the former keys', () => {
    const tags = withTagKeys([], ['env'], Date.parse('2026-03-02T23:30:00Z'));

    expect(latestTagKeys(tags).from).toBe('2026-03-04');
  });

  it('keep one change when the same day is changed twice, and none when it is taken back', () => {
    const once = withTagKeys(initialTagKeys(['env']), ['team'], NOON);

    expect(withTagKeys(once, ['team', 'env'], NOON + HOUR_MS)).toHaveLength(2);
    expect(withTagKeys(once, ['env'], NOON + HOUR_MS)).toEqual(initialTagKeys(['env']));
  });

  it('never change for a day that has begun, and stay few', () => {
    const keys = fc.uniqueArray(fc.constantFrom('env', 'team', 'project'));
    const changes = fc.array(fc.record({ keys, afterHours: fc.integer({ min: 0, max: 3_000 }) }), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(changes, (all) => {
        let now = NOON;
        let tags: CostAllocationTags = [];
        for (const { keys, afterHours } of all) {
          now += afterHours * HOUR_MS;
          const changed = withTagKeys(tags, keys, now);
          for (let at = now; at > now - 760 * DAY_MS; at -= 20 * DAY_MS)
            expect(tagKeysOn(changed, at)).toEqual(tagKeysOn(tags, at));
          expect(latestTagKeys(changed).keys).toEqual(keys.toSorted());
          tags = changed;
        }
        expect(tags.length).toBeLessThanOrEqual(all.length);
      }),
    );
  });
});
