import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { recordCohorts } from '../../../../functions/chargeback/exports/aggregation/recordCohorts.ts';
import type { Attribution } from '../../../../functions/ledger/records/attribution.ts';
import { findFocusViolations } from '../focusValidator.ts';
import { exportInMemory, fileTextOf } from '../inMemoryExport.ts';
import { aRecord, byPersons } from '../records.ts';
import { rollupsOfRecords, shownCohortsOf, TAGS } from '../shownCohorts.ts';

const MONTH = { from: Date.parse('2026-10-01'), to: Date.parse('2026-11-01') };
const OCTOBER = { period: { from: '2026-10-01', to: '2026-11-01' } };

/** Owner, service and parent level of each visible group. */
const visibleGroups = async (records: readonly Attribution[], members: Record<string, unknown> = {}) => {
  const { contents } = await exportInMemory(records, { ...OCTOBER, ...members });
  const rows = [...contents.values()].flatMap((content) =>
    parse<Record<string, string>>(content, { columns: true }),
  );
  const groups = rows.map((row) =>
    ['SubAccountId', 'x_ConsumingServiceName', 'x_RollupLevelName'].map((name) => row[name] || '-').join(' '),
  );
  return [...new Set(groups)].sort();
};

describe('export groups', () => {
  it('are shown with five persons or with none', async () => {
    const program = aRecord({ owner: 'team-batch' });

    expect(await visibleGroups([...byPersons(5), program])).toEqual([
      'team-batch ranking -',
      'team-search ranking -',
    ]);
  });

  it('are merged with a sibling when they have fewer than five persons', async () => {
    const records = [
      ...byPersons(4, { owner: 'team-a' }),
      ...byPersons(9, { owner: 'team-b' }, 'b'),
      ...byPersons(6, { owner: 'team-c' }, 'c'),
      ...byPersons(5, { owner: 'team-c' }, 'c'),
    ];

    expect(await visibleGroups(records)).toEqual(['- ranking Service', 'team-c ranking -']);
  });

  it('leave other groups visible when two small groups are merged', async () => {
    const records = [
      ...byPersons(3, { owner: 'team-a' }, 'a'),
      ...byPersons(3, { owner: 'team-b' }, 'b'),
      ...byPersons(5, { owner: 'team-c' }, 'c'),
    ];

    expect(await visibleGroups(records)).toEqual(['- ranking Service', 'team-c ranking -']);
  });

  it('are merged above the service when it has too few persons', async () => {
    const records = [
      ...byPersons(2, { owner: 'team-a' }, 'a'),
      ...byPersons(5, { owner: 'team-b', service: 'answers' }, 'b'),
      ...byPersons(9, { owner: 'team-c', service: 'answers' }, 'c'),
    ];

    expect(await visibleGroups(records)).toEqual(['- - Provider', 'team-c answers -']);
  });

  it('are merged into the tenant when the provider has too few persons', async () => {
    const records = [
      ...byPersons(3, { owner: 'team-a', service: 'one', event: { provider: 'anthropic' } }, 'a'),
      ...byPersons(3, { owner: 'team-b', service: 'two' }, 'b'),
      ...byPersons(7, { owner: 'team-c', service: 'three' }, 'c'),
    ];

    expect(await visibleGroups(records)).toEqual(['- - Tenant', 'team-c three -']);
  });

  it('are merged with others until they have five persons', async () => {
    const records = [
      ...byPersons(1, { owner: 'team-a', service: 'one' }, 'a'),
      ...byPersons(1, { owner: 'team-b', service: 'two' }, 'b'),
      ...byPersons(5, { owner: 'team-c', service: 'three' }, 'c'),
      aRecord({ owner: 'program', service: 'four' }),
    ];

    expect(await visibleGroups(records)).toEqual(['- - Provider', 'program four -']);
  });

  it('are merged into the tenant when it has fewer than five persons', async () => {
    expect(await visibleGroups(byPersons(4))).toEqual(['- - Tenant']);
  });

  it('never have the name of a person, even with five persons or more', async () => {
    const records = [
      ...byPersons(6, { owner: 'person-3' }),
      aRecord({ owner: 'ann@example.org', service: 'other' }),
      ...byPersons(6, { owner: 'team-b', service: 'person-4' }),
    ];

    const shown = await visibleGroups(records);

    expect(shown.join()).not.toMatch(/person-|ann@/);
  });

  it('do not show a suppressed identity as the owner of another group', async () => {
    const records = [
      ...byPersons(6, { owner: 'person-3' }),
      // A program with the same name.
      aRecord({ owner: 'person-3', service: 'other' }),
    ];

    expect((await visibleGroups(records)).join()).not.toContain('person-3');
  });

  it('are suppressed for each month separately', async () => {
    const records = [...byPersons(5), ...byPersons(4, { at: '2026-09-14T00:00:00Z' })];
    const { manifest } = await exportInMemory(records);

    expect(manifest.cohorts).toEqual({ minimum: 5, folded_groups: 1, folded_cost_usd: '0.00496' });
  });

  it('count a day with fewer than five persons on the day by which five have called', async () => {
    const records = [
      ...byPersons(2, { at: '2026-10-12T09:30:00Z' }, 'a'),
      ...byPersons(3, { at: '2026-10-13T09:30:00Z' }, 'b'),
    ];
    const periodsBy = async (granularity: string) => {
      const { contents } = await exportInMemory(records, { ...OCTOBER, granularity });
      const rows = parse<Record<string, string>>([...contents.values()][0] ?? '', { columns: true });
      return new Set(rows.map((row) => [row['SubAccountId'], row['ChargePeriodStart']].join(' ')));
    };

    expect(await periodsBy('day')).toEqual(new Set(['team-search 2026-10-13T00:00:00Z']));
    expect(await periodsBy('record')).toEqual(
      new Set(['team-search 2026-10-13T00:00:00Z', 'team-search 2026-10-13T09:30:00Z']),
    );
  });

  it('are not named in a period that has only a part of their persons', async () => {
    const records = [
      ...byPersons(2, { at: '2026-10-12T09:30:00Z' }, 'a'),
      ...byPersons(3, { at: '2026-10-13T09:30:00Z' }, 'b'),
    ];
    const groupsOf = (from: string, to: string) => visibleGroups(records, { period: { from, to } });

    expect(await groupsOf('2026-10-13', '2026-10-14')).toEqual(['- - Tenant']);
    expect(await groupsOf('2026-10-12', '2026-10-13')).toEqual(['- - Tenant']);
    expect(await groupsOf('2026-10-12', '2026-10-14')).toEqual(['team-search ranking -']);
  });

  it('are named in a period of five and a half hours of which the totals divide a day', async () => {
    const records = [
      ...byPersons(6, { at: '2026-10-12T18:10:00Z' }, 'a'),
      ...byPersons(6, { owner: 'team-b', at: '2026-10-12T18:45:00Z' }, 'b'),
      ...byPersons(6, { owner: 'team-c', at: '2026-10-13T18:29:59Z' }, 'c'),
    ];
    const india = { from: '2026-10-12T18:30:00Z', to: '2026-10-13T18:30:00Z' };

    expect(await visibleGroups(records, { period: india })).toEqual(['team-b ranking -', 'team-c ranking -']);
  });

  it('have no row of their own while their calls are not in the totals', async () => {
    const late = aRecord({ person: 'person-9' });
    const index = await shownCohortsOf(rollupsOfRecords([...byPersons(6), late]), MONTH);
    const behind = recordCohorts(index, TAGS, Date.parse('2026-10-14T12:40:00Z'));

    expect(behind.cohortOf(late, Date.parse('2026-10-14T12:39:59Z'))?.labels.owner).toBe('team-search');
    expect(behind.cohortOf(late, Date.parse('2026-10-14T12:40:00Z'))).toBeNull();
    expect(behind.cohortOf(aRecord({ owner: 'team-new' }), 0)).toBeNull();
  });

  it('beyond the limit of groups are named as reports name them', async () => {
    const others = byPersons(6, { service: '(other)' });
    const index = await shownCohortsOf(rollupsOfRecords([...others, ...byPersons(6)]), MONTH);
    const { cohortOf } = recordCohorts(index, TAGS, null);

    expect(cohortOf(aRecord({ service: 'service-10001' }), 0)?.labels.service).toBe('(other)');
    expect(cohortOf(aRecord({ service: 'ranking' }), 0)?.labels.service).toBe('ranking');
    expect(cohortOf(aRecord({ owner: 'team-new' }), 0)).toBeNull();
  });

  it('hide the time and ids of suppressed calls', async () => {
    const few = byPersons(2, { owner: 'team-a' });
    const { contents } = await exportInMemory(few, { ...OCTOBER, granularity: 'record' });
    const rows = parse<Record<string, string>>([...contents.values()][0] ?? '', { columns: true });

    expect(rows.map((row) => [row['ChargePeriodStart'], row['x_RecordId'], row['x_InvocationId']])).toEqual([
      ['2026-10-14T00:00:00Z', '', ''],
    ]);
  });

  it.each([['served_model'], ['provider']])(
    'by %s do not reveal a suppressed group through a price',
    async (field) => {
      const using = (model: string, provider: string) => ({ event: { requested_model: model, provider } });
      const records = [
        ...byPersons(2, using('model-rare', 'provider-rare'), 'a'),
        ...byPersons(6, using('model-next', 'provider-next'), 'b'),
        ...byPersons(9, using('model-often', 'provider-often'), 'c'),
      ];

      const file = await exportInMemory(records, { ...OCTOBER, group_by: [field] });

      const rows = parse<Record<string, string>>([...file.contents.values()][0] ?? '', { columns: true });
      expect(fileTextOf(file)).not.toMatch(/-rare|-next/);
      expect(rows.map((row) => [row['ServiceProviderName'], row['SkuMeter'], row['ListCost']])).toEqual([
        ['Several providers', 'Requests', '0.00992'],
        ['provider-often', 'Input Tokens', '0.0054'],
        ['provider-often', 'Output Tokens', '0.00576'],
      ]);
      expect(findFocusViolations(fileTextOf(file), '1.4')).toEqual([]);
    },
  );
});
