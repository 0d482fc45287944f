import { Link } from 'wouter';
import { listNotifications } from '../../../../sdk/typescript/src/operations.ts';
import { useList } from '../../api/useRead.ts';
import { Card } from '../../components/Card.tsx';
import { Moment } from '../../components/Moment.tsx';
import { Page } from '../../components/Page.tsx';
import { Pill } from '../../components/Pill.tsx';
import { Empty } from '../../components/reading/Empty.tsx';
import { Segments } from '../../components/Segments.tsx';
import { Listed } from '../../components/tables/Listed.tsx';
import { choice, codec } from '../../url/codec.ts';
import { useUrlState } from '../../url/useUrlState.ts';
import { MarkAllRead } from './MarkAllRead.tsx';
import { pageOf } from './pageOf.ts';
import { ReportsCard } from './ReportsCard.tsx';

const notificationsCodec = codec({ severity: choice(['all', 'warning', 'critical'], 'all') });

const SEVERITIES = [
  { value: 'all', label: 'All' },
  { value: 'critical', label: 'Critical' },
  { value: 'warning', label: 'Warnings' },
] as const;

/** What got worse, newest first. Each leads to the page that shows it. */
export const Notifications = () => {
  const [{ severity }, change] = useUrlState(notificationsCodec);
  const notifications = useList(['notifications', severity], (client, cursor, options) =>
    listNotifications(client, { ...cursor, ...(severity !== 'all' && { severity }) }, options),
  );
  return (
    <Page
      title="Notifications"
      lead="What needs attention. E-mail and chat channels are in the settings."
      actions={
        <Segments
          label="Severity"
          options={SEVERITIES}
          value={severity}
          onChange={(next) => change({ severity: next })}
        />
      }
    >
      {/* The read mark is a time. It would also mark notifications that a filter hides. */}
      <Card title="Inbox" aside={severity === 'all' && <MarkAllRead rows={notifications.data ?? []} />}>
        <Listed
          of={notifications}
          height={360}
          empty={
            <Empty title="Nothing needs attention">
              Crossed budgets, anomalies, lost coverage, late bills, failed exports and disabled webhooks
              appear here.
            </Empty>
          }
        >
          {(rows) => (
            <ul className="rows">
              {rows.map(({ id, title, text, severity: own, created_at: at, link, is_read: isRead }) => (
                <li key={id}>
                  <div className="line">
                    <span className={isRead ? 'read' : 'unread'}>
                      {!isRead && <span className="visually-hidden">Unread: </span>}
                      <Link href={pageOf(link)}>{title}</Link>
                    </span>
                    <Pill tone={own === 'critical' ? 'bad' : 'warn'}>{own}</Pill>
                  </div>
                  <p className="small">{text}</p>
                  <span className="sub">
                    <Moment at={at} />
                  </span>
                </li>
              ))}
            </ul>
          )}
        </Listed>
      </Card>
      <ReportsCard />
    </Page>
  );
};
