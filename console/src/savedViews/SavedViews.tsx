import { Link, useSearch } from 'wouter';
import { createSavedView, deleteSavedView, listSavedViews } from '../../../sdk/typescript/src/operations.ts';
import type { SavedView } from '../../../sdk/typescript/src/types.ts';
import { useRead } from '../api/useRead.ts';
import { PAGE_ROWS } from '../api/wholeReport.ts';
import { DeleteDialog } from '../forms/DeleteDialog.tsx';
import { TextField } from '../forms/Field.tsx';
import { FormDialog } from '../forms/FormDialog.tsx';
import { useDialog } from '../forms/useDialog.ts';
import { useCan } from '../session/session.ts';

/** The views of a page that the tenant has saved. The address holds all that a page shows, so a view is a link with a name. */
export const SavedViews = ({ page }: Pick<SavedView, 'page'>) => {
  const search = useSearch();
  const save = useDialog('save-view');
  const remove = useDialog('delete-view');
  const canWrite = useCan('finance:config');
  const { data } = useRead(
    ['saved-views'],
    (client, options) => listSavedViews(client, { limit: PAGE_ROWS }, options),
    { enabled: useCan('read:reporting') },
  );
  const views = (data?.data ?? []).filter((view) => view.page === page);
  const current = views.find((view) => (view.search ?? '') === search);
  if (views.length === 0 && !canWrite) return null;
  return (
    <nav className="controls small" aria-label="Saved views">
      {views.map(({ id, name, search: query = '' }) => (
        <Link
          key={id}
          className="chip"
          href={query === '' ? `/${page}` : `/${page}?${query}`}
          aria-current={id === current?.id ? 'page' : undefined}
        >
          {name}
        </Link>
      ))}
      {canWrite &&
        (current === undefined ? (
          <button type="button" className="link" onClick={() => save.open()}>
            Save this view
          </button>
        ) : (
          <button type="button" className="link" onClick={() => remove.open(current.id)}>
            Delete this view
          </button>
        ))}
      <FormDialog
        of={save}
        title="Save this view"
        submit="Save"
        send={(client, entries, options) =>
          createSavedView(
            client,
            { page, name: entries.text('name'), ...(search !== '' && { search }) },
            options,
          )
        }
      >
        <p>
          Everyone of the tenant finds it on this page, and sees what their own role may. The same name
          replaces a view.
        </p>
        <TextField name="name" label="Name" required maxLength={100} placeholder="Search, by model" />
      </FormDialog>
      <DeleteDialog of={remove} name="the view" send={deleteSavedView}>
        “{views.find(({ id }) => id === remove.subject)?.name ?? 'It'}” is no longer on this page.
      </DeleteDialog>
    </nav>
  );
};
