import { Link } from 'wouter';
import { listNotifications } from '../../../../sdk/typescript/src/operations.ts';
import { useRead } from '../../api/useRead.ts';
import { Callout } from '../../components/Callout.tsx';
import { formatAgo } from '../../format/time.ts';

const RECENT_MS = 3 * 86_400_000;

/** The newest critical notification of the last days. It renders nothing while all is well. */
export const Attention = () => {
  const notifications = useRead(['notifications', 'attention'], (client, options) =>
    listNotifications(client, { limit: 5, severity: 'critical' }, options),
  );
  const recent = notifications.data?.data.find(
    ({ created_at: at }) => Date.now() - Date.parse(at) < RECENT_MS,
  );
  if (recent === undefined) return null;
  return (
    <Callout tone="bad" action={<Link href="/notifications">See all</Link>}>
      <strong>{recent.title}</strong> {formatAgo(recent.created_at, Date.now())}
    </Callout>
  );
};
