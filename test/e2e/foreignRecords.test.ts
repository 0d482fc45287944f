import { afterAll, describe, expect, it } from 'vitest';
import { roles } from '../../schemas/identity/roles.ts';
import { type Scope, scopeNames } from '../../schemas/identity/scopes.ts';
import { routes } from '../../schemas/routes/index.ts';
import { type RouteShape, routeKey } from '../../schemas/routes/route.ts';
import { aCall, httpWays, type SentCall } from '../ingest/waysIn.ts';
import { goodRequest, pathOf } from '../platform/apiDocs/contract/requests.ts';
import { type Answer, call, listAllRecords, type Request, someEvent } from '../support/client.ts';
import { administrationOf } from '../support/localService.ts';
import { sharedInstance } from '../support/sharedInstance.ts';

// Each credential sends a valid request to every route of the table, with the ids of the victim in path and body. A new route
// is tried without further edits.

const instance = await sharedInstance();
const administration = await administrationOf(instance);
afterAll(() => instance.stop());

const send = (path: string, request: Request): Promise<Answer> => call(instance.baseUrl, path, request);

/** The credentials, each against a key of the tenant that reported the call first, in the home lane `us`. */
interface Attacker {
  readonly scopes: readonly Scope[];
  readonly residency?: string;
  readonly source_systems?: readonly string[];
  /** What it must not see. Default: whatever tells of the call. */
  readonly secrets?: RegExp;
}
const ATTACKERS: Readonly<Record<string, Attacker>> = {
  'a connector of a partner': { scopes: ['partner:connector'], residency: 'us', source_systems: ['kong'] },
  'a credential of another lane with every other right': {
    scopes: scopeNames.filter((scope) => scope !== 'partner:connector'),
    residency: 'eu',
  },
  'another ingest key': { scopes: ['ingest:write'] },
  'an administrator of mappings': { scopes: ['admin:config'] },
  // Whatever pages of the console a viewer opens, their calls have this scope. One sum is the bill of the tenant.
  'a viewer in the console': { scopes: roles.viewer, secrets: /victim/ },
};

const VICTIM = {
  attributed_identity: 'victim-person',
  end_user: 'victim-user',
  attributed_service: 'victim-service',
  attribution_confidence: 0.9,
  requested_model: 'victim-model',
  source_system: 'victim-system',
  ingestion_layer: 'application',
  estimated_cost_usd: '777.77',
  cost_source: 'provider',
  tags: ['victim:tag'],
};
/** The name of the credentials of the victim. */
const OF_VICTIM = 'reported first';
/** What tells something about the call of the victim. The attackers know its ids. */
const SECRETS = /victim|777\.77/;
/** What nobody but the victim may change. */
const HELD = [
  'owner',
  'service',
  'end_user',
  'cost_usd',
  'coper',
  'energy_wh',
  'carbon_gco2e',
  'occurred_at',
  'residency',
  'requested_model',
  'input_tokens',
  'output_tokens',
] as const;

const tokenOf = async ({ client_id, client_secret }: Record<string, unknown>): Promise<Request> => {
  const form = {
    grant_type: 'client_credentials',
    client_id: `${client_id}`,
    client_secret: `${client_secret}`,
  };
  const { body } = await send('/v1/oauth/token', {
    body: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  return { headers: { authorization: `Bearer ${String(body['access_token'])}` } };
};

/** A tenant with a victim, and how the attacker authenticates. */
const startTenant = async (attacker: Attacker, index: number) => {
  const tenantId = `foreign-records-${index}`;
  const opened = { tenantId, name: tenantId, plan: 'enterprise' as const, residency: ['us', 'eu'] };
  const tenant = await administration.open(opened);
  const admin = await administration.issueKey(tenant, 'admin');
  const victim = await administration.issueKey(tenant, OF_VICTIM, ['ingest:write']);
  await send('/api/v1/oauth-clients', { key: admin, body: { name: OF_VICTIM, scopes: ['ingest:write'] } });
  const { scopes, residency, source_systems } = attacker;
  const isConnector = source_systems !== undefined;
  const created = await send(isConnector ? '/api/v1/oauth-clients' : '/api/v1/api-keys', {
    key: admin,
    body: { name: 'attacker', scopes, residency, source_systems },
  });
  const by: Request = isConnector ? await tokenOf(created.body) : { key: String(created.body['secret']) };
  const stated = aCall();
  const id = stated.id.replaceAll('-', '');
  const event = someEvent({ ...VICTIM, event_id: stated.id, trace_id: id, span_id: id.slice(16) });
  await send('/api/v1/invocations', { key: victim, body: event });
  await instance.runtime.idle();
  const recordsOf = async () =>
    (await listAllRecords(instance.baseUrl, admin, 'limit=200')).filter(
      (record) => record['event_id'] === stated.id && record['residency'] === 'us',
    );
  const [record] = await recordsOf();
  const client = { client_id: 'cli_none', client_secret: 'none' };
  return { tenant, admin, victim, by, stated, event, recordsOf, record: record ?? {}, client };
};

/** Ids of resources that the administrator of the tenant owns, by prefix, and of the record. */
const idsOf = async (admin: string, record: Record<string, unknown>) => {
  const lists = routes.filter(({ method, path }: RouteShape) => method === 'GET' && !path.includes('{'));
  const ids = new Map([['att', String(record['id'])]]);
  for (const { path } of lists.filter(({ replies }) => 200 in replies)) {
    const { data } = (await send(path, { key: admin })).body;
    for (const one of Array.isArray(data) ? data : []) {
      const id = String(one['id'] ?? one['client_id'] ?? one['version'] ?? one['job_id']);
      if (!ids.has(id.slice(0, 3)) || one['name'] === OF_VICTIM) ids.set(id.slice(0, 3), id);
    }
  }
  return ids;
};

/** What the ways in say of the call of the victim: other money, names and times, and a span below its span. */
const ways = httpWays('https://sqs.example/accepted');
const forgedBodies = (route: RouteShape, stated: SentCall): unknown[] =>
  ways
    .filter(({ operation }) => operation.route === route)
    .flatMap(({ bodyOf }) => [
      bodyOf([{ ...stated, model: 'forged', service: 'forged' }]),
      bodyOf([{ ...stated, at: stated.at - 86_400_000 }]),
      bodyOf([{ ...stated, cost: 0 }]),
    ]);

describe.each(Object.entries(ATTACKERS))('%s', (name, attacker) => {
  it('changes, blanks, moves, blocks and shows nothing of a record that another reported, on any route', async () => {
    const index = Object.keys(ATTACKERS).indexOf(name);
    const { admin, victim, by, stated, event, recordsOf, record, client } = await startTenant(
      attacker,
      index,
    );
    const ids = await idsOf(admin, record);
    expect(record).toMatchObject({ owner: 'victim-person', cost_usd: '777.77' });

    const shown: string[] = [];
    for (const route of routes as readonly RouteShape[]) {
      if (route.access === 'public') continue;
      const path = pathOf(route, (prefix) => ids.get(prefix) ?? 'none');
      const sample = goodRequest(route, client);
      const isWayIn = route.needs.some((need) => need === 'accepted.send');
      const bodies = isWayIn ? forgedBodies(route, stated) : [sample.body];
      if (isWayIn)
        expect(bodies.length, `${routeKey(route)} needs a body that names the call`).toBeGreaterThan(0);
      for (const body of bodies) {
        const answer = await send(path, { ...sample, ...by, ...(body !== undefined && { body }) });
        expect(answer.status, `${routeKey(route)} ${answer.text}`).toBeLessThan(500);
        if ((attacker.secrets ?? SECRETS).test(answer.text)) shown.push(routeKey(route));
      }
    }
    await instance.runtime.idle();
    const after = await recordsOf();
    // It did not end its own credential on the way.
    expect((await send('/v1/attribution', by)).status).not.toBe(401);
    const filled = { ...event, ingestion_layer: 'gateway', api_key_name: 'late' };
    const late = await send('/api/v1/invocations', { key: victim, body: filled });
    await instance.runtime.idle();
    const [completed] = await recordsOf();
    const detail = await send(`/v1/attribution/${String(completed?.['id'])}`, { key: admin });

    expect(shown).toEqual([]);
    const held = (one: Record<string, unknown>) => HELD.map((member) => [member, one[member]]);
    expect(after.map(held)).toEqual([held(record)]);
    expect(after[0]?.['tags']).toEqual(expect.arrayContaining(VICTIM.tags));
    expect([late.status, completed?.['owner']]).toEqual([202, 'victim-person']);
    expect(detail.text).toContain('"api_key_name"');
  });
});
