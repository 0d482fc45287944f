import { listWebhookDeliveries } from '../../../../sdk/typescript/src/operations.ts';
import type { WebhookDelivery } from '../../../../sdk/typescript/src/types.ts';
import { useList } from '../../api/useRead.ts';
import { Card } from '../../components/Card.tsx';
import { Moment } from '../../components/Moment.tsx';
import { Pill } from '../../components/Pill.tsx';
import { ListTable } from '../../components/tables/ListTable.tsx';
import type { Column } from '../../components/tables/Table.tsx';
import { formatCount } from '../../format/amount.ts';
import { wordFor } from '../../format/words.ts';
import { outcomeTone } from './webhookState.ts';

const columns: readonly Column<WebhookDelivery>[] = [
  { title: 'Attempted', cell: ({ attempted_at: at }) => <Moment at={at} /> },
  {
    title: 'Event',
    cell: ({ event_type: type, event_id: id, test, replayed }) => (
      <>
        {type}
        {test && ' (sample)'}
        {replayed && ' (sent again)'}
        <span className="sub mono">{id}</span>
      </>
    ),
  },
  { title: 'Attempt', right: true, cell: ({ attempt }) => attempt },
  {
    title: 'Answer',
    cell: ({ response_status: status, failure }) =>
      status ?? <span className="unknown">{failure === null ? 'none' : wordFor(failure)}</span>,
  },
  { title: 'Latency', right: true, cell: ({ latency_ms: latency }) => `${formatCount(latency)}\u202fms` },
  {
    title: 'Outcome',
    cell: ({ outcome, next_attempt_at: next }) => (
      <>
        <Pill tone={outcomeTone[outcome]}>{wordFor(outcome)}</Pill>
        {next !== null && Date.parse(next) > Date.now() && (
          <span className="sub">
            next <Moment at={next} ago />
          </span>
        )}
      </>
    ),
  },
];

/** The attempts of an endpoint, newest first. */
export const Deliveries = ({ id }: { id: string }) => {
  const deliveries = useList(
    ['deliveries', id],
    (client, cursor, options) => listWebhookDeliveries(client, id, cursor, options),
    // A sample that was sent a moment ago is an attempt soon.
    () => true,
  );
  return (
    <Card title="Attempts">
      <ListTable
        of={deliveries}
        height={240}
        label="Attempts"
        columns={columns}
        keyOf={({ event_id: event, attempt, attempted_at: at }) => `${event}${attempt}${at}`}
        empty={<p className="quiet small">Nothing was sent yet.</p>}
      />
    </Card>
  );
};
