import {
  createReportSubscription,
  deleteReportSubscription,
  listReportSubscriptions,
} from '../../../../sdk/typescript/src/operations.ts';
import type { ReportSubscription } from '../../../../sdk/typescript/src/types.ts';
import { useList } from '../../api/useRead.ts';
import { Card } from '../../components/Card.tsx';
import { Empty } from '../../components/reading/Empty.tsx';
import { ListTable } from '../../components/tables/ListTable.tsx';
import type { Column } from '../../components/tables/Table.tsx';
import { SelectField, TextField } from '../../forms/Field.tsx';
import { FormDialog } from '../../forms/FormDialog.tsx';
import { type DialogState, useDialog } from '../../forms/useDialog.ts';
import { useCan, useSession } from '../../session/session.ts';

const nameOf = ({ every, owner }: ReportSubscription): string =>
  `${every === 'week' ? 'Weekly' : 'Monthly'} report of ${owner ?? 'all owners'}`;

const SubscribeDialog = ({ of }: { of: DialogState }) => {
  const maySendToChat = useCan('admin:config');
  return (
    <FormDialog
      of={of}
      title="Subscribe to a report"
      submit="Subscribe"
      send={(client, entries, options) =>
        createReportSubscription(
          client,
          {
            every: entries.text('every') === 'month' ? 'month' : 'week',
            channel: entries.text('channel') === 'chat' ? 'chat' : 'email',
            ...entries.optional('owner'),
          },
          options,
        )
      }
    >
      <p>Spend beside the period before, the largest changes, the forecast and suggested savings.</p>
      <div className="pair">
        <SelectField
          name="every"
          label="Every"
          defaultValue="week"
          options={[
            { value: 'week', label: 'Week' },
            { value: 'month', label: 'Month' },
          ]}
        />
        <SelectField
          name="channel"
          label="To"
          defaultValue="email"
          options={[
            { value: 'email', label: 'My e-mail' },
            ...(maySendToChat ? [{ value: 'chat', label: 'The chat of the settings' }] : []),
          ]}
        />
      </div>
      <TextField name="owner" label="Owner" hint="Empty: all owners" maxLength={256} />
    </FormDialog>
  );
};

const UnsubscribeDialog = ({ of }: { of: DialogState }) => (
  <FormDialog
    of={of}
    title="Unsubscribe?"
    submit="Unsubscribe"
    send={(client, _, options) => deleteReportSubscription(client, of.subject, options)}
  >
    <p>No further report is sent.</p>
  </FormDialog>
);

/** The reports that the person gets, and for an administrator those of the tenant. Mails of reports link here. */
export const ReportsCard = () => {
  const { userId } = useSession();
  const create = useDialog('create-report-subscription');
  const remove = useDialog('delete-report-subscription');
  const subscriptions = useList(['report-subscriptions'], (client, cursor, options) =>
    listReportSubscriptions(client, cursor, options),
  );
  const columns: readonly Column<ReportSubscription>[] = [
    { title: 'Report', cell: nameOf },
    {
      title: 'To',
      cell: ({ recipient }) => {
        if (recipient === null) return 'Chat';
        return recipient === userId ? 'My e-mail' : 'Another person';
      },
    },
  ];
  return (
    <div id="reports">
      <Card
        title="Reports"
        aside={
          <button type="button" className="button" onClick={() => create.open()}>
            Subscribe
          </button>
        }
      >
        <ListTable
          of={subscriptions}
          height={120}
          label="Report subscriptions"
          columns={columns}
          keyOf={({ id }) => id}
          actions={(row) => [
            {
              label: 'Unsubscribe',
              subject: `the ${nameOf(row).toLowerCase()}`,
              isDanger: true,
              run: () => remove.open(row.id),
            },
          ]}
          empty={
            <Empty title="No subscription">A report comes once a week or month, by e-mail or chat.</Empty>
          }
        />
      </Card>
      <SubscribeDialog of={create} />
      <UnsubscribeDialog of={remove} />
    </div>
  );
};
