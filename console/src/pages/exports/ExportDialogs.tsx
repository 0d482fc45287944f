import { createExportSchedule, createFocusExport } from '../../../../sdk/typescript/src/operations.ts';
import type { ExportRequest } from '../../../../sdk/typescript/src/types.ts';
import { DAY_MS, isoDay } from '../../format/time.ts';
import { wordFor } from '../../format/words.ts';
import type { Entries } from '../../forms/entries.ts';
import { ChoicesField, SelectField, TextField } from '../../forms/Field.tsx';
import { FormDialog } from '../../forms/FormDialog.tsx';
import type { DialogState } from '../../forms/useDialog.ts';

const GROUPS = ['owner', 'service', 'provider', 'served_model', 'pathway_category', 'region'] as const;
const GRANULARITIES = ['day', 'hour', 'month', 'record'] as const;
const FORMATS = ['csv', 'csv.gz', 'parquet'] as const;
const MODES = ['chargeback', 'showback'] as const;

const only = <Value extends string>(values: readonly Value[], text: string): Value | undefined =>
  values.find((value) => value === text);

type Settings = Omit<ExportRequest, 'period' | 'format'>;

const settingsOf = (entries: Entries): Settings => {
  const granularity = only(GRANULARITIES, entries.text('granularity'));
  const fileFormat = only(FORMATS, entries.text('file_format'));
  const mode = only(MODES, entries.text('cost_mode'));
  const groups = GROUPS.filter((group) => entries.all('group_by').includes(group));
  return {
    ...(granularity && { granularity }),
    ...(fileFormat && { file_format: fileFormat }),
    ...(mode && { cost_mode: mode }),
    ...(groups.length > 0 && { group_by: groups }),
  };
};

const SettingsFields = () => (
  <>
    <div className="pair">
      <SelectField
        name="granularity"
        label="One row covers"
        options={GRANULARITIES.map((value) => ({
          value,
          label: value === 'record' ? 'One call' : wordFor(value),
        }))}
      />
      <SelectField
        name="file_format"
        label="File"
        options={FORMATS.map((value) => ({ value, label: value }))}
      />
      <SelectField
        name="cost_mode"
        label="Cost"
        options={MODES.map((value) => ({ value, label: wordFor(value) }))}
      />
    </div>
    <ChoicesField
      name="group_by"
      label="Group rows by"
      hint="At most four. Groups of fewer than five people are merged"
      options={GROUPS.map((value) => ({ value, label: wordFor(value) }))}
      defaultValues={['owner', 'service']}
    />
  </>
);

/** The first day of this month, or of the month before on the first day of a month. */
const firstDay = (now: number): string => `${isoDay(now - DAY_MS).slice(0, 7)}-01`;

export const ExportDialog = ({ of }: { of: DialogState }) => (
  <FormDialog
    of={of}
    title="Create an export"
    submit="Create"
    send={(client, entries, options) =>
      createFocusExport(
        client,
        {
          ...settingsOf(entries),
          period: {
            from: `${entries.text('from')}T00:00:00Z`,
            to: new Date(Date.parse(entries.text('to')) + DAY_MS).toISOString(),
          },
        },
        options,
      )
    }
  >
    <div className="pair">
      <TextField
        name="from"
        label="First day (UTC)"
        type="date"
        required
        defaultValue={firstDay(Date.now())}
      />
      <TextField
        name="to"
        label="Last day (UTC)"
        type="date"
        required
        defaultValue={isoDay(Date.now() - DAY_MS)}
      />
    </div>
    <SettingsFields />
  </FormDialog>
);

export const ScheduleDialog = ({ of }: { of: DialogState }) => (
  <FormDialog
    of={of}
    title="Schedule exports"
    submit="Create the schedule"
    send={(client, entries, options) =>
      createExportSchedule(
        client,
        { every: entries.text('every') === 'month' ? 'month' : 'day', request: settingsOf(entries) },
        options,
      )
    }
  >
    <SelectField
      name="every"
      label="Export each finished"
      options={[
        { value: 'month', label: 'Month' },
        { value: 'day', label: 'Day' },
      ]}
    />
    <SettingsFields />
  </FormDialog>
);
