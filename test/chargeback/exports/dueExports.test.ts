import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dueAt, exportOf } from '../../../functions/chargeback/exports/schedules/dueExports.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { ExportSchedule } from '../../../schemas/chargeback/exports.ts';
import { aTenant } from '../../attribution/engine/events.ts';

const HOUR = 60 * 60 * 1_000;

const aSchedule = (members: Partial<ExportSchedule> = {}): ExportSchedule =>
  ExportSchedule.parse({
    id: 'sch_abcdefgh01ARZ3NDEKTSV4RRFFQ69G5FAV',
    every: 'month',
    request: { format: 'focus', group_by: ['owner'] },
    residency: null,
    created_at: '2020-01-01T00:00:00.000Z',
    created_by: 'key_1',
    ...members,
  });

/** The exports of a schedule that are due, of totals that were not exported before. */
const dueExports = (tenantOf: Tenant, schedule: ExportSchedule, now: number) =>
  dueAt([schedule], now).flatMap(
    (due) => exportOf(tenantOf, schedule, due, { isAgain: false, digest: null }, [], now) ?? [],
  );
const dueOn = (now: string, members: Partial<ExportSchedule> = {}) =>
  dueExports(aTenant(), aSchedule(members), Date.parse(now)).map(({ request, edition }) =>
    [request.period.from.slice(0, 10), request.period.to.slice(0, 10), edition].join(' '),
  );

describe('dueExports', () => {
  it.each([
    [
      'day',
      '2026-11-20T02:59:59Z',
      [
        '2026-11-01 2026-11-19 provisional',
        '2026-10-01 2026-11-01 provisional',
        '2026-10-01 2026-11-01 final',
      ],
    ],
    [
      'day',
      '2026-11-20T03:00:00Z',
      [
        '2026-11-01 2026-11-20 provisional',
        '2026-10-01 2026-11-01 provisional',
        '2026-10-01 2026-11-01 final',
      ],
    ],
    ['day', '2026-11-01T03:00:00Z', ['2026-10-01 2026-11-01 provisional', '2026-09-01 2026-10-01 final']],
    [
      'day',
      '2026-11-01T02:00:00Z',
      [
        '2026-10-01 2026-10-31 provisional',
        '2026-09-01 2026-10-01 provisional',
        '2026-09-01 2026-10-01 final',
      ],
    ],
    ['month', '2026-11-09T02:59:59Z', ['2026-10-01 2026-11-01 provisional', '2026-09-01 2026-10-01 final']],
    ['month', '2026-11-09T03:00:00Z', ['2026-10-01 2026-11-01 provisional', '2026-10-01 2026-11-01 final']],
    ['month', '2027-01-01T03:00:00Z', ['2026-12-01 2027-01-01 provisional', '2026-11-01 2026-12-01 final']],
  ] as const)('returns the exports of a schedule by %s at %s', (every, now, expected) => {
    expect(dueOn(now, { every })).toEqual(expected);
  });

  it('returns no export that was due before the schedule existed', () => {
    const created_at = '2026-11-05T10:00:00.000Z';

    expect(dueOn('2026-11-05T12:00:00Z', { every: 'day', created_at })).toEqual([]);
    expect(dueOn('2026-11-09T03:00:00Z', { every: 'day', created_at })).toEqual([
      '2026-11-01 2026-11-09 provisional',
      '2026-10-01 2026-11-01 final',
    ]);
  });

  it('returns nothing for a lane that the tenant no longer has', () => {
    expect(dueOn('2026-11-20T03:00:00Z', { residency: 'eu' })).toEqual([]);
  });

  it('returns one id for each period and edition at any time', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('day' as const, 'month' as const),
        fc.array(fc.nat({ max: 70 * 24 * 6 }), { minLength: 2, maxLength: 40 }),
        (every, ticks) => {
          const periods = new Map<string, string>();
          for (const tick of ticks) {
            const now = Date.parse('2026-09-20T00:00:00Z') + tick * (HOUR / 6);
            for (const job of dueExports(aTenant(), aSchedule({ every }), now)) {
              const identity = JSON.stringify([job.request.period, job.edition]);
              expect(periods.get(job.job_id) ?? identity).toBe(identity);
              periods.set(job.job_id, identity);
              expect(Date.parse(job.request.period.to)).toBeLessThan(now);
            }
          }
          expect(new Set(periods.values()).size).toBe(periods.size);
        },
      ),
    );
  });
});
