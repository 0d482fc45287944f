import { describe, expect, it } from 'vitest';
import { LENGTH } from '../../../functions/ledger/rollups/grain.ts';
import { type Call, team } from './calls.ts';
import { type ReportQuery, runUsageReport } from './runReport.ts';

const DAY = Date.parse('2026-03-02');
const teamCalls = (owner: string | null, size: number, call: Partial<Call> = {}): Call[] =>
  team(owner ?? 'nobody', size).map((person) => ({
    at: DAY + 9 * LENGTH.hour,
    person,
    owner,
    service: 'chat',
    ...call,
  }));
const calls: Call[] = [
  ...teamCalls('ads', 6),
  ...teamCalls('ads', 6, { provider: 'anthropic', service: 'ranking' }),
  ...teamCalls('search', 7, { service: 'ranking' }),
  ...teamCalls(null, 5, { service: 'batch' }),
  // The owner is a person, so suppression hides it.
  ...teamCalls('lab', 5, { owner: 'lab-1' }),
];
const read = (asked: ReportQuery) => runUsageReport(calls, DAY, DAY + LENGTH.day, asked);
const rowsOf = async (asked: ReportQuery) =>
  (await read(asked)).rows.map(({ owner, service, invocations }) => [owner, service, invocations]);

describe('a filter of a report', () => {
  it('keeps the rows that the report without it shows, whatever it is grouped by', async () => {
    const unfiltered = await rowsOf({ group_by: ['owner', 'service'] });

    const filtered = await rowsOf({ group_by: ['owner', 'service'], filters: { owner: 'ads' } });
    const byService = await rowsOf({ group_by: ['service'], filters: { owner: 'ads' } });

    expect(filtered).toEqual(unfiltered.filter(([owner]) => owner === 'ads'));
    expect(byService).toEqual([
      [undefined, 'chat', 6],
      [undefined, 'ranking', 6],
    ]);
  });

  it('limits the totals to the same calls, so that the rows sum to them', async () => {
    const { rows, totals } = await read({ group_by: ['provider'], filters: { service: 'ranking' } });

    expect(totals).toMatchObject({ invocations: 13, cost_usd: '13' });
    expect(rows.reduce((sum, { invocations }) => sum + invocations, 0)).toBe(13);
  });

  it.each<[string, NonNullable<ReportQuery['filters']>, number]>([
    ['a value', { owner: 'search' }, 7],
    ['any of several values', { 'owner[in]': ['search', 'ads'] }, 19],
    ['any other value, or none', { 'owner[ne]': 'ads' }, 12],
    ['no value', { 'owner[exists]': 'false' }, 5],
    ['several members at once', { owner: 'ads', provider: 'anthropic' }, 6],
    ['a value that no call has', { owner: 'legal' }, 0],
  ])('matches %s', async (_, filters, invocations) => {
    expect((await read({ filters })).totals.invocations).toBe(invocations);
  });

  it('counts the calls of which suppression hides the tested member, and never includes them', async () => {
    const all = await read({});
    const [ofLab, ofOthers] = [
      await read({ filters: { owner: 'lab-1' } }),
      await read({ filters: { 'owner[ne]': 'lab-1' } }),
    ];

    expect([all.totals.invocations, all.undetermined_invocations]).toEqual([29, 0]);
    expect(ofLab.totals.invocations).toBe(0);
    expect(ofLab.undetermined_invocations).toBe(5);
    expect(ofOthers.totals.invocations + ofOthers.undetermined_invocations).toBe(29);
  });
});

describe('a name in a filter that matches nothing', () => {
  const warningsOf = async (filters: NonNullable<ReportQuery['filters']>) =>
    (await read({ filters })).warnings;
  const detail = 'No call that the report can show has this value.';

  it('is said, with the shown name that was probably meant', async () => {
    expect(await warningsOf({ owner: 'serch', 'service[in]': ['ranking', 'Chat'] })).toEqual([
      { parameter: 'owner', detail, suggestion: 'search' },
      { parameter: 'service[in]', detail, suggestion: 'chat' },
    ]);
    expect(await warningsOf({ owner: 'ads', 'provider[ne]': 'anthropic', 'owner[exists]': 'true' })).toEqual(
      [],
    );
  });

  it('is said of the key of a tag in group_by, if a shown one is near', async () => {
    const tagged = teamCalls('ads', 6, { costAllocation: { environment: 'prod' } });
    const warningsFor = async (key: `tag:${string}`) =>
      (await runUsageReport(tagged, DAY, DAY + LENGTH.day, { group_by: [key] })).warnings;

    expect(await warningsFor('tag:enviroment')).toEqual([
      {
        parameter: 'group_by',
        detail: 'No call that the report can show has this tag.',
        suggestion: 'tag:environment',
      },
    ]);
    expect(await warningsFor('tag:environment')).toEqual([]);
    expect(await warningsFor('tag:team')).toEqual([]);
  });

  it('reads the same for a hidden name and one that does not exist, and no hidden name is suggested', async () => {
    const hidden = await warningsOf({ owner: 'lab-1' });

    expect(hidden).toEqual([{ parameter: 'owner', detail }]);
    expect(hidden).toEqual(await warningsOf({ owner: 'lab-2' }));
  });
});

describe('the largest groups of a report', () => {
  const differing: Call[] = [
    ...teamCalls('costly', 5, { cost: '9' }),
    ...teamCalls('frequent', 5, { cost: '1', invocations: 4 }),
    ...teamCalls('unpriced', 5, { cost: null, invocations: 2 }),
  ];

  it.each([
    ['cost_usd', 'costly'],
    ['invocations', 'frequent'],
    ['unpriced_invocations', 'unpriced'],
  ] as const)('are ranked by %s', async (top_by, owner) => {
    const { rows } = await runUsageReport(differing, DAY, DAY + LENGTH.day, {
      group_by: ['owner'],
      top: 1,
      top_by,
    });

    expect(rows.map((row) => [row.kind, row.owner])).toEqual([
      ['group', owner],
      ['other', undefined],
    ]);
  });
});
