import type { ReactNode } from 'react';

interface KpiProps {
  readonly label: string;
  readonly note?: ReactNode;
  /** The figure, with its unit after a narrow space. */
  readonly value: string;
  readonly isUnknown?: boolean;
  readonly children: ReactNode;
}

/** A figure of the first row, with what it is and what it rests on. */
export const Kpi = ({ label, note, value, isUnknown = false, children }: KpiProps) => {
  const [figure, symbol] = value.split('\u202f');
  return (
    <>
      <span className="label">
        {label}
        {note !== undefined && <span className="note">{note}</span>}
      </span>
      <span className={isUnknown ? 'value unknown' : 'value'}>
        {figure}
        {symbol !== undefined && <small>{symbol}</small>}
      </span>
      {children}
    </>
  );
};
