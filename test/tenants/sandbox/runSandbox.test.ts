import { afterAll, describe, expect, it } from 'vitest';
import { SETTLE_MS, TOTALS_MS } from '../../../functions/tenants/sandbox/resetStep.ts';
import { LEASE_MS } from '../../../functions/tenants/sandbox/runSandbox.ts';
import {
  isBeforeReset,
  toSandbox,
  withLiveTraffic,
  withReset,
} from '../../../functions/tenants/sandbox/sandbox.ts';
import type { WorkerShape } from '../../../schemas/platform/workers/workerShape.ts';
import { type WorkerName, workerNames, workers } from '../../../schemas/platform/workers.ts';
import { SAMPLE_EVENTS, SandboxState } from '../../../schemas/tenants/sandbox.ts';
import { startTables } from '../../support/tables.ts';
import { Killed, NOW, startSandbox } from './harness.ts';

const live = await startTables();
afterAll(() => live.stop());

type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

const PASS = ['ledger', 'jobs'].flatMap((name) => [`erase ${name} first`, `erase ${name} second`]);
const loads = (log: readonly string[]) => log.filter((action) => action.startsWith(`send ${SAMPLE_EVENTS} `));
const isDone = async (sandbox: Sandbox) => (await sandbox.read()).reset?.status === 'succeeded';

/** Runs each minute until the reset has finished. A run that was killed is not repeated by itself. */
const runUntilDone = async (sandbox: Sandbox): Promise<void> => {
  for (let minute = 0; minute < 60 && !(await isDone(sandbox)); minute += 1) {
    await sandbox.run().catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error;
    });
    sandbox.clock.now += 60_000;
  }
};

describe('a new sandbox', () => {
  it('loads and reviews the data set at once, without a deletion, and then receives live traffic', async () => {
    const sandbox = await startSandbox();
    await sandbox.renew();

    await sandbox.run();

    expect(sandbox.log).toEqual(['configure', ...loads(sandbox.log), 'review']);
    expect(loads(sandbox.log)).toHaveLength(1);
    expect(toSandbox(await sandbox.read(), sandbox.clock.now)).toMatchObject({
      live_traffic: true,
      reset: { status: 'succeeded', erased_rows: 0, sent_events: SAMPLE_EVENTS },
    });
  });
});

describe('a reset', () => {
  it('deletes, waits for running work, deletes again, and then loads and reviews the data set once', async () => {
    const sandbox = await startSandbox();
    await sandbox.requestReset();

    await sandbox.run();
    const waiting = [...sandbox.log];
    await sandbox.run();
    const stillWaiting = [...sandbox.log];
    sandbox.clock.now += SETTLE_MS;
    await sandbox.run();

    expect(waiting).toEqual(PASS);
    expect(stillWaiting).toEqual(PASS);
    expect(sandbox.log.slice(0, -2)).toEqual([...PASS, ...PASS, 'erase objects', 'configure']);
    expect([...loads(sandbox.log), 'review']).toEqual(sandbox.log.slice(-2));
    expect(await sandbox.read()).toMatchObject({
      live_until: null,
      reset: { status: 'succeeded', erased_rows: 8, sent_events: SAMPLE_EVENTS, lease: null },
    });
  });

  it('reviews the data set when the totals contain it', async () => {
    const sandbox = await startSandbox();
    sandbox.totals.areComplete = false;
    await sandbox.requestReset();
    await sandbox.run();
    sandbox.clock.now += SETTLE_MS;
    await sandbox.run();
    await sandbox.run();
    const waiting = { log: [...sandbox.log], reset: (await sandbox.read()).reset };
    sandbox.totals.areComplete = true;
    await sandbox.run();

    expect(loads(waiting.log)).toEqual([waiting.log.at(-1)]);
    expect(waiting.reset).toMatchObject({ status: 'running', sent_events: SAMPLE_EVENTS, finished_at: null });
    expect(sandbox.log).toEqual([...waiting.log, 'review']);
    expect(await isDone(sandbox)).toBe(true);
  });

  it('ends, though the totals never contain the data set', async () => {
    const sandbox = await startSandbox();
    sandbox.totals.areComplete = false;
    await sandbox.requestReset();

    await runUntilDone(sandbox);

    expect(sandbox.log.at(-1)).toBe('review');
    expect(sandbox.clock.now - NOW).toBeLessThan(SETTLE_MS + TOTALS_MS + 3 * 60_000);
  });

  it('is continued and shown when an earlier version, which ended with the load, has stored it', async () => {
    const sandbox = await startSandbox();
    const earlier = (status: 'running' | 'succeeded') =>
      SandboxState.parse({
        live_until: null,
        reset: {
          reset_id: 'rst_1',
          status,
          requested_at: '2026-05-04T09:50:00.000Z',
          finished_at: status === 'running' ? null : '2026-05-04T09:58:00.000Z',
          erased_rows: 8,
          sent_events: status === 'running' ? 0 : SAMPLE_EVENTS,
          live_traffic: false,
          step: { kind: 'load' },
          lease: null,
        },
      });
    await sandbox.change(() => earlier('succeeded'));
    await sandbox.run();
    const shown = toSandbox(await sandbox.read(), NOW);
    const afterDone = [...sandbox.log];
    await sandbox.change(() => earlier('running'));
    await sandbox.run();

    expect(shown.reset).toMatchObject({ status: 'succeeded', finished_at: '2026-05-04T09:58:00.000Z' });
    expect(afterDone).toEqual([]);
    expect([...loads(sandbox.log), 'review']).toEqual(sandbox.log);
    expect(await isDone(sandbox)).toBe(true);
  });

  it('starts live traffic when it has finished, with the choice that the caller made last', async () => {
    const sandbox = await startSandbox();
    await sandbox.requestReset(true);
    await sandbox.run();
    await sandbox.change((state) => withLiveTraffic(state, false, sandbox.clock.now));
    await sandbox.change((state) => withLiveTraffic(state, true, sandbox.clock.now));
    const during = toSandbox(await sandbox.read(), sandbox.clock.now);

    await runUntilDone(sandbox);
    await sandbox.run();

    expect(during).toMatchObject({ live_traffic: false, live_until: null });
    expect(toSandbox(await sandbox.read(), sandbox.clock.now)).toMatchObject({ live_traffic: true });
    expect(sandbox.log.at(-1)).toMatch(/^send 5 /);
  });

  it('keeps the reset that runs when another one is requested', async () => {
    const sandbox = await startSandbox();
    await sandbox.requestReset();
    const first = (await sandbox.read()).reset?.reset_id;
    await sandbox.run();
    await sandbox.requestReset();

    expect((await sandbox.read()).reset?.reset_id).toBe(first);
  });

  it('finishes after a run was killed at any action, and never deletes after the data set is loaded', async () => {
    const actions = PASS.length * 2 + 4;
    for (let killedAt = 0; killedAt < actions; killedAt += 1) {
      let count = 0;
      const sandbox = await startSandbox({ sandbox: true }, () => {
        count += 1;
        if (count === killedAt + 1) throw new Killed();
      });
      await sandbox.requestReset();

      await runUntilDone(sandbox);

      expect(await isDone(sandbox), `killed at action ${killedAt}`).toBe(true);
      expect(sandbox.log).toHaveLength(actions);
      expect([...loads(sandbox.log), 'review']).toEqual(sandbox.log.slice(-2));
    }
  });

  it.each([1, 2, 3])(
    'finishes when each run has time for %d actions only, and does each once',
    async (count) => {
      let pass = (): void => undefined;
      const sandbox = await startSandbox({ sandbox: true }, () => pass());
      pass = () => {
        // A run begins no step after 45 seconds.
        sandbox.clock.now += 45_000 / count;
      };
      await sandbox.requestReset();

      await runUntilDone(sandbox);

      expect(await isDone(sandbox)).toBe(true);
      expect(sandbox.log).toHaveLength(PASS.length * 2 + 4);
      expect(new Set(sandbox.log).size).toBe(PASS.length + 4);
    },
  );

  it('repeats with the same events the load whose end was not saved', async () => {
    const sandbox = await startSandbox();
    await sandbox.requestReset();
    await runUntilDone(sandbox);
    await sandbox.change((state) => ({
      ...state,
      reset: state.reset && { ...state.reset, status: 'running', step: { kind: 'load' } },
    }));

    await sandbox.run();

    const [first, second] = loads(sandbox.log);
    expect(second).toBe(first);
  });
});

describe('runs at the same time', () => {
  it('are one at a time: the second does nothing while the first works', async () => {
    const sandbox: Sandbox = await startSandbox({ sandbox: true }, async (action) => {
      // In the middle of each action of the first run, another run starts, and ends before the action continues.

      const before = sandbox.log.length;
      await sandbox.run();
      expect(sandbox.log, action).toHaveLength(before);
    });

    await sandbox.requestReset();

    await sandbox.run();

    expect(sandbox.log).toEqual(PASS);
  });

  it('let one start when both find a reset without an owner', async () => {
    const sandbox = await startSandbox();
    await sandbox.requestReset();

    await Promise.all([sandbox.run(), sandbox.run(), sandbox.run()]);

    expect(sandbox.log).toEqual(PASS);
  });

  it('continue the reset of a killed run only after its lease, which is longer than the function may run', async () => {
    let isKilled = false;
    const sandbox = await startSandbox({ sandbox: true }, () => {
      if (!isKilled) {
        isKilled = true;
        throw new Killed();
      }
    });
    await sandbox.requestReset();
    await expect(sandbox.run()).rejects.toThrow(Killed);

    sandbox.clock.now += LEASE_MS - 1;
    await sandbox.run();
    const during = [...sandbox.log];
    sandbox.clock.now += 1;
    await sandbox.run();

    expect(during).toEqual([]);
    expect(sandbox.log).toEqual(PASS);
    expect(LEASE_MS).toBeGreaterThan(workers.sandbox.timeoutSeconds * 1_000);
  });

  it('continue at once the reset of a run whose clock was an hour ahead', async () => {
    const sandbox = await startSandbox();
    await sandbox.requestReset();
    const lease = { holder: 'another run', until: NOW + 60 * 60 * 1_000 };
    await sandbox.change((state) => ({ ...state, reset: state.reset && { ...state.reset, lease } }));

    await sandbox.run();

    expect(sandbox.log).toEqual(PASS);
  });

  it('stop when another run owns the reset by now', async () => {
    const sandbox: Sandbox = await startSandbox({ sandbox: true }, async (action) => {
      if (action !== 'erase ledger second') return;
      const lease = { holder: 'another run', until: NOW + LEASE_MS };
      await sandbox.change((state) => ({ ...state, reset: state.reset && { ...state.reset, lease } }));
    });
    await sandbox.requestReset();

    await sandbox.run();

    expect(sandbox.log).toEqual(PASS.slice(0, 2));
    expect((await sandbox.read()).reset?.lease?.holder).toBe('another run');
  });
});

describe('a tenant that was not created as a sandbox', () => {
  it('is never reset, not even when a reset is stored for it and the run is told that it is a sandbox', async () => {
    const sandbox = await startSandbox({});
    await sandbox.requestReset();

    await expect(sandbox.run({ ...sandbox.tenant, sandbox: true })).rejects.toThrow('nothing was deleted');

    expect(sandbox.log).toEqual([]);
  });

  it('is not reset when it takes the id of a sandbox while that one is reset', async () => {
    const sandbox: Sandbox = await startSandbox({ sandbox: true }, async (action) => {
      if (action !== 'erase ledger first') return;
      const { sandbox: _, ...production } = sandbox.tenant;
      await sandbox.replaceTenant(production);
    });
    await sandbox.requestReset();

    await expect(sandbox.run()).rejects.toThrow('nothing was deleted');

    expect(sandbox.log).toEqual(['erase ledger first']);
  });

  it('is not reset when another sandbox was created in its place', async () => {
    const sandbox = await startSandbox();
    await sandbox.requestReset();
    await sandbox.replaceTenant({ ...sandbox.tenant, created_at: '2026-05-04T09:59:59.000Z' });

    await expect(sandbox.run()).rejects.toThrow('nothing was deleted');

    expect(sandbox.log).toEqual([]);
  });
});

describe('work that started before a reset', () => {
  it('has ended before the second pass: the wait is longer than any function that writes rows may run', () => {
    // The steps of an export write files of their own, which no export of the fresh data names. A delivery changes rows that it
    // has just read, and none that is gone.
    const ofExports: readonly WorkerName[] = [
      'exportControl',
      'exportGather',
      'exportWrite',
      'exportDelivery',
    ];
    const shapes = workerNames
      .filter((name) => !ofExports.includes(name))
      .map((name): WorkerShape => workers[name]);

    expect(SETTLE_MS).toBeGreaterThan(
      Math.max(...shapes.map(({ timeoutSeconds }) => timeoutSeconds)) * 1_000,
    );
  });

  it('is told by the time at which the service received a call', () => {
    const state = withReset({ live_until: null, reset: null }, { id: 'rst_1', live: true, now: NOW });

    expect(isBeforeReset(state, NOW - 1)).toBe(true);
    expect(isBeforeReset(state, NOW)).toBe(false);
    expect(isBeforeReset({ live_until: null, reset: null }, NOW)).toBe(false);
  });
});
