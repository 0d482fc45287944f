import type { Notification } from '../../../../schemas/delivery/notifications.ts';

/** What a notification says about its event. */
export type NotificationText = Pick<Notification, 'severity' | 'title' | 'text' | 'link'> & {
  readonly of_records?: true;
};
