import type { ChannelName, Channels, ChannelsChange } from '../../schemas/notifications.ts';
import type { Severity } from '../../schemas/severity.ts';
import type { Random } from '../access/secret.ts';
import type { StoredChannels, Tenant } from '../tenancy/tenant.ts';
import { seal, unseal } from '../webhooks/endpoints/seal.ts';

type Owner = Pick<Tenant, 'tenant_id' | 'notifications'>;

const NO_CHANNELS: StoredChannels = { email: [], chat: null, minimum_severity: 'warning' };
export const channelsOf = ({ notifications = NO_CHANNELS }: Pick<Owner, 'notifications'>): StoredChannels =>
  notifications;

/** As the tenant sees it: of the chat no more than its host. */
export const toChannels = (owner: Pick<Owner, 'notifications'>): Channels => {
  const { email, chat, minimum_severity } = channelsOf(owner);
  return { email, chat: chat && { url: chat.shown }, minimum_severity };
};

const MASK = '/…';

/** The path of such a URL is the credential, so nothing of it is shown. */
const maskUrl = (href: string): string => new URL(href).origin + MASK;

/** Moved to another tenant, a seal does not open. */
const associatedDataOf = (tenantId: string): Buffer => Buffer.from(`chat of ${tenantId}`);

/** The URL a change asks to be set; null where it leaves the chat as it is, or ends it. */
export const requestedChatUrl = ({ chat }: ChannelsChange): string | null =>
  chat === null || chat === undefined || chat.url.endsWith(MASK) ? null : chat.url;

/** Whether a change sends back a masked URL that is not the one there is: its secret is nowhere to be had. */
export const isForeignMask = (owner: Pick<Owner, 'notifications'>, { chat }: ChannelsChange): boolean =>
  chat?.url.endsWith(MASK) === true && chat.url !== channelsOf(owner).chat?.shown;

/** Channels after a change; `chat` is the vetted URL where the change sets one. `key` is 32 bytes, derived in KMS. */
export const applyChannelsChange = (
  owner: Owner,
  change: ChannelsChange,
  sealing: { readonly chat: string | null; readonly key: Uint8Array; readonly random: Random },
): StoredChannels => {
  const { chat: url, key, random } = sealing;
  const { email, chat, minimum_severity } = channelsOf(owner);
  const sealed = url !== null && {
    shown: maskUrl(url),
    sealed_url: seal(url, associatedDataOf(owner.tenant_id), key, random),
  };
  return {
    email: change.email ?? email,
    chat: change.chat === null ? null : sealed || chat,
    minimum_severity: change.minimum_severity ?? minimum_severity,
  };
};

/** The URL of the chat; null where there is none. Throws where the seal was made for another tenant or with another key. */
export const unsealChatUrl = (owner: Owner, key: Uint8Array): string | null => {
  const { chat } = channelsOf(owner);
  return chat && unseal(chat.sealed_url, associatedDataOf(owner.tenant_id), key);
};

const RANK: readonly Severity[] = ['warning', 'critical'];

/** The channels that a notification of this severity goes to. */
export const channelsFor = (owner: Pick<Owner, 'notifications'>, severity: Severity): ChannelName[] => {
  const { email, chat, minimum_severity } = channelsOf(owner);
  if (RANK.indexOf(severity) < RANK.indexOf(minimum_severity)) return [];
  return [...(email.length > 0 ? (['email'] as const) : []), ...(chat === null ? [] : (['chat'] as const))];
};

/** The channels there are, whatever the severity. */
export const enabledChannels = (owner: Pick<Owner, 'notifications'>): ChannelName[] =>
  channelsFor(owner, 'critical');
