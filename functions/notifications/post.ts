import type { ChannelName, Notification } from '../../schemas/notifications.ts';
import { commit, type Revision } from '../shared/aws/document.store.ts';
import type { Clock } from '../shared/clock.ts';
import type { TenantReader } from '../tenancy/tenant.store.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import type { Next } from '../webhooks/deliveries/schedule.ts';
import type { PostingStore } from './notification.store.ts';
import type { NotificationQueue, PostingMessage } from './notificationQueue.store.ts';
import { claimed, type Posting, settled } from './posting.ts';

/** What a message is made of, and the attempt it is sent at. */
export interface Letter {
  readonly tenant: Tenant;
  readonly notifications: readonly Notification[];
  readonly posting: Posting;
}

/** Sends a message over a channel, and says what follows; null where the tenant has closed the channel. */
export type Carrier = (letter: Letter) => Promise<Next | null>;

/**
 * Sends what a message of the queue names over one channel. An attempt is claimed before it is made, so that of copies of
 * a message one sends; a crash between sending and marking has it sent once more, when the lease of the claim has ended.
 * Throws what the SDK throws when the stores cannot answer, and what the carrier throws.
 */
export const poster = (deps: {
  readonly channel: ChannelName;
  readonly carry: Carrier;
  readonly store: PostingStore;
  readonly tenants: Pick<TenantReader, 'tenant'>;
  /** The queue the message came from. */
  readonly queue: NotificationQueue<PostingMessage>;
  readonly clock: Clock;
  readonly newClaim: () => string;
}) => {
  const { channel, carry, store, tenants, queue, clock, newClaim } = deps;

  /** Saves on top of what was seen, and says who it was saved by; null where somebody else saved it meanwhile. */
  const save = async (tenantId: string, posting: Posting, seen: Revision): Promise<Revision | null> => {
    const by = { claim: newClaim(), attempt: 1 };
    if (await commit([store.putPosting(tenantId, posting, seen, by)])) return by;
    // A write whose answer was lost is repeated by the SDK, and then stands in its own way.
    const current = await store.posting(tenantId, posting);
    return current?.revision.claim === by.claim ? by : null;
  };

  return async (message: PostingMessage): Promise<void> => {
    const { tenant_id: tenantId, posting: id } = message;
    const found = await store.posting(tenantId, { id, channel });
    if (found === null || found.document.state !== 'pending') return;
    const startedAt = clock();
    const wait = Date.parse(found.document.due_at) - startedAt;
    if (wait > 0) return queue.send([{ message, wait }]);

    const posting = claimed(found.document, startedAt);
    const claim = await save(tenantId, posting, found.revision);
    // Who loses is a copy: the message of whoever won comes again should that one crash.
    if (claim === null) return;

    const [tenant, notifications] = await Promise.all([
      tenants.tenant(tenantId),
      store.named(tenantId, posting.named),
    ]);
    const next =
      tenant === null || notifications.length === 0 ? null : await carry({ tenant, notifications, posting });
    const after = settled(posting, next ?? { kind: 'dropped' });
    const saved = await save(tenantId, after, claim);
    if (saved !== null && next?.kind === 'retry') await queue.send([{ message, wait: next.at - clock() }]);
  };
};
