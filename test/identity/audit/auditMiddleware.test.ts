import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { auditLog } from '../../../functions/identity/audit/audit.store.ts';
import { buildAuditEntry } from '../../../functions/identity/audit/auditEntry.ts';
import { auditContextOf } from '../../../functions/platform/http/auditContext.ts';
import type { Exchange } from '../../../functions/platform/http/exchange.ts';
import { type Reply, reply } from '../../../functions/platform/http/reply.ts';
import type { Limiter } from '../../../functions/platform/limits/limiter.ts';
import { commit } from '../../../functions/platform/shared/aws/document.store.ts';
import { ProblemError, unavailable } from '../../../functions/platform/shared/problem.ts';
import type { Caller } from '../../../functions/platform/tenancy/caller.ts';
import { AuditEntry } from '../../../schemas/identity/audit.ts';
import type { Scope } from '../../../schemas/identity/scopes.ts';
import type { ErrorCode } from '../../../schemas/problems.ts';
import {
  caller,
  NOW,
  serve,
  servedBy,
  storedResponsesIn,
  type TestRequest,
  type TestResponse,
  testRoute,
} from '../../platform/http/harness.ts';
import { inMemoryResponseStore } from '../../platform/idempotency/inMemoryResponseStore.ts';
import { startTables } from '../../support/tables.ts';

const ULID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const log = auditLog('audit');

const revoking = testRoute({
  method: 'DELETE',
  path: '/things/{id}',
  access: 'admin:config',
  rate: 'write',
  ids: { id: 'key' },
  audit: 'api_key.revoke',
  effect: 'credentials',
});

let charges: number;
let responses: ReturnType<typeof inMemoryResponseStore>;
let tenants = 0;
let tenant: Caller['tenant'];

const live = await startTables();
afterAll(() => live.stop());
beforeEach(() => {
  charges = 0;
  responses = inMemoryResponseStore();
  // Each test has its own log.
  tenants += 1;
  tenant = { ...caller.tenant, tenant_id: `tenant-${tenants}` };
  // Outages are logged; the output is not needed here.
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

const budget = { limit: 40, remaining: 39, reset: 1 };
const counting: Limiter = {
  charge: async () => {
    charges += 1;
    return { outcome: 'admitted', state: budget };
  },
  peek: async () => budget,
};
const drained: Limiter = {
  ...counting,
  charge: async () => ({ outcome: 'refused', state: budget, retryAfter: 1 }),
};
const done = () => reply(204, undefined);

const call = (
  options: {
    readonly by?: Partial<Caller>;
    readonly id?: string;
    readonly key?: string;
    readonly sent?: TestRequest;
    readonly shape?: Parameters<typeof testRoute>[0];
    readonly run?: (exchange: Exchange) => Promise<Reply> | Reply;
    readonly limiter?: Limiter;
    readonly log?: typeof log;
    readonly at?: number;
  } = {},
): Promise<TestResponse> => {
  const { by = {}, id = `key_${caller.tenant.tag}${ULID}`, key = 'a-key', sent = {} } = options;
  return serve(
    testRoute({ ...revoking, ...options.shape }),
    options.run ?? done,
    {
      parameters: { id },
      ...sent,
      headers: { 'x-api-key': 'ask_good', 'idempotency-key': key, ...sent.headers },
    },
    {
      authenticator: async () => ({ ...caller, tenant, scopes: new Set<Scope>(['admin:config']), ...by }),
      limiter: options.limiter ?? counting,
      audit: options.log ?? log,
      clock: () => options.at ?? NOW,
      responses: storedResponsesIn(responses.store),
    },
  );
};

/** What the log of this test's tenant says, in the order of its ids. */
const entries = async (): Promise<AuditEntry[]> => {
  const { Items = [] } = await live.client.send(
    new QueryCommand({
      TableName: 'audit',
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: `${tenant.tenant_id}#2026-05` } },
    }),
  );
  return Items.map(({ document }) => AuditEntry.parse(JSON.parse(document?.S ?? '')));
};
const refuse = (code: ErrorCode) => () => {
  throw new ProblemError(code, 'What happened.');
};
/** Of a route that takes an empty object. */
const json = { body: { kind: 'json', schema: z.strictObject({}), maxBytes: 100 } } as const;
const JSON_TYPE = { 'content-type': 'application/json' };
const errorOf = ({ body }: TestResponse) => body['error_code'];

describe('a denied call of a connector', () => {
  const MINUTE = 60_000;
  const connector: Partial<Caller> = {
    kind: 'oauth_client',
    principal: 'cli_1',
    scopes: new Set(['partner:connector']),
    connector: { name: 'kong', sourceSystems: ['kong'], layer: 'gateway', fillsOtherSources: false },
  };
  const read = (at: number, sourceIp: string) =>
    serve(
      testRoute(),
      done,
      { headers: { 'x-api-key': 'ask_good' }, sourceIp },
      {
        authenticator: async () => ({ ...caller, tenant, ...connector }),
        audit: log,
        limiter: counting,
        clock: () => at,
      },
    );

  it('is one entry of the first attempt for each operation within an hour, however often it is repeated', async () => {
    for (const minute of [5, 6, 59]) {
      const at = NOW + minute * MINUTE;
      const sourceIp = `192.0.2.${minute}`;
      await read(at, sourceIp);
      const shape = { operation: 'revokeThing' };
      await call({ by: connector, shape, key: `key ${minute}`, at, sent: { sourceIp } });
    }

    const first = { at: new Date(NOW + 5 * MINUTE).toISOString(), source_ip: '192.0.2.5' };
    const logged = await entries();
    expect(logged).toHaveLength(2);
    expect(logged).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...first, action: 'connector.access', operation: 'getThings' }),
        expect.objectContaining({ ...first, action: 'api_key.revoke' }),
      ]),
    );
  });

  it('is one entry, though many calls are denied at the same time', async () => {
    await Promise.all(Array.from({ length: 8 }, (_, index) => read(NOW, `192.0.2.${index}`)));

    expect(await entries()).toHaveLength(1);
  });

  it('is another entry for another connector or code, or after an hour', async () => {
    await call({ by: connector });
    await call({ by: { ...connector, principal: 'cli_2' } });
    await call({ by: { ...connector, residency: 'eu' } });
    await call({ by: connector, at: NOW + 60 * MINUTE });

    expect(await entries()).toHaveLength(4);
  });
});

describe('a read', () => {
  const HOUR = 3_600_000;
  const ids = { ids: { id: 'att' }, path: '/things/{id}', access: 'read:attribution' } as const;
  const recordId = `att_${caller.tenant.tag}${ULID}`;
  const otherId = `att_${caller.tenant.tag}${ULID.replace('01', '02')}`;
  /** One environment, which reads at these times. */
  const readings = async (
    shape: Parameters<typeof testRoute>[0],
    calls: readonly { readonly id?: string; readonly at?: number; readonly by?: Partial<Caller> }[],
  ) => {
    let [at, by]: [number, Partial<Caller>] = [NOW, {}];
    const served = servedBy(testRoute({ ...ids, ...shape }), done, {
      authenticator: async () => ({ ...caller, tenant, scopes: new Set<Scope>(['read:attribution']), ...by }),
      limiter: counting,
      audit: log,
      clock: () => at,
    });
    const answers = [];
    for (const { id = recordId, ...one } of calls) {
      [at, by] = [one.at ?? NOW, one.by ?? {}];
      answers.push(await served({ parameters: { id }, headers: { 'x-api-key': 'ask_good' } }));
    }
    return answers;
  };
  const records = { discloses: 'records' } as const;

  it('of a single record is one entry an hour for each caller and record', async () => {
    const again = { at: NOW + HOUR - 1 };
    await readings(records, [{}, again, { id: otherId }, { by: { principal: 'key_2' } }]);
    await readings(records, [again, { at: NOW + HOUR }]);

    const logged = (await entries()).map(({ actor, resource }) => [actor.id, resource]);
    expect(logged.toSorted()).toEqual(
      [
        ['key_1', otherId],
        ['key_1', recordId],
        ['key_1', recordId],
        ['key_2', recordId],
      ].toSorted(),
    );
    expect((await entries())[0]).toMatchObject({
      action: 'records.read',
      operation: 'getThings',
      outcome: 'succeeded',
    });
  });

  it.each(['none', 'operation', 'cohorts', 'cohorts_or_records'] as const)(
    'that discloses %s is no entry',
    async (discloses) => {
      await readings({ discloses }, [{}]);

      expect(await entries()).toEqual([]);
    },
  );

  it.each<[string, Partial<Caller>, string, ErrorCode]>([
    ['without its scope', { scopes: new Set() }, recordId, 'INSUFFICIENT_SCOPE'],
    ['of another tenant', {}, `att_zzzzzzzz${ULID}`, 'TENANT_MISMATCH'],
  ])('%s is one refused entry an hour, of any route', async (_, by, id, code) => {
    const calls = [
      { by, id },
      { by, id, at: NOW + 1 },
      { by, id, at: NOW + HOUR },
    ];
    const answers = [
      ...(await readings({ ...records, operation: 'getRecords' }, calls)),
      ...(await readings({ discloses: 'none', operation: 'getOthers' }, calls)),
    ];

    expect(answers.map(errorOf)).toEqual(Array(6).fill(code));
    const logged = (await entries()).map(({ action, operation, error_code }) => [
      action,
      operation,
      error_code,
    ]);
    expect(logged.toSorted()).toEqual([
      ['access.denied', 'getOthers', code],
      ['access.denied', 'getOthers', code],
      ['records.read', 'getRecords', code],
      ['records.read', 'getRecords', code],
    ]);
  });
});

describe('a refused call', () => {
  it('is recorded once with actor, action, resource, source, time and error code', async () => {
    const answer = await call({ by: { scopes: new Set() } });

    expect(await entries()).toEqual([
      {
        id: expect.stringMatching(/^aud_k3vcq2mc[0-9A-Z]{26}$/),
        at: new Date(NOW).toISOString(),
        action: 'api_key.revoke',
        actor: { type: 'api_key', id: 'key_1' },
        resource: `key_${caller.tenant.tag}${ULID}`,
        outcome: 'refused',
        error_code: 'INSUFFICIENT_SCOPE',
        refused_host: null,
        source_ip: '192.0.2.7',
        trace_id: answer.headers['x-trace-id'],
        changes: [],
        more_changes: 0,
      },
    ]);
  });

  const oldUser = { kind: 'user', principal: 'usr_1', signedInAt: NOW - 16 * 60_000 } as const;
  const foreign = `key_zzzzzzzz${ULID}`;

  it.each<[ErrorCode, Parameters<typeof call>[0]]>([
    ['INSUFFICIENT_SCOPE', { by: { scopes: new Set() } }],
    ['STEP_UP_REQUIRED', { by: oldUser }],
    ['RESIDENCY_BLOCKED', { by: { residency: 'eu' } }],
    ['TENANT_MISMATCH', { id: foreign }],
    ['TENANT_MISMATCH', { sent: { headers: { 'x-tenant-id': 'globex' } } }],
    ['NOT_FOUND', { id: 'nothing' }],
    ['VALIDATION_FAILED', { shape: json, sent: { body: '{"a":1}', headers: JSON_TYPE } }],
    ['NOT_FOUND', { run: refuse('NOT_FOUND') }],
    ['CONFLICT', { run: refuse('CONFLICT') }],
    ['NO_SCOPE', { run: refuse('NO_SCOPE') }],
    ['INSUFFICIENT_SCOPE', { run: refuse('INSUFFICIENT_SCOPE') }],
  ])('is recorded and costs one token for %s: %j', async (code, options) => {
    const answer = await call(options);

    expect(errorOf(answer)).toBe(code);
    expect(await entries()).toMatchObject([{ outcome: 'refused', error_code: code }]);
    expect(charges).toBe(1);
    expect(answer.headers).toMatchObject({ 'ratelimit-remaining': '39' });
  });

  it('is recorded for each new request, with the user as actor', async () => {
    await call({ by: oldUser, key: 'one' });
    await call({ by: oldUser, key: 'two' });

    const actor = { type: 'user', id: 'usr_1' };
    expect(await entries()).toMatchObject([{ actor }, { actor }]);
  });

  it('is recorded once, whether a middleware or the operation refused it', async () => {
    let appended = 0;
    const counted: typeof log = {
      ...log,
      appendOnce: (...of) => {
        appended += 1;
        return log.appendOnce(...of);
      },
    };

    await call({ log: counted, by: { scopes: new Set() }, key: 'one' });
    await call({ log: counted, run: refuse('CONFLICT'), key: 'two' });

    expect(appended).toBe(2);
  });

  it('is recorded without a resource for a creation', async () => {
    const { ids: _none, ...creating } = { ...revoking, path: '/things' as const };

    const headers = { 'x-api-key': 'ask_good' };
    await serve(
      creating,
      done,
      { headers },
      { audit: log, authenticator: async () => ({ ...caller, tenant }) },
    );

    expect(await entries()).toMatchObject([{ error_code: 'INSUFFICIENT_SCOPE', resource: null }]);
  });

  it('is not recorded again when its response is replayed', async () => {
    const answers = [await call({ run: refuse('CONFLICT') }), await call(), await call()];

    expect(answers.map(errorOf)).toEqual(Array(3).fill('CONFLICT'));
    expect(await entries()).toHaveLength(1);
  });

  it('records the id of another tenant as sent', async () => {
    await call({ id: foreign });

    expect(await entries()).toMatchObject([{ resource: foreign }]);
  });

  it.each([
    ['a secret pasted in the place of an id', 'ask_test_k3vcq2mc01ARZ3NDEKTSV4RRFFQ69G5FAV_canary'],
    ['an id of another kind', `cli_${caller.tenant.tag}${ULID}`],
    ['anything', 'x'.repeat(5_000)],
  ])('does not record %s', async (_, id) => {
    await call({ id });

    expect(await entries()).toMatchObject([{ error_code: 'NOT_FOUND', resource: null }]);
  });
});

describe('nothing is recorded', () => {
  it.each<[ErrorCode, Parameters<typeof call>[0]]>([
    ['IDEMPOTENCY_KEY_REQUIRED', { key: 'two words' }],
    ['RATE_LIMITED', { limiter: drained }],
    ['RATE_LIMITED', { limiter: drained, by: { scopes: new Set() } }],
    ['SERVICE_UNAVAILABLE', { run: () => fail(unavailable(new Error('down'))) }],
    ['INTERNAL_ERROR', { run: () => fail(new TypeError('a bug')) }],
    ['INTERNAL_ERROR', { run: refuse('INTERNAL_ERROR') }],
    ['IDEMPOTENCY_IN_PROGRESS', { run: refuse('IDEMPOTENCY_IN_PROGRESS') }],
    ['INVALID_REQUEST', { shape: json, sent: { body: '{', headers: JSON_TYPE } }],
    ['PAYLOAD_TOO_LARGE', { shape: json, sent: { body: ' '.repeat(101), headers: JSON_TYPE } }],
    ['UNSUPPORTED_MEDIA_TYPE', { shape: json, sent: { body: '{}' } }],
  ])('for %s: %j', async (code, options) => {
    const answer = await call(options);

    expect(errorOf(answer)).toBe(code);
    expect(await entries()).toEqual([]);
  });

  it('for an Idempotency-Key that was used with another request', async () => {
    await call();

    expect(errorOf(await call({ sent: { path: '/things/2' } }))).toBe('IDEMPOTENCY_CONFLICT');
    expect(await entries()).toEqual([]);
  });

  it.each<ErrorCode>(['NOT_FOUND', 'INVALID_FILTER', 'CONFLICT'])(
    'for %s of a route without an audit action',
    async (code) => {
      const { audit: _action, ...plain } = revoking;

      const answer = await serve(
        plain,
        refuse(code),
        { headers: { 'x-api-key': 'ask_good', 'idempotency-key': 'a-key' } },
        { audit: log, authenticator: async () => ({ ...caller, tenant, scopes: new Set(['admin:config']) }) },
      );

      expect(errorOf(answer)).toBe(code);
      expect(await entries()).toEqual([]);
    },
  );

  it('for an unknown caller', async () => {
    const answer = await serve(revoking, done, {}, { audit: log });

    expect(answer.status).toBe(401);
    expect(await entries()).toEqual([]);
  });

  const fail = (error: unknown): never => {
    throw error;
  };
});

describe('while the audit log is down', () => {
  const down = auditLog('nowhere');

  it('a refusal returns 503 instead', async () => {
    const answers = [
      await call({ log: down, by: { scopes: new Set() } }),
      await call({ log: down, run: refuse('CONFLICT') }),
    ];

    expect(answers.map(errorOf)).toEqual(['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE']);
    expect(answers.map(({ headers }) => headers['retry-after'])).toEqual(['1', '1']);
  });

  it('a refusal is not stored for retries before it is recorded', async () => {
    await call({ log: down, run: refuse('CONFLICT') });

    const again = await call({ run: refuse('CONFLICT') });

    expect(errorOf(again)).toBe('CONFLICT');
    expect(await entries()).toMatchObject([{ error_code: 'CONFLICT' }]);
  });
});

it('keeps the entry of a successful attempt when a later attempt of the same call is refused', async () => {
  const crash = async (exchange: Exchange) => {
    const auditContext = auditContextOf(exchange);
    if (auditContext === undefined) throw new Error('an audited call has an audit context');
    await commit([log.append(tenant.tenant_id, buildAuditEntry(auditContext, { resource: 'key_x' }))]);
    throw unavailable(new Error('crashed before it could answer'));
  };

  await call({ run: crash });
  await call({ run: refuse('CONFLICT') });

  const outcomes = (await entries()).map(({ outcome }) => outcome).toSorted();
  expect(outcomes).toEqual(['refused', 'succeeded']);
});
