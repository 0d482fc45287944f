import { INBOX_ROWS, useInbox } from '../api/useInbox.ts';

/** The number of unread notifications beside their entry of the navigation. It renders nothing when all are read. */
export const UnreadCount = () => {
  const unread = useInbox().data?.data.filter(({ is_read: isRead }) => !isRead).length ?? 0;
  if (unread === 0) return null;
  return (
    <span className="unread-count num">
      {unread < INBOX_ROWS ? unread : `${INBOX_ROWS}+`}
      <span className="visually-hidden"> unread</span>
    </span>
  );
};
