import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { chunksWithin } from '../../functions/platform/shared/chunksWithin.ts';
import { type Decimal, decimal, toDecimalString } from '../../functions/platform/shared/decimal.ts';
import { sampleDataSet } from '../../functions/tenants/sandbox/sample/dataSet.ts';
import type { InvocationEvent } from '../../schemas/ingest/invocationEvent.ts';
import { listAllRecords } from '../../test/support/client.ts';
import { readCredentials } from '../../tools/client/connection.ts';
import { type StartedService, startService } from '../local/startedService.ts';
import { goal, type Table, table } from '../support/table.ts';
import { BATCH, request } from '../support/traffic.ts';
import { differingViews, requestDespiteKills } from './sideBySideFaults.ts';

const DAYS = 55;
const DAY_MS = 24 * 60 * 60 * 1_000;
const BATCH_EVENTS = 500;
const SEED = 7;
/** How long a batch is in progress when everything is killed. */
const KILL_AFTER_MS = 50;
const POLL_MS = 1_000;
const GOAL_SECONDS = 600;
/** Totals that move are waited for so long. */
const GIVE_UP_SECONDS = 6 * GOAL_SECONDS;
const ARGUMENTS = ['--no-sample', '--rate-limit-scale', '10000'];
const BUDGETS = '/api/v1/budgets';

const Usage = z.object({ totals: z.object({ invocations: z.int() }), stale: z.boolean() });
const Budget = z.object({ id: z.string(), period_to_date_usd: z.string().nullable(), stale: z.boolean() });
const Listed = z.object({
  occurred_at: z.string(),
  owner: z.string().nullable(),
  cost_usd: z.string().nullable(),
});
type Listed = z.infer<typeof Listed>;

/** A budget of the month: of everything, or of an owner. */
interface OpenBudget {
  readonly id: string;
  readonly owner: string | null;
}

const batchesOf = (events: number): InvocationEvent[][] => {
  const all = [...sampleDataSet({ seed: SEED, events, end: new Date(), days: DAYS })];
  return chunksWithin(all, { items: BATCH_EVENTS, size: Number.POSITIVE_INFINITY }, () => 0);
};

/** The first owners that the events name. */
const ownersOf = (batches: readonly (readonly InvocationEvent[])[]): string[] =>
  [...new Set(batches.flat().flatMap(({ attributed_identity }) => attributed_identity ?? []))].slice(0, 2);

const spendOf = (records: readonly Listed[], { owner }: OpenBudget, month: string): string =>
  toDecimalString(
    records
      .filter((record) => record.occurred_at.startsWith(month) && (owner === null || record.owner === owner))
      .reduce<Decimal>((sum, { cost_usd }) => sum.plus(decimal(cost_usd ?? '0')), decimal('0')),
  );

/**
 * Sends calls of 55 days, oldest first, in batches of 500, and kills the service with all its functions while the batch in the
 * middle is in progress. Waits until the totals contain every call. Then totals, groups, export, index and budgets must equal
 * the list of records to the last digit.
 */
export const benchBacklog = async (events: number): Promise<Table> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'attribution-backlog-'));
  const start = (): Promise<StartedService> => startService(dataDir, ARGUMENTS, { ownGroup: true });
  let service = await start();
  const connect = () => {
    const credentials = readCredentials(dataDir);
    if (credentials === undefined) throw new Error('the service wrote no credentials');
    return {
      baseUrl: credentials.base_url,
      key: credentials.tenants[0].api_keys.admin,
      ingest: credentials.tenants[0].api_keys.ingest,
    };
  };
  const send = (batch: readonly InvocationEvent[]) => {
    const { baseUrl, ingest } = connect();
    return requestDespiteKills(baseUrl + BATCH, ingest, { events: batch });
  };
  const read = async <Shape extends z.ZodType>(path: string, shape: Shape): Promise<z.output<Shape>> => {
    const { baseUrl, key } = connect();
    return shape.parse(JSON.parse((await requestDespiteKills(baseUrl + path, key)).text));
  };
  const openBudget = async (owner: string | null): Promise<OpenBudget> => {
    const { baseUrl, key } = connect();
    const scope = owner === null ? {} : { scope: { owner } };
    const body = { name: owner ?? 'all', ceiling_usd: '1000000', period: 'month', ...scope };
    const { text } = await request(baseUrl + BUDGETS, key, body, [201]);
    return { id: Budget.parse(JSON.parse(text)).id, owner };
  };

  try {
    const batches = batchesOf(events);
    const budgets: OpenBudget[] = [];
    for (const owner of [null, ...ownersOf(batches)]) budgets.push(await openBudget(owner));
    const startedAt = performance.now();
    for (const [index, batch] of batches.entries()) {
      if (index === Math.floor(batches.length / 2)) {
        const inProgress = send(batch).catch(() => undefined);
        await sleep(KILL_AFTER_MS);
        await service.kill();
        service = await start();
        await inProgress;
      }
      await send(batch);
    }
    const sentAt = performance.now();
    const sinceSent = (): number => (performance.now() - sentAt) / 1_000;
    const from = new Date(Date.now() - (DAYS + 2) * DAY_MS).toISOString().slice(0, 10);
    const to = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
    let usage = await read(`/v1/reports/usage?from=${from}&to=${to}`, Usage);
    while ((usage.totals.invocations < events || usage.stale) && sinceSent() < GIVE_UP_SECONDS) {
      await sleep(POLL_MS);
      usage = await read(`/v1/reports/usage?from=${from}&to=${to}`, Usage);
    }
    const seconds = sinceSent();
    const { cpuSeconds } = service.usage();
    const { baseUrl, key } = connect();
    const records = z.array(Listed).parse(await listAllRecords(baseUrl, key, 'limit=200'));
    const month = new Date().toISOString().slice(0, 7);
    const wrong: string[] = [];
    for (const budget of budgets) {
      const { period_to_date_usd } = await read(`${BUDGETS}/${budget.id}`, Budget);
      if (period_to_date_usd !== spendOf(records, budget, month))
        wrong.push(`budget of ${budget.owner ?? 'all'}`);
    }
    const differing = [...(await differingViews(baseUrl, key)), ...wrong];
    return table(
      `A backlog of ${events} calls over ${DAYS} days in batches of ${BATCH_EVENTS}, with a kill of the process group`,
      [
        {
          events,
          recorded: records.length,
          'in totals': usage.totals.invocations,
          'sent s': (sentAt - startedAt) / 1_000,
          'complete after s': seconds,
          'CPU s': cpuSeconds,
          goal: goal(seconds, GOAL_SECONDS),
          differing: differing.join(', ') || 'none',
        },
      ],
      'Complete: seconds from the acceptance of the last batch until the report contains every call and is not stale.',
      'CPU: of all processes of the service, from the restart after the kill until then. It hardly depends on other load.',
    );
  } finally {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
};
