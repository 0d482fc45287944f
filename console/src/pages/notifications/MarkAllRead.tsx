import { useMutation, useQueryClient } from '@tanstack/react-query';
import { markNotificationsRead } from '../../../../sdk/typescript/src/operations.ts';
import type { InboxNotification } from '../../../../sdk/typescript/src/types.ts';
import { useClient } from '../../api/ApiProvider.tsx';
import { readAgain } from '../../api/readAgain.ts';

/** Marks everything up to the newest shown notification as read. Later ones stay unread. */
export const MarkAllRead = ({ rows }: { rows: readonly InboxNotification[] }) => {
  const client = useClient();
  const queries = useQueryClient();
  const mark = useMutation({
    mutationFn: (until: string) => markNotificationsRead(client, { until }),
    onSuccess: () => readAgain(queries, { queryKey: ['notifications'] }),
  });
  const unread = rows.filter(({ is_read: isRead }) => !isRead).length;
  const [newest] = rows;
  if (newest === undefined || unread === 0) return <p>All read</p>;
  return (
    <>
      {mark.isError && <p role="alert">Not marked. Try again.</p>}
      <button
        type="button"
        className="link"
        disabled={mark.isPending}
        onClick={() => mark.mutate(newest.created_at)}
      >
        Mark all as read
      </button>
    </>
  );
};
