import {
  createSavedView,
  deleteSavedView,
  listSavedViews,
  type SavedView,
  type SavedViewPage,
} from '../../../typescript/src/index.ts';
import type { Command } from '../command.ts';
import { valuesOf } from '../contract.ts';
import { UsageError } from '../faults.ts';
import type { Column } from '../table.ts';
import { writeJson, writeLine } from '../terminal.ts';
import { shown } from '../text.ts';
import { pageOptions, pageQuery, printCollection } from './lists.ts';

const PAGES = valuesOf<SavedView['page']>({ explore: true, records: true, savings: true });

const columns: readonly Column<SavedView>[] = [
  { title: 'PAGE', value: ({ page }) => page },
  { title: 'NAME', value: ({ name }) => name },
  { title: 'QUERY', value: ({ search }) => search, absent: '-' },
  { title: 'ID', value: ({ id }) => id },
];

export const views: Command = {
  name: 'views',
  summary: 'List the saved views of pages of the console',
  options: pageOptions,
  run: (call) =>
    printCollection<SavedView, SavedViewPage>(
      call,
      listSavedViews(call.client(), pageQuery(call), { signal: call.terminal.signal }),
      () => columns,
      'There is no saved view. `views save` saves one.',
    ),
};

export const viewsSave: Command = {
  name: 'views save',
  summary: 'Save what a page of the console shows, with a name',
  argument: { placeholder: 'NAME' },
  options: {
    page: { placeholder: 'PAGE', help: 'The page of the console', values: PAGES },
    query: { placeholder: 'TEXT', help: 'The query of its address, without the question mark' },
  },
  run: async (call) => {
    const { terminal, argument: name, option, flag } = call;
    const page = PAGES.find((one) => one === option('page'));
    if (page === undefined) throw new UsageError(`Name the page with --page: ${PAGES.join(', ')}.`);
    const search = option('query');
    const body = { page, name, ...(search !== undefined && { search }) };
    const saved = await createSavedView(call.client(), body, { signal: terminal.signal });
    if (flag('json')) return writeJson(terminal, saved);
    return writeLine(terminal, `Saved. \`views delete ${shown(saved.id)}\` deletes it.`);
  },
};

export const viewsDelete: Command = {
  name: 'views delete',
  summary: 'Delete a saved view',
  argument: { placeholder: 'ID' },
  options: {},
  run: async (call) => {
    const { terminal, argument } = call;
    await deleteSavedView(call.client(), argument, { signal: terminal.signal });
    return writeLine(terminal, 'Deleted.');
  },
};
