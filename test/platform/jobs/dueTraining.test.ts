import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dueTraining } from '../../../functions/platform/jobs/dueJobs.ts';
import { TRAINING_INTERVAL_MS } from '../../../schemas/attribution/models.ts';
import { aTenant } from '../../attribution/engine/events.ts';

const MONDAY = Date.parse('2026-05-04T00:00:00Z');

const tenant = aTenant();

it('gives a job the same ULID on every call, and different ULIDs per tenant', () => {
  const idOf = (tenant_id: string) => dueTraining({ tenant_id }, MONDAY).ulid;

  expect(idOf('acme')).toBe(idOf('acme'));
  expect(idOf('acme')).not.toBe(idOf('globex'));
});

it('has one training for each interval, however often and late the schedule runs', () => {
  const offset = fc.integer({ min: 0, max: TRAINING_INTERVAL_MS - 1 });

  fc.assert(
    fc.property(fc.nat({ max: 10_000 }), offset, offset, (interval, one, other) => {
      const start = MONDAY + interval * TRAINING_INTERVAL_MS;
      const [first, second] = [one, other].map((late) => dueTraining(tenant, start + late));

      expect(second).toEqual(first);
      expect(dueTraining(tenant, start + TRAINING_INTERVAL_MS).ulid).not.toBe(first?.ulid);
      expect(first?.request).toEqual({ type: 'training', scheduled: true });
    }),
    { numRuns: 50 },
  );
});
