import type { Notification } from '../../../../schemas/delivery/notifications.ts';

/** What a notification says about its event. */
export type NotificationText = Pick<Notification, 'severity' | 'title' | 'text' | 'link'> & {
  /** The lane of its subject. Null or absent when it concerns several lanes. */
  readonly residency?: string | null;
  readonly of_records?: true;
};
