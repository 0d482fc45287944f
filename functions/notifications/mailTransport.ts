import { promisify } from 'node:util';
import { channelsOf } from './channels.ts';
import { renderSubject, renderText } from './messageText.ts';
import type { ChannelMessageContext, ChannelTransport } from './sendChannelMessage.ts';

/** Attempts after which a failure is one for an operator: some twenty minutes after the first. */
const ATTEMPTS_MAXIMUM = 8;
const BACKOFF_BASE_MS = 5_000;
const BACKOFF_FACTOR = 3;
const BACKOFF_CAP_MS = 300_000;

/** The longest wait behind attempt `attempt`, the first being number 1, in milliseconds. */
export const backoffCap = (attempt: number): number =>
  Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * BACKOFF_FACTOR ** (attempt - 1));

export interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  /** The whole message (RFC 5322). */
  readonly raw: Uint8Array;
}

/** Throws what the SDK throws where the message was not accepted. */
export type SendMail = (mail: Mail) => Promise<void>;

export interface MailSettings {
  /** The address mail comes from. */
  readonly from: string;
  readonly baseUrl: string;
}

/**
 * A message as it is mailed; the same bytes for the same message. Subject and names are encoded by the library, so that
 * no text of theirs can begin another header.
 */
export const composeMail = async (
  { tenant, notifications, posting }: ChannelMessageContext,
  sender: MailSettings,
): Promise<Mail> => {
  const { email: to } = channelsOf(tenant);
  const content = { tenant: tenant.name, notifications, count: posting.count, baseUrl: sender.baseUrl };
  // Most events are mailed to nobody.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const composer = new MailComposer({
    from: { name: 'Inference Attribution', address: sender.from },
    to: to.map((address) => ({ name: '', address })),
    subject: renderSubject(content),
    text: `${renderText(content)}\n\nThis address is among those that the tenant's settings name for notifications.\n`,
    date: new Date(posting.created_at),
    messageId: `<${posting.id}.${tenant.tag}${sender.from.slice(sender.from.lastIndexOf('@'))}>`,
    // Nobody's out-of-office answer is wanted (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const message = composer.compile();
  const raw = await promisify(message.build.bind(message))();
  return { from: sender.from, to, raw };
};

/**
 * Carries messages by e-mail, one for all addresses. Waits are full jitter; what fails for some twenty minutes is thrown,
 * and lies before an operator in the end.
 */
export const mailTransport =
  (deps: {
    /** Null where the stack has no sender: then nothing is mailed. */
    readonly sender: MailSettings | null;
    readonly send: SendMail;
    readonly clock: () => number;
    /** In [0, 1). */
    readonly uniform: () => number;
    /** Told of each failure that is tried again. */
    readonly onFailure: (tenantId: string, error: unknown) => void;
  }): ChannelTransport =>
  async (letter) => {
    const { sender, send, clock, uniform, onFailure } = deps;
    const { tenant, posting } = letter;
    if (sender === null || channelsOf(tenant).email.length === 0) return null;
    try {
      await send(await composeMail(letter, sender));
      return { kind: 'acknowledged' };
    } catch (error) {
      if (posting.attempts >= ATTEMPTS_MAXIMUM) throw error;
      onFailure(tenant.tenant_id, error);
      return { kind: 'retry', at: clock() + Math.floor(uniform() * backoffCap(posting.attempts)) };
    }
  };
