import type { Notification } from '../../schemas/notifications.ts';
import { formatMinute } from './formatText.ts';

/** The content of a message: the notifications it lists, and the number (`count`) it reports. */
export interface MessageContent {
  readonly tenant: string;
  readonly notifications: readonly Notification[];
  readonly count: number;
  /** The base URL of the pages that notifications link to, without a trailing slash. */
  readonly baseUrl: string;
}

/**
 * The page of a notification. The id is in the fragment, which browsers do not send: the public page does not need it, and a
 * console can read it.
 */
const pageUrl = ({ type, id }: Notification, baseUrl: string): string =>
  `${baseUrl}/notifications/${type}#${id}`;

const renderNotification = (notification: Notification, baseUrl: string): string => {
  const { severity, title, text, link, created_at } = notification;
  return [
    `[${severity}] ${title}`,
    text,
    pageUrl(notification, baseUrl),
    `In the API: GET ${link}`,
    formatMinute(created_at),
  ].join('\n');
};

const renderCount = (count: number): string => `${count} more notification${count === 1 ? '' : 's'}`;

/** The subject line: the title of one notification, or the number of several. */
export const renderSubject = ({ notifications, count }: MessageContent): string => {
  const [first] = notifications;
  if (first !== undefined && count === 1) return `[${first.severity}] ${first.title}`;
  return `${renderCount(count)} in five minutes: ${first?.title ?? ''} …`;
};

/** The plain text: each listed notification with a link, and the number of those that are not listed. */
export const renderText = ({ tenant, notifications, count, baseUrl }: MessageContent): string => {
  const unlisted = count - notifications.length;
  return [
    ...(count > 1
      ? [`${renderCount(count)} in the same five minutes, in addition to those sent individually:`]
      : []),
    ...notifications.map((one) => renderNotification(one, baseUrl)),
    ...(unlisted > 0 ? [`${unlisted} others are listed in the API: GET /api/v1/notifications`] : []),
    `Tenant: ${tenant}`,
  ].join('\n\n');
};
