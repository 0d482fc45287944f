import { describe, expect, it } from 'vitest';
import type { Cell } from '../../../functions/ledger/cohorts/cell.ts';
import { suppressSmallGroups } from '../../../functions/ledger/cohorts/suppressSmallGroups.ts';
import { LENGTH } from '../../../functions/ledger/rollups/grain.ts';
import type { ReportField } from '../../../schemas/insight/reports.ts';
import { type Call, rollupReaderOf, team } from '../../insight/reports/calls.ts';
import { askReports, breaches, runDifferencingAttack } from '../../insight/reports/differencingAttack.ts';

/** A cell of an owner, with one person for each name and the given number of calls. */
const aCell = (owner: string | null, persons: readonly string[], invocations = persons.length): Cell => ({
  day: 0,
  lane: null,
  labels: {
    owner,
    service: null,
    provider: null,
    served_model: null,
    pathway_category: null,
    output_state: null,
    confidence_band: null,
    owner_state: null,
    service_state: null,
    region: null,
  },
  persons,
  isPersonal: true,
  invocations,
  parts: [],
});
const ownerOf = ({ labels }: Cell): string | null => labels.owner;

/** The names that are shown, and the names in the rest. */
const outcomeOf = (cells: readonly Cell[], isNameable?: (value: string | null) => boolean) => {
  const { named, rest } = suppressSmallGroups(cells, ownerOf, isNameable);
  for (const [value, shown] of named) expect(shown.map(ownerOf)).toEqual(shown.map(() => value));
  return { named: named.map(([value]) => value), rest: rest.map(ownerOf) };
};

describe('groups of cells', () => {
  it('are shown from five persons on', () => {
    expect(outcomeOf([aCell('ads', team('ads', 5)), aCell('search', team('search', 6))])).toEqual({
      named: ['search', 'ads'],
      rest: [],
    });
  });

  it('are shown when their cells have five distinct persons together', () => {
    const [one, two] = [team('a', 3), team('b', 2)];

    expect(outcomeOf([aCell('ads', one), aCell('ads', two)])).toEqual({ named: ['ads'], rest: [] });
    expect(outcomeOf([aCell('ads', one), aCell('ads', one)]).named).toEqual([]);
  });

  it('are not shown below five persons, and the rest takes the group with the fewest calls', () => {
    const cells = [
      aCell('large', team('large', 5), 30),
      aCell('few calls', team('few', 6), 10),
      aCell('middle', team('middle', 5), 20),
      aCell('small', team('small', 4), 100),
    ];

    expect(outcomeOf(cells)).toEqual({ named: ['large', 'middle'], rest: ['small', 'few calls'] });
  });

  it('are compared by the calls of all their cells', () => {
    const cells = [
      aCell('one cell', team('one', 5), 15),
      aCell('two cells', team('two', 5), 10),
      aCell('two cells', team('two', 5), 10),
      aCell('small', ['ann']),
    ];

    expect(outcomeOf(cells).named).toEqual(['two cells']);
  });

  it.each([
    ['in one order', ['B', 'C', null, 'A']],
    ['in another order', ['C', 'A', 'B', null]],
  ])(
    'with equally many calls are added to the rest in the order of their names, last first, %s',
    (_, names) => {
      const cells = [...names.map((name) => aCell(name, team(`${name}`, 5), 7)), aCell('small', ['ann'])];

      expect(outcomeOf(cells)).toEqual({ named: [null, 'A', 'B'], rest: ['small', 'C'] });
    },
  );

  it('that must not be named are in the rest, which needs no other group when it has five persons', () => {
    const cells = [aCell('ann', team('ann', 5)), aCell('ads', team('ads', 5))];

    expect(outcomeOf(cells, (name) => name !== 'ann')).toEqual({ named: ['ads'], rest: ['ann'] });
  });

  it('are added to the rest until it has five distinct persons', () => {
    const same = team('same', 5);
    const cells = [
      aCell('small', same.slice(0, 2), 1),
      aCell('other small', same.slice(2, 4), 1),
      aCell('ads', same, 9),
      aCell('search', same, 8),
    ];

    expect(outcomeOf(cells)).toEqual({ named: ['ads'], rest: ['small', 'other small', 'search'] });
  });

  it('are all in the rest when together they have fewer than five persons', () => {
    expect(outcomeOf([aCell('ads', ['ann']), aCell('search', ['bob'])])).toEqual({
      named: [],
      rest: ['ads', 'search'],
    });
    expect(outcomeOf([])).toEqual({ named: [], rest: [] });
  });
});

describe('a differencing attack on a tenant of few groups', () => {
  const at = Date.parse('2026-03-02');
  const range = { from: at, to: at + LENGTH.day };
  const groupings: readonly (readonly ReportField[])[] = [[], ['owner'], ['provider'], ['owner', 'provider']];
  /** Each call has its own bit in the sums, so a sum identifies its calls. */
  const inBits = (calls: readonly Call[]): Call[] =>
    calls.map((call, index) => ({ ...call, invocations: 2 ** index, cost: String(2 ** index) }));
  const ofTeams = (sizes: Readonly<Record<string, number>>): Call[] =>
    inBits(
      Object.entries(sizes).flatMap(([owner, size]) =>
        team(owner, size).map((person, index) => ({
          at,
          person,
          owner,
          provider: index < size / 2 ? 'openai' : 'anthropic',
        })),
      ),
    );
  const attack = (calls: readonly Call[]) =>
    runDifferencingAttack(
      rollupReaderOf(calls),
      groupings.map((group_by) => askReports({ range, lane: null, group_by })),
    );

  it.each([
    ['one small team', { ads: 6, search: 5, legal: 2 }],
    ['two small teams', { ads: 12, search: 4, legal: 3 }],
    ['small teams with fewer than five persons together', { ads: 12, search: 5, legal: 2, audit: 1 }],
    ['only small teams', { ads: 4, search: 3, legal: 2 }],
  ])('cannot isolate the calls of one to four persons: %s', async (_, sizes) => {
    const calls = ofTeams(sizes);

    expect(breaches(calls, await attack(calls))).toEqual([]);
  });
});
