import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { ledgerReader } from '../../../../functions/ledger/records/ledger.store.ts';
import { LENGTH } from '../../../../functions/ledger/rollups/grain.ts';
import { dirtyMarker } from '../../../../functions/ledger/rollups/marks/markDirty.ts';
import { pendingMarkStore } from '../../../../functions/ledger/rollups/marks/pendingMark.store.ts';
import type { RollupQueue } from '../../../../functions/ledger/rollups/marks/queue.aws.ts';
import { rollupWriter } from '../../../../functions/ledger/rollups/rollupWriter.store.ts';
import { type RollupMessage, RollupsQueueMessage } from '../../../../schemas/ledger/rollup.ts';
import { runs } from '../../../support/properties.ts';
import { startTables } from '../../../support/tables.ts';
import { newTenant, testRecord, writeRecord } from '../../records/ledgerFixture.ts';
import { groupsInLedger, groupsInRollups, testSummer } from '../rollupFixture.ts';

const MINUTE = Date.parse('2026-03-15T12:00:00Z');
const HOUR = LENGTH.hour;
/** The writing processes: the sign of the difference between their clock and that of the summing one. */
const PROCESSES = [-1, 0, 1];

interface Machines {
  /** The difference of two clocks, in milliseconds. */
  readonly skew: number;
  readonly clockSlack: number;
  readonly delayOf: RollupQueue['delayOf'];
}
const ON_AWS: Machines = { skew: 1_500, clockSlack: 5_000, delayOf: () => 30_000 };
const ON_ONE_MACHINE: Machines = {
  skew: 0,
  clockSlack: 0,
  delayOf: ({ messages }) => 1_000 * 2 ** Math.min(messages, 5),
};

const live = await startTables();
afterAll(() => live.stop());

const steps = fc.array(
  fc.record({
    // An hour brings the time again that the clock showed before it was set back.
    wait: fc.oneof(
      { weight: 5, arbitrary: fc.integer({ min: 300, max: 9_000 }) },
      { weight: 1, arbitrary: fc.integer({ min: HOUR - 30_000, max: HOUR }) },
    ),
    /** Milliseconds by which the clock of the machine is set. */
    step: fc.oneof(
      { weight: 6, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.constantFrom(HOUR, -HOUR, -12_000, -20_000) },
    ),
    process: fc.nat(PROCESSES.length - 1),
    receives: fc.array(fc.nat(9), { maxLength: 2 }),
    /** The summing process is killed after it has stored the minute. */
    isKilled: fc.boolean(),
    jitter: fc.constantFrom(0, 0.5, 1),
  }),
  { minLength: 3, maxLength: 18 },
);
type Step = typeof steps extends fc.Arbitrary<(infer One)[]> ? One : never;

/** Processes that write calls of one minute, and their messages. */
const expectNothingMissingAfter = async (
  all: readonly Step[],
  shardBitsList: readonly number[],
  { skew, clockSlack, delayOf }: Machines,
) => {
  const tenant = newTenant();
  const { tenant_id: tenantId } = tenant;
  const state = { elapsed: 0, offset: MINUTE + 1_000, jitter: 0, isKilled: false };
  const clock = () => state.elapsed + state.offset;
  let messages: { readonly body: RollupMessage; readonly due: number; receives: number }[] = [];
  const queue = {
    delayOf,
    send: async (message: RollupsQueueMessage, delay: number) => {
      const body = RollupsQueueMessage.parse(message);
      if ('minutes' in body) messages.push({ body, due: state.elapsed + delay, receives: 0 });
    },
  };
  const pendingMarks = pendingMarkStore('counters');
  let ids = 0;
  const newId = () => {
    ids += 1;
    return `${tenantId}-${ids}`;
  };
  const markers = PROCESSES.map((sign) =>
    dirtyMarker({
      queue,
      pendingMarks,
      clock: () => clock() + sign * skew,
      elapsed: () => state.elapsed,
      newId,
      random: () => state.jitter,
    }),
  );
  const ledger = ledgerReader('ledger', clock);
  const stored = rollupWriter('rollups');
  const rollups: typeof stored = {
    ...stored,
    put: async (...args) => {
      const isWritten = await stored.put(...args);
      if (state.isKilled) throw new Error('killed');
      return isWritten;
    },
  };
  const { sumMarks } = testSummer({ ledger, rollups, pendingMarks, queue, clock, newId, clockSlack });
  const receive = async (which: number): Promise<void> => {
    const due = messages.filter((message) => message.due <= state.elapsed);
    const message = due[which % Math.max(1, due.length)];
    if (message === undefined) return;
    message.receives += 1;
    const body = { ...message.body, isRedelivered: message.receives > 1 };
    try {
      await sumMarks(tenant, [body], () => true);
      messages = messages.filter((one) => one !== message);
    } catch (error) {
      if (!state.isKilled) throw error;
    }
  };

  const period = { from: MINUTE, to: MINUTE + LENGTH.minute };
  const expectNothingMissing = async (): Promise<void> => {
    if ((await pendingMarks.list(tenantId)).length > 0) return;
    expect(await groupsInRollups(tenant, period)).toEqual(
      await groupsInLedger(ledger, tenant, period, clock()),
    );
  };

  for (const [index, { wait, step, process, receives, isKilled, jitter }] of all.entries()) {
    state.elapsed += wait;
    state.offset += step;
    Object.assign(state, { jitter, isKilled });
    await writeRecord(tenant, testRecord(MINUTE, index, shardBitsList), clock());
    await markers[process]?.(tenantId, [MINUTE]);
    for (const which of receives) await receive(which);
    await expectNothingMissing();
  }
  state.isKilled = false;
  for (let which = 0; messages.length > 0; which += 1) {
    state.elapsed = Math.max(state.elapsed, Math.min(...messages.map(({ due }) => due)));
    await receive(which);
  }
  expect(await pendingMarks.list(tenantId)).toEqual([]);
  await expectNothingMissing();
};

// About 4 s each.
it.each([
  ['on AWS', ON_AWS],
  ['on one machine', ON_ONE_MACHINE],
])(
  'totals %s lack no call without a pending mark, when processes share the sums of a minute, are killed, and the clock is set',
  async (_, machines) => {
    const property = fc.asyncProperty(steps, fc.constantFrom([0], [2]), (all, shardBitsList) =>
      expectNothingMissingAfter(all, shardBitsList, machines),
    );
    await fc.assert(property, { numRuns: runs(15) });
  },
);
