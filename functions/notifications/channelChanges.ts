import type { ChannelsChange } from '../../schemas/notifications.ts';
import type { Random } from '../access/secret.ts';
import type { DerivedKey } from '../shared/aws/derivedKey.store.ts';
import { ProblemError } from '../shared/problem.ts';
import type { Caller } from '../tenancy/caller.ts';
import { requireNoLane } from '../tenancy/residency.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import { rejectedUrl, type VetUrl } from '../webhooks/endpoints/requireAllowedUrl.ts';
import { applyChannelsChange, isForeignMask, requestedChatUrl } from './channels.ts';

const CHAT_URL = '/notifications/chat/url';

const requireMailSender = ({ email = [] }: ChannelsChange, sendsMail: boolean): void => {
  if (sendsMail || email.length === 0) return;
  const detail = 'this service sends no mail: its operator has set no sender';
  throw new ProblemError('VALIDATION_FAILED', 'This service sends no mail.', {
    errors: [{ pointer: '/notifications/email', detail }],
  });
};

/**
 * What a change makes of the channels of a tenant, the URL of a chat vetted and sealed. Throws RESIDENCY_BLOCKED or
 * VALIDATION_FAILED, and what the SDK throws when no key can be derived; the result throws WEBHOOK_URL_REJECTED.
 */
export const prepareChannelsChange = async (
  caller: Pick<Caller, 'residency'>,
  change: ChannelsChange | undefined,
  using: {
    readonly vet: VetUrl;
    readonly key: DerivedKey;
    readonly random: Random;
    readonly sendsMail: boolean;
  },
): Promise<(tenant: Tenant) => Tenant> => {
  if (change === undefined) return (tenant) => tenant;
  requireNoLane(caller, 'Notification channels');
  requireMailSender(change, using.sendsMail);
  const url = requestedChatUrl(change);
  const vetted = url === null ? null : await using.vet(url);
  const key = await using.key();
  // Refused only where it is applied: a name that no longer resolves must not refuse what an earlier attempt has set.
  return (tenant) => {
    if (vetted?.kind === 'rejected') throw rejectedUrl(vetted.reason, CHAT_URL);
    if (isForeignMask(tenant, change)) throw rejectedUrl('malformed', CHAT_URL);
    const sealing = { chat: vetted?.href ?? null, key, random: using.random };
    return { ...tenant, notifications: applyChannelsChange(tenant, change, sealing) };
  };
};
