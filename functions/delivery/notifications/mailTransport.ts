import { promisify } from 'node:util';
import { markedName } from '../../platform/tenancy/tenant.ts';
import { channelsOf } from './channels.ts';
import { renderSubject, renderText } from './messageText.ts';
import type { ChannelMessageContext, ChannelTransport } from './sendChannelMessage.ts';

/** After this many attempts, about twenty minutes, the failure is thrown and the message is dead-lettered. */
const ATTEMPTS_MAXIMUM = 8;
const BACKOFF_BASE_MS = 5_000;
const BACKOFF_FACTOR = 3;
const BACKOFF_CAP_MS = 300_000;

/** The longest delay after attempt `attempt`, in milliseconds. Attempts count from 1. */
export const backoffCap = (attempt: number): number =>
  Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * BACKOFF_FACTOR ** (attempt - 1));

export interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  /** The complete message (RFC 5322). */
  readonly raw: Uint8Array;
}

/** Throws the SDK's error when the message was not accepted. */
export type SendMail = (mail: Mail) => Promise<void>;

export interface MailSettings {
  /** The sender address. */
  readonly from: string;
  readonly consoleUrl: string;
}

/**
 * Composes the e-mail for a message. The same message gives the same bytes. The library encodes subject and names, so that
 * their text cannot inject headers.
 */
export const composeMail = async (
  { tenant, notifications, message }: ChannelMessageContext,
  sender: MailSettings,
): Promise<Mail> => {
  const { email: to } = channelsOf(tenant);
  const content = {
    tenant: markedName(tenant),
    notifications,
    count: message.count,
    consoleUrl: sender.consoleUrl,
  };
  // Loaded on demand, because most invocations send no mail.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const composer = new MailComposer({
    from: { name: 'Inference Attribution', address: sender.from },
    to: to.map((address) => ({ name: '', address })),
    subject: renderSubject(content),
    text: `${renderText(content)}\n\nYou receive this message because the tenant's notification settings contain your address.\n`,
    date: new Date(message.created_at),
    messageId: `<${message.id}.${tenant.tag}${sender.from.slice(sender.from.lastIndexOf('@'))}>`,
    // Suppresses automatic replies such as out-of-office messages (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const compiled = composer.compile();
  const raw = await promisify(compiled.build.bind(compiled))();
  return { from: sender.from, to, raw };
};

/**
 * Sends messages by e-mail, one mail to all addresses of the tenant. Retry delays have full jitter. A failure that lasts
 * about twenty minutes is thrown, so that the message reaches the dead-letter queue.
 */
export const mailTransport =
  (deps: {
    /** Null when the stack has no sender. Then no mail is sent. */
    readonly sender: MailSettings | null;
    readonly send: SendMail;
    readonly clock: () => number;
    /** In [0, 1). */
    readonly uniform: () => number;
    /** Called for each failure that is retried. */
    readonly onFailure: (tenantId: string, error: unknown) => void;
  }): ChannelTransport =>
  async (context) => {
    const { sender, send, clock, uniform, onFailure } = deps;
    const { tenant, message } = context;
    if (sender === null || channelsOf(tenant).email.length === 0) return null;
    try {
      await send(await composeMail(context, sender));
      return { kind: 'acknowledged' };
    } catch (error) {
      if (message.attempts >= ATTEMPTS_MAXIMUM) throw error;
      onFailure(tenant.tenant_id, error);
      return { kind: 'retry', at: clock() + Math.floor(uniform() * backoffCap(message.attempts)) };
    }
  };
