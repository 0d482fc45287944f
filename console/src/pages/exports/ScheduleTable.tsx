import type { ExportSchedule } from '../../../../sdk/typescript/src/types.ts';
import { Moment } from '../../components/Moment.tsx';
import { type Column, Table } from '../../components/Table.tsx';
import { wordFor } from '../../format/words.ts';

interface ScheduleTableProps {
  readonly schedules: readonly ExportSchedule[];
  readonly edit: ((id: string) => void) | undefined;
  readonly remove: ((id: string) => void) | undefined;
}

export const ScheduleTable = ({ schedules, edit, remove }: ScheduleTableProps) => {
  const columns: readonly Column<ExportSchedule>[] = [
    { title: 'Every', cell: ({ every }) => wordFor(every) },
    {
      title: 'Rows by',
      cell: ({ request }) => [request.granularity, ...request.group_by].map(wordFor).join(', '),
    },
    { title: 'File', cell: ({ request }) => `${request.file_format}, FOCUS ${request.focus_version}` },
    { title: 'Created', cell: ({ created_at: at }) => <Moment at={at} /> },
    {
      title: 'Actions',
      isAction: true,
      cell: ({ id }) =>
        edit !== undefined &&
        remove !== undefined && (
          <>
            <button type="button" className="link" onClick={() => edit(id)}>
              Edit
            </button>{' '}
            <button type="button" className="link bad" onClick={() => remove(id)}>
              Delete
            </button>
          </>
        ),
    },
  ];
  return <Table label="Schedules" columns={columns} rows={schedules} keyOf={({ id }) => id} />;
};
