import { Link } from 'wouter';
import { useInbox } from '../../api/useInbox.ts';
import { Callout } from '../../components/Callout.tsx';
import { Skeleton } from '../../components/reading/Loaded.tsx';
import { formatAgo } from '../../format/time.ts';

const RECENT_MS = 3 * 86_400_000;

/** The newest critical notification of the last days. It renders nothing while all is well. Charts below wait for it. */
export const Attention = () => {
  const inbox = useInbox();
  if (inbox.isPending) return <Skeleton height={40} />;
  const recent = inbox.data?.data.find(
    ({ severity, created_at: at }) => severity === 'critical' && Date.now() - Date.parse(at) < RECENT_MS,
  );
  if (recent === undefined) return null;
  return (
    <Callout tone="bad" action={<Link href="/notifications">See all</Link>}>
      <strong>{recent.title}</strong> {formatAgo(recent.created_at, Date.now())}
    </Callout>
  );
};
