import type { ReactNode } from 'react';
import type { RowSelection } from './useRowSelection.ts';

interface SelectionBarProps {
  readonly label: string;
  readonly of: RowSelection;
  /** The sum of the selected rows. */
  readonly children: ReactNode;
}

/** What the selected rows of a table add up to. */
export const SelectionBar = ({ label, of: { chosen, all, none }, children }: SelectionBarProps) => (
  <div className="selection">
    <button type="button" className="link" onClick={chosen.size > 0 ? none : all}>
      {chosen.size > 0 ? 'Clear' : 'Select all'}
      <span className="visually-hidden">
        {' '}
        {chosen.size > 0 ? 'selected ' : ''}
        {label.toLowerCase()}
      </span>
    </button>
    <span role="status" className="num">
      {chosen.size > 0 && children}
    </span>
  </div>
);
