import * as fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import type { ApiKey } from '../../../functions/identity/access/apiKey.ts';
import type { OAuthClient } from '../../../functions/identity/access/client.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import type { TestResponse } from '../../platform/http/harness.ts';
import { runs } from '../../support/properties.ts';
import { type Fault, injectFaults } from './faultInjection.ts';
import { type CredentialsHarness, type OperationName, startCredentialsHarness } from './harness.ts';

/** The remaining time of a function in the harness, plus the margin of its lease. */
const LEASE = 10_000 + 2_000;
const DAY = 24 * 60 * 60 * 1_000;
/** Writes of a call without faults: the lease, the effect, the stored response. */
const WRITES = 3;

let world: CredentialsHarness;
let faults: ReturnType<typeof injectFaults>;

beforeAll(async () => {
  world = await startCredentialsHarness();
  faults = injectFaults();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await world.live.stop();
});
// Outages are logged. The output is not needed here.
beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

const Created = z.union([
  z.object({ id: z.string(), secret: z.string() }),
  z
    .object({ client_id: z.string(), client_secret: z.string() })
    .transform(({ client_id, client_secret }) => ({ id: client_id, secret: client_secret })),
]);
const made = ({ body }: TestResponse) => Created.parse(body);

const RIGHTS = { name: 'ci', scopes: ['ingest:write'] };

interface Subject {
  readonly operation: OperationName;
  readonly action: string;
  /** Operation that creates the credential, if the tested operation needs an existing one. */
  readonly about?: 'createApiKey' | 'createOAuthClient';
  readonly body?: { readonly name?: string; readonly scopes?: string[]; readonly overlap_seconds?: number };
}

const makers: readonly Subject[] = [
  { operation: 'createApiKey', action: 'api_key.create', body: RIGHTS },
  { operation: 'createOAuthClient', action: 'oauth_client.create', body: RIGHTS },
];
const rotations: readonly Subject[] = [
  {
    operation: 'rotateApiKey',
    action: 'api_key.rotate',
    about: 'createApiKey',
    body: { overlap_seconds: 60 },
  },
  { operation: 'rotateApiKey', action: 'api_key.rotate', about: 'createApiKey', body: {} },
  {
    operation: 'rotateOAuthClient',
    action: 'oauth_client.rotate',
    about: 'createOAuthClient',
    body: { overlap_seconds: 60 },
  },
  { operation: 'rotateOAuthClient', action: 'oauth_client.rotate', about: 'createOAuthClient', body: {} },
];
const endings: readonly Subject[] = [
  { operation: 'revokeApiKey', action: 'api_key.revoke', about: 'createApiKey' },
  { operation: 'deleteOAuthClient', action: 'oauth_client.delete', about: 'createOAuthClient' },
];
const subjects = [...makers, ...rotations, ...endings].map(
  (subject) => [`${subject.operation} ${JSON.stringify(subject.body ?? '')}`, subject] as const,
);

/** A call that is repeated with one Idempotency-Key, in a new tenant. */
const prepare = async ({ operation, about, body }: Subject) => {
  const tenant = world.newTenant();
  const before = about === undefined ? undefined : made(await world.call(about, { tenant, body: RIGHTS }));
  // The rotation happens later than the creation, so that the renewed expiry differs from the old one.
  world.time.now += 60_000;
  const send = () =>
    world.call(operation, {
      tenant,
      key: 'one-key',
      ...(before && { id: before.id }),
      ...(body && { body }),
    });
  return { tenant, before, send };
};
type Prepared = Awaited<ReturnType<typeof prepare>>;

/** Retries a call after its lease until it succeeds, at most three times. */
const sendUntilAnswered = async (send: () => Promise<TestResponse>): Promise<TestResponse> => {
  faults.restart();
  for (let tries = 1; ; tries += 1) {
    const answer = await send();
    if (answer.status < 300 || tries === 3) return answer;
    world.time.now += LEASE;
  }
};

const credentialsOf = async (tenant: Tenant) => [
  ...(await world.keysOf(tenant)),
  ...(await world.clientsOf(tenant)),
];

const idOf = (credential: ApiKey | OAuthClient): string =>
  'key_id' in credential ? credential.key_id : credential.client_id;
const endOf = (credential: ApiKey | OAuthClient): string | null =>
  'key_id' in credential ? credential.revoked_at : credential.deleted_at;

/** Expects one effect, one audit entry with the same time, and a correct response. */
const expectOneEffect = async (subject: Subject, { tenant, before }: Prepared, answer: TestResponse) => {
  expect(answer.status, answer.text).toBeLessThan(300);
  const credentials = await credentialsOf(tenant);
  const auditEntries = (await world.auditOf(tenant)).filter(({ action }) => action === subject.action);
  const events = await world.eventsOf(tenant);
  const [credential] = credentials;
  const [entry] = auditEntries;
  expect([credentials.length, auditEntries.length]).toEqual([1, 1]);
  if (credential === undefined || entry === undefined) return;
  expect(entry).toMatchObject({ outcome: 'succeeded', resource: idOf(credential) });
  expect(events.map(({ type, created_at }) => [type, created_at])).toEqual(
    subject.operation === 'rotateApiKey' ? [['apikey.rotated', entry.at]] : [],
  );

  if (answer.status === 204) return expect(endOf(credential)).toBe(entry.at);
  expect(endOf(credential)).toBeNull();
  expect(world.works(made(answer).secret, credential)).toBe(true);
  const at = Date.parse(entry.at);
  if ('expires_at' in credential) {
    const createdAt = Date.parse(credential.created_at);
    expect(Date.parse(credential.expires_at)).toBe(createdAt + tenant.key_lifetime_days * DAY);
  }
  if (before === undefined) return expect(credential.created_at).toBe(entry.at);
  const overlap = subject.body?.overlap_seconds;
  expect(credential.secrets?.previous?.valid_until ?? null).toBe(
    overlap === undefined ? null : new Date(at + overlap * 1_000).toISOString(),
  );
  world.time.now = at;
  expect(world.works(before.secret, credential)).toBe(overlap !== undefined);
};

describe.each(subjects)('%s', (_, subject) => {
  it(`takes ${WRITES} writes: lease, effect, stored response`, async () => {
    const prepared = await prepare(subject);
    void faults.arm({ write: 99, moment: 'before', kind: 'fails' });

    const answer = await prepared.send();

    expect(answer.status, answer.text).toBeLessThan(300);
    expect(faults.writes()).toBe(WRITES);
    await expectOneEffect(subject, prepared, answer);
  });

  const faultList = (kind: Fault['kind']) =>
    Array.from({ length: WRITES }, (_, write) =>
      (['before', 'after'] as const).map((moment): Fault => ({ write, moment, kind })),
    ).flat();

  it.each(faultList('fails'))('has one effect when a retry follows the failure %o', async (fault) => {
    const prepared = await prepare(subject);
    void faults.arm(fault);
    const failed = await prepared.send();

    const answer = await sendUntilAnswered(prepared.send);

    expect(failed).toMatchObject({ status: 503, body: { error_code: 'SERVICE_UNAVAILABLE' } });
    await expectOneEffect(subject, prepared, answer);
    const again = await prepared.send();
    expect([again.text, again.headers['idempotency-replayed']]).toEqual([answer.text, 'true']);
  });

  it.each(faultList('dies'))('has one effect when a retry follows the crash %o', async (fault) => {
    const prepared = await prepare(subject);
    void faults.arm(fault);
    await prepared.send();
    faults.restart();
    world.time.now += LEASE;

    const answer = await sendUntilAnswered(prepared.send);

    await expectOneEffect(subject, prepared, answer);
    const again = await prepared.send();
    expect([again.text, again.headers['idempotency-replayed']]).toEqual([answer.text, 'true']);
  });

  it.each(faultList('repeats').filter(({ moment }) => moment === 'before'))(
    'has one effect when the SDK repeats a write that took effect: %o',
    async (fault) => {
      const prepared = await prepare(subject);
      void faults.arm(fault);
      await prepared.send();
      world.time.now += LEASE;

      const answer = await sendUntilAnswered(prepared.send);

      await expectOneEffect(subject, prepared, answer);
    },
  );

  it.each(faultList('sleeps'))(
    'has one effect when the first call wakes after its retry has ended: %o',
    async (fault) => {
      const prepared = await prepare(subject);
      const asleep = faults.arm(fault);
      const first = prepared.send();
      await Promise.race([asleep, first]);
      world.time.now += LEASE;
      const answer = await sendUntilAnswered(prepared.send);

      faults.wake();
      const late = await first;

      // The late response is an error or equals the response of the retry.
      expect([answer.text, null]).toContain(late.status < 300 ? late.text : null);
      await expectOneEffect(subject, prepared, answer);
      expect((await prepared.send()).text).toBe(answer.text);
    },
  );
});

it('has one effect under any sequence of failures, crashes and retries', async () => {
  const fault = fc.record<Fault>({
    write: fc.nat({ max: WRITES }),
    moment: fc.constantFrom('before', 'after'),
    kind: fc.constantFrom('fails', 'dies'),
  });
  const scenarios = fc.record({
    subject: fc.constantFrom(...subjects.map(([, subject]) => subject)),
    incidents: fc.array(fc.record({ fault, wait: fc.constantFrom(0, 1, LEASE) }), { maxLength: 5 }),
  });

  await fc.assert(
    fc.asyncProperty(scenarios, async ({ subject, incidents }) => {
      const prepared = await prepare(subject);
      const answers: TestResponse[] = [];
      for (const { fault, wait } of incidents) {
        void faults.arm(fault);
        answers.push(await prepared.send());
        faults.restart();
        world.time.now += wait;
      }
      answers.push(await sendUntilAnswered(prepared.send));

      const given = new Set(answers.filter(({ status }) => status < 300).map(({ text }) => text));
      expect(given.size).toBe(1);
      const [last] = answers.slice(-1);
      if (last !== undefined) await expectOneEffect(subject, prepared, last);
    }),
    { numRuns: runs(15) },
  );
});

it('leaves no secret in any table after a failure and a retry', async () => {
  const secrets: string[] = [];
  for (const subject of [...makers, ...rotations]) {
    const prepared = await prepare(subject);
    void faults.arm({ write: 2, moment: 'before', kind: 'fails' });
    await prepared.send();
    const answer = await sendUntilAnswered(prepared.send);
    await prepared.send();
    secrets.push(made(answer).secret, ...(prepared.before ? [prepared.before.secret] : []));
  }

  const everything = await world.everything();

  // Only the random part of a key, because its id is not secret.
  const random = secrets.map((secret) => secret.slice(-49, -6));
  expect(random).toHaveLength(10);
  expect(random.filter((part) => everything.includes(part))).toEqual([]);
});
