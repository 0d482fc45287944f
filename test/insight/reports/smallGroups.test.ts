import { describe, expect, it } from 'vitest';
import { LENGTH } from '../../../functions/ledger/rollups/grain.ts';
import { type Call, team } from './calls.ts';
import { runAdoptionReport, runUsageReport } from './runReport.ts';

describe('the usage report of large teams', () => {
  const teams = ['ads', 'search', 'legal'];
  const providers = ['openai', 'anthropic'] as const;
  const weekdays = [0, 1, 2, 3, 4].map((day) => Date.parse('2026-03-02') + day * LENGTH.day);
  const busy: Call[] = weekdays.flatMap((day) =>
    teams.flatMap((owner) =>
      team(owner, 8).flatMap((person, index) =>
        providers.map((provider) => ({
          at: day + (9 + (index % 4)) * LENGTH.hour,
          person,
          owner,
          service: `${owner}-assistant`,
          provider,
        })),
      ),
    ),
  );

  it('has one row for each day, owner, service and provider', async () => {
    const { rows, totals, period } = await runUsageReport(
      busy,
      Date.parse('2026-03-01'),
      Date.parse('2026-03-08'),
      {
        group_by: ['owner', 'service', 'provider'],
        interval: 'day',
      },
    );

    expect(rows).toHaveLength(weekdays.length * teams.length * providers.length);
    expect(new Set(rows.map(({ invocations }) => invocations))).toEqual(new Set([8]));
    expect(rows.map(({ kind }) => kind)).toEqual(rows.map(() => 'group'));
    expect(totals).toMatchObject({ invocations: 240, suppressed_groups: 0 });
    expect(period.exact).toBe(true);
  });

  it('contains only whole cohorts when the range ends within a day', async () => {
    const [day = 0] = weekdays;

    const { totals, period } = await runUsageReport(busy, day, day + 10 * LENGTH.hour);

    // The first hour has fewer than five persons of each team. Five are reached in the second hour.
    expect(totals.invocations).toBe(0);
    expect(period.exact).toBe(false);
  });

  it('folds a small team into its service together with the next smallest team', async () => {
    const [day = 0] = weekdays;
    const small: Call[] = team('guests', 2).map((person) => ({
      at: day,
      person,
      owner: 'guests',
      service: 'shared',
    }));
    const shared: Call[] = team('tools', 5).map((person) => ({
      at: day,
      person,
      owner: 'tools',
      service: 'shared',
    }));

    const { rows } = await runUsageReport([...busy, ...small, ...shared], day, day + LENGTH.day, {
      group_by: ['owner', 'service'],
    });

    expect(rows.filter(({ kind }) => kind === 'folded')).toMatchObject([
      { service: 'shared', invocations: 7, suppressed_groups: 2 },
    ]);
    expect(rows.filter(({ kind }) => kind === 'group')).toHaveLength(teams.length);
  });

  it('names the largest groups and sums the others into one row', async () => {
    const rich = busy.map((call) => (call.owner === 'legal' ? { ...call, cost: '3' } : call));

    const { rows } = await runUsageReport(rich, Date.parse('2026-03-01'), Date.parse('2026-04-01'), {
      group_by: ['owner'],
      top: 1,
    });

    expect(rows).toMatchObject([
      { kind: 'group', owner: 'legal', cost_usd: '240' },
      { kind: 'other', cost_usd: '160' },
    ]);
    expect(rows[1]).not.toHaveProperty('owner');
  });
});

describe('calls of few persons', () => {
  const day = Date.parse('2026-03-02');
  const six = team('ads', 6).map((person): Call => ({ at: day, person, owner: 'ads' }));

  it('are counted on the day by which five persons have called', async () => {
    const [first, ...others] = six;
    const early = { ...first, at: day - LENGTH.day };

    const { rows, period } = await runUsageReport([early, ...others], day - LENGTH.day, day + LENGTH.day, {
      interval: 'day',
    });

    expect(rows).toMatchObject([{ interval_start: '2026-03-02T00:00:00.000Z', invocations: 6 }]);
    expect(period.exact).toBe(false);
  });

  it('are counted on an earlier day when the month ends before five persons have called', async () => {
    const late = { ...six[0], at: day + 3 * LENGTH.day };

    const { rows } = await runUsageReport([...six, late], day, day + 5 * LENGTH.day, { interval: 'day' });

    expect(rows).toMatchObject([{ interval_start: '2026-03-02T00:00:00.000Z', invocations: 7 }]);
  });

  it('are one sum with all other calls in a month with fewer than five persons', async () => {
    const few = six.slice(0, 4);
    const service: Call = { at: day + LENGTH.day, owner: 'batch', service: 'nightly' };

    const { rows } = await runUsageReport([...few, service], day, day + 5 * LENGTH.day, {
      group_by: ['owner'],
      interval: 'day',
    });

    expect(rows).toMatchObject([{ kind: 'folded', invocations: 5, suppressed_groups: 2 }]);
  });

  it('are not shown separately by a state that only they have', async () => {
    const [odd, ...others] = six;

    const { totals } = await runUsageReport(
      [{ ...odd, at: day, state: 'manually_overridden' }, ...others],
      day,
      day + LENGTH.day,
    );

    expect(Object.keys(totals.output_states)).toEqual(['mixed']);
  });

  it('do not hide the states of others by a state that only calls without a person have', async () => {
    const predicted: Call = { at: day, owner: 'ads', state: 'weakly_inferred', band: 'provisional' };

    const { totals } = await runUsageReport([...six, predicted], day, day + LENGTH.day);

    expect(totals).toMatchObject({
      output_states: {
        deterministically_resolved: { invocations: 6, cost_usd: '6' },
        weakly_inferred: { invocations: 1, cost_usd: '1' },
      },
      confidence_bands: {
        chargeback_ready: { invocations: 6, cost_usd: '6' },
        provisional: { invocations: 1, cost_usd: '1' },
      },
    });
  });

  it('are hidden from a credential of their lane, and exact is false', async () => {
    const otherLane = team('otherLane', 2).map(
      (person): Call => ({ at: day, person, owner: 'ads', lane: 'us' }),
    );
    const ownLane = [
      ...six,
      ...team('more', 6).map((person): Call => ({ at: day, person, owner: 'ads' })),
    ].map((call): Call => ({ ...call, lane: 'eu' }));

    const laneReport = await runUsageReport([...ownLane, ...otherLane], day, day + LENGTH.day, {
      lane: 'us',
    });
    const fullReport = await runUsageReport([...ownLane, ...otherLane], day, day + LENGTH.day);

    expect(laneReport).toMatchObject({ rows: [], totals: { invocations: 0 }, period: { exact: false } });
    expect(fullReport.totals.invocations).toBe(14);
  });
});

describe('calls without a person', () => {
  const day = Date.parse('2026-03-02');
  const many = team('ads', 6).map((person): Call => ({ at: day, person, owner: 'ads', service: 'writer' }));

  it('are shown by hour', async () => {
    const nightly: Call = { at: day + LENGTH.hour, owner: null, service: 'nightly' };

    const { rows } = await runUsageReport([...many, nightly], day, day + LENGTH.day, {
      group_by: ['owner', 'hour'],
    });

    expect(rows).toContainEqual(
      expect.objectContaining({
        kind: 'group',
        owner: null,
        hour: '2026-03-02T01:00:00.000Z',
        invocations: 1,
      }),
    );
  });

  it.each(['ads-0', 'ann@example.org'])(
    'count as calls of a person when their owner is an identity: %s',
    async (owner) => {
      const own: Call = { at: day, owner, service: 'writer' };

      const { rows } = await runUsageReport([...many, own], day, day + LENGTH.day, { group_by: ['owner'] });

      expect(rows).toMatchObject([{ kind: 'folded', invocations: 7 }]);
      expect(JSON.stringify(rows)).not.toContain(owner);
    },
  );

  it('have cost null instead of zero when it is unknown', async () => {
    const { totals } = await runUsageReport([{ at: day, cost: null }], day, day + LENGTH.day);

    expect(totals).toMatchObject({ cost_usd: null, energy_wh: null, unpriced_invocations: 1 });
  });
});

describe('an owner that is an identity', () => {
  it('is folded even with five persons or more', async () => {
    const day = Date.parse('2026-03-02');
    const identityCalls = team('ads', 6).map((person): Call => ({ at: day, person, owner: 'ads-0' }));
    const others = team('search', 6).map((person): Call => ({ at: day, person, owner: 'search' }));

    const { rows } = await runUsageReport([...identityCalls, ...others], day, day + LENGTH.day, {
      group_by: ['owner'],
    });

    expect(rows).toMatchObject([
      { kind: 'group', owner: 'search' },
      { kind: 'folded', invocations: 6 },
    ]);
  });
});

describe('the adoption report', () => {
  const day = Date.parse('2026-03-02');
  const by = (name: string, size: number, at = day): Call[] =>
    team(name, size).map((person): Call => ({ at, person, owner: name }));

  it('counts each person once and rounds down to multiples of five', async () => {
    const { rows, totals } = await runAdoptionReport(
      [...by('ads', 13), ...by('ads', 8, day + LENGTH.day)],
      day,
      day + 2 * LENGTH.day,
      {
        interval: 'day',
      },
    );

    expect(rows.map(({ persons }) => persons)).toEqual([10, 5]);
    expect(totals).toMatchObject({ persons: 10, persons_estimated: false, invocations: 21 });
  });

  it('folds the same groups as the usage report', async () => {
    const calls_ = [...by('ads', 9), ...by('search', 7), ...by('guests', 3)];

    const { rows } = await runAdoptionReport(calls_, day, day + LENGTH.day, { group_by: ['owner'] });

    expect(rows).toMatchObject([
      { kind: 'group', owner: 'ads', persons: 5 },
      { kind: 'folded', persons: 10, suppressed_groups: 2 },
    ]);
  });

  it('sets persons_estimated when many persons are estimated', async () => {
    const { totals } = await runAdoptionReport(by('ads', 300), day, day + LENGTH.day);

    expect(totals.persons_estimated).toBe(true);
    expect(totals.persons).toBeGreaterThan(150);
    expect(totals.persons).toBeLessThan(450);
  });
});
