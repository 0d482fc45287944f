import type { NotifiableEventType, Notification } from '../../../../schemas/delivery/notifications.ts';
import { formatMinute } from './formatText.ts';
import { plainNames } from './plainNames.ts';

/** The content of a message: the notifications it lists, and the number (`count`) it reports. */
export interface MessageContent {
  readonly tenant: string;
  readonly notifications: readonly Notification[];
  readonly count: number;
  /** The URL of the console that notifications link to, without a trailing slash. */
  readonly consoleUrl: string;
}

/** The page of the console about the subject of a notification. */
const pages: Readonly<Record<NotifiableEventType, string>> = {
  'anomaly.detected': 'anomalies',
  'bill_source.health.changed': 'reconciliation',
  'budget.forecast.crossed': 'budgets',
  'budget.threshold.crossed': 'budgets',
  'cost.implausible': 'records?price=implausible_cost',
  'coverage.degraded': 'coverage',
  'degradation.state.changed': 'quality',
  'export.delivery.failed': 'exports',
  'export.failed': 'exports',
  'webhook.disabled': 'webhooks',
};

/** The page of the subject. Its id is in the fragment, which browsers do not send, so no access log holds it. */
const pageUrl = ({ type, link }: Notification, consoleUrl: string): string => {
  const id = /\/([a-z]{3}_\w+)$/.exec(link)?.[1];
  return `${consoleUrl}/${pages[type]}${id === undefined ? '' : `#${id}`}`;
};

const renderNotification = (notification: Notification, consoleUrl: string): string => {
  const { severity, title, text, created_at } = notification;
  return [
    `[${severity}] ${plainNames(title)}`,
    plainNames(text),
    pageUrl(notification, consoleUrl),
    formatMinute(created_at),
  ].join('\n');
};

const renderCount = (count: number): string => `${count} more notification${count === 1 ? '' : 's'}`;

/** The subject line: the title of one notification, or the number of several. */
export const renderSubject = ({ notifications, count }: MessageContent): string => {
  const [first] = notifications;
  if (first !== undefined && count === 1) return `[${first.severity}] ${plainNames(first.title)}`;
  return `${renderCount(count)}: ${plainNames(first?.title ?? '')} …`;
};

/** The plain text: each listed notification with a link, and the number of those that are not listed. */
export const renderText = ({ tenant, notifications, count, consoleUrl }: MessageContent): string => {
  const unlisted = count - notifications.length;
  return [
    ...(count > 1 ? [`${renderCount(count)}, in addition to those sent individually:`] : []),
    ...notifications.map((one) => renderNotification(one, consoleUrl)),
    ...(unlisted > 0 ? [`${unlisted} others are listed at ${consoleUrl}/notifications`] : []),
    `Tenant: ${plainNames(tenant)}`,
  ].join('\n\n');
};
