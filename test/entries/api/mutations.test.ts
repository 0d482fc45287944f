import './environment.ts';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { REPLAYED_MAXIMUM, subscribableTypes } from '../../../schemas/delivery/webhooks.ts';
import { HOUR_MS } from '../../../schemas/durations.ts';
import { AuditEntry } from '../../../schemas/identity/audit.ts';
import { DRY_RUN_RECORDS_MAXIMUM } from '../../../schemas/routes/attribution/mappings.ts';
import { routes } from '../../../schemas/routes/index.ts';
import { type RouteShape, routeKey, takesIdempotencyKey } from '../../../schemas/routes/route.ts';
import { aGroup, putRollup } from '../../insight/budgets/rollupFixtures.ts';
import { goodRequest, pathOf } from '../../platform/apiDocs/contract/requests.ts';
import { expectNoFaults, unequal } from '../../support/faults.ts';
import { changedMembers } from './changedMembers.ts';
import { differencesOf, type Outcome, randomPathsOf } from './comparison.ts';
import { scenarios } from './mutationScenarios.ts';
import type { ScenarioContext, Sent } from './mutationSubjects.ts';
import { effectsIn, type Fault, type MutationWorld, startMutationWorld } from './mutationWorld.ts';
import type { Item } from './rows.ts';

const NOW = Date.parse('2026-08-12T12:00:00Z');

let world: MutationWorld;
let context: ScenarioContext;
let keys: { readonly admin: string; readonly colleague: string; readonly sandbox: string };

beforeAll(async () => {
  world = await startMutationWorld(NOW);
  const { tenantAdministration } = await import('../../../tools/operator/tenants.ts');
  const deployment = {
    environment: 'local' as const,
    baseUrl: '',
    output: (name: string) => name.replace(/^Table/, '').replace(/^./, (letter) => letter.toLowerCase()),
  };
  const administration = await tenantAdministration(deployment);
  const settings = { plan: 'enterprise', residency: [] } as const;
  const tenant = await administration.open({ ...settings, tenantId: 'acme', name: 'Acme' });
  const sandbox = await administration.open({ ...settings, tenantId: 'play', name: 'Play', sandbox: true });
  keys = {
    admin: await administration.issueKey(tenant, 'admin'),
    colleague: await administration.issueKey(tenant, 'colleague'),
    sandbox: await administration.issueKey(sandbox, 'admin'),
  };
  context = {
    tenant,
    deployment,
    now: NOW,
    create: async (sent) => {
      const answer = await send(sent);
      expect(answer.status, `${sent.operation} ${answer.text}`).toBeLessThan(300);
      const { id, key_id, client_id, job_id } = JSON.parse(answer.text === '' ? '{}' : answer.text);
      return String(id ?? key_id ?? client_id ?? job_id);
    },
  };
  // Budgets cross thresholds.
  await putRollup(tenant, 'day', NOW, [aGroup('80')]);
  await world.keep();
});
afterAll(() => world.stop());
beforeEach(() => {
  // Faults are logged, and the SDK warns of the addresses of the queues.
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  vi.spyOn(console, 'warn').mockReturnValue();
  return async () => {
    vi.restoreAllMocks();
    await world.reset();
  };
});

const mutations = routes.filter(takesIdempotencyKey);
/** How many of everything a large tenant has, and most rows that a mutation may read of it. */
const COPIES = 200;
const ROWS_MORE = 20;
/** Mutations that are about many rows, and say in their description how many they read at most. */
const ABOUT_MANY: Readonly<Record<string, number>> = {
  dryRunIdentityMapping: DRY_RUN_RECORDS_MAXIMUM,
  replayToWebhook: REPLAYED_MAXIMUM * subscribableTypes.length,
  recallModel: 100,
};
const SILENT_PATH = '/one';
const CLIENT = { client_id: 'none', client_secret: 'none' };

/** Sends a call as the colleague, or as `key` with an Idempotency-Key. */
const send = (
  { operation, id = '', body, bySandbox = false }: Sent,
  { key = keys.colleague, idempotencyKey = randomUUID() as string } = {},
) => {
  const route = routes.find((one) => one.operation === operation);
  if (route === undefined) throw new Error(`no route ${operation}`);
  const sample = goodRequest(route, CLIENT);
  const sent =
    body === undefined || Array.isArray(sample.body) ? sample.body : { ...Object(sample.body), ...body };
  return world.send(
    pathOf(route, () => id),
    {
      method: route.method,
      key: bySandbox ? keys.sandbox : key,
      idempotencyKey,
      ...(route.body !== undefined && { body: sent }),
    },
  );
};

/** The call under test, which is repeated with one Idempotency-Key. */
const callOf = (sent: Sent) => () => send(sent, { key: keys.admin, idempotencyKey: 'one-key' });
const betweenOf = (sent: Sent) => () => send(sent, { idempotencyKey: 'between' });
type Step = ReturnType<typeof callOf>;

/** Runs steps on the kept state, and returns the answer of the last step named `answered` and the rows afterwards. */
const outcomeOf = async (steps: readonly Step[], answered: Step): Promise<Outcome> => {
  let answer: Awaited<ReturnType<Step>> | undefined;
  for (const step of steps) {
    const given = await step();
    if (step === answered) answer = given;
  }
  const rows = effectsIn(await world.written());
  await world.restore();
  if (answer === undefined) throw new Error('no answer');
  return { answer, rows };
};

/** The secret in an answer. */
const secretIn = (route: RouteShape, { status, text }: Outcome['answer']): string | undefined => {
  const member = route.replies[status]?.secret;
  return member === undefined ? undefined : JSON.parse(text)[member];
};

/** The retry of an interrupted call, and the rows afterwards. A second retry must be a replay. */
const retryOf = async (
  { route, call, between = [] }: { route: RouteShape; call: Step; between?: readonly Step[] },
  settle: () => Promise<void>,
) => {
  for (const step of between) await step();
  await world.endLeases();
  const before = await world.written();
  const answer = await call();
  await settle();
  const replay = await call();
  const after = await world.written();
  const outcome: Outcome = { answer, rows: effectsIn(after) };
  await world.restore();
  const isSame = replay.status === answer.status && (replay.status >= 400 || replay.text === answer.text);
  const secret = secretIn(route, answer);
  const stored = secret === undefined ? '' : JSON.stringify([...before, ...after]);
  return {
    outcome,
    faults: [
      ...(isSame ? [] : [`the replay is ${replay.status} ${replay.text}`]),
      ...(secret !== undefined && stored.includes(secret) ? ['a table holds the secret'] : []),
    ],
  };
};
const nothing = async (): Promise<void> => undefined;

type Interrupted = Parameters<typeof retryOf>[0];
const afterFault = async (interrupted: Interrupted, ...faults: readonly Fault[]) => {
  for (const fault of faults) {
    await world.sendWith(fault, interrupted.call);
    await world.endLeases();
  }
  return retryOf(interrupted, nothing);
};
const afterSleep = async (interrupted: Interrupted, write: number) =>
  retryOf(interrupted, await world.sleepBefore(write, interrupted.call));

it('every mutation has a scenario', () => {
  expect(Object.keys(scenarios).toSorted()).toEqual(mutations.map(({ operation }) => operation).toSorted());
});

/** Deletions of what has no GET of its own, and the answer to the second one. A series without a mute is still there. */
const UNREAD: Readonly<Record<string, number>> = {
  deleteAnnotation: 404,
  deleteSavedView: 404,
  deleteBill: 404,
  deleteBusinessMetric: 404,
  restoreSaving: 404,
  unmuteAnomaly: 204,
};

it('answers a second DELETE like the first if what it is about can still be read, and 404 if it is gone, on every route', async () => {
  const deletions = mutations.filter(({ method }) => method === 'DELETE');
  await expectNoFaults(deletions, routeKey, async (route) => {
    vi.setSystemTime(NOW);
    const scenario = await scenarios[route.operation]?.(context);
    if (scenario === undefined) return ['has no scenario'];
    vi.setSystemTime(NOW + 1_000);
    const { id = '' } = scenario.call;
    const first = await send(scenario.call);
    const reader = routes.find(({ method, path }) => method === 'GET' && path === route.path);
    const read = reader && (await send({ operation: reader.operation, id }));
    const again = await send(scenario.call);
    const expected =
      read === undefined ? UNREAD[route.operation] : read.status === 200 ? first.status : read.status;
    return [...unequal('first', first.status, 204), ...unequal('second', again.status, expected)];
  });
});

describe.each(mutations.map((route): [string, RouteShape] => [routeKey(route), route]))('%s', (_, route) => {
  it('has one effect and one answer, whichever write is interrupted, and whatever another caller writes before the retry', async () => {
    vi.setSystemTime(NOW);
    const scenario = await scenarios[route.operation]?.(context);
    if (scenario === undefined) throw new Error('no scenario');
    // The call comes later than what it is about.
    vi.setSystemTime(NOW + 1_000);
    await world.keep();
    const [call, between] = [callOf(scenario.call), betweenOf(scenario.between)];
    const { answer, writes } = await world.sendWith(undefined, call);
    expect(answer.status, answer.text).toBeLessThan(300);
    await world.restore();

    /** The outcome of steps without faults, and where it is random. */
    const expectedOf = async (...steps: readonly Step[]) => {
      const outcome = await outcomeOf(steps, call);
      return { outcome, random: randomPathsOf(outcome, await outcomeOf(steps, call)) };
    };
    const alone = await expectedOf(call);
    const orders = [await expectedOf(call, between), await expectedOf(between, call)];
    const faults: string[] = [];
    /** The outcome of an interrupted call must be one of these. */
    const expectOneOf = async (
      title: string,
      { outcome, faults: others }: Awaited<ReturnType<typeof retryOf>>,
      expected: readonly Awaited<ReturnType<typeof expectedOf>>[],
    ) => {
      const differences = expected.map((one) => differencesOf(outcome, one.outcome, one.random));
      const [fewest = []] = differences.toSorted((one, other) => one.length - other.length);
      for (const fault of [...others, ...fewest]) faults.push(`${title}: ${fault}`);
    };
    for (const [write, name] of writes.entries()) {
      const kinds = write === 0 ? (['fails before', 'fails after'] as const) : (['fails after'] as const);
      for (const kind of kinds)
        await expectOneOf(`write ${write} ${kind}`, await afterFault({ route, call }, { write, kind }), [
          alone,
        ]);
      // Other writes are shared by the calls of a process, so one that sleeps would hold up the other.
      if (name === 'TransactWriteItems')
        await expectOneOf(`sleep before write ${write}`, await afterSleep({ route, call }, write), [alone]);
      const crash: Fault = { write, kind: 'dies after' };
      const crashed = await afterFault({ route, call, between: [between] }, crash);
      await expectOneOf(`crash after write ${write}`, crashed, orders);
      // Its retry is interrupted too.
      const twice = await afterFault({ route, call }, crash, { write: 1, kind: 'fails after' });
      await expectOneOf(`crash after write ${write}, and failure of the retry`, twice, [alone]);
    }

    expect(faults).toEqual([]);
  });
});

// Ten seconds.
it('no mutation does work that grows with what the tenant has', async () => {
  // Later than what the interrupted calls above have left.
  vi.setSystemTime(NOW + 2 * HOUR_MS);
  await world.keep();
  const pool = new Map<string, Item | undefined>();
  /** The calls of each mutation, and the rows that they read. */
  const workOf = async (): Promise<Map<string, { readonly calls: number; readonly rows: number }>> => {
    const work = new Map<string, { readonly calls: number; readonly rows: number }>();
    for (const { operation } of mutations) {
      const scenario = await scenarios[operation]?.(context);
      if (scenario === undefined) throw new Error('no scenario');
      const { answer, calls, rows } = await world.sendWith(undefined, callOf(scenario.call));
      expect(answer.status, `${operation} ${answer.text}`).toBeLessThan(300);
      work.set(operation, { calls, rows });
      for (const [name, row] of effectsIn(await world.written())) pool.set(name, row);
      await world.restore();
    }
    return work;
  };
  // Fills the caches of this process.
  await workOf();
  const few = await workOf();
  await world.crowd(pool, COPIES);
  const many = await workOf();

  const grown = [...many].filter(([operation, { calls, rows }]) => {
    const before = few.get(operation);
    return (
      before === undefined ||
      calls > before.calls ||
      rows > before.rows + (ABOUT_MANY[operation] ?? ROWS_MORE)
    );
  });
  expect(grown.map(([operation, work]) => ({ operation, ...work, before: few.get(operation) }))).toEqual([]);
});

/** The entries that a call wrote into the audit log. */
const entriesIn = (rows: Outcome['rows']): AuditEntry[] =>
  [...rows].flatMap(([name, row]) =>
    JSON.parse(name)[0] === 'audit' && row?.['document']?.S !== undefined
      ? [AuditEntry.parse(JSON.parse(row['document'].S))]
      : [],
  );

/** Stored secrets: hashes and ciphertexts in any row. */
const storedSecretsIn = (rows: Outcome['rows']): string[] =>
  [...JSON.stringify([...rows]).matchAll(/(?:hash|salt|sealed\w*)\W+(?<secret>[\w+/=.:-]{12,})/g)].map(
    ({ groups }) => groups?.['secret'] ?? '',
  );

const audited = mutations.filter(({ audit }) => audit !== undefined);

it.each(audited.map((route): [string, RouteShape] => [route.operation, route]))(
  '%s records exactly the members that it changes, and no secret',
  async (operation, route) => {
    // Later than what the interrupted calls above have left.
    vi.setSystemTime(NOW + HOUR_MS);
    const scenario = await scenarios[operation]?.(context);
    if (scenario === undefined) throw new Error('no scenario');
    // The call comes later than what it is about.
    vi.setSystemTime(NOW + HOUR_MS + 1_000);
    await world.keep();
    const call = callOf(scenario.call);
    const { answer, rows } = await outcomeOf([call], call);
    expect(answer.status, answer.text).toBeLessThan(300);

    const [entry, ...others] = entriesIn(rows).filter(({ action }) => action === route.audit);
    expect(others).toEqual([]);
    const text = JSON.stringify(entry ?? null);
    const secrets = [secretIn(route, answer), ...storedSecretsIn(rows), SILENT_PATH].filter(
      (one) => one !== undefined,
    );
    for (const secret of secrets) expect(text).not.toContain(secret);
    expect(entry?.changes.map(({ pointer }) => pointer) ?? null).toEqual(changedMembers[operation]);
  },
);
