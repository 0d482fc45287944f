/** What can be done with one row. `subject` completes the label for screen readers, such as `of kim@example.org`. */
export interface RowAction {
  readonly label: string;
  readonly subject: string;
  readonly isDanger?: boolean;
  readonly run: () => void;
}

export const RowActions = ({ actions }: { actions: readonly RowAction[] }) =>
  actions.map(({ label, subject, isDanger, run }) => (
    <button key={label} type="button" className={isDanger === true ? 'link bad' : 'link'} onClick={run}>
      {label}
      <span className="visually-hidden"> {subject}</span>
    </button>
  ));
