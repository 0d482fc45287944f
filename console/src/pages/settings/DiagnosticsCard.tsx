import type { Diagnostics } from '../../../../sdk/typescript/src/types.ts';
import { Moment } from '../../components/Moment.tsx';
import { formatCount } from '../../format/amount.ts';
import { wordFor } from '../../format/words.ts';

export const DiagnosticsCard = ({ diagnostics }: { diagnostics: Diagnostics }) => {
  const { last_24_hours: day, freshness, report_groups: groups } = diagnostics;
  const setAside = Object.entries(day.events_set_aside).filter(([, count]) => count > 0);
  return (
    <dl className="facts num">
      <dt>Newest call</dt>
      <dd>{freshness.newest_call === null ? 'none' : <Moment at={freshness.newest_call} />}</dd>
      <dt>In the totals since</dt>
      <dd>{freshness.summed_at === null ? 'not yet' : <Moment at={freshness.summed_at} />}</dd>
      <dt>Duplicates</dt>
      <dd>{formatCount(day.duplicates)} in 24 hours</dd>
      <dt>Same id, other content</dt>
      <dd className={day.duplicate_mismatches > 0 ? 'unknown' : ''}>
        {formatCount(day.duplicate_mismatches)}
      </dd>
      <dt>Content dropped</dt>
      <dd>{formatCount(day.dropped_members)} members</dd>
      <dt>Events set aside</dt>
      <dd className={setAside.length > 0 ? 'unknown' : ''}>
        {setAside.length === 0
          ? 'none'
          : setAside.map(([reason, count]) => `${wordFor(reason)}: ${formatCount(count)}`).join(', ')}
      </dd>
      <dt>Groups this month</dt>
      <dd>
        {formatCount(groups.count)} of {formatCount(groups.limit)}
      </dd>
      <dt>Unfinished jobs</dt>
      <dd>
        {diagnostics.unfinished_jobs.length === 0
          ? 'none'
          : diagnostics.unfinished_jobs.map(({ type, status }) => `${wordFor(type)} (${status})`).join(', ')}
      </dd>
    </dl>
  );
};
