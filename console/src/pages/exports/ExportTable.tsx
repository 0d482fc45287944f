import { magnitude } from '../../../../sdk/shared/decimal.ts';
import type { ExportJob } from '../../../../sdk/typescript/src/types.ts';
import { Moment } from '../../components/Moment.tsx';
import { Pill } from '../../components/Pill.tsx';
import type { RowAction } from '../../components/tables/RowActions.tsx';
import { type Column, Table } from '../../components/tables/Table.tsx';
import { formatBytes, formatCount, formatUsd, plural } from '../../format/amount.ts';
import { formatDayOfYear, formatDays } from '../../format/time.ts';
import { wordFor } from '../../format/words.ts';
import { isDeliverable, isUnfinished, statusTone } from './exportState.ts';

interface ExportTableProps {
  readonly jobs: readonly ExportJob[];
  readonly hasMore: boolean;
  readonly download: (id: string) => void;
  /** Absent without a destination. */
  readonly deliver: ((id: string) => void) | undefined;
  readonly cancel: (id: string) => void;
}

/** How far the delivery of an export is, such as `delivery pending: role refused`. */
const deliveryText = ({ state, version, last_error: error }: NonNullable<ExportJob['delivery']>): string => {
  if (state === 'delivered') return `delivered, version ${version}`;
  return `delivery ${state}${error === null ? '' : `: ${error.replaceAll('_', ' ')}`}`;
};

export const ExportTable = ({ jobs, hasMore, download, deliver, cancel }: ExportTableProps) => {
  const columns: readonly Column<ExportJob>[] = [
    {
      title: 'Period',
      cell: ({ request, edition }) => (
        <>
          {formatDays(request.period)}
          <span className="sub">
            {request.file_format}, by {request.granularity}
            {edition !== null && `, ${edition}`}
          </span>
        </>
      ),
    },
    {
      title: 'State',
      cell: ({ status, progress, error, delivery }) => (
        <>
          <Pill tone={statusTone[status]}>{wordFor(status)}</Pill>
          {status === 'running' && progress.total > 0 && (
            <span className="sub num">
              step {progress.done} of {progress.total}
            </span>
          )}
          {error !== null && <span className="sub">{error.detail}</span>}
          {delivery !== null && <span className="sub">{deliveryText(delivery)}</span>}
        </>
      ),
    },
    { title: 'Created', cell: ({ created_at: at }) => <Moment at={at} /> },
    {
      title: 'Cost',
      right: true,
      cell: ({ result, status }) =>
        result === null ? (
          <span className="quiet">{isUnfinished({ status }) ? 'not yet' : 'none'}</span>
        ) : (
          <>
            {formatUsd(result.cost_usd)}
            <span className="sub">
              {formatCount(result.row_count)} rows, {formatBytes(result.bytes)}
            </span>
          </>
        ),
    },
    {
      title: 'Left out',
      right: true,
      cell: ({ result, status }) =>
        result === null || result.excluded_records === 0 ? (
          <span className="quiet">{isUnfinished({ status }) ? 'not yet' : 'nothing'}</span>
        ) : (
          <>
            {magnitude(result.excluded_cost_usd) === 0
              ? 'no known cost'
              : formatUsd(result.excluded_cost_usd)}
            <span className="sub">{plural(result.excluded_records, 'call')}</span>
          </>
        ),
    },
  ];
  const actionsOf = (job: ExportJob): readonly RowAction[] => {
    const { job_id: id, status, request } = job;
    const subject = `of ${formatDayOfYear(request.period.from)}`;
    if (status === 'succeeded') {
      return [
        { label: 'Download', subject, run: () => download(id) },
        ...(deliver !== undefined && isDeliverable(job)
          ? [{ label: 'Deliver', subject, run: () => deliver(id) }]
          : []),
      ];
    }
    return status === 'queued' ? [{ label: 'Cancel', subject, isDanger: true, run: () => cancel(id) }] : [];
  };
  return (
    <Table
      label="Exports"
      hasMore={hasMore}
      columns={columns}
      rows={jobs}
      keyOf={({ job_id: id }) => id}
      actions={actionsOf}
    />
  );
};
