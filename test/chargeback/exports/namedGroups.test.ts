import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { aggregateCohorts } from '../../../functions/chargeback/exports/aggregation/cohortLines.ts';
import { recordCohorts } from '../../../functions/chargeback/exports/aggregation/recordCohorts.ts';
import type { Line } from '../../../functions/chargeback/exports/focus/line.ts';
import { buildOutputPlan } from '../../../functions/chargeback/exports/request/outputPlan.ts';
import { reportOf } from '../../../functions/insight/reports/report.ts';
import { sumUsage } from '../../../functions/insight/reports/reportTotals.ts';
import { readCohorts } from '../../../functions/ledger/cohorts/readCohorts.ts';
import type { Attribution } from '../../../functions/ledger/records/attribution.ts';
import { type Decimal, decimal } from '../../../functions/platform/shared/decimal.ts';
import { calendarIn } from '../../../functions/platform/shared/time/calendar.ts';
import { granularities } from '../../../schemas/chargeback/focus.ts';
import { formatFixedPoint } from '../../../schemas/fixedPoint.ts';
import { COHORT_MINIMUM } from '../../../schemas/insight/reports.ts';
import { aRequest, exportInMemory } from './inMemoryExport.ts';
import { aRecord } from './records.ts';
import { rollupsOfRecords, shownCohortsOf, TAGS } from './shownCohorts.ts';

const DAY = '2026-10-14';
const RANGE = { from: Date.parse('2026-10-01'), to: Date.parse('2026-11-01') };
const OCTOBER = { from: '2026-10-01', to: '2026-11-01' };

/** Names of teams and services as companies choose them, and names of persons. */
const ORDINARY = ['team-search', '@acme/ml-platform', 'ml-team@acme.example'];
const people = Array.from({ length: 8 }, (_, index) => `person-${index}@acme.example`);
const oftenAndSeldom = <Value>(often: readonly Value[], seldom: readonly Value[]): fc.Arbitrary<Value> =>
  fc.oneof(
    { weight: 7, arbitrary: fc.constantFrom(...often) },
    { weight: 1, arbitrary: fc.constantFrom(...seldom) },
  );
const label = oftenAndSeldom(ORDINARY, people.slice(0, 3));

/** Calls of groups on one to four days, most by four or five persons a day, with two models and calls that name nobody. */
const logs = fc
  .array(
    fc.record({
      owner: label,
      service: label,
      model: fc.constantFrom('gpt-4.1-mini', 'gpt-4o-mini'),
      env: fc.constantFrom('prod', 'dev', 'person-0@acme.example'),
      day: fc.integer({ min: 12, max: 15 }),
      first: fc.nat({ max: 7 }),
      persons: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(COHORT_MINIMUM - 1, COHORT_MINIMUM) },
        { weight: 2, arbitrary: fc.nat({ max: COHORT_MINIMUM - 2 }) },
      ),
      // A group with calls of nobody may be named whoever else calls.
      nameless: oftenAndSeldom([0], [1]),
    }),
    { minLength: 2, maxLength: 6 },
  )
  .map((groups) =>
    groups.flatMap(({ owner, service, model, env, day, first, persons, nameless }) => {
      const call = { owner, service, event: { requested_model: model, tags: [`env:${env}`] } };
      const calling = Array.from(
        { length: persons },
        (_, index) => people[(first + index) % people.length] ?? '',
      );
      return [
        ...calling.map((person) => aRecord({ ...call, person, at: `2026-10-${day}T12:00:00Z` })),
        ...Array.from({ length: nameless }, () => aRecord({ ...call, at: `2026-10-${day}T13:00:00Z` })),
      ];
    }),
  );

const groupings = [['owner'], ['owner', 'service'], ['owner', 'served_model'], ['owner', 'tag:env']] as const;
type Grouping = (typeof groupings)[number];

/** Cost by group. Calls whose group is not shown are under the name of nobody. */
type Costs = ReadonlyMap<string, string>;
const FOLDED = '';

/** The cost of the rows of each group. `valuesOf` returns null when a row does not name one. */
const costsBy = <Row>(
  rows: readonly Row[],
  valuesOf: (row: Row) => readonly (string | null | undefined)[] | null,
  costOf: (row: Row) => string,
): Costs => {
  const costs = new Map<string, Decimal>();
  for (const row of rows) {
    const name = valuesOf(row)?.join(' | ') ?? FOLDED;
    costs.set(name, (costs.get(name) ?? decimal('0')).plus(costOf(row)));
  }
  return new Map([...costs].map(([name, cost]) => [name, cost.toFixed()] as const).sort());
};

const named = (costs: Costs): Costs => new Map([...costs].filter(([name]) => name !== FOLDED));
const namesIn = (costs: Costs): string[] => [...named(costs).keys()];

const cohortsOf = async (records: readonly Attribution[]) =>
  (await readCohorts(rollupsOfRecords(records), 'acme', RANGE)).cohorts;

const reported = async (records: readonly Attribution[], group_by: Grouping): Promise<Costs> => {
  const { rows } = reportOf(await cohortsOf(records), { group_by }, RANGE, null, sumUsage, calendarIn('UTC'));
  return costsBy(
    rows,
    (row) =>
      row.kind === 'group'
        ? group_by.map((field) => (field === 'tag:env' ? row.tags?.['env'] : row[field]))
        : null,
    (row) => row.cost_usd ?? '0',
  );
};

/** Whether a row of a file shows all of these fields. The other columns of a row can be suppressed. */
const isShown = (values: readonly (string | null | undefined)[]): boolean =>
  values.every((value) => value !== null && value !== undefined && value !== '' && value !== 'several');

/** Exports name tags apart from fields. */
const termsOf = (group_by: Grouping) => ({
  group_by: group_by.filter((field) => field !== 'tag:env'),
  tags: group_by.some((field) => field === 'tag:env') ? ['env'] : [],
});

const Tags = z.object({ env: z.string().optional() });
const envIn = (members: string): string | undefined => Tags.parse(JSON.parse(members)).env;

const COLUMNS = {
  owner: 'SubAccountId',
  service: 'x_ConsumingServiceName',
  served_model: 'x_ServedModelId',
} as const;
const exportedRecords = async (
  records: readonly Attribution[],
  group_by: Grouping,
  members: object = {},
): Promise<Costs> => {
  const { contents } = await exportInMemory(records, { period: OCTOBER, ...termsOf(group_by), ...members });
  const rows = [...contents.values()].flatMap((content) =>
    parse<Record<string, string>>(content, { columns: true }),
  );
  const valuesOf = (row: Record<string, string>) => {
    const values = group_by.map((field) =>
      field === 'tag:env' ? envIn(row['Tags'] || '{}') : row[COLUMNS[field]]?.replace(/^'/, ''),
    );
    return isShown(values) ? values : null;
  };
  return costsBy(rows, valuesOf, (row) => row['ListCost'] ?? '0');
};

const KEYS = { owner: 'owner', service: 'service', served_model: 'servedModel' } as const;
const exportedCohorts = async (records: readonly Attribution[], group_by: Grouping): Promise<Costs> => {
  const request = aRequest({ period: OCTOBER, ...termsOf(group_by) });
  const tenant = { tenant_id: 'acme', name: 'Acme' };
  const { grain } = buildOutputPlan(request, { tenant, lane: null, issuer: 'Acme' });
  const { lines } = aggregateCohorts(await cohortsOf(records), grain);
  const valuesOf = ({ key }: Line) => {
    const values = group_by.map((field) =>
      field === 'tag:env' ? envIn(`{${key.tags ?? ''}}`) : key[KEYS[field]],
    );
    return isShown(values) ? values : null;
  };
  return costsBy(lines, valuesOf, ({ amounts }) => formatFixedPoint(amounts.cost));
};

const grouping = fc.constantFrom<Grouping>(...groupings);

// Equal costs of every group, so that no difference of two answers is the cost of anybody.
it('reports and exports name the same groups with the same cost, by any fields', async () => {
  const kinds = fc.record({ group_by: grouping, granularity: fc.constantFrom(...granularities) });
  await fc.assert(
    fc.asyncProperty(logs, kinds, async (records, { group_by, granularity }) => {
      const costs = await reported(records, group_by);

      expect(await exportedRecords(records, group_by, { granularity })).toEqual(costs);
      // It leaves out a month of fewer than five persons, which shows no band of confidence.
      expect(named(await exportedCohorts(records, group_by))).toEqual(named(costs));
    }),
    { numRuns: 25 },
  );
});

/** The records of a period, each with the group under whose name an export of it shows the record, before it writes files. */
const namedRecords = async (records: readonly Attribution[], group_by: Grouping, period = RANGE) => {
  const index = await shownCohortsOf(rollupsOfRecords(records), period);
  const { cohortOf } = recordCohorts(index, TAGS, null);
  const isInPeriod = ({ record }: Attribution): boolean => {
    const at = Date.parse(record.occurred_at);
    return period.from <= at && at < period.to;
  };
  return records.filter(isInPeriod).map((attribution) => {
    const labels = cohortOf(attribution, period.to)?.labels ?? {};
    const values = group_by.map((field) => labels[field]);
    return { attribution, group: isShown(values) ? values : null };
  });
};

// Without files, a hundred runs take half a second.
it('exports show each record under the name of the group in which reports count it, by any fields', async () => {
  await fc.assert(
    fc.asyncProperty(logs, grouping, async (records, group_by) => {
      const rows = await namedRecords(records, group_by);

      expect(
        costsBy(
          rows,
          ({ group }) => group,
          ({ attribution }) => attribution.record.cost_usd ?? '0',
        ),
      ).toEqual(await reported(records, group_by));
    }),
    { numRuns: 400 },
  );
});

it('an export of records for some of the days names no group of fewer than five persons, by any fields', async () => {
  const days = fc
    .uniqueArray(fc.integer({ min: 12, max: 16 }), { minLength: 2, maxLength: 2 })
    .map((two) => two.sort((one, other) => one - other).map((day) => Date.parse(`2026-10-${day}`)));
  await fc.assert(
    fc.asyncProperty(logs, grouping, days, async (records, group_by, [from = 0, to = 0]) => {
      const rows = await namedRecords(records, group_by, { from, to });

      const groups = rows.flatMap(({ group }) => (group === null ? [] : [group]));
      for (const group of new Map(groups.map((one) => [String(one), one])).values()) {
        const own = rows.filter(({ attribution: { record } }) =>
          group_by.every((field, index) => {
            const value = field === 'tag:env' ? record.tags[0]?.slice('env:'.length) : record[field];
            return value === group[index];
          }),
        );
        const persons = new Set(
          own.flatMap(({ attribution }) => attribution.storedEvent.attributed_identity ?? []),
        );
        const isNameless = own.some(
          ({ attribution }) => attribution.storedEvent.attributed_identity === undefined,
        );
        expect(persons.size >= COHORT_MINIMUM || isNameless, String(group)).toBe(true);
      }
    }),
    { numRuns: 400 },
  );
});

it('names a team of twelve persons with an at sign in its name, and never a person who calls', async () => {
  const teams = ['@acme/ml-platform', 'ml-team@acme.example', 'team-plain', 'person-3@acme.example'];
  const records = teams.flatMap((owner, team) =>
    Array.from({ length: 12 }, (_, index) =>
      aRecord({ owner, person: `person-${team * 3 + index}@acme.example`, at: `${DAY}T12:00:00Z` }),
    ),
  );

  expect(namesIn(await reported(records, ['owner']))).toEqual(teams.slice(0, 3));
  expect(namesIn(await exportedRecords(records, ['owner']))).toEqual(teams.slice(0, 3));
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

  expect(namesIn(await reported(records, ['owner'])).includes(owner)).toBe(isNamed);
  expect(namesIn(await exportedRecords(records, ['owner'])).includes(owner)).toBe(isNamed);
});
