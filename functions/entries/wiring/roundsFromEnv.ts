import { randomUUID } from 'node:crypto';
import { roundPositions } from '../../platform/schedule/roundPosition.store.ts';
import type { NamedRound } from '../../platform/schedule/rounds.ts';
import { type RoundSource, roundRunner } from '../../platform/schedule/runRound.ts';
import { Tick } from '../../platform/schedule/scheduleMessage.ts';
import { turnQueue } from '../../platform/schedule/turnQueue.aws.ts';
import {
  hasTimeLeft,
  type InvocationContext,
  withinInvocation,
} from '../../platform/shared/time/invocationTime.ts';
import type { ListedTenant } from '../../platform/tenancy/tenant.store.ts';
import { environment } from '../stores/environment.ts';
import { tenantsList } from '../stores/platform.ts';
import { storesIn } from '../stores/provider.ts';

/**
 * Time that a function keeps for the end of an invocation. More than the handler of a queue, which ends the work of an
 * invocation three seconds before its end.
 */
const RESERVED_MS = 4_000;
/** Rows of the tenants table in one page. Their messages are sent within a fraction of a second. */
const PAGE_ROWS = 250;

/** Whether the invocation has time to begin something. */
export const hasTime = (): boolean => hasTimeLeft(RESERVED_MS);

/** A round over `source` in the queue of jobs, which sends one message for each item to the same queue. */
export const roundFromEnv = <Item extends { readonly tenant_id: string }>({
  name,
  source,
  roundOf,
  messageOf = (item) => item,
}: {
  readonly name: string;
  readonly source: RoundSource<Item>;
  readonly roundOf?: (tick: Tick) => string;
  readonly messageOf?: (item: Item, round: string) => { readonly tenant_id: string };
}): NamedRound => {
  const run = roundRunner({ hasTime, newClaim: randomUUID });
  const queue = turnQueue(environment.resourceOf('jobs.send'));
  return {
    name,
    run: (message) =>
      run(
        {
          name,
          ...(roundOf !== undefined && { roundOf }),
          source,
          positions: roundPositions(environment.resourceOf('jobs.write'), 'jobs', name),
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
  const directory = storesIn(environment, { tenantsList }).tenantDirectory;
  return {
    page: async (after) => {
      const { tenants, next } = await directory.list(after, rows);
      return { items: tenants.filter(hasWork), next };
    },
  };
};

/** A round over all tenants in the queue of jobs. */
export const tenantRoundFromEnv = (): NamedRound =>
  roundFromEnv<ListedTenant>({
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
  const positions = roundPositions(environment.resourceOf('jobs.write'), name, 'tenants');
  return (event: unknown, context: InvocationContext): Promise<void> =>
    withinInvocation(context, async () => {
      const startedAt = environment.clock();
      const serve = async (tenants: readonly ListedTenant[]): Promise<void> => {
        await Promise.all(tenants.map(({ tenant_id }) => work(tenant_id, startedAt)));
      };
      await run({ name: 'tenants', source, positions, serve, isInPlace: true }, Tick.parse(event));
    });
};
