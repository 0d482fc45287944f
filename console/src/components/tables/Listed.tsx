import type { ReactNode } from 'react';
import { Loaded, type Reading } from '../reading/Loaded.tsx';
import { More, type Pages } from './More.tsx';

export interface ListedProps<Row> {
  readonly of: Reading<readonly Row[]> & Pages;
  /** Of the loaded list, in pixels. */
  readonly height: number;
  /** Stands for the rows where there are none. */
  readonly empty: ReactNode;
}

/** The rows of a list that is read page by page. */
export const Listed = <Row,>({
  of,
  height,
  empty,
  children,
}: ListedProps<Row> & { children: (rows: readonly Row[]) => ReactNode }) => (
  <Loaded of={of} height={height}>
    {(rows) =>
      rows.length === 0 && !of.hasNextPage ? (
        empty
      ) : (
        <>
          {children(rows)}
          <More of={of} />
        </>
      )
    }
  </Loaded>
);
