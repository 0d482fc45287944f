import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import type { Attribution } from '../../../../functions/ledger/records/attribution.ts';
import { findFocusViolations } from '../focusValidator.ts';
import { exportInMemory, fileTextOf } from '../inMemoryExport.ts';
import { anAllocatedRecord, aRecord, byPersons } from '../records.ts';

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

  it('are merged into the tenant when their service has too few persons', async () => {
    const records = [
      ...byPersons(2, { owner: 'team-a' }, 'a'),
      ...byPersons(5, { owner: 'team-b', service: 'answers' }, 'b'),
      ...byPersons(9, { owner: 'team-c', service: 'answers' }, 'c'),
    ];

    expect(await visibleGroups(records)).toEqual(['- - Tenant', 'team-c answers -']);
  });

  it('are merged into the provider before the tenant when grouped by provider', async () => {
    const records = [
      ...byPersons(3, { owner: 'team-a', service: 'one' }, 'a'),
      ...byPersons(3, { owner: 'team-b', service: 'two' }, 'b'),
      ...byPersons(5, { owner: 'team-c', service: 'three' }, 'c'),
    ];
    const group_by = ['owner', 'service', 'provider'];

    expect(await visibleGroups(records, { group_by })).toEqual(['- - Provider', 'team-c three -']);
    expect(await visibleGroups(records)).toEqual(['- - Tenant', 'team-c three -']);
  });

  it('are merged at the tenant level with others until they have five persons', async () => {
    const records = [
      ...byPersons(1, { owner: 'team-a', service: 'one' }, 'a'),
      ...byPersons(1, { owner: 'team-b', service: 'two' }, 'b'),
      ...byPersons(5, { owner: 'team-c', service: 'three' }, 'c'),
      aRecord({ owner: 'program', service: 'four' }),
    ];

    expect(await visibleGroups(records)).toEqual(['- - Tenant', 'program four -']);
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

  it('hide the time and ids of suppressed calls', async () => {
    const few = byPersons(2, { owner: 'team-a' });
    const { contents } = await exportInMemory(few, { ...OCTOBER, granularity: 'record' });
    const rows = parse<Record<string, string>>([...contents.values()][0] ?? '', { columns: true });

    expect(rows.map((row) => [row['ChargePeriodStart'], row['x_RecordId'], row['x_InvocationId']])).toEqual([
      ['2026-10-14T00:00:00Z', '', ''],
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
        ['provider-often', 'Input Tokens', '0.0054'],
        ['provider-often', 'Output Tokens', '0.00576'],
        ['Several providers', 'Requests', '0.00992'],
      ]);
      expect(findFocusViolations(fileTextOf(file), '1.4')).toEqual([]);
    },
  );

  it('name a cost recipient of an allocation only if its own group is shown', async () => {
    const ledger = (chat: number) => [
      ...byPersons(5, {}, 'a'),
      ...byPersons(9, { owner: 'team-other', service: 'answers' }, 'o'),
      ...byPersons(chat, { owner: 'team-chat', service: 'answers' }, 'b'),
      anAllocatedRecord(),
    ];
    const bearersOf = async (chat: number) => {
      const { contents } = await exportInMemory(
        ledger(chat),
        { ...OCTOBER, cost_mode: 'showback' },
        { split: true },
      );
      return parse<Record<string, string>>([...contents.values()][0] ?? '', { columns: true })
        .filter((row) => row['AllocatedMethodId'] !== '')
        .map((row) => row['AllocatedResourceName'])
        .sort();
    };

    expect(await bearersOf(5)).toEqual(['team-chat', 'team-search']);
    expect(await bearersOf(4)).toEqual(['', 'team-search']);
  });
});
