import type { Egress } from '../egress/egress.ts';
import type { OutboundMessage } from '../egress/httpsPost.ts';
import type { DerivedKey } from '../shared/aws/derivedKey.store.ts';
import { decideScaledRetry } from '../webhooks/deliveries/attemptOutcome.ts';
import { unsealChatUrl } from './channels.ts';
import { renderText } from './messageText.ts';
import type { ChannelMessageContext, ChannelTransport } from './sendChannelMessage.ts';

/** In the text of a chat these begin links and mentions (Slack's formatting reference), so names must not hold them bare. */
const escapeChatText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A message as an incoming webhook takes it. */
export const toChatMessage = (
  { tenant, notifications, posting }: ChannelMessageContext,
  baseUrl: string,
): OutboundMessage => ({
  headers: { 'content-type': 'application/json', 'user-agent': 'attribution-notifications/1' },
  body: new TextEncoder().encode(
    JSON.stringify({
      text: escapeChatText(renderText({ tenant: tenant.name, notifications, count: posting.count, baseUrl })),
    }),
  ),
});

/** Carries messages to chats, tried again as webhooks are; what a chat refuses for good is its tenant's to mend. */
export const chatTransport =
  (deps: {
    readonly egress: Pick<Egress, 'post'>;
    /** Opens the seal of the URL. */
    readonly key: DerivedKey;
    readonly baseUrl: string;
    readonly clock: () => number;
    /** In [0, 1). */
    readonly uniform: () => number;
    /** Multiplies the waits; for trying them out on one machine. */
    readonly scale: number;
    /** Told where a chat is given up. */
    readonly onFailure: (tenantId: string) => void;
  }): ChannelTransport =>
  async (letter) => {
    const { egress, key, baseUrl, clock, uniform, scale, onFailure } = deps;
    const { tenant, posting } = letter;
    const url = unsealChatUrl(tenant, await key());
    if (url === null) return null;
    const outcome = await egress.post(url, toChatMessage(letter, baseUrl));
    const firstAt = Date.parse(posting.first_attempt_at ?? posting.created_at);
    const next = decideScaledRetry(
      outcome,
      { attempts: posting.attempts, firstAt },
      { now: clock(), uniform, scale },
    );
    if (next.kind === 'dead_lettered') onFailure(tenant.tenant_id);
    return next;
  };
