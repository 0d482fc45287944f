import * as fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { IdentityMapping } from '../../../schemas/attribution/identityMapping.ts';
import { type Fault, injectFaults } from '../../identity/credentials/faultInjection.ts';
import type { TestResponse } from '../../platform/http/harness.ts';
import { type MappingFixture, type OperationName, startMappingFixture } from './mappingFixture.ts';
import { condition } from './mappings.ts';

/** Function timeout plus lease margin. */
const LEASE_MS = 10_000 + 2_000;
/** Writes of a call without faults: its lease, its effect, its response. */
const WRITES = 3;

let world: MappingFixture;
let faults: ReturnType<typeof injectFaults>;

beforeAll(async () => {
  world = await startMappingFixture();
  faults = injectFaults();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await world.live.stop();
});
// Hides the log output of simulated outages.
beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

const REQUEST = { name: 'Ann', conditions: [condition('identity', 'ann')], owner: 'team-a' };

interface Subject {
  readonly operation: OperationName;
  readonly action: string;
  readonly body?: object;
}
const subjects = (
  [
    { operation: 'create', action: 'identity_mapping.create', body: REQUEST },
    { operation: 'update', action: 'identity_mapping.update', body: { owner: null, service: 'ranking' } },
    { operation: 'remove', action: 'identity_mapping.delete' },
  ] satisfies Subject[]
).map((subject: Subject) => [subject.operation, subject] as const);

/** A call repeated under one idempotency key, in a new tenant with another mapping. */
const prepare = async ({ operation, body }: Subject) => {
  const tenant = world.newTenant();
  await world.call('create', { tenant, body: { ...REQUEST, name: 'Another' } });
  const before =
    operation === 'create'
      ? undefined
      : IdentityMapping.parse((await world.call('create', { tenant, body: REQUEST })).body);
  world.time.now += 60_000;
  const send = () =>
    world.call(operation, {
      tenant,
      key: 'one-key',
      ...(before !== undefined && { id: before.id }),
      ...(body !== undefined && { body }),
    });
  return { tenant, before, send };
};
type Prepared = Awaited<ReturnType<typeof prepare>>;

/** Retries a call after the lease until it succeeds, at most three times. */
const retryUntilAnswered = async (send: () => Promise<TestResponse>): Promise<TestResponse> => {
  faults.restart();
  for (let tries = 1; ; tries += 1) {
    const answer = await send();
    if (answer.status < 300 || tries === 3) return answer;
    world.time.now += LEASE_MS;
  }
};

/** Expects one effect, one audit entry with the same time, and a correct response. */
const expectOneEffect = async (subject: Subject, { tenant, before }: Prepared, answer: TestResponse) => {
  expect(answer.status, answer.text).toBeLessThan(300);
  const all = await world.reader.all(tenant.tenant_id);
  const entries = (await world.auditOf(tenant)).filter(({ action }) => action === subject.action);
  const [entry] = entries.slice(-1);
  const mapping = all.find(({ name }) => name === REQUEST.name);
  expect(await world.countOf(tenant)).toBe(all.length);
  expect(entry?.outcome).toBe('succeeded');
  if (subject.operation === 'remove') {
    expect([all.length, entries.length, answer.status, mapping]).toEqual([1, 1, 204, undefined]);
    expect(entry?.resource).toBe(before?.id);
    return;
  }
  expect([all.length, entries.length]).toEqual([2, subject.operation === 'create' ? 2 : 1]);
  expect(entry?.resource).toBe(mapping?.id);
  expect(answer.body).toEqual(mapping);
  expect(mapping?.updated_at).toBe(entry?.at);
  if (subject.operation === 'create') expect(mapping).toMatchObject({ ...REQUEST, position: 20 });
  else expect(mapping).toEqual({ ...withoutOwner(before), service: 'ranking', updated_at: entry?.at });
};

const withoutOwner = (mapping: IdentityMapping | undefined): object => {
  const { owner: _cleared, ...rest } = { ...mapping };
  return rest;
};

describe.each(subjects)('%s', (_, subject) => {
  it(`takes ${WRITES} writes: its lease, its effect, its response`, async () => {
    const prepared = await prepare(subject);
    void faults.arm({ write: 99, moment: 'before', kind: 'fails' });

    const answer = await prepared.send();

    expect(faults.writes()).toBe(WRITES);
    await expectOneEffect(subject, prepared, answer);
  });

  const faultList = (kind: Fault['kind']) =>
    Array.from({ length: WRITES }, (_, write) =>
      (['before', 'after'] as const).map((moment): Fault => ({ write, moment, kind })),
    ).flat();

  it.each([...faultList('fails'), ...faultList('dies')])(
    'has one effect when a retry follows the fault %o',
    async (fault) => {
      const prepared = await prepare(subject);
      void faults.arm(fault);
      const failed = await prepared.send();
      faults.restart();
      world.time.now += LEASE_MS;

      const answer = await retryUntilAnswered(prepared.send);

      expect(failed).toMatchObject({ status: 503, body: { error_code: 'SERVICE_UNAVAILABLE' } });
      await expectOneEffect(subject, prepared, answer);
      const again = await prepared.send();
      expect([again.text, again.headers['idempotency-replayed']]).toEqual([answer.text, 'true']);
    },
  );

  it.each(faultList('repeats').filter(({ moment }) => moment === 'before'))(
    'has one effect when the SDK repeats a write that took effect: %o',
    async (fault) => {
      const prepared = await prepare(subject);
      void faults.arm(fault);
      await prepared.send();
      world.time.now += LEASE_MS;

      await expectOneEffect(subject, prepared, await retryUntilAnswered(prepared.send));
    },
  );

  it.each(faultList('sleeps'))(
    'has one effect when the first call resumes after its retry has ended: %o',
    async (fault) => {
      const prepared = await prepare(subject);
      const asleep = faults.arm(fault);
      const first = prepared.send();
      await Promise.race([asleep, first]);
      world.time.now += LEASE_MS;
      const answer = await retryUntilAnswered(prepared.send);

      faults.wake();
      const late = await first;

      // The late response is either the same as that of the retry, or an error.
      expect([answer.text, null]).toContain(late.status < 300 ? late.text : null);
      await expectOneEffect(subject, prepared, answer);
    },
  );
});

it('has one effect for any sequence of faults', async () => {
  const fault = fc.record<Fault>({
    write: fc.nat({ max: WRITES }),
    moment: fc.constantFrom('before', 'after'),
    kind: fc.constantFrom('fails', 'dies'),
  });
  const scenes = fc.record({
    subject: fc.constantFrom(...subjects.map(([, subject]) => subject)),
    injections: fc.array(fc.record({ fault, wait: fc.constantFrom(0, 1, LEASE_MS) }), { maxLength: 5 }),
  });

  await fc.assert(
    fc.asyncProperty(scenes, async ({ subject, injections }) => {
      const prepared = await prepare(subject);
      const answers: TestResponse[] = [];
      for (const { fault, wait } of injections) {
        void faults.arm(fault);
        answers.push(await prepared.send());
        faults.restart();
        world.time.now += wait;
      }
      const last = await retryUntilAnswered(prepared.send);

      const given = [...answers, last].filter(({ status }) => status < 300).map(({ text }) => text);
      expect(new Set(given).size).toBe(1);
      await expectOneEffect(subject, prepared, last);
    }),
    { numRuns: 20 },
  );
});

describe('a crash before the response, with concurrent changes', () => {
  const interrupted = async () => {
    const tenant = world.newTenant();
    const send = () => world.call('create', { tenant, body: REQUEST, key: 'one-key' });
    void faults.arm({ write: 2, moment: 'before', kind: 'dies' });
    await send();
    faults.restart();
    const [mapping] = await world.reader.all(tenant.tenant_id);
    if (mapping === undefined) throw new Error('expected the effect before the crash');
    world.time.now += LEASE_MS;
    return { tenant, mapping, send };
  };

  it('returns the current state of the mapping on retry of its creation', async () => {
    const { tenant, mapping, send } = await interrupted();
    await world.call('update', { tenant, id: mapping.id, body: { owner: 'team-b' } });

    const answer = await send();

    expect([answer.status, answer.body]).toMatchObject([201, { id: mapping.id, owner: 'team-b' }]);
    expect(await world.countOf(tenant)).toBe(1);
  });

  it('does not create the mapping again after it was deleted', async () => {
    const { tenant, mapping, send } = await interrupted();
    await world.call('remove', { tenant, id: mapping.id });

    const answer = await send();

    expect([answer.status, answer.body]).toMatchObject([201, { id: mapping.id, owner: 'team-a' }]);
    expect([await world.reader.all(tenant.tenant_id), await world.countOf(tenant)]).toEqual([[], 0]);
  });
});
