import { randomUUID } from 'node:crypto';
import { inflateRawSync, inflateSync } from 'node:zlib';
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import pMap from 'p-map';
import { afterAll, expect, it } from 'vitest';
import { dictionaries } from '../../functions/ledger/records/ledgerItemDictionary.ts';
import { pascalCase } from '../../lib/pascalCase.ts';
import { InvocationEvent } from '../../schemas/ingest/invocationEvent.ts';
import { buckets } from '../../schemas/platform/buckets.ts';
import { tableNames, tables } from '../../schemas/platform/tables.ts';
import { routes } from '../../schemas/routes/index.ts';
import type { RouteShape } from '../../schemas/routes/route.ts';
import { digestOf } from '../../tools/operator/erasure/digest.ts';
import { jobAdministration } from '../../tools/operator/jobs.ts';
import { httpWays } from '../ingest/waysIn.ts';
import { pathOf } from '../platform/apiDocs/contract/requests.ts';
import { samplesWith } from '../platform/apiDocs/contract/sample.ts';
import { idIn } from '../routes/world.ts';
import { type Answer, call, listAllRecords, someEvent } from '../support/client.ts';
import { enginesOf } from '../support/engines.ts';
import { localClient } from '../support/localAws.ts';
import { administrationOf, deploymentOf } from '../support/localService.ts';
import { DAY, startAdminInstance } from './adminInstance.ts';

const NAME = 'jane.doe';
const ADDRESS = `${NAME}@example.org`;
const PSEUDONYM = 'erased-0123456789abcdef';

const api = await startAdminInstance();
afterAll(() => api.stop());

/** The text of deflated bytes. Empty for other bytes. */
const inflatedText = (bytes: Uint8Array, dictionary?: Buffer): string[] => {
  try {
    return [inflateRawSync(bytes, dictionary === undefined ? {} : { dictionary }).toString('utf8')];
  } catch {
    return [];
  }
};

type Row = Awaited<ReturnType<ReturnType<typeof enginesOf>['rows']>>[number];

/** All text of a row, with what is compressed. */
const textOf = (row: Row): string =>
  Object.values(row)
    .flatMap((value) =>
      value.B === undefined
        ? [JSON.stringify(value).replaceAll(String.raw`\"`, '"')]
        : inflatedText(value.B, dictionaries[Number(row['dictionary']?.N ?? 0)]),
    )
    .join('\n');

/** The tables with rows of the tenant that contain the text. */
const tablesWith = async (tenantId: string, text: string): Promise<string[]> => {
  const engines = enginesOf(api.instance.credentials);
  const found = await Promise.all(
    tableNames.map(async (name) => {
      const rows = await engines.rows(name);
      const isFound = rows.some(
        (row) => JSON.stringify(row).includes(tenantId) && textOf(row).includes(text),
      );
      return isFound ? [name] : [];
    }),
  );
  engines.close();
  return found.flat();
};

const objectsWith = async (tenantId: string, text: string): Promise<string[]> => {
  const { endpoints, outputs } = api.instance.credentials;
  const s3 = new S3Client(localClient(endpoints['s3']));
  const found: string[] = [];
  for (const Bucket of [outputs['BucketArchive'], outputs['BucketArtefacts']]) {
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
    for (const { Key = '' } of Contents.filter(({ Key: key = '' }) => key.includes(tenantId))) {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
      const bytes = Buffer.from((await Body?.transformToByteArray()) ?? []);
      const content = bytes[0] === 0x78 ? inflateSync(bytes) : bytes;
      if (content.includes(text)) found.push(Key);
    }
  }
  s3.destroy();
  return found;
};

// About 6 s on a free machine: two days of calls, an archived day, and scans of all tables.
it('replaces the name of a person everywhere, and keeps all sums', async () => {
  const { tenant, key } = await api.newTenant('person-erasure');
  const send = async (path: string, body: object): Promise<void> => {
    const answer = await call(api.baseUrl, path, { key, body });
    expect(answer.status, answer.text).toBeLessThan(300);
  };
  const get = async (path: string) => (await call(api.baseUrl, path, { key })).body;
  const yesterday = new Date(Date.now() - DAY).toISOString();
  await send('/api/v1/identity/mappings', {
    name: 'Jane',
    owner: NAME,
    service: 'search',
    conditions: [{ field: 'api_key_name', operator: 'exact', value: `${NAME}-laptop` }],
  });
  await send('/api/v1/api-keys', { name: NAME, scopes: ['read:reporting'] });
  await send('/api/v1/users', { email: ADDRESS, role: 'viewer' });
  await send('/api/v1/budgets', {
    name: `Budget of ${NAME}`,
    ceiling_usd: '1',
    period: 'month',
    scope: { owner: NAME },
  });
  for (const at of [new Date().toISOString(), yesterday]) {
    for (const owner of [NAME, `${NAME}-search`, 'team-search']) {
      const members = {
        attributed_identity: owner,
        end_user: owner,
        tags: [`user:${owner}`],
        ingestion_timestamp: at,
      };
      await send(
        '/api/v1/invocations',
        someEvent({ ...members, trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16) }),
      );
    }
  }
  await api.instance.runtime.idle({ delayed: true });
  const deployment = await deploymentOf(api.instance);
  const jobs = await jobAdministration(deployment);
  const closing = await jobs.open(tenant.tenant_id, { type: 'archive', day: yesterday.slice(0, 10) });
  expect((await jobs.follow(closing, () => undefined)).status).toBe('succeeded');
  await api.instance.runtime.idle({ delayed: true });
  expect(await tablesWith(tenant.tenant_id, `"${NAME}"`)).toEqual(
    expect.arrayContaining(['budgets', 'identity', 'ledger', 'rollups']),
  );
  expect(await objectsWith(tenant.tenant_id, NAME)).not.toEqual([]);
  const report = '/v1/reports/usage?group_by=owner';
  const [sumsBefore, recordsBefore] = [await get(report), await listAllRecords(api.baseUrl, key)];

  const administration = await administrationOf(api.instance);
  await expect(administration.erasePerson(tenant, ADDRESS, PSEUDONYM)).rejects.toThrow('can sign in');
  await administration.removeUser(tenant, ADDRESS);
  await administration.erasePerson(tenant, ADDRESS, PSEUDONYM);
  const { statement, digest } = await administration.erasePerson(tenant, NAME, PSEUDONYM);
  await api.instance.runtime.idle({ delayed: true });

  // Names of others that contain the name stay.
  const rest = async (text: string) =>
    (await tablesWith(tenant.tenant_id, text)).filter((name) => name !== 'audit');
  expect(await rest(`${NAME}"`)).toEqual([]);
  expect(await rest(ADDRESS)).toEqual([]);
  expect(await rest(`${NAME}-search`)).toContain('ledger');
  expect(await objectsWith(tenant.tenant_id, `${NAME}"`)).toEqual([]);
  const recordsAfter = await listAllRecords(api.baseUrl, key);
  expect(recordsAfter).toEqual(
    JSON.parse(JSON.stringify(recordsBefore).replaceAll(`${NAME}"`, `${PSEUDONYM}"`)),
  );
  expect(recordsAfter.filter(({ owner }) => owner === PSEUDONYM)).toHaveLength(2);
  const { data, joint_ranges } = await get(report);
  expect({ data, joint_ranges }).toEqual({
    data: sumsBefore['data'],
    joint_ranges: sumsBefore['joint_ranges'],
  });
  const sorted = await listAllRecords(api.baseUrl, key, `limit=200&sort=cost_usd&owner=${PSEUDONYM}`);
  expect(sorted).toHaveLength(2);
  expect(statement.counts['ledger']).toEqual({ before: expect.any(Number), after: 0 });
  expect(statement.counts['s3 archive']?.before).toBe(1);
  expect(JSON.stringify(statement)).not.toContain(NAME);
  const entry = (await api.audit()).find(({ resource }) => resource === digest);
  expect(entry?.action).toBe('person.erase');
  expect(digestOf(statement)).toBe(digest);
});

/** A name that no digest contains by chance. */
const PLANTED = 'jane.planted';

/** Operations that store names. */
const NAMING = [
  'createApiKey',
  'createBudget',
  'createIdentityMapping',
  'createOAuthClient',
  'createUser',
  'disputeAttribution',
  'overrideAttribution',
  'postCallLogs',
  'postEvents',
  'postInvocation',
  'postInvocationBatch',
  'postLogs',
  'postTraces',
  'putContractPrices',
  'putCoverageExpectations',
  'putNodePools',
  'updateBudget',
  'updateIdentityMapping',
  'updateTenant',
];

/** Bodies of a route with the name in each place that takes a text, and one event id each. */
const plantedBodies = ({ body }: RouteShape): unknown[] =>
  body === undefined || body.kind === 'form'
    ? []
    : samplesWith(body.schema, PLANTED)
        .map((sample) =>
          'event_id' in Object(sample) ? { ...Object(sample), event_id: randomUUID() } : sample,
        )
        .filter((sample) => body.schema.safeParse(sample).success);

/** The same call of each producer, which gives the name wherever its format has a text. */
const plantedCalls = (): (readonly [route: RouteShape, body: unknown])[] => {
  const events = samplesWith(InvocationEvent, PLANTED)
    .map((event) => ({ ...Object(event), event_id: randomUUID() }))
    .filter((event) => InvocationEvent.safeParse(event).success);
  return httpWays('https://sqs.example/accepted').map(({ operation, bodyOf }) => {
    const body = bodyOf([{ id: randomUUID(), model: PLANTED, service: PLANTED, at: Date.now() }]);
    return [operation.route, 'events' in Object(body) ? { events } : body] as const;
  });
};

/** Keys of rows and objects, of all tables and buckets. */
const storedKeys = async (): Promise<string[]> => {
  const engines = enginesOf(api.instance.credentials);
  const keys: string[] = [];
  for (const name of tableNames) {
    const { partitionKey, sortKey }: { partitionKey: string; sortKey?: string } = tables[name];
    for (const row of await engines.rows(name))
      keys.push(`${name}: ${row[partitionKey]?.S} ${sortKey === undefined ? '' : row[sortKey]?.S}`);
  }
  engines.close();
  const { endpoints, outputs } = api.instance.credentials;
  const s3 = new S3Client(localClient(endpoints['s3']));
  for (const name of Object.keys(buckets)) {
    const Bucket = outputs[`Bucket${pascalCase(name)}`];
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
    keys.push(...Contents.map(({ Key }) => `${name}: ${Key}`));
  }
  s3.destroy();
  return keys;
};

// About 30 s on a free machine: a hundred requests, and the starts of their functions.
it('puts no name of a person into a key of a row or an object, whatever names the person', async () => {
  const { tenant, key } = await api.newTenant('names-in-keys', { residency: [PLANTED] });
  const accepted = new Set<string>();
  /** Repeats a request that the busy service could not take, as clients do. */
  const send = async (route: RouteShape, path: string, body?: unknown) => {
    const request = {
      method: route.method,
      key,
      ...(body !== undefined && { body }),
      headers: { 'idempotency-key': `${PLANTED}-${randomUUID()}` },
    };
    let answer = await call(api.baseUrl, path, request);
    for (let repeats = 0; answer.status === 503 && repeats < 5; repeats += 1)
      answer = await call(api.baseUrl, path, request);
    if (answer.status < 300) accepted.add(route.operation);
    return answer;
  };
  for (const [route, body] of plantedCalls()) await send(route, route.path, body);
  // With their totals. A budget compares them with the records, and repeats this after five minutes where they differ.
  await api.instance.runtime.idle({ delayed: true });
  // Others start work or end a resource, and store no name.
  const mutations = (routes as readonly RouteShape[]).filter(
    (route) =>
      route.method !== 'GET' &&
      route.access !== 'session' &&
      JSON.stringify(plantedBodies(route)).includes(PLANTED),
  );
  /** A resource for the ids in the path: a new one with the name, or one that is there. */
  const idFor = async ({ path, ids }: RouteShape): Promise<string> => {
    if (ids === undefined) return '';
    const [collection = ''] = path.split('/{');
    const creation = mutations.find(
      (one) => one.method === 'POST' && one.path === collection && 201 in one.replies,
    );
    if (creation !== undefined) return idIn((await sendPlanted(creation)).body);
    const { data } = (await call(api.baseUrl, collection, { key })).body;
    return Array.isArray(data) && data.length > 0 ? idIn(data[0]) : 'none';
  };
  /** Sends the fullest body that the route accepts. */
  const sendPlanted = async (route: RouteShape): Promise<Answer> => {
    const id = await idFor(route);
    const sendBody = (body: unknown) =>
      send(
        route,
        pathOf(route, () => id),
        body,
      );
    const [full, ...others] = plantedBodies(route);
    const first = await sendBody(full);
    if (first.status < 300) return first;
    for (const body of others) {
      const answer = await sendBody(body);
      if (answer.status < 300) return answer;
    }
    return first;
  };
  // Each needs functions of its own, whose start takes CPU time.
  await pMap(mutations, sendPlanted, { concurrency: 3 });
  await api.instance.runtime.idle({ delayed: true });

  expect((await storedKeys()).filter((text) => text.toLowerCase().includes(PLANTED))).toEqual([]);
  // The name arrived: in calls of every way in, and in what people name.
  expect([...accepted]).toEqual(expect.arrayContaining(NAMING));
  expect(await tablesWith(tenant.tenant_id, PLANTED)).toEqual(
    expect.arrayContaining(['access', 'budgets', 'coverage', 'identity', 'ledger', 'rollups', 'traces']),
  );
});
