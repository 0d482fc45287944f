import { Link } from 'wouter';
import { listWebhooks } from '../../../../sdk/typescript/src/operations.ts';
import type { WebhookEndpoint } from '../../../../sdk/typescript/src/types.ts';
import { useList } from '../../api/useRead.ts';
import { Card } from '../../components/Card.tsx';
import { Moment } from '../../components/Moment.tsx';
import { Page } from '../../components/Page.tsx';
import { Pill } from '../../components/Pill.tsx';
import { Empty } from '../../components/reading/Empty.tsx';
import { ListTable } from '../../components/tables/ListTable.tsx';
import type { Column } from '../../components/tables/Table.tsx';
import { useDialog } from '../../forms/useDialog.ts';
import { CreateWebhookDialog } from './WebhookDialogs.tsx';
import { disabledReasons, statusTone } from './webhookState.ts';

const columns: readonly Column<WebhookEndpoint>[] = [
  {
    title: 'Endpoint',
    cell: ({ id, url, description }) => (
      <>
        <Link href={`/webhooks/${encodeURIComponent(id)}`}>{url}</Link>
        {description !== null && <span className="sub">{description}</span>}
      </>
    ),
  },
  {
    title: 'State',
    cell: ({ status, disabled_reason: reason, failing_since: failing }) => (
      <>
        <Pill tone={statusTone[status]}>{status}</Pill>
        {reason !== null && <span className="sub">{disabledReasons[reason]}</span>}
        {failing !== null && status === 'verified' && (
          <span className="sub unknown">
            failing since <Moment at={failing} ago />
          </span>
        )}
      </>
    ),
  },
  { title: 'Events', cell: ({ events }) => events.join(', ') },
  { title: 'Created', cell: ({ created_at: at }) => <Moment at={at} /> },
];

/** Endpoints that receive events over HTTPS. */
export const Webhooks = () => {
  const webhooks = useList(['webhooks'], (client, cursor, options) => listWebhooks(client, cursor, options));
  const create = useDialog('create-webhook');
  return (
    <Page
      title="Webhooks"
      lead="Signed events over HTTPS, in order, repeated until your endpoint acknowledges them."
      actions={
        <button type="button" className="button primary" onClick={() => create.open()}>
          Add an endpoint
        </button>
      }
    >
      <Card title="Endpoints">
        <ListTable
          of={webhooks}
          height={240}
          label="Endpoints"
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            <Empty title="No endpoint yet">
              Add an HTTPS address and choose its events. It receives a challenge first, and events once it
              has answered.
            </Empty>
          }
        />
      </Card>
      <CreateWebhookDialog of={create} />
    </Page>
  );
};
