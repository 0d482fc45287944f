import type { Egress } from '../../../platform/egress/egress.ts';
import type { OutboundMessage } from '../../../platform/egress/httpsRequest.ts';
import type { DerivedKey } from '../../../platform/shared/aws/derivedKey.aws.ts';
import { markedName } from '../../../platform/tenancy/tenant.ts';
import { decideScaledRetry } from '../../webhooks/deliveries/outcome/attemptOutcome.ts';
import { renderText } from '../text/messageText.ts';
import { renderReport } from '../text/reportText.ts';
import { unsealChatUrl } from './channels.ts';
import type { ChannelMessageContext, ChannelTransport } from './sendChannelMessage.ts';

/** Escapes the characters that start links and mentions in Slack's formatting, and tags in others. */
const escapeChatText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The HTTP message for an incoming webhook of a chat. */
export const toChatMessage = (
  { tenant, notifications, message }: ChannelMessageContext,
  consoleUrl: string,
): OutboundMessage => {
  const { report, count } = message;
  const frame = { tenant: markedName(tenant), consoleUrl };
  const text =
    report === undefined ? renderText({ ...frame, notifications, count }) : renderReport(report, frame);
  return {
    headers: { 'content-type': 'application/json', 'user-agent': 'attribution-notifications/1' },
    body: new TextEncoder().encode(JSON.stringify({ text: escapeChatText(text) })),
  };
};

/**
 * Sends messages to chats, with the retry schedule of webhooks. A permanent failure is not dead-lettered: the tenant must
 * fix it.
 */
export const chatTransport =
  (deps: {
    readonly egress: Pick<Egress, 'post'>;
    /** Decrypts the sealed URL. */
    readonly key: DerivedKey;
    readonly consoleUrl: string;
    readonly clock: () => number;
    /** In [0, 1). */
    readonly uniform: () => number;
    /** Multiplies the retry delays. Only for local runs. */
    readonly scale: number;
    /** Called when a message is given up. */
    readonly onFailure: (tenantId: string) => void;
  }): ChannelTransport =>
  async (context) => {
    const { egress, key, consoleUrl, clock, uniform, scale, onFailure } = deps;
    const { tenant, message } = context;
    const url = unsealChatUrl(tenant, await key());
    if (url === null) return null;
    const outcome = await egress.post(url, toChatMessage(context, consoleUrl));
    const firstAt = Date.parse(message.first_attempt_at ?? message.created_at);
    const next = decideScaledRetry(
      outcome,
      { attempts: message.attempts + 1, firstAt },
      { now: clock(), uniform, scale },
    );
    if (next.kind === 'dead_lettered') onFailure(tenant.tenant_id);
    return next;
  };
