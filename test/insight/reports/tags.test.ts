import { describe, expect, it } from 'vitest';
import { LENGTH } from '../../../functions/ledger/rollups/grain.ts';
import { type Call, team } from './calls.ts';
import { type ReportQuery, runUsageReport } from './runReport.ts';

const DAY = Date.parse('2026-03-02');
const callsOf = (name: string, size: number, call: Partial<Call> = {}): Call[] =>
  team(name, size).map((person) => ({
    at: DAY + 9 * LENGTH.hour,
    person,
    owner: 'ads',
    service: 'chat',
    costAllocation: { env: null },
    ...call,
  }));
const rowsOf = async (calls: readonly Call[], asked: ReportQuery, days = 1) => {
  const { rows } = await runUsageReport(calls, DAY, DAY + days * LENGTH.day, asked);
  return rows.map(({ kind, owner, region, tags, invocations }) => ({
    kind,
    owner,
    region,
    tags,
    invocations,
  }));
};

describe('the usage report by region', () => {
  it('has one row for each region with enough persons, and one for calls without a region', async () => {
    const calls = [
      ...callsOf('one', 6, { region: 'eu-west-1' }),
      ...callsOf('two', 5, { region: 'us-east-1' }),
      ...callsOf('three', 5, { region: null }),
    ];

    expect(await rowsOf(calls, { group_by: ['region'] })).toMatchObject([
      { kind: 'group', region: 'eu-west-1', invocations: 6 },
      { kind: 'group', region: 'us-east-1', invocations: 5 },
      { kind: 'group', region: null, invocations: 5 },
    ]);
  });

  it('hides the region of small groups, and keeps their owner', async () => {
    const calls = [
      ...callsOf('one', 6, { region: 'eu-west-1' }),
      ...callsOf('two', 2, { region: 'us-east-1' }),
    ];

    expect(await rowsOf(calls, { group_by: ['owner', 'region'] })).toEqual([
      { kind: 'folded', owner: 'ads', invocations: 8 },
    ]);
  });

  it('never names a region that is the identity of a person', async () => {
    const calls = [
      ...callsOf('one', 6, { region: 'one-1' }),
      ...callsOf('two', 6, { region: 'ann@example.com', person: undefined }),
      ...callsOf('three', 6, { region: 'eu-west-1' }),
    ];

    expect(await rowsOf(calls, { group_by: ['region'] })).toMatchObject([
      { kind: 'group', region: 'eu-west-1', invocations: 6 },
      { kind: 'folded', region: undefined, invocations: 12 },
    ]);
  });

  it('is filtered by region', async () => {
    const calls = [
      ...callsOf('one', 6, { region: 'eu-west-1' }),
      ...callsOf('two', 5, { region: 'us-east-1' }),
    ];

    expect(await rowsOf(calls, { filters: { 'region[ne]': 'eu-west-1' } })).toMatchObject([
      { invocations: 5 },
    ]);
  });
});

describe('the usage report by tag', () => {
  const prod = callsOf('one', 6, { costAllocation: { env: 'prod' } });
  const dev = callsOf('two', 5, { costAllocation: { env: 'dev' } });
  const untagged = callsOf('three', 5);

  it('has one row for each value with enough persons, and one for calls without the tag', async () => {
    expect(await rowsOf([...prod, ...dev, ...untagged], { group_by: ['tag:env'] })).toMatchObject([
      { kind: 'group', tags: { env: 'dev' }, invocations: 5 },
      { kind: 'group', tags: { env: 'prod' }, invocations: 6 },
      { kind: 'group', tags: { env: null }, invocations: 5 },
    ]);
  });

  it('hides the value of small groups, and keeps their owner', async () => {
    const calls = [...prod, ...callsOf('few', 2, { costAllocation: { env: 'dev' } })];

    expect(await rowsOf(calls, { group_by: ['owner', 'tag:env'] })).toEqual([
      { kind: 'folded', owner: 'ads', invocations: 8 },
    ]);
  });

  it('tells no value of days on which the tag was not a cost allocation tag', async () => {
    const earlier = callsOf('one', 6, { costAllocation: {} });
    const later = callsOf('one', 6, { costAllocation: { env: 'prod' }, at: DAY + LENGTH.day });
    const calls = [...earlier, ...later];

    expect(await rowsOf(calls, { group_by: ['tag:env'], interval: 'day' }, 2)).toMatchObject([
      { kind: 'folded', invocations: 6 },
      { kind: 'group', tags: { env: 'prod' }, invocations: 6 },
    ]);
  });

  it('is filtered by tags, and counts the calls whose value is hidden', async () => {
    const calls = [...prod, ...dev, ...callsOf('old', 5, { costAllocation: {} })];

    const { totals, undetermined_invocations } = await runUsageReport(calls, DAY, DAY + LENGTH.day, {
      filters: { tags: ['env:prod'] },
    });

    expect([totals.invocations, undetermined_invocations]).toEqual([6, 5]);
  });

  it('has no rows by a tag that no call was summed by', async () => {
    expect(await rowsOf(prod, { group_by: ['tag:team'] })).toMatchObject([
      { kind: 'folded', invocations: 6 },
    ]);
  });
});
