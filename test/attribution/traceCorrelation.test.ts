import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileMappings } from '../../functions/attribution/mappings/mappingRules.ts';
import { applyOverride } from '../../functions/corrections/applyOverride.ts';
import { ulidInId } from '../../functions/shared/ids.ts';
import type { Tenant } from '../../functions/tenancy/tenant.ts';
import type { InvocationEvent } from '../../schemas/ingestion/invocationEvent.ts';
import { anOverride } from '../corrections/recordFixtures.ts';
import { aMapping, condition } from '../identity/mappings.ts';
import { Crash } from '../ledger/crashFixture.ts';
import { newTenant } from '../ledger/ledgerFixture.ts';
import { type LiveTables, startTables } from '../shared/tables.ts';
import {
  aSpanEvent,
  expectedOf,
  MARCH,
  outcomesOf,
  revise,
  startTraceRecorder,
  versionsOf,
  type WriteInterceptor,
} from './traceFixture.ts';

let live: LiveTables;

beforeAll(async () => {
  live = await startTables();
});
afterAll(() => live.stop());

const root = aSpanEvent(0, { attributed_identity: 'team-a' });
const agent = aSpanEvent(1, { parent_span_id: 'span-0' });
const leaf = aSpanEvent(2, { parent_span_id: 'span-1' });
const sibling = aSpanEvent(3, { parent_span_id: 'span-1' });

const newestOf = async (tenant: Tenant, event: InvocationEvent) =>
  (await versionsOf(tenant)).get(event.event_id)?.at(-1)?.attribution;

/** A door that one process waits at until another opens it. */
const gate = () => {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
};

describe('a span that came before', () => {
  it('learns of those that come later, as a new version of its record', async () => {
    const tenant = newTenant();
    const record = startTraceRecorder();
    await record(leaf, tenant);
    await record(agent, tenant);

    await record(root, tenant);

    const versions = (await versionsOf(tenant)).get(leaf.event_id);
    expect(versions?.map(({ attribution }) => attribution.record)).toMatchObject([
      { version: 1, owner: null, output_state: 'unresolved' },
      { version: 2, owner: 'team-a', output_state: 'deterministically_resolved', coper: 0.9 },
    ]);
    expect(await outcomesOf(tenant)).toEqual(await expectedOf([root, agent, leaf], tenant));
  });

  it('costs nothing any more once its usage turns out to repeat that of a span below it', async () => {
    const tenant = newTenant();
    const record = startTraceRecorder();
    await record(agent, tenant);
    const before = await newestOf(tenant, agent);

    await record(leaf, tenant);

    expect(before?.record.cost_usd).toBe('0.0045');
    expect((await newestOf(tenant, agent))?.record).toMatchObject({ version: 2, cost_usd: '0' });
    expect((await newestOf(tenant, leaf))?.record).toMatchObject({ version: 1, cost_usd: '0.0045' });
  });

  it('gets no new version where nothing changes for it', async () => {
    const tenant = newTenant();
    const record = startTraceRecorder();
    for (const event of [root, agent, leaf, sibling, root, leaf]) await record(event, tenant);

    const counts = [...(await versionsOf(tenant)).values()].map(({ length }) => length);

    // The root and the agent learn that the first leaf repeats nothing of theirs; the second tells nothing new.
    expect(counts).toEqual([2, 2, 1, 1]);
  });

  it('keeps what a person decided, while its cost follows', async () => {
    const tenant = newTenant();
    const record = startTraceRecorder();
    await record(agent, tenant);
    const ulid = ulidInId((await newestOf(tenant, agent))?.record.id ?? '');
    await revise(tenant, ulid, { claim: 'an override', attempt: 1 }, (current, at) =>
      applyOverride(current, anOverride(), at),
    );

    await record(leaf, tenant);
    await record(root, tenant);

    const newest = await newestOf(tenant, agent);
    expect(newest?.record).toMatchObject({
      owner: 'team-b',
      output_state: 'manually_overridden',
      coper: 0.95,
      cost_usd: '0',
    });
    expect(newest?.explanation.overrides).toMatchObject([{ id: 'ovr_1', owner: 'team-b' }]);
  });

  it('learns under the mappings of its own time, whoever teaches it', async () => {
    const mappings = compileMappings([
      aMapping(1, {
        conditions: [condition('source_system', 'portal')],
        effective_from: new Date(MARCH + 1_500).toISOString(),
      }),
    ]);
    const told = [root, agent, leaf].map((event) => ({
      ...event,
      attributed_identity: undefined,
      source_system: 'portal',
    }));
    const orders = [told, told.toReversed()];

    for (const order of orders) {
      const tenant = newTenant();
      for (const event of order) await startTraceRecorder(undefined, mappings)(event, tenant);
      expect(await outcomesOf(tenant)).toEqual(await expectedOf(told, tenant, mappings));
    }
  });
});

describe('spans at the same moment', () => {
  it('both known before either looks at the other are both learnt of', async () => {
    const tenant = newTenant();
    await startTraceRecorder()(agent, tenant);
    const known = new Set<string>();
    const both = gate();
    // Neither goes on before both are known.
    const meeting =
      (name: string): WriteInterceptor =>
      async (write, run) => {
        const result = await run();
        if (write === 'span' && !known.has(name)) {
          known.add(name);
          if (known.size === 2) both.open();
          await both.opened;
        }
        return result;
      };

    await Promise.all([
      startTraceRecorder(meeting('leaf'))(leaf, tenant),
      startTraceRecorder(meeting('sibling'))(sibling, tenant),
    ]);

    expect((await newestOf(tenant, agent))?.record.cost_usd).toBe('0');
    expect(await outcomesOf(tenant)).toEqual(await expectedOf([agent, leaf, sibling], tenant));
  });

  it.each([
    ['goes on', (_write: string) => undefined],
    [
      'crashes right behind it and comes again',
      (write: string) => {
        if (write === 'add') throw new Crash();
      },
    ],
  ])('one that is long about its record finds the other, where it %s', async (_, behind) => {
    const tenant = newTenant();
    const [waiting, taught] = [gate(), gate()];
    const slow: WriteInterceptor = async (write, run) => {
      if (write === 'add') {
        waiting.open();
        await taught.opened;
      }
      const result = await run();
      behind(write);
      return result;
    };

    const agents = startTraceRecorder(slow)(agent, tenant).catch(() => undefined);
    await waiting.opened;
    await startTraceRecorder()(leaf, tenant);
    taught.open();
    await agents;
    await startTraceRecorder()(agent, tenant);

    expect((await newestOf(tenant, agent))?.record.cost_usd).toBe('0');
  });
});

it('keeps tenants apart that have traces of the same name', async () => {
  const [one, other] = [newTenant(), newTenant()];
  await startTraceRecorder()(root, one);

  await startTraceRecorder()(leaf, other);
  await startTraceRecorder()(agent, other);

  expect((await newestOf(other, leaf))?.record.owner).toBeNull();
  expect((await newestOf(one, root))?.record).toMatchObject({ version: 1, event_id: root.event_id });
});
