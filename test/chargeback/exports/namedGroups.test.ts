import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { aggregateCohorts } from '../../../functions/chargeback/exports/aggregation/cohortLines.ts';
import { buildOutputPlan } from '../../../functions/chargeback/exports/request/outputPlan.ts';
import { reportOf } from '../../../functions/insight/reports/report.ts';
import { sumUsage } from '../../../functions/insight/reports/reportTotals.ts';
import { readCohorts } from '../../../functions/ledger/cohorts/readCohorts.ts';
import type { Attribution } from '../../../functions/ledger/records/attribution.ts';
import type { RollupReader } from '../../../functions/ledger/rollups/rollup.store.ts';
import { groupOf, sumGroups } from '../../../functions/ledger/rollups/rollup.ts';
import { aRequest, exportInMemory } from './inMemoryExport.ts';
import { aRecord } from './records.ts';

const DAY = '2026-10-14';
const RANGE = { from: Date.parse('2026-10-01'), to: Date.parse('2026-11-01') };
const OCTOBER = { from: '2026-10-01', to: '2026-11-01' };

/** The totals of a day. */
const rollupsOf = (records: readonly Attribution[]): RollupReader => {
  const tags = { watched: new Set<string>(), costAllocation: [] };
  const groups = sumGroups(records.map((record) => groupOf(record, tags)));
  const start = Date.parse(DAY);
  return {
    read: async (_tenantId, { grain, from, to }) =>
      from <= start && start < to ? [{ start, grain, asOf: start, groups }] : [],
  };
};

/** Names of teams and services as companies choose them, and names of persons. */
const ORDINARY = ['team-search', '@acme/ml-platform', 'ml-team@acme.example', '@acme/npm-pkg', 'ranking'];
const people = Array.from({ length: 8 }, (_, index) => `person-${index}@acme.example`);
const label = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...ORDINARY) },
  { weight: 1, arbitrary: fc.constantFrom(...people.slice(0, 3)) },
);

/** Calls of one day. Each group has at least five persons, so only its labels can keep it from being named. */
const logs = fc
  .uniqueArray(
    fc.record({
      owner: label,
      service: label,
      persons: fc.integer({ min: 5, max: 8 }),
      nameless: fc.nat({ max: 1 }),
    }),
    { minLength: 1, maxLength: 6, selector: ({ owner, service }) => `${owner} ${service}` },
  )
  .map((groups) =>
    groups.flatMap(({ owner, service, persons, nameless }) => [
      ...people.slice(-persons).map((person) => aRecord({ owner, service, person, at: `${DAY}T12:00:00Z` })),
      ...Array.from({ length: nameless }, () => aRecord({ owner, service, at: `${DAY}T13:00:00Z` })),
    ]),
  );

const groupings = [['owner'], ['service'], ['owner', 'service']] as const;
type Grouping = (typeof groupings)[number];

const namesIn = (rows: readonly (readonly (string | null | undefined)[])[]): string[] =>
  [...new Set(rows.map((row) => row.join(' | ')))].sort();

const namedByReport = async (records: readonly Attribution[], group_by: Grouping) => {
  const { cohorts } = await readCohorts(rollupsOf(records), 'acme', RANGE, false);
  const { rows } = reportOf(cohorts, { group_by }, RANGE, null, sumUsage);
  return namesIn(
    rows.filter(({ kind }) => kind === 'group').map((row) => group_by.map((field) => row[field])),
  );
};

const COLUMNS = { owner: 'SubAccountId', service: 'x_ConsumingServiceName' } as const;
const namedByRecords = async (records: readonly Attribution[], group_by: Grouping) => {
  const { contents } = await exportInMemory(records, { period: OCTOBER, group_by });
  const rows = [...contents.values()].flatMap((content) =>
    parse<Record<string, string>>(content, { columns: true }),
  );
  return namesIn(
    rows
      .filter((row) => row['x_RollupLevelName'] === '')
      .map((row) => group_by.map((field) => row[COLUMNS[field]]?.replace(/^'/, ''))),
  );
};

const namedByCohorts = async (records: readonly Attribution[], group_by: Grouping) => {
  const request = aRequest({ period: OCTOBER, group_by });
  const tenant = { tenant_id: 'acme', name: 'Acme' };
  const { grain } = buildOutputPlan(request, { tenant, lane: null, issuer: 'Acme' });
  const { cohorts } = await readCohorts(rollupsOf(records), 'acme', RANGE, false);
  const { lines } = aggregateCohorts(cohorts, grain);
  return namesIn(
    lines.filter(({ key }) => key.rollup === null).map(({ key }) => group_by.map((field) => key[field])),
  );
};

it.each(groupings.map((group_by) => [group_by.join(' and '), group_by] as const))(
  'by %s, reports and exports name the same groups, whatever the labels look like',
  async (_, group_by) => {
    await fc.assert(
      fc.asyncProperty(logs, async (records) => {
        const named = await namedByReport(records, group_by);

        expect(await namedByCohorts(records, group_by)).toEqual(named);
        expect(await namedByRecords(records, group_by)).toEqual(named);
      }),
      { numRuns: 60 },
    );
  },
);

it('names a team of twelve persons with an at sign in its name, and never a person who calls', async () => {
  const teams = ['@acme/ml-platform', 'ml-team@acme.example', 'team-plain', 'person-3@acme.example'];
  const records = teams.flatMap((owner, team) =>
    Array.from({ length: 12 }, (_, index) =>
      aRecord({ owner, person: `person-${team * 3 + index}@acme.example`, at: `${DAY}T12:00:00Z` }),
    ),
  );

  expect(await namedByReport(records, ['owner'])).toEqual(teams.slice(0, 3));
  expect(await namedByRecords(records, ['owner'])).toEqual(teams.slice(0, 3));
});

it.each([
  ['the address of somebody', 'ann@example.org', false],
  ['the handle of somebody', '@ann', false],
  ['an address in a scope', '@acme/ann@example.org', false],
  ['a team', '@acme/ml-platform', true],
  ['a plain name', 'program', true],
])('names %s under which no person is known to call only if it is no address', async (_, owner, isNamed) => {
  const records = [
    ...people.map((person) => aRecord({ owner: 'team-search', person, at: `${DAY}T12:00:00Z` })),
    aRecord({ owner, at: `${DAY}T12:00:00Z` }),
  ];

  expect((await namedByReport(records, ['owner'])).includes(owner)).toBe(isNamed);
  expect((await namedByRecords(records, ['owner'])).includes(owner)).toBe(isNamed);
});
