import { describe, expect, it } from 'vitest';
import { cellsOfDay, tagLabelsOf } from '../../../functions/ledger/cohorts/cell.ts';
import { PersonIndex } from '../../../functions/ledger/cohorts/persons.ts';
import { hashOfPerson } from '../../../functions/ledger/records/person.ts';
import { noFigures } from '../../../functions/ledger/rollups/figures.ts';
import { COHORT_MINIMUM } from '../../../schemas/insight/reports.ts';
import { Dimensions, type Figures } from '../../../schemas/ledger/rollup.ts';

// Whom the calls of a cell count as. Each rule decides alone whether a sum is shown, so each has a case of its own.

const DAY = Date.parse('2026-03-02');
const HOUR = 3_600_000;
const hash = (name: string): string => hashOfPerson('acme', name);
const [ANN, BOB, KEY] = ['ann', 'bob', 'key of a laptop'].map(hash);
const MONTH = new PersonIndex('acme', [ANN ?? '', BOB ?? '']);

interface Calls {
  readonly labels?: Partial<Dimensions>;
  readonly figures?: Partial<Figures>;
}
/** The cells of these calls, in an hour each. Calls with equal labels are one cell. */
const cellsOf = (...hours: readonly Calls[]) =>
  cellsOfDay(
    {
      start: DAY,
      rollups: hours.map(({ labels, figures }, index) => ({
        start: DAY + index * HOUR,
        grain: 'hour' as const,
        asOf: DAY,
        groups: [
          {
            dimensions: Dimensions.parse({
              owner: 'ads',
              service: null,
              provider: 'openai',
              served_model: 'gpt-4o',
              pathway_category: 'unknown',
              residency: null,
              tags: [],
              output_state: 'unresolved',
              confidence_band: 'estimated',
              ...labels,
            }),
            figures: { ...noFigures, invocations: 1, ...figures },
          },
        ],
      })),
    },
    MONTH,
  );
const personsOf = (...hours: readonly Calls[]) =>
  cellsOf(...hours).map(({ persons, isPersonal, parts }) => ({
    persons,
    isPersonal,
    byHour: parts.map((part) => part.persons),
  }));

/** Calls that name nobody, through a key. */
const unnamed = { persons: [KEY ?? ''], impersonal: 1 };

describe('the calls of a cell count as', () => {
  it.each<readonly [string, readonly Calls[], readonly unknown[], boolean, readonly unknown[]]>([
    [
      'the persons whom they name',
      [{ figures: { persons: [ANN ?? '', BOB ?? ''] } }],
      [ANN, BOB],
      true,
      [[ANN, BOB]],
    ],
    ['an unknown person, through a key', [{ figures: unnamed }], [KEY], true, [[KEY]]],
    [
      'the person who is their owner, and not as an unknown one too',
      [{ labels: { owner: 'Ann@acme.example' }, figures: unnamed }],
      [ANN],
      true,
      [[ANN]],
    ],
    [
      'those whom they name, if some name one under an owner who is a person',
      [
        {
          labels: { owner: 'ann' },
          figures: { persons: [BOB ?? '', KEY ?? ''], invocations: 2, impersonal: 1 },
        },
      ],
      [BOB, KEY],
      true,
      [[BOB, KEY]],
    ],
    [
      'their owner in each hour, whether a key is known or not',
      [
        { labels: { owner: 'ann' }, figures: unnamed },
        { labels: { owner: 'ann' }, figures: { impersonal: 1 } },
      ],
      [ANN],
      true,
      [[ANN], [ANN]],
    ],
    [
      'the person whom a service names',
      [{ labels: { service: 'bob' }, figures: { impersonal: 1 } }],
      [BOB],
      true,
      [[BOB]],
    ],
    [
      'the person whom a region names',
      [{ labels: { region: 'bob' }, figures: { impersonal: 1 } }],
      [BOB],
      true,
      [[BOB]],
    ],
    [
      'the person whom a tag names',
      [{ labels: { cost_allocation_tags: { user: 'ann' } }, figures: { impersonal: 1 } }],
      [ANN],
      true,
      [[ANN]],
    ],
    [
      'one person, if two labels name two',
      [{ labels: { service: 'bob', region: 'ann' }, figures: { impersonal: 1 } }],
      [BOB],
      true,
      [[BOB]],
    ],
    [
      'nobody, but together with those of persons, under an address that nobody is known to use',
      [{ labels: { owner: 'ml-team@acme.example' }, figures: { impersonal: 1 } }],
      [],
      true,
      [[]],
    ],
    ['nobody, apart from those of persons', [{ figures: { impersonal: 1 } }], [], false, [[]]],
    ['nobody, without any label', [{ labels: { owner: null }, figures: { impersonal: 1 } }], [], false, [[]]],
  ])('%s', (_, hours, persons, isPersonal, byHour) => {
    expect(personsOf(...hours)).toEqual([{ persons, isPersonal, byHour }]);
  });

  it('at most as many persons as decide, in the cell and in each hour', () => {
    const many = Array.from({ length: 2 * COHORT_MINIMUM }, (_, index) => hash(`person ${index}`));
    const [cell] = cellsOf({ figures: { persons: many } }, { figures: { persons: many.toReversed() } });

    expect(cell?.persons).toEqual(many.slice(0, COHORT_MINIMUM));
    expect(cell?.parts.map((part) => part.persons.length)).toEqual([COHORT_MINIMUM, COHORT_MINIMUM]);
  });
});

it('has a cell for each combination of labels, with the calls of all its hours', () => {
  const cells = cellsOf({}, { labels: { owner: 'search' } }, { figures: { invocations: 4 } });

  expect(
    cells.map(({ labels, invocations, parts }) => [labels.owner, invocations, parts.map(({ at }) => at)]),
  ).toEqual([
    ['ads', 5, [DAY, DAY + 2 * HOUR]],
    ['search', 1, [DAY + HOUR]],
  ]);
});

it('knows the cost allocation tags of its cells, by name, and no other label', () => {
  const cells = cellsOf({ labels: { cost_allocation_tags: { team: 'a', env: null } } }, {});

  expect(tagLabelsOf(cells)).toEqual(['tag:env', 'tag:team']);
});
