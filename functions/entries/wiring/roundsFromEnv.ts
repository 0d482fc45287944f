import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import type { QueueName } from '../../../schemas/platform/queues.ts';
import { roundPositions } from '../../platform/schedule/roundPosition.store.ts';
import type { NamedRound } from '../../platform/schedule/rounds.ts';
import { type RoundSource, roundRunner } from '../../platform/schedule/runRound.ts';
import { Tick } from '../../platform/schedule/scheduleMessage.ts';
import { turnQueue } from '../../platform/schedule/turnQueue.aws.ts';
import { resource } from '../../platform/shared/settings.ts';
import { systemClock } from '../../platform/shared/time/clock.ts';
import { beginInvocation, hasTimeLeft } from '../../platform/shared/time/invocationTime.ts';
import { type ListedTenant, tenantDirectory } from '../../platform/tenancy/tenant.store.ts';

/**
 * Time that a function keeps for the end of an invocation. More than the handler of a queue, which ends the work of an
 * invocation three seconds before its end.
 */
const RESERVED_MS = 4_000;
/** Rows of the tenants table in one page. Their messages are sent within a fraction of a second. */
const PAGE_ROWS = 250;

/** Whether the invocation has time to begin something. */
export const hasTime = (): boolean => hasTimeLeft(RESERVED_MS);

/** A round over `source` in a queue, which sends one message for each item to the same queue. */
export const roundFromEnv = <Item extends { readonly tenant_id: string }>(
  queueName: QueueName,
  {
    name,
    source,
    roundOf,
    messageOf = (item) => item,
  }: {
    readonly name: string;
    readonly source: RoundSource<Item>;
    readonly roundOf?: (tick: Tick) => string;
    readonly messageOf?: (item: Item, round: string) => { readonly tenant_id: string };
  },
): NamedRound => {
  const run = roundRunner({ hasTime, newClaim: randomUUID });
  const queue = turnQueue(resource('queue', queueName));
  return {
    name,
    run: (message) =>
      run(
        {
          name,
          ...(roundOf !== undefined && { roundOf }),
          source,
          positions: roundPositions(resource('table', 'jobs'), queueName, name),
          serve: (items, round) => queue.send(items.map((item) => messageOf(item, round))),
          sendContinuation: queue.sendContinuation,
        },
        message,
      ),
  };
};

const tenantSource = (
  rows: number,
  hasWork: (tenant: ListedTenant) => boolean = () => true,
): RoundSource<ListedTenant> => {
  const directory = tenantDirectory(resource('table', 'tenants'));
  return {
    page: async (after) => {
      const { tenants, next } = await directory.list(after, rows);
      return { items: tenants.filter(hasWork), next };
    },
  };
};

/** A round over all tenants in a queue. */
export const tenantRoundFromEnv = (queueName: QueueName): NamedRound =>
  roundFromEnv<ListedTenant>(queueName, {
    name: 'tenants',
    source: tenantSource(PAGE_ROWS),
    messageOf: ({ tenant_id }, round) => ({ tenant_id, round }),
  });

/**
 * The handler of a function that does one kind of work for tenants itself, because no other one has its rights. `work`
 * handles its own errors. The function begins no page of tenants when less than `reservedMs` is left.
 */
export const tenantsInPlace = (
  name: string,
  options: {
    readonly hasWork: (tenant: ListedTenant) => boolean;
    /** Tenants at a time. */
    readonly concurrency: number;
    readonly reservedMs: number;
    readonly work: (tenantId: string, startedAt: number) => Promise<void>;
  },
) => {
  const { hasWork, concurrency, reservedMs, work } = options;
  const run = roundRunner({ hasTime: () => hasTimeLeft(reservedMs), newClaim: randomUUID });
  const source = tenantSource(concurrency, hasWork);
  const positions = roundPositions(resource('table', 'jobs'), name, 'tenants');
  return async (event: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> => {
    beginInvocation(context);
    const startedAt = systemClock();
    const serve = async (tenants: readonly ListedTenant[]): Promise<void> => {
      await Promise.all(tenants.map(({ tenant_id }) => work(tenant_id, startedAt)));
    };
    await run({ name: 'tenants', source, positions, serve, isInPlace: true }, Tick.parse(event));
  };
};
