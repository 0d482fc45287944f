import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ExportError } from '../../functions/exports/job/exportError.ts';
import type { Tenant } from '../../functions/tenancy/tenant.ts';
import type { Fault } from '../credentials/faultInjection.ts';
import { type ExportClient, exportClientOf, someLedger } from './exportClient.ts';
import { type Behaviour, type ExportHarness, startExportHarness } from './harness.ts';

let world: ExportHarness;
let tenant: Tenant;
let client: ExportClient;
beforeAll(async () => {
  world = await startExportHarness();
  tenant = world.newTenant();
  await world.record(tenant, someLedger());
  client = exportClientOf(world, tenant);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await world?.live.stop();
});
beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => {
  world.buckets.arm(undefined);
  vi.restoreAllMocks();
});

const SMALL_STEPS: Behaviour = { pageVersions: 6, linesMaximum: 8, slice: 0 };

/** What an export came to: everything but what differs from one to the next. */
const outcomeOf = async (id: string) => {
  const { files, ledger, totals, excluded, cohorts } = client.manifest(id);
  const { result, status, progress } = await client.get(id);
  return {
    status,
    result,
    done: progress.done === progress.total,
    contents: [...world.filesOf(id).values()].map((content) => content.toString('hex')),
    manifest: { files: files.map(({ sha256 }) => sha256), ledger, totals, excluded, cohorts },
    told: (await client.told()).filter(([, job]) => job === id).map(([type]) => type),
    open: (await world.exports.unfinished()).length,
  };
};

const runWithoutFaults = async () => {
  const id = await client.post();
  world.buckets.arm({ put: -1, moment: 'before' });
  await world.run(client.named(id), SMALL_STEPS);
  return { outcome: await outcomeOf(id), puts: world.buckets.puts() };
};

const EXPECTED = { status: 'succeeded', done: true, told: ['export.completed'], open: 0 };

describe('an export', () => {
  it.each(['before', 'after'] as const)(
    'comes to the same whichever object fails %s it is put',
    async (moment) => {
      const { outcome, puts } = await runWithoutFaults();
      expect(outcome).toMatchObject(EXPECTED);
      expect(puts).toBeGreaterThan(12);

      for (let put = 0; put < puts; put += 1) {
        const id = await client.post();
        world.buckets.arm({ put, moment });
        await world.run(client.named(id), SMALL_STEPS);

        expect(await outcomeOf(id), `put ${put}`).toEqual(outcome);
      }
    },
  );

  it.each(
    ['Begin', 'Merge', 'Finish'].flatMap((state) =>
      (['before', 'after'] as const).flatMap((moment) =>
        (['fails', 'dies', 'repeats'] as const).map((kind) => [state, kind, moment] as const),
      ),
    ),
  )('comes to the same where %s %s %s its write', async (state, kind, moment) => {
    const { outcome } = await runWithoutFaults();
    const id = await client.post();
    const fault: Fault = { write: 0, moment, kind };
    let isFirst = true;

    await world.run(client.named(id), {
      ...SMALL_STEPS,
      around: async (called, call) => {
        if (called === state && isFirst) {
          isFirst = false;
          void world.faults.arm(fault);
        }
        return call();
      },
    });
    world.faults.restart();

    expect(await outcomeOf(id)).toEqual(outcome);
  });

  it('comes to the same where every step is repeated, and its first answer or its second counts', async () => {
    const { outcome } = await runWithoutFaults();
    for (const counts of [0, 1]) {
      const id = await client.post();

      await world.run(client.named(id), {
        ...SMALL_STEPS,
        around: async (_, call) => {
          const answers = [await call(), await call()];
          return answers[counts];
        },
      });

      expect(await outcomeOf(id)).toEqual(outcome);
    }
  });

  it('comes to the same where a call goes on unnoticed beside the one that took its place', async () => {
    const { outcome } = await runWithoutFaults();
    const id = await client.post();
    const left: Promise<unknown>[] = [];
    const seen = new Set<string>();

    await world.run(client.named(id), {
      ...SMALL_STEPS,
      around: async (state, call) => {
        if (state === 'Begin' || seen.has(state)) return call();
        seen.add(state);
        left.push(Promise.allSettled([call()]));
        throw new Error('no answer came in time');
      },
    });
    await Promise.all(left);

    expect(await outcomeOf(id)).toEqual(outcome);
  });

  it('is worked on by one execution alone', async () => {
    const id = await client.post();
    const both = ['one', 'other'].map((execution) => world.run(client.named(id), SMALL_STEPS, execution));

    const ends = await Promise.allSettled(both);

    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    expect(await outcomeOf(id)).toMatchObject(EXPECTED);
  });

  it('does nothing when its execution is run again', async () => {
    const id = await client.post();
    await world.run(client.named(id), SMALL_STEPS);
    const before = await outcomeOf(id);

    await world.run(client.named(id), SMALL_STEPS, 'again');

    expect(await outcomeOf(id)).toEqual(before);
  });
});

describe('an export whose steps fail for good', () => {
  const failing = (state: string, error: Error): Behaviour => ({
    around: async (called, call) => {
      if (called === state) throw error;
      return call();
    },
  });

  it.each(['Begin', 'Gather', 'Merge', 'Write', 'Finish'])('in %s fails, and says so once', async (state) => {
    const id = await client.post();

    await expect(world.run(client.named(id), failing(state, new Error('secret')))).rejects.toThrow();

    const job = await client.get(id);
    expect(job).toMatchObject({
      status: 'failed',
      result: null,
      error: { reason: 'internal', detail: 'The export failed because of an internal error. Post it again.' },
    });
    expect(job.result_url).toBeUndefined();
    expect(world.documentOf(id, 'manifest.json')).toBeUndefined();
    expect((await client.told()).filter(([, told]) => told === id)).toEqual([['export.failed', id]]);
    expect(await world.exports.unfinished()).toEqual([]);
  });

  it.each([
    ['too_large', 'fulfilled'],
    ['inconsistent', 'rejected'],
  ] as const)('with the reason %s is not tried again', async (reason, end) => {
    const id = await client.post();
    let calls = 0;
    const refusing: Behaviour = {
      around: async (state, call) => {
        if (state !== 'Merge') return call();
        calls += 1;
        throw new ExportError(reason, 'it is');
      },
    };

    const [outcome] = await Promise.allSettled([world.run(client.named(id), refusing)]);

    expect([outcome.status, calls, (await client.get(id)).error?.reason]).toEqual([end, 1, reason]);
  });

  it('delivers nothing where a line is lost on the way', async () => {
    const id = await client.post();

    const ended = world.run(client.named(id), {
      around: async (state, call) => {
        if (state === 'Merge') {
          for (const [key, text] of world.buckets.left) {
            if (!key.includes(id) || !key.endsWith('.jsonl')) continue;
            // Of the same length, so that it is read like the others.
            world.buckets.left.set(
              key,
              Buffer.from(text.toString('utf8').replace('"cost":"0.0', '"cost":"0.1')),
            );
          }
        }
        return call();
      },
    });

    await expect(ended).rejects.toThrow();
    expect((await client.get(id)).error?.reason).toBe('inconsistent');
    expect(world.documentOf(id, 'manifest.json')).toBeUndefined();
  });
});
