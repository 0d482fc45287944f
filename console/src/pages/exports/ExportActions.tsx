import {
  cancelJob,
  deleteExportSchedule,
  deliverExport,
  getJob,
} from '../../../../sdk/typescript/src/operations.ts';
import type { ExportJob, ExportJobWithFiles } from '../../../../sdk/typescript/src/types.ts';
import { useRead } from '../../api/useRead.ts';
import { Loaded } from '../../components/reading/Loaded.tsx';
import { formatMoment } from '../../format/time.ts';
import { DeleteDialog } from '../../forms/DeleteDialog.tsx';
import { Dialog } from '../../forms/Dialog.tsx';
import { FormDialog } from '../../forms/FormDialog.tsx';
import { useStepUp } from '../../forms/stepUp.ts';
import type { DialogState } from '../../forms/useDialog.ts';
import { DeliveryFields } from './DeliveryFields.tsx';

/** The files of an export. Their addresses are signed and short-lived, so they are read when the dialog opens. Reading them needs a recent sign-in. */
export const DownloadDialog = ({ of }: { of: DialogState }) => of.isOpen && <Files of={of} />;

const Files = ({ of }: { of: DialogState }) => {
  const job = useStepUp(
    of,
    useRead(['job', of.subject, 'files'], (client, options) => getJob(client, of.subject, options)),
  );
  const data = job.data?.job_id === of.subject ? job.data : undefined;
  return (
    <Dialog title="Download" close={of.close}>
      <Loaded of={{ ...job, data }} height={120}>
        {(found) => found.type === 'focus_export' && <FileList job={found} />}
      </Loaded>
      <footer>
        <button type="button" className="button" onClick={of.close}>
          Close
        </button>
      </footer>
    </Dialog>
  );
};

const FileList = ({ job }: { job: ExportJobWithFiles }) => (
  <>
    <ul className="rows">
      {(job.result_urls ?? []).map((url, index) => (
        <li key={url}>
          <a href={url} download>
            File {index + 1} ({job.request.file_format})
          </a>
        </li>
      ))}
      {job.manifest_url !== undefined && (
        <li>
          <a href={job.manifest_url}>Manifest</a>
          <span className="sub">What the files hold, and what was left out by reason</span>
        </li>
      )}
      {job.metadata_url !== undefined && (
        <li>
          <a href={job.metadata_url}>FOCUS metadata</a>
        </li>
      )}
    </ul>
    {job.expires_at !== undefined && (
      <p className="quiet small">These links work until {formatMoment(job.expires_at)}.</p>
    )}
  </>
);

/** Puts a finished export into a bucket, also into one that has it already. */
export const DeliverDialog = ({ of, job }: { of: DialogState; job: ExportJob }) => (
  <FormDialog
    of={of}
    title="Deliver the export"
    submit="Deliver"
    send={(client, entries, options) =>
      deliverExport(
        client,
        of.subject,
        { destination_id: entries.text('destination'), name: entries.text('report_name') },
        options,
      )
    }
  >
    <p>All its files are put into the bucket, the manifest last. A later export of the month stays there.</p>
    <DeliveryFields delivery={job.request.delivery} isRequired />
  </FormDialog>
);

export const CancelExportDialog = ({ of }: { of: DialogState }) => (
  <FormDialog
    of={of}
    title="Cancel the export?"
    submit="Cancel the export"
    isDanger
    send={(client, _, options) => cancelJob(client, of.subject, options)}
  >
    <p>Only an export that has not started can be cancelled.</p>
  </FormDialog>
);

export const DeleteScheduleDialog = ({ of }: { of: DialogState }) => (
  <DeleteDialog of={of} name="the schedule" send={deleteExportSchedule}>
    Exports that it created stay.
  </DeleteDialog>
);
