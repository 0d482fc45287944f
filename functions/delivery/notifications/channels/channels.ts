import {
  type ChannelName,
  type Channels,
  type ChannelsChange,
  channelScopes,
} from '../../../../schemas/delivery/notifications.ts';
import type { Severity } from '../../../../schemas/delivery/severity.ts';
import type { Scope } from '../../../../schemas/identity/scopes.ts';
import type { Random } from '../../../identity/access/principals/secret.ts';
import { seal, unseal } from '../../../platform/shared/seal.ts';
import type { Authorization } from '../../../platform/tenancy/authorization.ts';
import type { StoredChannels, Tenant } from '../../../platform/tenancy/tenant.ts';

type Owner = Pick<Tenant, 'tenant_id' | 'notifications'>;

const NO_CHANNELS: StoredChannels = {
  email: [],
  chat: null,
  minimum_severity: 'warning',
  authorized_by: null,
};
export const channelsOf = ({ notifications = NO_CHANNELS }: Pick<Owner, 'notifications'>): StoredChannels =>
  notifications;

/** The API representation of the channels. The chat URL is masked after its host. */
export const toChannels = (owner: Pick<Owner, 'notifications'>): Channels => {
  const { email, chat, minimum_severity, authorized_by } = channelsOf(owner);
  return {
    email,
    chat: chat && { url: chat.shown },
    minimum_severity,
    authorized_by: authorized_by?.id ?? null,
  };
};

/** Whether a change only removes channels. Anyone who may change settings may do so: it reveals nothing. */
export const onlyRemoves = ({ email = [], chat = null, minimum_severity }: ChannelsChange): boolean =>
  email.length === 0 && chat === null && minimum_severity === undefined;

/** The scopes for channels that are missing. */
export const missingChannelScopes = (held: ReadonlySet<Scope>): Scope[] =>
  channelScopes.filter((scope) => !held.has(scope));

const MASK = '/…';

/** The path of a chat URL is a credential, so it is not shown. */
const maskUrl = (href: string): string => new URL(href).origin + MASK;

/** Additional authenticated data: a sealed URL cannot be moved to another tenant. */
const associatedDataOf = (tenantId: string): string => `chat of ${tenantId}`;

/** The new chat URL in a change. Null when the change keeps or removes the chat. */
export const requestedChatUrl = ({ chat }: ChannelsChange): string | null =>
  chat === null || chat === undefined || chat.url.endsWith(MASK) ? null : chat.url;

/** Whether a change contains a masked URL that is not the stored one, so that its secret path is unknown. */
export const isForeignMask = (owner: Pick<Owner, 'notifications'>, { chat }: ChannelsChange): boolean =>
  chat?.url.endsWith(MASK) === true && chat.url !== channelsOf(owner).chat?.shown;

/**
 * The channels after a change. `by` authorizes them, unless the change only removes. `sealing.chat` is the vetted new chat
 * URL, or null. `key` is 32 bytes, derived in KMS.
 */
export const applyChannelsChange = (
  owner: Owner,
  change: ChannelsChange,
  by: Authorization,
  sealing: { readonly chat: string | null; readonly key: Uint8Array; readonly random: Random },
): StoredChannels => {
  const { chat: url, key, random } = sealing;
  const { email, chat, minimum_severity, authorized_by } = channelsOf(owner);
  const sealed = url !== null && {
    shown: maskUrl(url),
    sealed_url: seal(url, associatedDataOf(owner.tenant_id), key, random),
  };
  return {
    email: change.email ?? email,
    chat: change.chat === null ? null : sealed || chat,
    minimum_severity: change.minimum_severity ?? minimum_severity,
    authorized_by: onlyRemoves(change) ? authorized_by : by,
  };
};

/** The decrypted chat URL. Null when there is no chat. Throws when it was sealed for another tenant or with another key. */
export const unsealChatUrl = (owner: Owner, key: Uint8Array): string | null => {
  const { chat } = channelsOf(owner);
  return chat && unseal(chat.sealed_url, associatedDataOf(owner.tenant_id), key);
};

const SEVERITY_ORDER: readonly Severity[] = ['warning', 'critical'];

/** The channels that receive a notification of this severity. */
export const channelsFor = (owner: Pick<Owner, 'notifications'>, severity: Severity): ChannelName[] => {
  const { email, chat, minimum_severity } = channelsOf(owner);
  if (SEVERITY_ORDER.indexOf(severity) < SEVERITY_ORDER.indexOf(minimum_severity)) return [];
  return [...(email.length > 0 ? (['email'] as const) : []), ...(chat === null ? [] : (['chat'] as const))];
};

/** All channels of a tenant, regardless of severity. */
export const enabledChannels = (owner: Pick<Owner, 'notifications'>): ChannelName[] =>
  channelsFor(owner, 'critical');
