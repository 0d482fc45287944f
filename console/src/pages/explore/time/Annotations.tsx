import { createAnnotation, deleteAnnotation } from '../../../../../sdk/typescript/src/operations.ts';
import type { Annotation } from '../../../../../sdk/typescript/src/types.ts';
import { formatDayOfYear, isoDay } from '../../../format/time.ts';
import { DeleteDialog } from '../../../forms/DeleteDialog.tsx';
import { TextField } from '../../../forms/Field.tsx';
import { FormDialog } from '../../../forms/FormDialog.tsx';
import { useDialog } from '../../../forms/useDialog.ts';
import { useCan } from '../../../session/session.ts';

interface AnnotationsProps {
  readonly notes: readonly Annotation[];
  readonly period: { readonly from: number; readonly to: number };
}

/** What happened on the days of a chart. */
export const Annotations = ({ notes, period }: AnnotationsProps) => {
  const add = useDialog('add-annotation');
  const remove = useDialog('delete-annotation');
  const canWrite = useCan('finance:config');
  const [first, last] = [isoDay(period.from), isoDay(period.to - 1)];
  return (
    <div className="stack small">
      {notes.length > 0 && (
        <ul className="plain" aria-label="Notes">
          {notes.map(({ id, date, text }) => (
            <li key={id}>
              <span className="quiet">{formatDayOfYear(date)}</span> {text}{' '}
              {canWrite && (
                <button type="button" className="link" onClick={() => remove.open(id)}>
                  Delete<span className="visually-hidden"> {text}</span>
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {canWrite && (
        <span>
          <button type="button" className="link" onClick={() => add.open()}>
            Note what happened
          </button>
        </span>
      )}
      <FormDialog
        of={add}
        title="Note what happened"
        submit="Note"
        send={(client, entries, options) =>
          createAnnotation(client, { date: entries.text('date'), text: entries.text('text') }, options)
        }
      >
        <p>Charts over time show it to everyone who reads reports.</p>
        <TextField
          name="date"
          label="Day (UTC)"
          type="date"
          required
          defaultValue={last > first ? first : last}
        />
        <TextField name="text" label="What happened" required maxLength={200} placeholder="Release 2.4" />
      </FormDialog>
      <DeleteDialog of={remove} name="the note" send={deleteAnnotation}>
        “{notes.find(({ id }) => id === remove.subject)?.text ?? 'It'}” is no longer shown.
      </DeleteDialog>
    </div>
  );
};
