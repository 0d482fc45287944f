import {
  createExportSchedule,
  createFocusExport,
  getTenant,
  updateExportSchedule,
} from '../../../../sdk/typescript/src/operations.ts';
import type { ExportRequest, ExportSchedule } from '../../../../sdk/typescript/src/types.ts';
import { useRead } from '../../api/useRead.ts';
import { DIMENSIONS } from '../../charts/usage.ts';
import { DAY_MS, isoDay } from '../../format/time.ts';
import { wordFor } from '../../format/words.ts';
import type { Entries } from '../../forms/entries.ts';
import { ChoicesField, SelectField, TextField } from '../../forms/Field.tsx';
import { FormDialog } from '../../forms/FormDialog.tsx';
import type { DialogState } from '../../forms/useDialog.ts';
import { DeliveryFields, deliveryOf } from './DeliveryFields.tsx';

const GRANULARITIES = ['day', 'hour', 'month', 'record'] as const;
const FORMATS = ['csv', 'csv.gz', 'parquet'] as const;
const MODES = ['chargeback', 'showback'] as const;
const VERSIONS = ['1.4', '1.3', '1.2', '1.5-draft'] as const;
const CONSUMERS = ['spreadsheet', 'program'] as const;

const only = <Value extends string>(values: readonly Value[], text: string): Value | undefined =>
  values.find((value) => value === text);

type Settings = Omit<ExportRequest, 'period' | 'format'>;

const settingsOf = (entries: Entries, kept?: Settings['delivery']): Settings => {
  const granularity = only(GRANULARITIES, entries.text('granularity'));
  const fileFormat = only(FORMATS, entries.text('file_format'));
  const mode = only(MODES, entries.text('cost_mode'));
  const version = only(VERSIONS, entries.text('focus_version'));
  const consumer = only(CONSUMERS, entries.text('consumer'));
  const delivery = deliveryOf(entries, kept);
  const groups = DIMENSIONS.filter((group) => entries.all('group_by').includes(group));
  return {
    ...(granularity && { granularity }),
    ...(fileFormat && { file_format: fileFormat }),
    ...(mode && { cost_mode: mode }),
    ...(version && { focus_version: version }),
    ...(consumer && { consumer }),
    group_by: groups,
    tags: entries.all('tags'),
    ...(delivery && { delivery }),
  };
};

const SettingsFields = ({ terms }: { terms?: ExportSchedule['request'] | undefined }) => {
  const chosen = terms?.tags ?? [];
  const known = useRead(['tenant'], getTenant).data?.cost_allocation_tags ?? [];
  // A schedule keeps the tags that it has.
  const tags = [...new Set([...chosen, ...known])];
  return (
    <>
      <div className="pair">
        <SelectField
          name="granularity"
          label="One row covers"
          defaultValue={terms?.granularity ?? 'day'}
          options={GRANULARITIES.map((value) => ({
            value,
            label: value === 'record' ? 'One call' : wordFor(value),
          }))}
        />
        <SelectField
          name="file_format"
          label="File"
          defaultValue={terms?.file_format ?? 'csv'}
          options={FORMATS.map((value) => ({ value, label: value }))}
        />
        <SelectField
          name="cost_mode"
          label="Cost"
          defaultValue={terms?.cost_mode ?? 'chargeback'}
          options={MODES.map((value) => ({ value, label: wordFor(value) }))}
        />
      </div>
      {/* An importer decides both. */}
      {terms?.importer === undefined && (
        <div className="pair">
          <SelectField
            name="focus_version"
            label="FOCUS version"
            defaultValue={terms?.focus_version ?? '1.4'}
            options={VERSIONS.map((value) => ({ value, label: value }))}
          />
          <SelectField
            name="consumer"
            label="CSV is read by"
            hint="A spreadsheet runs text that looks like a formula, so such text gets an apostrophe"
            defaultValue={terms?.consumer ?? 'spreadsheet'}
            options={CONSUMERS.map((value) => ({ value, label: wordFor(value) }))}
          />
        </div>
      )}
      <ChoicesField
        name="group_by"
        label="Group rows by"
        hint="At most four. Groups of fewer than five people are merged"
        options={DIMENSIONS.map((value) => ({ value, label: wordFor(value) }))}
        defaultValues={terms?.group_by ?? ['owner', 'service']}
      />
      {tags.length > 0 && (
        <ChoicesField
          name="tags"
          label="and by cost allocation tags"
          options={tags.map((value) => ({ value, label: value }))}
          defaultValues={chosen}
        />
      )}
      <DeliveryFields delivery={terms?.delivery} />
    </>
  );
};

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

/** Creates a schedule, or changes the given one. */
export const ScheduleDialog = ({
  of,
  schedule,
}: {
  of: DialogState;
  schedule?: ExportSchedule | undefined;
}) => (
  <FormDialog
    of={of}
    title={schedule === undefined ? 'Schedule exports' : 'Edit the schedule'}
    submit={schedule === undefined ? 'Create the schedule' : 'Save'}
    send={(client, entries, options) => {
      const every = entries.text('every') === 'month' ? 'month' : 'day';
      if (schedule === undefined)
        return createExportSchedule(client, { every, request: settingsOf(entries) }, options);
      const { delivery, ...request } = schedule.request;
      const changed = { ...request, ...settingsOf(entries, delivery) };
      return updateExportSchedule(client, schedule.id, { every, request: changed }, options);
    }}
  >
    <SelectField
      name="every"
      label="Export each finished"
      defaultValue={schedule?.every ?? 'month'}
      options={[
        { value: 'month', label: 'Month' },
        { value: 'day', label: 'Day' },
      ]}
    />
    <SettingsFields terms={schedule?.request} />
    {schedule !== undefined && (
      <p className="small quiet">
        Applies to the next export. From then on, exports need your rights and contain what you may read.
      </p>
    )}
  </FormDialog>
);
