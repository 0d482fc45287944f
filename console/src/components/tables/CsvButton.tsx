import { plural } from '../../format/amount.ts';

export interface CsvRows {
  /** What the rows are: the name of the file. */
  readonly label: string;
  /** The rows as the API gives them. */
  readonly rows: readonly object[];
  /** The list has rows that are not read yet. */
  readonly hasMore?: boolean;
}

const save = async ({ label, rows }: CsvRows): Promise<void> => {
  // Few people save a table, and everybody loads this button.
  const { rowsCsv } = await import('./rowsCsv.ts');
  const url = URL.createObjectURL(new Blob([rowsCsv(rows)], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${label.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.csv`;
  link.click();
  URL.revokeObjectURL(url);
};

/** Saves the rows of a view with all digits. It says so if the list has more. */
export const CsvButton = ({ hasMore = false, ...of }: CsvRows) => (
  <div className="csv">
    {hasMore && <span className="quiet small">Only the {plural(of.rows.length, 'row')} shown</span>}
    <button type="button" className="link" onClick={() => void save(of)}>
      CSV<span className="visually-hidden"> of {of.label.toLowerCase()}</span>
    </button>
  </div>
);
