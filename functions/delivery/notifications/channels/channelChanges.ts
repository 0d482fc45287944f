import type { ChannelsChange } from '../../../../schemas/delivery/notifications.ts';
import type { Random } from '../../../identity/access/principals/secret.ts';
import type { DerivedKey } from '../../../platform/shared/aws/derivedKey.aws.ts';
import { ProblemError } from '../../../platform/shared/problem.ts';
import type { Authorization } from '../../../platform/tenancy/authorization.ts';
import type { Caller } from '../../../platform/tenancy/caller.ts';
import type { Tenant } from '../../../platform/tenancy/tenant.ts';
import { rejectedUrl, type VetUrl } from '../../webhooks/endpoints/requireAllowedUrl.ts';
import {
  applyChannelsChange,
  isForeignMask,
  missingChannelScopes,
  onlyRemoves,
  requestedChatUrl,
} from './channels.ts';

const CHAT_URL = '/notifications/chat/url';

const requireMailSender = ({ email = [] }: ChannelsChange, sendsMail: boolean): void => {
  if (sendsMail || email.length === 0) return;
  const detail = 'must be empty: the operator of this service has not configured a mail sender';
  throw new ProblemError('VALIDATION_FAILED', 'This service does not send e-mail. Remove the addresses.', {
    errors: [{ pointer: '/notifications/email', detail }],
  });
};

/** Throws INSUFFICIENT_SCOPE unless the caller may read everything that the channels of the change will receive. */
const requireReadable = ({ scopes }: Pick<Caller, 'scopes'>, change: ChannelsChange): void => {
  const missing = missingChannelScopes(scopes);
  if (onlyRemoves(change) || missing.length === 0) return;
  throw new ProblemError(
    'INSUFFICIENT_SCOPE',
    `Notification channels receive data that needs the scopes ${missing.join(' and ')}.`,
    {
      headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${missing.join(' ')}"` },
    },
  );
};

/**
 * Validates a change of a tenant's channels, vets the chat URL, and returns a function that applies the change with the URL
 * sealed. Throws INSUFFICIENT_SCOPE, VALIDATION_FAILED, or the SDK's error when the key cannot be derived. The returned
 * function throws WEBHOOK_URL_REJECTED.
 */
export const prepareChannelsChange = async (
  caller: Pick<Caller, 'scopes'>,
  change: ChannelsChange | undefined,
  using: {
    readonly vet: VetUrl;
    readonly key: DerivedKey;
    readonly random: Random;
    readonly sendsMail: boolean;
    readonly by: Authorization;
  },
): Promise<(tenant: Tenant) => Tenant> => {
  if (change === undefined) return (tenant) => tenant;
  requireReadable(caller, change);
  requireMailSender(change, using.sendsMail);
  const url = requestedChatUrl(change);
  const vetted = url === null ? null : await using.vet(url);
  const key = await using.key();
  // The URL is rejected only when the change is applied. A retry of a call that has succeeded must not fail because the host
  // name no longer resolves.
  return (tenant) => {
    if (vetted?.kind === 'rejected') throw rejectedUrl(vetted.reason, CHAT_URL, url);
    if (isForeignMask(tenant, change)) throw rejectedUrl('malformed', CHAT_URL, url);
    const sealing = { chat: vetted?.href ?? null, key, random: using.random };
    return { ...tenant, notifications: applyChannelsChange(tenant, change, using.by, sealing) };
  };
};
