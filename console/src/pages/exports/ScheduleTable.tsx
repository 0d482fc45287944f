import type { ExportSchedule } from '../../../../sdk/typescript/src/types.ts';
import { Moment } from '../../components/Moment.tsx';
import type { RowAction } from '../../components/tables/RowActions.tsx';
import { type Column, Table } from '../../components/tables/Table.tsx';
import { wordFor } from '../../format/words.ts';

interface ScheduleTableProps {
  readonly schedules: readonly ExportSchedule[];
  readonly change: { readonly edit: (id: string) => void; readonly remove: (id: string) => void };
}

const columns: readonly Column<ExportSchedule>[] = [
  { title: 'Every', cell: ({ every }) => wordFor(every) },
  {
    title: 'Rows by',
    cell: ({ request }) => [request.granularity, ...request.group_by].map(wordFor).join(', '),
  },
  { title: 'File', cell: ({ request }) => `${request.file_format}, FOCUS ${request.focus_version}` },
  { title: 'Created', cell: ({ created_at: at }) => <Moment at={at} /> },
];

export const ScheduleTable = ({ schedules, change }: ScheduleTableProps) => {
  const actionsOf = ({ id, every }: ExportSchedule): readonly RowAction[] => {
    const subject = `the schedule of every ${every}`;
    return [
      { label: 'Edit', subject, run: () => change.edit(id) },
      { label: 'Delete', subject, isDanger: true, run: () => change.remove(id) },
    ];
  };
  return (
    <Table label="Schedules" columns={columns} rows={schedules} keyOf={({ id }) => id} actions={actionsOf} />
  );
};
