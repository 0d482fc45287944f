import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getAdoptionReport, getUsageReport } from '../../schemas/routes/insight/reports.ts';
import { call, someEvent } from '../support/client.ts';
import type { Instance } from '../support/instance.ts';
import { demoTenants } from '../support/localService.ts';
import { sharedInstance } from '../support/sharedInstance.ts';

const TEAMS = ['ads', 'search'];
const TEAM_SIZE = 6;

let instance: Instance;
let key: string;
let reader: string;
let others: string;

/** Creates a mapping from the identities of a team to the team as owner. */
const mapTeam = (team: string) =>
  call(instance.baseUrl, '/api/v1/identity/mappings', {
    key,
    body: {
      name: team,
      owner: team,
      conditions: [{ field: 'identity', operator: 'prefix', value: `${team}-` }],
      effective_from: '2026-01-01T00:00:00Z',
    },
  });

beforeAll(async () => {
  instance = await sharedInstance();
  const { acme: tenant, globex: other } = demoTenants(instance.credentials);
  [key, reader, others] = [tenant.api_keys.admin, tenant.api_keys.read, other.api_keys.admin];
  for (const team of TEAMS) expect((await mapTeam(team)).status).toBe(201);
  const teamEvents = TEAMS.flatMap((team) =>
    Array.from({ length: TEAM_SIZE }, (_, index) =>
      someEvent({
        attributed_identity: `${team}-${index}`,
        region: `eu-${team}-1`,
        tags: [`env:${team}-stage`, 'x'],
      }),
    ),
  );
  const events = [...teamEvents, someEvent({ attributed_identity: 'stranger-1' })];
  const { status } = await call(instance.baseUrl, '/api/v1/invocations/batch', { key, body: { events } });
  expect(status).toBe(202);
  await instance.runtime.idle({ delayed: true });
});
afterAll(() => instance?.stop());

const usage = async (query: string, by = key) =>
  getUsageReport.replies[200].body.parse(
    (await call(instance.baseUrl, `/v1/reports/usage${query}`, { key: by })).body,
  );

describe('reports', () => {
  it('count every call, and suppress owners with fewer than five persons', async () => {
    const { data, totals } = await usage('?group_by=owner');

    expect(totals.invocations).toBe(TEAMS.length * TEAM_SIZE + 1);
    // The stranger is their own owner. A suppressed group of one would be identifiable, so the smallest team is suppressed too.
    expect(data.map(({ kind, owner, invocations }) => [kind, owner, invocations])).toEqual([
      ['group', 'ads', TEAM_SIZE],
      ['folded', undefined, TEAM_SIZE + 1],
    ]);
    expect(Number(totals.cost_usd)).toBeGreaterThan(0);
  });

  it('show the region and the cost allocation tags of the tenant, as far as suppression allows', async () => {
    const { data } = await usage('?group_by=region,tag:env');
    const { totals, undetermined_invocations } = await usage('?tags=env:ads-stage');

    expect(data.map(({ kind, region, tags, invocations }) => [kind, region, tags, invocations])).toEqual([
      ['group', 'eu-ads-1', { env: 'ads-stage' }, TEAM_SIZE],
      ['folded', undefined, undefined, TEAM_SIZE + 1],
    ]);
    expect([totals.invocations, undetermined_invocations]).toEqual([TEAM_SIZE, TEAM_SIZE + 1]);
  });

  it('return 400 for a group that is no field and no tag', async () => {
    const answer = await call(instance.baseUrl, '/v1/reports/usage?group_by=colour', { key });

    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).toContain('tag: with the key of a tag');
  });

  it('round person counts to multiples of five', async () => {
    const answer = await call(instance.baseUrl, '/v1/reports/adoption?group_by=owner', { key });

    const { data, totals } = getAdoptionReport.replies[200].body.parse(answer.body);
    expect(totals).toMatchObject({ persons: 10, persons_estimated: false });
    expect(data.map(({ persons }) => persons)).toEqual([5, 5]);
  });

  it('contain no person names', async () => {
    const answers = await Promise.all(
      ['?group_by=owner,service,hour', '?group_by=owner&top=1&interval=day'].map((query) =>
        call(instance.baseUrl, `/v1/reports/usage${query}`, { key }),
      ),
    );

    expect(answers.map(({ text }) => /stranger-1|ads-\d|search-\d/.test(text))).toEqual([false, false]);
  });

  it('are equal for all readers of the tenant, and empty for another tenant', async () => {
    const [mine, colleagues, theirs] = [await usage(''), await usage('', reader), await usage('', others)];

    expect(colleagues.totals).toEqual(mine.totals);
    expect(theirs.totals.invocations).toBe(0);
  });
});
