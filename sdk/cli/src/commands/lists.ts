import type { Collection } from '../../../typescript/src/index.ts';
import type { Call, Option } from '../command.ts';
import { UsageError } from '../faults.ts';
import { type Column, tableOf } from '../table.ts';
import { note, writeJson, writeTable } from '../terminal.ts';

/** Options of every list. */
export const pageOptions: Readonly<Record<string, Option>> = {
  limit: { placeholder: 'N', help: 'Entries of a page. Default: 50' },
  cursor: { placeholder: 'CURSOR', help: 'The next_cursor of the page before' },
  all: { help: 'All pages. With --json: JSON Lines, one entry a line' },
};

/** A whole number, as the service expects it. Its range is checked by the service. */
export const integerOf = ({ option }: Call, name: string): number | undefined => {
  const text = option(name);
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`--${name} must be a whole number: ${text}`);
  return Number(text);
};

export const pageQuery = (call: Call): { limit?: number; cursor?: string } => {
  const [limit, cursor] = [integerOf(call, 'limit'), call.option('cursor')];
  return { ...(limit !== undefined && { limit }), ...(cursor !== undefined && { cursor }) };
};

interface AnyPage<Row> {
  readonly data: readonly Row[];
  readonly page: { readonly next_cursor: string | null };
}

/**
 * Prints a page, or all of them. A page in JSON is the document of the service. Each page of a table has columns of its
 * own width, so that the first one appears before the last one is read.
 */
export const printCollection = async <Row, Page extends AnyPage<Row>>(
  { terminal, flag }: Call,
  collection: Collection<Page>,
  columns: (page: Page) => readonly Column<Row>[],
  empty: string,
): Promise<void> => {
  let rows = 0;
  for await (const page of collection.pages()) {
    rows += page.data.length;
    if (flag('json')) {
      if (!flag('all')) return writeJson(terminal, page);
      for (const row of page.data) await writeJson(terminal, row);
      continue;
    }
    const shape = columns(page);
    if (page.data.length > 0) await writeTable(terminal, tableOf(shape, page.data));
    const { next_cursor } = page.page;
    if (!flag('all') && next_cursor !== null) {
      note(terminal, `There are more. Use --all, or --cursor ${next_cursor}`);
      return;
    }
  }
  if (rows === 0 && !flag('json')) note(terminal, empty);
};
