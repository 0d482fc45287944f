import { decideRedrive } from '../../functions/ingestion/redrive.ts';
import { tenantIdOfSender } from '../../functions/ingestion/sender.ts';
import type { Deployment } from './deployment.ts';

/** How many messages were found for each reason, and how many of them went back. */
export type RedriveReport = Record<string, { found: number; returned: number }>;

/**
 * Returns set-aside events to the accepted queue: sent first, removed second, so that a crash between the two
 * sends twice and loses nothing (event ids make one record of it). With `dryRun` nothing moves.
 */
export const redrive = async (
  deployment: Deployment,
  options: {
    readonly dryRun: boolean;
    readonly reason: string | undefined;
    readonly singleTenant: string | undefined;
  },
): Promise<RedriveReport> => {
  // Loaded only now: the AWS clients read their endpoints when they are made.
  const { deadLetterReader } = await import('../../functions/ingestion/deadLetter.store.ts');
  const { acceptedQueue } = await import('../../functions/ingestion/acceptedQueue.store.ts');
  const { tenantReader } = await import('../../functions/tenancy/tenant.store.ts');
  const accepted = acceptedQueue(deployment.output('QueueAccepted'));
  const tenants = tenantReader(deployment.output('TableTenants'));
  const report: RedriveReport = {};
  // What fails again comes back while this runs: only what lay here before is touched, or it would never end.
  const began = Date.now();

  for (const [name, trusted] of [
    ['QueueAcceptedDeadLetter', true],
    ['QueueIngestionDeadLetter', false],
  ] as const) {
    const queue = deadLetterReader(deployment.output(name), trusted);
    const retainedHandles: string[] = [];
    // A long run outlasts its own hold: when only what was seen before comes round, the queue is through.
    const receivedIds = new Set<string>();
    for (
      let held = await queue.take();
      held.some(({ id }) => !receivedIds.has(id));
      held = await queue.take()
    ) {
      for (const message of held) {
        const isKnown = receivedIds.has(message.id);
        receivedIds.add(message.id);
        if (isKnown || message.sentAt > began) {
          retainedHandles.push(message.handle);
          continue;
        }
        const found = decideRedrive(message);
        const line = report[found.reason] ?? { found: 0, returned: 0 };
        report[found.reason] = line;
        line.found += 1;
        const chosen = !options.dryRun && (options.reason ?? found.reason) === found.reason;
        const tenantId =
          found.kind === 'tenant'
            ? found.message.tenant_id
            : found.kind === 'sender'
              ? await tenantIdOfSender(found.sender, tenants, options.singleTenant)
              : null;
        if (!chosen || found.kind === 'lost' || tenantId === null) {
          retainedHandles.push(message.handle);
          continue;
        }
        await accepted.send([JSON.stringify({ ...found.message, tenant_id: tenantId })]);
        await queue.remove(message.handle);
        line.returned += 1;
      }
    }
    // A message whose hold ended is back by itself and cannot be released any more.
    for (const handle of retainedHandles) await queue.release(handle).catch(() => undefined);
  }
  return report;
};
