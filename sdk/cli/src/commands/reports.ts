import type { Collection } from '../../../typescript/src/index.ts';
import type { Call, Option } from '../command.ts';
import type { Column } from '../table.ts';
import { note } from '../terminal.ts';
import { COHORT_GROUPS, type GroupRow, groupColumns } from './groups.ts';
import { type AnyPage, isForPeople, pageQuery, printCollection } from './lists.ts';

/** The range of a report. */
export const rangeOptions: Readonly<Record<string, Option>> = {
  from: { placeholder: 'TIME', help: 'ISO date or time, inclusive. Default: 30 days before today' },
  to: { placeholder: 'TIME', help: 'Exclusive. Default: now' },
};

/** The groups and the range of a report. */
export const groupedOptions = (
  groups: readonly string[] = COHORT_GROUPS,
): Readonly<Record<string, Option>> => ({
  'group-by': {
    placeholder: 'FIELDS',
    help: 'Comma-separated, also a tag such as tag:env',
    values: groups,
  },
  ...rangeOptions,
});

/** The period to compare with. */
export const comparedOptions: Readonly<Record<string, Option>> = {
  'previous-from': {
    placeholder: 'TIME',
    help: 'Compare with the period from here. Default: the one before',
  },
  'previous-to': { placeholder: 'TIME', help: 'End of that period, exclusive' },
};

export const comparedQuery = (call: Call) => ({
  previous_from: call.option('previous-from'),
  previous_to: call.option('previous-to'),
});

export const reportQuery = (call: Call) => ({
  group_by: call.option('group-by'),
  from: call.option('from'),
  to: call.option('to'),
  ...pageQuery(call),
});

/** The fields that a report is grouped by. */
export const groupsOf = (call: Call): readonly string[] => {
  const fields = call.option('group-by') ?? '';
  return fields === '' ? [] : fields.split(',');
};

/** Prints a report: a row for each group, and for people notes about its totals. */
export const printReport = async <Row extends GroupRow, Report extends AnyPage<Row>>(
  call: Call,
  collection: Collection<Report>,
  {
    start = () => [],
    columns,
    empty,
    notes,
    inOrder,
  }: {
    /** Columns before and after the names of the groups. */
    readonly start?: (report: Report) => readonly Column<Row>[];
    readonly columns: (report: Report) => readonly Column<Row>[];
    readonly empty: string;
    readonly notes: (report: Report) => readonly string[];
    readonly inOrder?: ((rows: readonly Row[]) => readonly Row[]) | undefined;
  },
): Promise<void> => {
  let last: Report | undefined;
  await printCollection<Row, Report>(
    call,
    collection,
    (page) => {
      last = page;
      return [...start(page), ...groupColumns<Row>(groupsOf(call)), ...columns(page)];
    },
    empty,
    inOrder,
  );
  if (last !== undefined && isForPeople(call)) for (const line of notes(last)) note(call.terminal, line);
};
