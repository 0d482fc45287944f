import type { Notification } from '../../schemas/notifications.ts';
import { formatMinute } from './formatText.ts';

/** What a message is made of: the notifications it names, of so many it tells of. */
export interface MessageContent {
  readonly tenant: string;
  readonly notifications: readonly Notification[];
  readonly count: number;
  /** The address of the service, without a trailing slash. */
  readonly baseUrl: string;
}

const renderNotification = (
  { severity, title, text, link, created_at }: Notification,
  baseUrl: string,
): string => [`[${severity}] ${title}`, text, `${baseUrl}${link}`, formatMinute(created_at)].join('\n');

const renderCount = (count: number): string => `${count} more notification${count === 1 ? '' : 's'}`;

/** One line: what happened, or how much of it did. */
export const renderSubject = ({ notifications, count }: MessageContent): string => {
  const [first] = notifications;
  if (first !== undefined && count === 1) return `[${first.severity}] ${first.title}`;
  return `${renderCount(count)} in five minutes: ${first?.title ?? ''} …`;
};

/** Plain text: each notification with its figures and where to look, and how many there was no room for. */
export const renderText = ({ tenant, notifications, count, baseUrl }: MessageContent): string => {
  const unnamed = count - notifications.length;
  return [
    ...(count > 1
      ? [`${renderCount(count)} of the same five minutes, beside those sent by themselves:`]
      : []),
    ...notifications.map((one) => renderNotification(one, baseUrl)),
    ...(unnamed > 0 ? [`${unnamed} others are at ${baseUrl}/api/v1/notifications`] : []),
    `Tenant: ${tenant}`,
  ].join('\n\n');
};
