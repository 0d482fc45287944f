import {
  type Annotation,
  type AnnotationPage,
  createAnnotation,
  deleteAnnotation,
  listAnnotations,
} from '../../../typescript/src/index.ts';
import type { Command } from '../command.ts';
import { UsageError } from '../faults.ts';
import type { Column } from '../table.ts';
import { writeJson, writeLine } from '../terminal.ts';
import { shown } from '../text.ts';
import { pageOptions, pageQuery, printCollection } from './lists.ts';

const columns: readonly Column<Annotation>[] = [
  { title: 'DATE', value: ({ date }) => date },
  { title: 'TEXT', value: ({ text }) => text },
  { title: 'ID', value: ({ id }) => id },
];

export const annotations: Command = {
  name: 'annotations',
  summary: 'List what happened on days, such as releases, as charts show it',
  options: pageOptions,
  run: (call) =>
    printCollection<Annotation, AnnotationPage>(
      call,
      listAnnotations(call.client(), pageQuery(call), { signal: call.terminal.signal }),
      () => columns,
      'There is no annotation. `annotations add` writes one.',
    ),
};

export const annotationsAdd: Command = {
  name: 'annotations add',
  summary: 'Note on a day what happened',
  argument: { placeholder: 'TEXT' },
  options: { date: { placeholder: 'DATE', help: 'The day, in UTC' } },
  run: async (call) => {
    const { terminal, argument: text, option, flag } = call;
    const date = option('date');
    if (date === undefined) throw new UsageError('Name the day with --date DATE.');
    const written = await createAnnotation(call.client(), { date, text }, { signal: terminal.signal });
    if (flag('json')) return writeJson(terminal, written);
    return writeLine(terminal, `Written. \`annotations delete ${shown(written.id)}\` deletes it.`);
  },
};

export const annotationsDelete: Command = {
  name: 'annotations delete',
  summary: 'Delete an annotation',
  argument: { placeholder: 'ID' },
  options: {},
  run: async (call) => {
    const { terminal, argument } = call;
    await deleteAnnotation(call.client(), argument, { signal: terminal.signal });
    return writeLine(terminal, 'Deleted.');
  },
};
