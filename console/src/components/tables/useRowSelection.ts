import { useState } from 'react';

export interface RowSelection {
  /** Keys of rows that are selected and still in the table. */
  readonly chosen: ReadonlySet<string>;
  readonly toggle: (key: string) => void;
  readonly all: () => void;
  readonly none: () => void;
}

/** Which rows of a table are selected. It lasts as long as the table is on the page. */
export const useRowSelection = (keys: readonly string[]): RowSelection => {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const chosen = new Set(keys.filter((key) => selected.has(key)));
  return {
    chosen,
    toggle: (key) => setSelected(new Set(keys.filter((one) => chosen.has(one) !== (one === key)))),
    all: () => setSelected(new Set(keys)),
    none: () => setSelected(new Set()),
  };
};
