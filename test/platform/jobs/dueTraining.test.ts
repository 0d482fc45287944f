import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DueJob, dueJobs, dueTraining } from '../../../functions/platform/jobs/dueJobs.ts';
import { TRAINING_INTERVAL_MS } from '../../../schemas/attribution/models.ts';
import { aTenant } from '../../attribution/engine/events.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONDAY = Date.parse('2026-05-04T00:00:00Z');
const WEEK_HOURS = 7 * 24;

/** Each job with the time at which it was first due, for the ticks of a schedule. */
const jobsDueOver = (tenant: Parameters<typeof dueJobs>[0], ticks: readonly number[]) => {
  const opened = new Map<string, { readonly job: DueJob; readonly at: number }>();
  let since = (ticks[0] ?? 0) - HOUR;
  for (const now of ticks) {
    for (const job of dueJobs(tenant, { since, now }))
      if (!opened.has(job.ulid)) opened.set(job.ulid, { job, at: now });
    since = now;
  }
  return [...opened.values()];
};

const allocationsIn = (opened: ReturnType<typeof jobsDueOver>) =>
  opened.flatMap(({ job: { request }, at }) =>
    request.type === 'allocation'
      ? [{ from: Date.parse(request.period.from), to: Date.parse(request.period.to), at }]
      : [],
  );
const tenant = aTenant();
const hourly = (hours: number) => Array.from({ length: hours }, (_, hour) => MONDAY + hour * HOUR);

describe('dueJobs over hourly ticks', () => {
  it('has an allocation of each day two hours after its end, and again after a week', () => {
    const allocations = allocationsIn(jobsDueOver(tenant, hourly(WEEK_HOURS))).filter(
      ({ at }) => at > MONDAY + HOUR,
    );

    for (const { from, to, at } of allocations) {
      expect([to - from, from % DAY]).toEqual([DAY, 0]);
      expect([2 * HOUR, 7 * DAY]).toContain(at - to);
    }
    const first = allocations.filter(({ at, to }) => at - to === 2 * HOUR);
    expect(first.map(({ to }) => to)).toEqual(Array.from({ length: 7 }, (_, day) => MONDAY + day * DAY));
    expect(allocations.filter(({ at, to }) => at - to === 7 * DAY)).toHaveLength(6);
  });

  it('has every job exactly once when ticks are late or missing', () => {
    const lateness = fc.integer({ min: 0, max: HOUR - 1 });
    // Two consecutive ticks may be missing.
    const schedules = fc.array(fc.tuple(lateness, fc.nat({ max: 2 })), {
      minLength: 1_000,
      maxLength: 1_000,
    });

    fc.assert(
      fc.property(schedules, (schedule) => {
        const ticks: number[] = [];
        let hour = 0;
        for (const [late, missed] of schedule) {
          ticks.push(MONDAY + hour * HOUR + late);
          hour += 1 + missed;
          if (hour >= 3 * WEEK_HOURS) break;
        }

        const opened = jobsDueOver(tenant, ticks);

        const allocations = allocationsIn(opened);
        for (const { to, at } of allocations) expect(at - to).toBeGreaterThanOrEqual(2 * HOUR);
        // Days that started and became a week old within these weeks are allocated twice.
        for (let day = 0; day < 12; day += 1) {
          const waits = allocations
            .filter(({ from }) => from === MONDAY + day * DAY)
            .map(({ at, to }) => at - to);
          expect(waits).toHaveLength(2);
          const [soon = 0, late = 0] = waits;
          expect([soon < 2 * HOUR + 4 * HOUR, late >= 7 * DAY, late < 7 * DAY + 4 * HOUR]).toEqual([
            true,
            true,
            true,
          ]);
        }
      }),
      { numRuns: 30 },
    );
  });
});

it('has the allocations of every day that an outage of days left out', () => {
  const [before, after] = [MONDAY + 3 * HOUR, MONDAY + 5 * DAY + 3 * HOUR];
  const allocations = allocationsIn(jobsDueOver(tenant, [before, after])).filter(({ at }) => at === after);

  const missed = Array.from({ length: 5 }, (_, day) => MONDAY + (day + 1) * DAY);
  expect(allocations.map(({ to }) => to)).toEqual([...missed, ...missed.map((to) => to - 7 * DAY)]);
});

it('has no allocation when the method is none', () => {
  expect(jobsDueOver({ ...tenant, allocation: { method: 'none' } }, hourly(WEEK_HOURS))).toEqual([]);
});

it('gives a job the same ULID on every call, and different ULIDs per tenant', () => {
  const idsOf = (tenant_id: string) =>
    [
      dueTraining({ tenant_id }, MONDAY),
      ...dueJobs(aTenant({ tenant_id }), { since: MONDAY, now: MONDAY }),
    ].map(({ ulid }) => ulid);

  expect(idsOf('acme')).toEqual(idsOf('acme'));
  expect(new Set([...idsOf('acme'), ...idsOf('globex')]).size).toBe(6);
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
