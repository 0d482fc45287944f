import { commitOrConflict } from '../../../platform/shared/aws/commitOrConflict.ts';
import type { ChannelMessageStore } from '../notification.store.ts';
import type { ReportContent } from '../text/reportContent.ts';
import { newChannelMessage } from './channelMessage.ts';
import { type ChannelQueues, queueMessages } from './channelQueues.ts';

/**
 * Returns the function that sends a report over its channel. `id` is the ULID of the report: the first content that is
 * stored under it is sent, once. A repeated call queues the stored message again, so a crash between both loses nothing.
 */
export const reportSender =
  (deps: {
    readonly store: Pick<ChannelMessageStore, 'putChannelMessage'>;
    readonly queues: ChannelQueues;
    readonly newClaim: () => string;
  }) =>
  async (tenantId: string, id: string, report: ReportContent, now: number): Promise<void> => {
    const channel = report.to === null ? 'chat' : 'email';
    const message = { ...newChannelMessage({ id, channel, named: [], count: 1 }, now), report };
    const revision = { claim: deps.newClaim(), attempt: 1 };
    await commitOrConflict([deps.store.putChannelMessage(tenantId, message, null, revision)]);
    await queueMessages(deps.queues, tenantId, id, [channel]);
  };
