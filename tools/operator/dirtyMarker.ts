import { randomUUID } from 'node:crypto';
import type { Deployment } from './deployment.ts';

/** Has the totals of calls of a tenant summed again, with the pending marks that readers see. */
export const dirtyMarkerOf = async (deployment: Deployment, tenantId: string) => {
  // Imported late, because the AWS clients read their endpoints at import.
  const { SendMessageCommand } = await import('@aws-sdk/client-sqs');
  const { sqs } = await import('../../functions/platform/shared/aws/sqs.client.ts');
  const { dirtyMarker } = await import('../../functions/ledger/rollups/marks/markDirty.ts');
  const { pendingMarkStore } = await import('../../functions/ledger/rollups/marks/pendingMark.store.ts');
  const QueueUrl = deployment.output('QueueRollups');
  const markDirty = dirtyMarker({
    queue: {
      delayOf: () => 0,
      send: async (message) => {
        const MessageBody = JSON.stringify(message);
        await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody, MessageGroupId: message.tenant_id }));
      },
    },
    pendingMarks: pendingMarkStore(deployment.output('TableCounters')),
    clock: Date.now,
    elapsed: () => performance.now(),
    newId: randomUUID,
    random: Math.random,
  });
  return (times: readonly number[]): Promise<void> => markDirty(tenantId, times);
};
