import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ExportError } from '../../../functions/chargeback/exports/job/exportError.ts';
import { recordPartitionOf, versionKeyOf } from '../../../functions/ledger/records/ledgerKey.ts';
import { ulidInId } from '../../../functions/platform/shared/ids.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import type { Fault } from '../../identity/credentials/faultInjection.ts';
import { isSoak } from '../../support/properties.ts';
import { temporaryDirectory } from '../../support/temporaryDirectory.ts';
import { type ExportClient, exportClientOf, someLedger } from './exportClient.ts';
import { type Behaviour, type ExportHarness, startExportHarness } from './harness.ts';

let world: ExportHarness;
let tenant: Tenant;
let client: ExportClient;
let faultless: Awaited<ReturnType<typeof runWithoutFaults>>;
beforeAll(async () => {
  world = await startExportHarness();
  tenant = world.newTenant();
  await world.record(tenant, someLedger());
  client = exportClientOf(world, tenant);
  faultless = await runWithoutFaults();
});
afterAll(() => world?.live.stop());
beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => {
  world.buckets.arm(undefined);
  vi.restoreAllMocks();
});

/** A file of lines with a higher cost of its first line. */
const withOtherCost = async (file: Buffer): Promise<Buffer> => {
  const path = join(temporaryDirectory(), 'lines.parquet');
  writeFileSync(path, file);
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  await connection.run(`CREATE TABLE lines AS FROM read_parquet('${path}')`);
  await connection.run('UPDATE lines SET cost = cost + 0.1 WHERE rowid = 0');
  await connection.run(`COPY lines TO '${path}' (FORMAT parquet)`);
  connection.closeSync();
  instance.closeSync();
  return readFileSync(path);
};

/** The key of an object without ids and numbers. */
const kindOf = (key: string): string =>
  key.replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, '*').replaceAll(/\d+/g, 'n');

const SMALL_STEPS: Behaviour = { pageVersions: 12, slice: 0 };

/** Result of an export without the values that differ between exports. */
const outcomeOf = async (id: string) => {
  const { files, ledger, totals, excluded, cohorts } = client.manifest(id);
  const { result, status, progress } = await client.get(id);
  return {
    status,
    result,
    done: progress.done === progress.total,
    contents: [...world.filesOf(id).values()].map((content) => content.toString('hex')),
    manifest: { files: files.map(({ sha256 }) => sha256), ledger, totals, excluded, cohorts },
    events: (await client.finishedEvents()).filter(([, job]) => job === id).map(([type]) => type),
    open: (await world.exports.unfinished(null)).items.length,
  };
};

/** What every export gives, and the keys of the objects that it puts. */
const runWithoutFaults = async () => {
  const id = await client.post();
  world.buckets.arm({ put: -1, moment: 'before' });
  await world.run(client.named(id), SMALL_STEPS);
  return { outcome: await outcomeOf(id), puts: world.buckets.puts() };
};

const EXPECTED = { status: 'succeeded', done: true, events: ['export.completed'], open: 0 };

describe('the export state machine', () => {
  // A step puts objects with the same kind of name in the same way. Of each kind, the first put fails before and the last
  // after. The soak lets every put fail.
  it.each([
    ['before', 0],
    ['after', -1],
  ] as const)(
    'gives the same result when a put of any kind fails %s it takes effect',
    async (moment, which) => {
      const { outcome, puts } = faultless;
      expect(outcome).toMatchObject(EXPECTED);
      const byKind = Map.groupBy(puts.keys(), (put) => kindOf(puts[put] ?? ''));
      expect(byKind.size).toBeGreaterThan(6);

      const failing = [...byKind.values()].flatMap((ofKind) =>
        isSoak ? ofKind : ofKind.slice(which).slice(0, 1),
      );
      for (const put of failing) {
        const id = await client.post();
        world.buckets.arm({ put, moment });
        await world.run(client.named(id), SMALL_STEPS);

        expect(await outcomeOf(id), puts[put]).toEqual(outcome);
      }
    },
  );

  it.each(
    ['Begin', 'Merge', 'Finish'].flatMap((state) =>
      (['before', 'after'] as const).flatMap((moment) =>
        (['fails', 'dies', 'repeats'] as const).map((kind) => [state, kind, moment] as const),
      ),
    ),
  )('gives the same result when %s %s %s its write', async (state, kind, moment) => {
    const { outcome } = faultless;
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

  it('gives the same result when each step runs twice, with the first or the second response', async () => {
    const { outcome } = faultless;
    for (const used of [0, 1]) {
      const id = await client.post();

      await world.run(client.named(id), {
        ...SMALL_STEPS,
        around: async (_, call) => {
          const responses = [await call(), await call()];
          return responses[used];
        },
      });

      expect(await outcomeOf(id)).toEqual(outcome);
    }
  });

  it('gives the same result when a timed-out call continues beside its retry', async () => {
    const { outcome } = faultless;
    const id = await client.post();
    const continuing: Promise<unknown>[] = [];
    const timedOut = new Set<string>();

    await world.run(client.named(id), {
      ...SMALL_STEPS,
      around: async (state, call) => {
        if (state === 'Begin' || timedOut.has(state)) return call();
        timedOut.add(state);
        continuing.push(Promise.allSettled([call()]));
        throw new Error('timed out');
      },
    });
    await Promise.all(continuing);

    expect(await outcomeOf(id)).toEqual(outcome);
  });

  it('gives one result when two executions process the same export', async () => {
    const id = await client.post();
    const both = ['one', 'other'].map((execution) => world.run(client.named(id), SMALL_STEPS, execution));

    const ends = await Promise.allSettled(both);

    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    expect(await outcomeOf(id)).toMatchObject(EXPECTED);
  });

  it('changes nothing when a finished export runs again', async () => {
    const id = await client.post();
    await world.run(client.named(id), SMALL_STEPS);
    const before = await outcomeOf(id);

    await world.run(client.named(id), SMALL_STEPS, 'again');

    expect(await outcomeOf(id)).toEqual(before);
  });
});

describe('a permanently failing export step', () => {
  const failing = (state: string, error: Error): Behaviour => ({
    around: async (called, call) => {
      if (called === state) throw error;
      return call();
    },
  });

  it.each(['Begin', 'Gather', 'Merge', 'Write', 'Finish'])(
    'in %s fails the export and publishes one event',
    async (state) => {
      const id = await client.post();

      await expect(world.run(client.named(id), failing(state, new Error('secret')))).rejects.toThrow();

      const job = await client.get(id);
      expect(job).toMatchObject({
        status: 'failed',
        result: null,
        error: {
          reason: 'internal',
          detail: 'The export failed because of an internal error. Post it again.',
        },
      });
      expect(job.result_url).toBeUndefined();
      expect(world.documentOf(id, 'manifest.json')).toBeUndefined();
      expect((await client.finishedEvents()).filter(([, job]) => job === id)).toEqual([
        ['export.failed', id],
      ]);
      expect((await world.exports.unfinished(null)).items).toEqual([]);
    },
  );

  it.each([
    ['too_large', 'fulfilled'],
    ['inconsistent', 'rejected'],
  ] as const)('with reason %s is not retried', async (reason, end) => {
    const id = await client.post();
    let calls = 0;
    const failingMerge: Behaviour = {
      around: async (state, call) => {
        if (state !== 'Merge') return call();
        calls += 1;
        throw new ExportError(reason, 'permanent failure');
      },
    };

    const [outcome] = await Promise.allSettled([world.run(client.named(id), failingMerge)]);

    expect([outcome.status, calls, (await client.get(id)).error?.reason]).toEqual([end, 1, reason]);
  });

  it.each([[{}], [SMALL_STEPS]])(
    'fails for a record that cannot be read with steps of %j, which is seen, and stops no other export',
    async (steps) => {
      const poisoned = world.newTenant();
      const records = someLedger();
      await world.record(poisoned, records);
      const ulid = ulidInId(records[0]?.record.id ?? '');
      await world.live.client.send(
        new UpdateItemCommand({
          TableName: 'ledger',
          Key: { pk: { S: recordPartitionOf(poisoned, ulid) }, sk: { S: versionKeyOf(ulid, 1) } },
          UpdateExpression: 'SET detail = :broken',
          ExpressionAttributeValues: { ':broken': { B: Buffer.from('of a later version') } },
        }),
      );
      const theirs = exportClientOf(world, poisoned);
      const [broken, good] = [await theirs.post(), await client.post()];

      await world.run(theirs.named(broken), steps).catch(() => undefined);
      await world.run(client.named(good), steps);

      expect((await theirs.get(broken)).status).toBe('failed');
      expect(await theirs.finishedEvents()).toEqual([['export.failed', broken]]);
      expect((await client.get(good)).status).toBe('succeeded');
      expect((await world.exports.unfinished(null)).items).toEqual([]);
    },
  );

  it('fails as inconsistent without a manifest when a line changes between steps', async () => {
    const id = await client.post();

    const ended = world.run(client.named(id), {
      around: async (state, call) => {
        if (state === 'Merge') {
          for (const [key, file] of world.buckets.workObjects) {
            if (key.includes(id) && key.endsWith('.parquet'))
              world.buckets.workObjects.set(key, await withOtherCost(file));
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
