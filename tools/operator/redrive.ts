import { countsIn, packMessages } from '../../functions/ingest/events/acceptedMessage.ts';
import { decideRedrive } from '../../functions/ingest/events/redrive.ts';
import { tenantIdOfSender } from '../../functions/ingest/events/sender.ts';
import type { Deployment } from './deployment.ts';

/** The number of found and returned messages, by reason. */
export type RedriveReport = Record<string, { found: number; returned: number }>;

/**
 * Moves events from the dead-letter queues to the accepted queue. Each is sent before it is removed, so a crash in between
 * sends it twice and loses nothing. The event id makes the duplicate idempotent. With `dryRun` nothing is moved.
 */
export const redrive = async (
  deployment: Deployment,
  options: {
    readonly dryRun: boolean;
    readonly reason: string | undefined;
    readonly singleTenant: string | undefined;
  },
): Promise<RedriveReport> => {
  // Imported late, because the AWS clients read their endpoints at import.
  const { deadLetterReader } = await import('../../functions/ingest/events/deadLetter.aws.ts');
  const { acceptedQueue } = await import('../../functions/ingest/events/acceptedQueue.aws.ts');
  const { tenantReader } = await import('../../functions/platform/tenancy/tenant.store.ts');
  const accepted = acceptedQueue(deployment.output('QueueAccepted'));
  const tenants = tenantReader(deployment.output('TableTenants'));
  const report: RedriveReport = {};
  // A message that fails again returns during the run. Only older messages are moved, or the run would never end.
  const startedAt = Date.now();

  for (const [name, trusted] of [
    ['QueueAcceptedDeadLetter', true],
    ['QueueIngestionDeadLetter', false],
  ] as const) {
    const queue = deadLetterReader(deployment.output(name), trusted);
    const retainedHandles: string[] = [];
    // A long run exceeds the visibility timeout. The queue is done when a receive returns only known messages.
    const receivedIds = new Set<string>();
    for (
      let batch = await queue.take();
      batch.some(({ id }) => !receivedIds.has(id));
      batch = await queue.take()
    ) {
      for (const message of batch) {
        const isKnown = receivedIds.has(message.id);
        receivedIds.add(message.id);
        if (isKnown || message.sentAt > startedAt) {
          retainedHandles.push(message.handle);
          continue;
        }
        const decision = decideRedrive(message);
        const line = report[decision.reason] ?? { found: 0, returned: 0 };
        report[decision.reason] = line;
        line.found += 1;
        const isSelected = !options.dryRun && (options.reason ?? decision.reason) === decision.reason;
        const tenantId =
          decision.kind === 'tenant'
            ? decision.message.tenant_id
            : decision.kind === 'sender'
              ? await tenantIdOfSender(decision.sender, tenants, options.singleTenant)
              : null;
        if (!isSelected || decision.kind === 'lost' || tenantId === null) {
          retainedHandles.push(message.handle);
          continue;
        }
        const { events, counts = {}, ...arrival } = decision.message;
        const packed = packMessages(
          { ...arrival, tenant_id: tenantId, redriven: true },
          events.map((event) => JSON.stringify(event)),
          countsIn({ counts }),
        );
        await accepted.send(tenantId, packed);
        await queue.remove(message.handle);
        line.returned += 1;
      }
    }
    // A message past its visibility timeout is already visible, and its handle is invalid.
    for (const handle of retainedHandles) await queue.release(handle).catch(() => undefined);
  }
  return report;
};
