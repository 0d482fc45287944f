import { afterAll, describe, expect, it } from 'vitest';
import { applyOverride } from '../../../../functions/attribution/corrections/applyOverride.ts';
import { compileMappings } from '../../../../functions/attribution/mappings/mappingRules.ts';
import { ulidInId } from '../../../../functions/platform/shared/ids.ts';
import type { Tenant } from '../../../../functions/platform/tenancy/tenant.ts';
import type { InvocationEvent } from '../../../../schemas/ingest/invocationEvent.ts';
import { Crash } from '../../../ledger/records/crashFixture.ts';
import { newTenant } from '../../../ledger/records/ledgerFixture.ts';
import { startTables } from '../../../support/tables.ts';
import { anOverride } from '../../corrections/recordFixtures.ts';
import { aMapping, condition } from '../../mappings/mappings.ts';
import { anEvent } from '../events.ts';
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

const live = await startTables();
afterAll(() => live.stop());

const root = aSpanEvent(0, { attributed_identity: 'team-a' });
const agent = aSpanEvent(1, { parent_span_id: 'span-0' });
const leaf = aSpanEvent(2, { parent_span_id: 'span-1' });
const sibling = aSpanEvent(3, { parent_span_id: 'span-1' });

/** An agent that states its end user, and tools that it calls. */
const spoken = aSpanEvent(4, { operation: 'invoke_agent', end_user: 'ann' });
const asked = aSpanEvent(5, { operation: 'execute_tool', parent_span_id: 'span-4' });
const called = aSpanEvent(6, { operation: 'execute_tool', parent_span_id: 'span-5' });

const newestOf = async (tenant: Tenant, event: InvocationEvent) =>
  (await versionsOf(tenant)).get(event.event_id)?.at(-1)?.attribution;

/** Blocks one process until another opens it. */
const gate = () => {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
};

describe('a span that arrived earlier', () => {
  it('gets a new version with the evidence of a later span', async () => {
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

  it('has its cost set to 0 when a later span below it reports the same usage', async () => {
    const tenant = newTenant();
    const record = startTraceRecorder();
    await record(agent, tenant);
    const before = await newestOf(tenant, agent);

    await record(leaf, tenant);

    expect(before?.record.cost_usd).toBe('0.0045');
    expect((await newestOf(tenant, agent))?.record).toMatchObject({ version: 2, cost_usd: '0' });
    expect((await newestOf(tenant, leaf))?.record).toMatchObject({ version: 1, cost_usd: '0.0045' });
  });

  it('gets no new version when its trace evidence is unchanged', async () => {
    const tenant = newTenant();
    const record = startTraceRecorder();
    for (const event of [root, agent, leaf, sibling, root, leaf]) await record(event, tenant);

    const counts = [...(await versionsOf(tenant)).values()].map(({ length }) => length);

    // The first leaf changes the root and the agent: their usage is now a repetition. The second leaf changes nothing.
    expect(counts).toEqual([2, 2, 1, 1]);
  });

  it.each([
    ['oldest first', [spoken, asked, called], [1, 1, 1]],
    ['newest first', [called, asked, spoken], [1, 2, 2]],
  ] as const)(
    'takes the end user that the whole trace names, and who names it gets no version: %s',
    async (_, arrived, counts) => {
      const tenant = newTenant();
      const record = startTraceRecorder();

      for (const event of arrived) await record(event, tenant);

      const versions = await versionsOf(tenant);
      const chains = [spoken, asked, called].map(({ event_id: id }) => versions.get(id) ?? []);
      expect(chains.map((chain) => chain.at(-1)?.attribution.record.end_user)).toEqual(['ann', 'ann', 'ann']);
      expect(chains.map(({ length }) => length)).toEqual(counts);
    },
  );

  it('keeps a manual override while its cost is updated', async () => {
    const tenant = newTenant();
    const record = startTraceRecorder();
    await record(agent, tenant);
    const ulid = ulidInId((await newestOf(tenant, agent))?.record.id ?? '');
    await revise(tenant, ulid, { claim: 'an override', attempt: 1 }, (current, startsAt) =>
      applyOverride(current, anOverride(), startsAt()),
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

  it('uses the mappings valid at its own time, whichever span is the source', async () => {
    const mappings = compileMappings([
      aMapping(1, {
        conditions: [condition('source_system', 'portal')],
        effective_from: new Date(MARCH + 1_500).toISOString(),
      }),
    ]);
    const events = [root, agent, leaf].map((event) => ({
      ...event,
      attributed_identity: undefined,
      source_system: 'portal',
    }));
    const orders = [events, events.toReversed()];

    for (const order of orders) {
      const tenant = newTenant();
      for (const event of order) await startTraceRecorder(undefined, mappings)(event, tenant);
      expect(await outcomesOf(tenant)).toEqual(await expectedOf(events, tenant, mappings));
    }
  });
});

describe('a span that covers spans without a record', () => {
  const framework = aSpanEvent(0, { covered_span_ids: ['chain', 'http'], attributed_identity: 'team-a' });
  const call = aSpanEvent(1, { parent_span_id: 'http' });

  it.each([
    ['before', [framework, call]],
    ['after', [call, framework]],
  ])('is the caller of what they called, when it arrives %s', async (_, order) => {
    const tenant = newTenant();
    for (const event of order) await startTraceRecorder()(event, tenant);

    expect((await newestOf(tenant, framework))?.record.cost_usd).toBe('0');
    expect((await newestOf(tenant, call))?.record).toMatchObject({ owner: 'team-a', cost_usd: '0.0045' });
  });
});

describe('concurrent spans', () => {
  it('are both correlated when both are stored before either reads the other', async () => {
    const tenant = newTenant();
    await startTraceRecorder()(agent, tenant);
    const stored = new Set<string>();
    const both = gate();
    // Neither continues before both are stored.
    const waitForBoth =
      (name: string): WriteInterceptor =>
      async (write, run) => {
        const result = await run();
        if (write === 'span' && !stored.has(name)) {
          stored.add(name);
          if (stored.size === 2) both.open();
          await both.opened;
        }
        return result;
      };

    await Promise.all([
      startTraceRecorder(waitForBoth('leaf'))(leaf, tenant),
      startTraceRecorder(waitForBoth('sibling'))(sibling, tenant),
    ]);

    expect((await newestOf(tenant, agent))?.record.cost_usd).toBe('0');
    expect(await outcomesOf(tenant)).toEqual(await expectedOf([agent, leaf, sibling], tenant));
  });

  it.each([
    ['continues', (_write: string) => undefined],
    [
      'crashes right after it and is delivered again',
      (write: string) => {
        if (write === 'add') throw new Crash();
      },
    ],
  ])('are correlated when the first is slow to write its record and then %s', async (_, afterWrite) => {
    const tenant = newTenant();
    const [waiting, leafRecorded] = [gate(), gate()];
    const slow: WriteInterceptor = async (write, run) => {
      if (write === 'add') {
        waiting.open();
        await leafRecorded.opened;
      }
      const result = await run();
      afterWrite(write);
      return result;
    };

    const slowRun = startTraceRecorder(slow)(agent, tenant).catch(() => undefined);
    await waiting.opened;
    await startTraceRecorder()(leaf, tenant);
    leafRecorded.open();
    await slowRun;
    await startTraceRecorder()(agent, tenant);

    expect((await newestOf(tenant, agent))?.record.cost_usd).toBe('0');
  });
});

describe('a span that was alone in its trace when it was read', () => {
  /** Resolves when the agent is about to write its record, which it does after `until`. */
  const recordSlowly = async (tenant: Tenant, until: Promise<void>) => {
    const waiting = gate();
    const slow: WriteInterceptor = async (write, run) => {
      if (write === 'add') {
        waiting.open();
        await until;
      }
      return run();
    };
    const finished = startTraceRecorder(slow)(agent, tenant);
    await waiting.opened;
    // In an object, so that it is not awaited here.
    return { finished };
  };

  it('has no version read, if no other span came until its record was written', async () => {
    const revisions: string[] = [];
    const note: WriteInterceptor = (write, run) => {
      revisions.push(write);
      return run();
    };
    await startTraceRecorder(note)(agent, newTenant());

    expect(revisions).toEqual(['claim', 'span', 'openMonth', 'add', 'mark']);
  });

  it('is correlated with a span that was recorded before its own record', async () => {
    const tenant = newTenant();
    const leafRecorded = gate();
    const { finished } = await recordSlowly(tenant, leafRecorded.opened);
    await startTraceRecorder()(leaf, tenant);
    leafRecorded.open();
    await finished;

    expect(await outcomesOf(tenant)).toEqual(await expectedOf([agent, leaf], tenant));
  });

  it('is correlated with a span that just missed its record', async () => {
    const tenant = newTenant();
    const missed = gate();
    const { finished } = await recordSlowly(tenant, missed.opened);
    const whenMissed: WriteInterceptor = async (write, run) => {
      if (write === 'touch') {
        missed.open();
        await finished;
      }
      return run();
    };
    await startTraceRecorder(whenMissed)(leaf, tenant);

    expect(await outcomesOf(tenant)).toEqual(await expectedOf([agent, leaf], tenant));
  });
});

describe('spans that call each other in a circle', () => {
  const circle = [0, 1, 2].map((index) =>
    aSpanEvent(index, { parent_span_id: `span-${(index + 1) % 3}`, estimated_cost_usd: '1' }),
  );

  it.each([
    ['oldest first', [0, 1, 2]],
    ['newest first', [2, 1, 0]],
    ['the middle last', [0, 2, 1]],
  ])('are billed once, also after they are delivered again: %s', async (_, order) => {
    const tenant = newTenant();
    const record = startTraceRecorder();
    const costs = async () =>
      [...(await versionsOf(tenant)).values()].map(
        (versions) => versions.at(-1)?.attribution.record.cost_usd,
      );
    for (const index of order) await record(circle[index] ?? anEvent(), tenant);
    const first = await costs();

    for (const event of circle) await record(event, tenant);

    expect(first.toSorted()).toEqual(['0', '0', '1']);
    expect(await costs()).toEqual(first);
  });

  it('do not include a span that names itself', async () => {
    const tenant = newTenant();
    const event = aSpanEvent(0, { parent_span_id: 'span-0', estimated_cost_usd: '1' });
    for (const _ of [1, 2]) await startTraceRecorder()(event, tenant);

    expect((await newestOf(tenant, event))?.record).toMatchObject({ version: 1, cost_usd: '1' });
  });
});

it('does not correlate spans of different tenants with the same trace id', async () => {
  const [one, other] = [newTenant(), newTenant()];
  await startTraceRecorder()(root, one);

  await startTraceRecorder()(leaf, other);
  await startTraceRecorder()(agent, other);

  expect((await newestOf(other, leaf))?.record.owner).toBeNull();
  expect((await newestOf(one, root))?.record).toMatchObject({ version: 1, event_id: root.event_id });
});

it('stores a digest of the id of a trace, which can be a name', async () => {
  await startTraceRecorder()(aSpanEvent(0, { trace_id: 'yolanda.q' }), newTenant());

  expect(await live.everything('traces')).toContain('span-0');
  expect(await live.everything('traces')).not.toContain('yolanda');
});
