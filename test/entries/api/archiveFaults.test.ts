import './environment.ts';
import { randomUUID } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ArchiveManifest } from '../../../functions/ledger/archive/archivedDay.ts';
import type { AwsRequest } from '../../../functions/platform/shared/aws/calls/awsCalls.ts';
import { idOf } from '../../../functions/platform/shared/ids.ts';
import { utcDateOf } from '../../../functions/platform/shared/time/toIso.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { DAY_MS } from '../../../schemas/durations.ts';
import { routes } from '../../../schemas/routes/index.ts';
import { type RouteShape, routeKey } from '../../../schemas/routes/route.ts';
import { startArchive } from '../../ledger/archive/archiveFixture.ts';
import { type TestRecord, testRecord, ulidOfRecord } from '../../ledger/records/ledgerFixture.ts';
import { goodRequest, pathOf } from '../../platform/apiDocs/contract/requests.ts';
import type { Request } from '../../support/client.ts';
import { type LiveTables, startTables } from '../../support/tables.ts';
import { expectedOf, FAULTS, outcomeOf } from './storeFaults.ts';
import { answerOf, loadUnits, type SendToUnit } from './unitsInProcess.ts';

// The records of the other tests are in the table. These are also in a file, which each request reads anew.

/** Old enough that readers look into the files, and young enough that the rows are still in the table. */
const AGE_MS = 50 * DAY_MS;

let tables: LiveTables;
let send: SendToUnit;
let archive: ReturnType<typeof startArchive>;
let tenant: Tenant;
let key: string;
let day: string;
let recordId: string;

/** A read of an object by a request that fails: before there is an answer, or in the middle of its body. */
type Failure = { readonly at: number; readonly error: Error; readonly isInBody: boolean };
let reads = 0;
let failing: Failure | undefined;
/** A request that fails may leave reads behind, which are of the objects before. */
let objectsOfRequest: ReadonlySet<string> = new Set();

const bodyOf = (content: Uint8Array, error: Error | undefined): Readable =>
  Readable.from(
    (function* () {
      yield Buffer.from(content.subarray(0, content.length / 2));
      if (error !== undefined) throw error;
      yield Buffer.from(content.subarray(content.length / 2));
    })(),
  );

const answerOfBucket = (input: object, error: Error | undefined) => {
  const { Key, Range = '' } = Object(input);
  const stored = archive.bucket.stored.get(Key);
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(Range) ?? [];
  if (stored === undefined) throw new Error(`There is no object ${Key}`);
  const content = start === undefined ? stored : stored.slice(Number(start), Number(end) + 1);
  return { statusCode: start === undefined ? 200 : 206, headers: {}, body: bodyOf(content, error) };
};

const onRequest = (message: unknown): void => {
  const request = message as AwsRequest;
  if (request.service !== 's3') {
    const answer = answerOf(request.service, request.operation);
    if (answer !== undefined) request.answer = () => answer;
    return;
  }
  const isOwn = objectsOfRequest.has(String(Object(request.input).Key));
  const failure = isOwn && failing?.at === reads ? failing : undefined;
  if (isOwn) reads += 1;
  if (failure?.isInBody === false) request.refusal = failure.error;
  Object.assign(request, { answer: () => answerOfBucket(request.input, failure?.error) });
};

beforeAll(async () => {
  tables = await startTables();
  send = await loadUnits();
  const { tenantAdministration } = await import('../../../tools/operator/tenants.ts');
  const administration = await tenantAdministration({
    environment: 'local',
    baseUrl: '',
    output: (name) => name.replace(/^Table/, '').replace(/^./, (letter) => letter.toLowerCase()),
  });
  tenant = await administration.open({ plan: 'enterprise', residency: [], tenantId: 'acme', name: 'Acme' });
  key = await administration.issueKey(tenant, 'admin');
  const now = Date.now();
  archive = startArchive({ now: Date.now });
  const [record, disputed, later] = [1, 2, 3].map((index) => testRecord(now - AGE_MS, index));
  if (record === undefined || disputed === undefined || later === undefined) throw new Error('three records');
  const idOfRecord = (one: TestRecord): string => idOf('att', tenant.tag, ulidOfRecord(tenant, one));
  day = utcDateOf(record.occurredAt);
  recordId = idOfRecord(record);
  subscribe('aws.request', onRequest);
  await archive.write(tenant, [record, disputed]);
  const dispute = { method: 'POST', key, body: { reason: 'This is not our call' } };
  const answer = await send(`/v1/attribution/${idOfRecord(disputed)}/disputes`, dispute);
  if (answer.status !== 201) throw new Error(answer.text);
  // Sums the minute again, which the dispute changed.
  await archive.write(tenant, [later]);
  await archive.close(tenant, day);
});
afterAll(async () => {
  unsubscribe('aws.request', onRequest);
  await tables.stop();
});
beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  vi.spyOn(console, 'warn').mockReturnValue();
  return () => vi.restoreAllMocks();
});

/** Gives the day other objects with the same content, because a process remembers those that it has read. */
const renewObjects = async (): Promise<ReadonlySet<string>> => {
  const { stored } = archive.bucket;
  const entry = await archive.directory.read(tenant.tenant_id, day);
  if (entry === null) throw new Error('The day is not closed');
  const manifest = ArchiveManifest.parse(
    JSON.parse(Buffer.from(stored.get(entry.document.manifest) ?? []).toString()),
  );
  const files = manifest.files.map((file) => ({ ...file, key: randomUUID() }));
  for (const [index, { key: copy }] of files.entries())
    stored.set(copy, stored.get(manifest.files[index]?.key ?? '') ?? new Uint8Array());
  const name = randomUUID();
  stored.set(name, Buffer.from(JSON.stringify({ ...manifest, files })));
  const by = { claim: name, attempt: 1 };
  await archive.directory.put(tenant.tenant_id, { ...entry.document, manifest: name }, entry.revision, by);
  return new Set([name, ...files.map((file) => file.key)]);
};

/** What selects the archived day, where a path does not. */
const queries: Readonly<Record<string, (from: string, to: string) => string>> = {
  listAttribution: (from, to) => `?occurred_at[gte]=${from}&occurred_at[lt]=${to}`,
  getUnownedReport: (from, to) => `?from=${from}&to=${to}`,
  // Records that are read side by side share reads, as their order allows.
  listDisputes: () => '?limit=1',
};

const requestTo = (route: RouteShape): { readonly path: string; readonly request: Request } => {
  const [from, to] = [day, utcDateOf(Date.parse(day) + DAY_MS)];
  const sample = goodRequest(route, { client_id: '', client_secret: '' });
  const body =
    route.operation === 'dryRunIdentityMapping' ? { ...Object(sample.body), from, to } : sample.body;
  return {
    path: pathOf(route, () => recordId) + (queries[route.operation]?.(from, to) ?? ''),
    request: { ...sample, key, ...(body !== undefined && { body }) },
  };
};

const sendTo = async (route: RouteShape, fault?: Failure) => {
  objectsOfRequest = await renewObjects();
  [reads, failing] = [0, fault];
  const { path, request } = requestTo(route);
  const answer = await send(path, request);
  failing = undefined;
  return { answer, reads };
};

const readers = routes.filter(({ needs }) => needs.some((need) => need === 'archive.read'));

/** It can also happen while a body is read. */
const CUT = 'an answer that is cut';

describe.each(readers.map((route) => [routeKey(route), route] as const))('%s', (_, route) => {
  it('answers a fault of the archive with 500, and an outage with 503 and Retry-After, whichever read fails', async () => {
    const working = await sendTo(route);
    expect(outcomeOf(working.answer), working.answer.text).toBe('an answer');
    expect(working.reads).toBeGreaterThan(0);

    const unexpected: string[] = [];
    for (let at = 0; at < working.reads; at += 1) {
      for (const [name, makeError, isOutage] of FAULTS) {
        for (const isInBody of name === CUT ? [false, true] : [false]) {
          const { answer } = await sendTo(route, { at, error: makeError(), isInBody });
          const outcome = outcomeOf(answer);
          if (!expectedOf(route, isOutage).includes(outcome))
            unexpected.push(`${outcome} after ${name} in read ${at}${isInBody ? ', in its body' : ''}`);
        }
      }
    }

    expect(unexpected).toEqual([]);
  });
});
