import type { ExportDestination } from '../../../../sdk/typescript/src/types.ts';
import { Card } from '../../components/Card.tsx';
import { Moment } from '../../components/Moment.tsx';
import { Pill } from '../../components/Pill.tsx';
import { NotPermitted } from '../../components/reading/NotPermitted.tsx';
import { ListTable } from '../../components/tables/ListTable.tsx';
import type { RowAction } from '../../components/tables/RowActions.tsx';
import type { Column } from '../../components/tables/Table.tsx';
import type { Tone } from '../../components/tone.ts';
import { wordFor } from '../../format/words.ts';
import { useDialog } from '../../forms/useDialog.ts';
import { useCan } from '../../session/session.ts';
import {
  AddDestinationDialog,
  CheckDestinationDialog,
  DeleteDestinationDialog,
} from './DestinationDialogs.tsx';
import type { useDestinations } from './useDestinations.ts';

const tones: Readonly<Record<ExportDestination['check']['state'], Tone>> = {
  unchecked: 'plain',
  checking: 'plain',
  working: 'good',
  failing: 'bad',
};

const columns: readonly Column<ExportDestination>[] = [
  {
    title: 'Destination',
    cell: ({ name, location, region }) => (
      <>
        {name}
        <span className="sub">
          {location}, {region}
        </span>
      </>
    ),
  },
  {
    title: 'State',
    cell: ({ check: { state, error, checked_at: at } }) => (
      <>
        <Pill tone={tones[state]}>{state}</Pill>
        {error !== null && <span className="sub">{wordFor(error)}</span>}
        {at !== null && (
          <span className="sub">
            checked <Moment at={at} ago />
          </span>
        )}
      </>
    ),
  },
];

/** The buckets of the tenant to which exports are delivered. */
export const DestinationsCard = ({ of: destinations }: { of: ReturnType<typeof useDestinations> }) => {
  const canChange = useCan('admin:config');
  const add = useDialog('add-export-destination');
  const check = useDialog('check-export-destination');
  const remove = useDialog('delete-export-destination');
  const found = (id: string) => destinations.data?.find((destination) => destination.id === id);
  const [checked, removed] = [found(check.subject), found(remove.subject)];
  const actionsOf = ({ id, name: subject }: ExportDestination): readonly RowAction[] => [
    { label: 'Check', subject, run: () => check.open(id) },
    ...(canChange ? [{ label: 'Delete', subject, isDanger: true, run: () => remove.open(id) }] : []),
  ];
  return (
    <Card
      title="Destinations"
      aside={
        canChange && (
          <button type="button" className="link" onClick={() => add.open()}>
            Add a destination
          </button>
        )
      }
    >
      <ListTable
        of={destinations}
        height={120}
        label="Destinations"
        columns={columns}
        keyOf={({ id }) => id}
        actions={actionsOf}
        empty={
          <p className="quiet small">
            No destination. A finished export is also put into an S3 bucket of yours, if it names one.
          </p>
        }
      />
      {!canChange && <NotPermitted scope="admin:config" to="add a destination" />}
      <AddDestinationDialog of={add} />
      {checked !== undefined && <CheckDestinationDialog of={check} destination={checked} />}
      {removed !== undefined && <DeleteDestinationDialog of={remove} destination={removed} />}
    </Card>
  );
};
