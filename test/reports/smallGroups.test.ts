import { describe, expect, it } from 'vitest';
import { LENGTH } from '../../functions/rollups/grain.ts';
import { type Call, team } from './calls.ts';
import { runAdoptionReport, runUsageReport } from './runReport.ts';

describe('a tenant of large teams', () => {
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

  it('sees every day of every owner, service and provider by itself', async () => {
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

  it('sees the days of a range that ends within one exactly up to its last whole cohort', async () => {
    const [day = 0] = weekdays;

    const { totals, period } = await runUsageReport(busy, day, day + 10 * LENGTH.hour);

    // Two hours bring five persons of each team together: the first alone is none.
    expect(totals.invocations).toBe(0);
    expect(period.exact).toBe(false);
  });

  it('has a small team folded into its service, with the next smallest', async () => {
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

  it('names its largest groups and sums the others up', async () => {
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

  it('move to the day on which five have called', async () => {
    const [first, ...others] = six;
    const early = { ...first, at: day - LENGTH.day };

    const { rows, period } = await runUsageReport([early, ...others], day - LENGTH.day, day + LENGTH.day, {
      interval: 'day',
    });

    expect(rows).toMatchObject([{ interval_start: '2026-03-02T00:00:00.000Z', invocations: 6 }]);
    expect(period.exact).toBe(false);
  });

  it('move back where the month ends before five have', async () => {
    const late = { ...six[0], at: day + 3 * LENGTH.day };

    const { rows } = await runUsageReport([...six, late], day, day + 5 * LENGTH.day, { interval: 'day' });

    expect(rows).toMatchObject([{ interval_start: '2026-03-02T00:00:00.000Z', invocations: 7 }]);
  });

  it('are one sum with all else, in a month that names no more', async () => {
    const few = six.slice(0, 4);
    const service: Call = { at: day + LENGTH.day, owner: 'batch', service: 'nightly' };

    const { rows } = await runUsageReport([...few, service], day, day + 5 * LENGTH.day, {
      group_by: ['owner'],
      interval: 'day',
    });

    expect(rows).toMatchObject([{ kind: 'folded', invocations: 5, suppressed_groups: 2 }]);
  });

  it('are not told from others by a state that only they are in', async () => {
    const [odd, ...others] = six;

    const { totals } = await runUsageReport(
      [{ ...odd, at: day, state: 'manually_overridden' }, ...others],
      day,
      day + LENGTH.day,
    );

    expect(Object.keys(totals.output_states)).toEqual(['mixed']);
  });

  it('are kept from a credential of their lane, which is told that something is', async () => {
    const abroad = team('abroad', 2).map((person): Call => ({ at: day, person, owner: 'ads', lane: 'us' }));
    const home = [...six, ...team('more', 6).map((person): Call => ({ at: day, person, owner: 'ads' }))].map(
      (call): Call => ({ ...call, lane: 'eu' }),
    );

    const bound = await runUsageReport([...home, ...abroad], day, day + LENGTH.day, { lane: 'us' });
    const free = await runUsageReport([...home, ...abroad], day, day + LENGTH.day);

    expect(bound).toMatchObject({ rows: [], totals: { invocations: 0 }, period: { exact: false } });
    expect(free.totals.invocations).toBe(14);
  });
});

describe('calls that name nobody', () => {
  const day = Date.parse('2026-03-02');
  const many = team('ads', 6).map((person): Call => ({ at: day, person, owner: 'ads', service: 'writer' }));

  it('are shown as they are, by the hour', async () => {
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
    'count as those of a person where their owner is one: %s',
    async (owner) => {
      const own: Call = { at: day, owner, service: 'writer' };

      const { rows } = await runUsageReport([...many, own], day, day + LENGTH.day, { group_by: ['owner'] });

      expect(rows).toMatchObject([{ kind: 'folded', invocations: 7 }]);
      expect(JSON.stringify(rows)).not.toContain(owner);
    },
  );

  it('have no cost where none is known, instead of none', async () => {
    const { totals } = await runUsageReport([{ at: day, cost: null }], day, day + LENGTH.day);

    expect(totals).toMatchObject({ cost_usd: null, energy_wh: null, unpriced_invocations: 1 });
  });
});

describe('an owner that is an identity', () => {
  it('is folded however many persons stand behind it', async () => {
    const day = Date.parse('2026-03-02');
    const boss = team('ads', 6).map((person): Call => ({ at: day, person, owner: 'ads-0' }));
    const others = team('search', 6).map((person): Call => ({ at: day, person, owner: 'search' }));

    const { rows } = await runUsageReport([...boss, ...others], day, day + LENGTH.day, {
      group_by: ['owner'],
    });

    expect(rows).toMatchObject([
      { kind: 'group', owner: 'search' },
      { kind: 'folded', invocations: 6 },
    ]);
  });
});

describe('an adoption report', () => {
  const day = Date.parse('2026-03-02');
  const by = (name: string, size: number, at = day): Call[] =>
    team(name, size).map((person): Call => ({ at, person, owner: name }));

  it('counts persons once, rounded down to fives', async () => {
    const { rows, totals } = await runAdoptionReport(
      [...by('ads', 13), ...by('ads', 8, day + LENGTH.day)],
      day,
      day + 2 * LENGTH.day,
      {
        interval: 'day',
      },
    );

    expect(rows.map(({ persons }) => persons)).toEqual([10, 5]);
    expect(totals).toMatchObject({ persons: 10, persons_exact: true, invocations: 21 });
  });

  it('folds what the usage report folds', async () => {
    const calls_ = [...by('ads', 9), ...by('search', 7), ...by('guests', 3)];

    const { rows } = await runAdoptionReport(calls_, day, day + LENGTH.day, { group_by: ['owner'] });

    expect(rows).toMatchObject([
      { kind: 'group', owner: 'ads', persons: 5 },
      { kind: 'folded', persons: 10, suppressed_groups: 2 },
    ]);
  });

  it('says where many persons are estimated', async () => {
    const { totals } = await runAdoptionReport(by('ads', 300), day, day + LENGTH.day);

    expect(totals.persons_exact).toBe(false);
    expect(totals.persons).toBeGreaterThan(150);
    expect(totals.persons).toBeLessThan(450);
  });
});
