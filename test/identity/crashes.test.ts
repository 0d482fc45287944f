import * as fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { IdentityMapping } from '../../schemas/attribution/identityMapping.ts';
import { type Fault, injectFaults } from '../credentials/faultInjection.ts';
import type { TestResponse } from '../http/harness.ts';
import { type MappingFixture, type OperationName, startMappingFixture } from './mappingFixture.ts';
import { condition } from './mappings.ts';

/** What a function of the harness has left, and how much longer its lease lasts. */
const LEASE = 10_000 + 2_000;
/** Writes of a call that meets no fault: its lease, its effect, its response. */
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
// Outages are logged; nobody needs to read them here.
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

/** A call that is repeated under one key, in a tenant of its own that has another mapping. */
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

/** Repeats a call as a client does whose calls fail: after the lease, until it is answered. */
const retryUntilAnswered = async (send: () => Promise<TestResponse>): Promise<TestResponse> => {
  faults.restart();
  for (let tries = 1; ; tries += 1) {
    const answer = await send();
    if (answer.status < 300 || tries === 3) return answer;
    world.time.now += LEASE;
  }
};

/** One effect, counted and told once and under one instant, and an answer that is true. */
const expectOneEffect = async (subject: Subject, { tenant, before }: Prepared, answer: TestResponse) => {
  expect(answer.status, answer.text).toBeLessThan(300);
  const all = await world.reader.all(tenant.tenant_id);
  const told = (await world.auditOf(tenant)).filter(({ action }) => action === subject.action);
  const [entry] = told.slice(-1);
  const mapping = all.find(({ name }) => name === REQUEST.name);
  expect(await world.countOf(tenant)).toBe(all.length);
  expect(entry?.outcome).toBe('succeeded');
  if (subject.operation === 'remove') {
    expect([all.length, told.length, answer.status, mapping]).toEqual([1, 1, 204, undefined]);
    expect(entry?.resource).toBe(before?.id);
    return;
  }
  expect([all.length, told.length]).toEqual([2, subject.operation === 'create' ? 2 : 1]);
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
      world.time.now += LEASE;

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
      world.time.now += LEASE;

      await expectOneEffect(subject, prepared, await retryUntilAnswered(prepared.send));
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
      const answer = await retryUntilAnswered(prepared.send);

      faults.wake();
      const late = await first;

      // What it answers now is what everybody is answered, or nothing at all.
      expect([answer.text, null]).toContain(late.status < 300 ? late.text : null);
      await expectOneEffect(subject, prepared, answer);
    },
  );
});

it('has one effect whatever happens how often, in whatever order', async () => {
  const fault = fc.record<Fault>({
    write: fc.nat({ max: WRITES }),
    moment: fc.constantFrom('before', 'after'),
    kind: fc.constantFrom('fails', 'dies'),
  });
  const scenes = fc.record({
    subject: fc.constantFrom(...subjects.map(([, subject]) => subject)),
    happenings: fc.array(fc.record({ fault, wait: fc.constantFrom(0, 1, LEASE) }), { maxLength: 5 }),
  });

  await fc.assert(
    fc.asyncProperty(scenes, async ({ subject, happenings }) => {
      const prepared = await prepare(subject);
      const answers: TestResponse[] = [];
      for (const { fault, wait } of happenings) {
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

describe('a crash before the answer, and others who change the mapping meanwhile', () => {
  const interrupted = async () => {
    const tenant = world.newTenant();
    const send = () => world.call('create', { tenant, body: REQUEST, key: 'one-key' });
    void faults.arm({ write: 2, moment: 'before', kind: 'dies' });
    await send();
    faults.restart();
    const [made] = await world.reader.all(tenant.tenant_id);
    if (made === undefined) throw new Error('the effect came before the crash');
    world.time.now += LEASE;
    return { tenant, made, send };
  };

  it('answers its creation with what has become of it', async () => {
    const { tenant, made, send } = await interrupted();
    await world.call('update', { tenant, id: made.id, body: { owner: 'team-b' } });

    const answer = await send();

    expect([answer.status, answer.body]).toMatchObject([201, { id: made.id, owner: 'team-b' }]);
    expect(await world.countOf(tenant)).toBe(1);
  });

  it('does not make it again where it was deleted', async () => {
    const { tenant, made, send } = await interrupted();
    await world.call('remove', { tenant, id: made.id });

    const answer = await send();

    expect([answer.status, answer.body]).toMatchObject([201, { id: made.id, owner: 'team-a' }]);
    expect([await world.reader.all(tenant.tenant_id), await world.countOf(tenant)]).toEqual([[], 0]);
  });
});
