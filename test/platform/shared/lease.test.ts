import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { isHeld } from '../../../functions/platform/shared/time/lease.ts';
import { HOUR_MS } from '../../../schemas/durations.ts';

const NOW = Date.parse('2026-05-04T10:00:00Z');
const SKEW_MS = 5_000;

it('a lease is held for its lifetime, and never for longer by any clock', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: HOUR_MS }),
      fc.integer({ min: -HOUR_MS, max: HOUR_MS }),
      (lifetime, passed) => {
        const lease = { until: NOW + lifetime };

        const held = isHeld(lease, lifetime, NOW + passed);

        expect(held).toBe(passed >= -SKEW_MS && passed < lifetime);
      },
    ),
  );
});
