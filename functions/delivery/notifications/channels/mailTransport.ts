import { promisify } from 'node:util';
import { firstThrottleOf } from '../../../platform/shared/settleAll.ts';
import { markedName } from '../../../platform/tenancy/tenant.ts';
import { renderSubject, renderText } from '../text/messageText.ts';
import { plainNames } from '../text/plainNames.ts';
import { renderReport, renderReportHtml, unsubscribeUrl } from '../text/reportText.ts';
import { channelsOf } from './channels.ts';
import type { ChannelMessageContext, ChannelTransport } from './sendChannelMessage.ts';

export interface Mail {
  readonly from: string;
  readonly to: string;
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

/** Subject and body of a message, and the headers that only some have. */
const contentOf = ({ tenant, notifications, message }: ChannelMessageContext, consoleUrl: string) => {
  const { report, count } = message;
  const frame = { tenant: markedName(tenant), consoleUrl };
  if (report === undefined) {
    const content = { ...frame, notifications, count };
    return {
      subject: renderSubject(content),
      text: `${renderText(content)}\n\nYou receive this message because the tenant's notification settings contain your address.\n`,
      headers: {},
    };
  }
  return {
    subject: plainNames(report.title),
    text: renderReport(report, frame),
    html: renderReportHtml(report, frame),
    // RFC 2369.
    headers: { 'List-Unsubscribe': `<${unsubscribeUrl(consoleUrl)}>` },
  };
};

/**
 * Composes the e-mail of a message to one address. The same message gives the same bytes. The library encodes subject and
 * names, so that their text cannot inject headers.
 */
export const composeMail = async (
  context: ChannelMessageContext,
  to: string,
  sender: MailSettings,
): Promise<Mail> => {
  const { tenant, message } = context;
  const { headers, ...content } = contentOf(context, sender.consoleUrl);
  // Loaded on demand, because most invocations send no mail.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const composer = new MailComposer({
    from: { name: 'Inference Attribution', address: sender.from },
    to: { name: '', address: to },
    ...content,
    date: new Date(message.created_at),
    messageId: `<${message.id}.${tenant.tag}${sender.from.slice(sender.from.lastIndexOf('@'))}>`,
    // Suppresses automatic replies such as out-of-office messages (RFC 3834).
    headers: { ...headers, 'Auto-Submitted': 'auto-generated' },
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const compiled = composer.compile();
  const raw = await promisify(compiled.build.bind(compiled))();
  return { from: sender.from, to, raw };
};

/**
 * Sends messages by e-mail, one mail to each address of the tenant or of a report, so that an address that is not accepted stops no other.
 * A mail that is not accepted is a fault.
 */
export const mailTransport =
  (deps: {
    /** Null when the stack has no sender. Then no mail is sent. */
    readonly sender: MailSettings | null;
    readonly send: SendMail;
  }): ChannelTransport =>
  async (context) => {
    const { sender, send } = deps;
    const { report } = context.message;
    const addresses =
      report === undefined ? channelsOf(context.tenant).email : [report.to].filter((to) => to !== null);
    if (sender === null || addresses.length === 0) return null;
    const accepted = new Set(context.message.accepted);
    const errors: unknown[] = [];
    for (const to of addresses) {
      if (accepted.has(to)) continue;
      try {
        await send(await composeMail(context, to, sender));
        accepted.add(to);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length === 0) return { kind: 'acknowledged' };
    return { kind: 'partly_accepted', accepted: [...accepted], error: firstThrottleOf(errors) };
  };
