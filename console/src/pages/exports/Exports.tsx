import { listExportSchedules, listExports } from '../../../../sdk/typescript/src/operations.ts';
import { useList } from '../../api/useRead.ts';
import { Card } from '../../components/Card.tsx';
import { Page } from '../../components/Page.tsx';
import { Empty } from '../../components/reading/Empty.tsx';
import { Loaded } from '../../components/reading/Loaded.tsx';
import { Listed } from '../../components/tables/Listed.tsx';
import { useDialog } from '../../forms/useDialog.ts';
import { DestinationsCard } from './DestinationsCard.tsx';
import { CancelExportDialog, DeleteScheduleDialog, DeliverDialog, DownloadDialog } from './ExportActions.tsx';
import { ExportDialog, ScheduleDialog } from './ExportDialogs.tsx';
import { ExportTable } from './ExportTable.tsx';
import { isUnfinished } from './exportState.ts';
import { PeriodsCard } from './PeriodsCard.tsx';
import { ScheduleTable } from './ScheduleTable.tsx';
import { useDestinations } from './useDestinations.ts';

const isRead = ({ data, error }: { readonly data: unknown; readonly error: unknown }): boolean =>
  data !== undefined || error !== null;

/** Files in the FOCUS format, on demand or on a schedule, and the months whose files stay the same. The months come last, and would move while the lists above are read. */
export const Exports = () => {
  const exports = useList(
    ['exports'],
    (client, cursor, options) => listExports(client, cursor, options),
    (rows) => rows.some(isUnfinished),
  );
  const schedules = useList(['export-schedules'], (client, cursor, options) =>
    listExportSchedules(client, cursor, options),
  );
  const destinations = useDestinations();
  const create = useDialog('create-export');
  const schedule = useDialog('create-schedule');
  const edit = useDialog('edit-schedule');
  const download = useDialog('download-export');
  const deliver = useDialog('deliver-export');
  const cancel = useDialog('cancel-export');
  const remove = useDialog('delete-schedule');
  const delivered = exports.data?.find(({ job_id: id }) => id === deliver.subject);
  const edited = schedules.data?.find(({ id }) => id === edit.subject);
  return (
    <Page
      title="Exports"
      lead="FOCUS files for your FinOps tools. What is left out is counted in every export. Periods are in UTC."
      actions={
        <>
          <button type="button" className="button" onClick={() => schedule.open()}>
            Schedule exports
          </button>
          <button type="button" className="button primary" onClick={() => create.open()}>
            Create an export
          </button>
        </>
      }
    >
      <Card title="Exports" aside={exports.data?.some(isUnfinished) && <p role="status">Updating</p>}>
        <Listed
          of={exports}
          height={320}
          empty={
            <Empty title="No export yet">
              An export holds the cost of a period in the FOCUS format, by call, hour, day or month. Create
              one for the last month.
            </Empty>
          }
        >
          {(rows) => (
            <ExportTable
              jobs={rows}
              hasMore={exports.hasNextPage}
              download={download.open}
              deliver={destinations.data?.length ? deliver.open : undefined}
              cancel={cancel.open}
            />
          )}
        </Listed>
      </Card>
      <Card title="Schedules">
        <Loaded of={schedules} height={120}>
          {(rows) =>
            rows.length === 0 ? (
              <p className="quiet small">
                No schedule. A schedule exports each finished day or month, and again when late events are
                included.
              </p>
            ) : (
              <ScheduleTable schedules={rows} change={{ edit: edit.open, remove: remove.open }} />
            )
          }
        </Loaded>
      </Card>
      <DestinationsCard of={destinations} />
      {[exports, schedules, destinations].every(isRead) && <PeriodsCard />}
      <ExportDialog of={create} />
      <ScheduleDialog of={schedule} />
      {edited !== undefined && <ScheduleDialog of={edit} schedule={edited} />}
      <DownloadDialog of={download} />
      {delivered !== undefined && <DeliverDialog of={deliver} job={delivered} />}
      <CancelExportDialog of={cancel} />
      <DeleteScheduleDialog of={remove} />
    </Page>
  );
};
