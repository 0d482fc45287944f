import { listBillSources } from '../../../../sdk/typescript/src/operations.ts';
import type { BillSource } from '../../../../sdk/typescript/src/types.ts';
import { everyRow, useRead } from '../../api/useRead.ts';
import { Card } from '../../components/Card.tsx';
import { Moment } from '../../components/Moment.tsx';
import { Pill } from '../../components/Pill.tsx';
import { Empty } from '../../components/reading/Empty.tsx';
import { Loaded } from '../../components/reading/Loaded.tsx';
import type { RowAction } from '../../components/tables/RowActions.tsx';
import { type Column, Table } from '../../components/tables/Table.tsx';
import type { Tone } from '../../components/tone.ts';
import { formatDayOfYear, lastDayOf } from '../../format/time.ts';
import { wordFor } from '../../format/words.ts';
import { useDialog } from '../../forms/useDialog.ts';
import { AddBillExportDialog, ReplaceExportDialog } from './BillExportDialogs.tsx';
import {
  AddBillSourceDialog,
  DeleteBillSourceDialog,
  PauseDialog,
  ReplaceKeyDialog,
} from './BillSourceDialogs.tsx';

const tones: Readonly<Record<BillSource['status'], Tone>> = {
  pending: 'plain',
  active: 'good',
  failing: 'bad',
  paused: 'plain',
};

const State = ({
  source: { status, last_error: error, next_import_at: next, is_late: isLate },
}: {
  source: BillSource;
}) => (
  <>
    <Pill tone={tones[status]}>{status}</Pill>
    {error !== null && <span className="sub">{wordFor(error)}</span>}
    {status === 'failing' && next !== null && (
      <span className="sub">
        next attempt <Moment at={next} />
      </span>
    )}
    {isLate && <span className="sub unknown">nothing published for a day that ended long ago</span>}
  </>
);

/** The accounts at providers whose bills are imported every hour. */
export const BillSourcesCard = () => {
  const sources = useRead(['bill-sources'], (client, options) =>
    everyRow(listBillSources(client, {}, options)),
  );
  const add = useDialog('add-bill-source');
  const addExport = useDialog('add-bill-export');
  const replace = useDialog('replace-bill-key');
  const replaceExport = useDialog('replace-bill-export');
  const pause = useDialog('pause-bill-source');
  const remove = useDialog('delete-bill-source');
  const found = (id: string): BillSource | undefined => sources.data?.find((source) => source.id === id);
  // The dialog opens when the source is known: what it sends depends on the present state.
  const paused = found(pause.subject);
  const exported = found(replaceExport.subject);
  const columns: readonly Column<BillSource>[] = [
    {
      title: 'Source',
      cell: ({ name, provider, account }) => (
        <>
          {name}
          <span className="sub">
            {[wordFor(provider), account].filter((part) => part !== null).join(' · ')}
          </span>
        </>
      ),
    },
    { title: 'State', cell: (source) => <State source={source} /> },
    {
      title: 'Imported until',
      cell: ({ imported_until: until }) =>
        until === null ? <span className="quiet">nothing yet</span> : formatDayOfYear(lastDayOf(until)),
    },
    {
      title: 'Last import',
      cell: ({ last_success_at: at }) =>
        at === null ? <span className="quiet">none</span> : <Moment at={at} ago />,
    },
  ];
  const actionsOf = ({ id, name, status, data_export: dataExport }: BillSource): readonly RowAction[] => [
    { label: status === 'paused' ? 'Resume' : 'Pause', subject: name, run: () => pause.open(id) },
    dataExport === null
      ? { label: 'Replace key', subject: `of ${name}`, run: () => replace.open(id) }
      : { label: 'Export', subject: `of ${name}`, run: () => replaceExport.open(id) },
    { label: 'Delete', subject: name, isDanger: true, run: () => remove.open(id) },
  ];
  return (
    <Card
      title="Bill sources"
      aside={
        <div className="controls">
          <button type="button" className="link" onClick={() => add.open()}>
            Add a source
          </button>
          <button type="button" className="link" onClick={() => addExport.open()}>
            Add Amazon Bedrock
          </button>
        </div>
      }
    >
      <Loaded of={sources} height={120}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="No source yet">
              Add an account at OpenAI or Anthropic, or an export of AWS. Its bills are then imported every
              hour.
            </Empty>
          ) : (
            <Table
              label="Bill sources"
              columns={columns}
              rows={rows}
              keyOf={({ id }) => id}
              actions={actionsOf}
            />
          )
        }
      </Loaded>
      <AddBillSourceDialog of={add} />
      <AddBillExportDialog of={addExport} />
      {exported !== undefined && <ReplaceExportDialog of={replaceExport} source={exported} />}
      <ReplaceKeyDialog of={replace} source={found(replace.subject)} />
      {paused !== undefined && <PauseDialog of={pause} source={paused} />}
      <DeleteBillSourceDialog of={remove} source={found(remove.subject)} />
    </Card>
  );
};
