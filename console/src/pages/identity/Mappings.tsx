import { deleteIdentityMapping, listIdentityMappings } from '../../../../sdk/typescript/src/operations.ts';
import type { IdentityMapping } from '../../../../sdk/typescript/src/types.ts';
import { everyRow, useRead } from '../../api/useRead.ts';
import { Card } from '../../components/Card.tsx';
import { Moment } from '../../components/Moment.tsx';
import { Page } from '../../components/Page.tsx';
import { Empty } from '../../components/reading/Empty.tsx';
import { Loaded } from '../../components/reading/Loaded.tsx';
import { NotPermitted } from '../../components/reading/NotPermitted.tsx';
import type { RowAction } from '../../components/tables/RowActions.tsx';
import { type Column, Table } from '../../components/tables/Table.tsx';
import { wordFor } from '../../format/words.ts';
import { DeleteDialog } from '../../forms/DeleteDialog.tsx';
import { useDialog } from '../../forms/useDialog.ts';
import { useCan } from '../../session/session.ts';
import { MappingDialog } from './MappingDialog.tsx';
import { ReprocessingState } from './ReprocessingState.tsx';

/** Rules that turn identities into owners and services, in the order in which they are evaluated. */
export const Mappings = () => {
  const mappings = useRead(['mappings'], (client, options) =>
    everyRow(listIdentityMappings(client, {}, options)),
  );
  const create = useDialog('create-mapping');
  const edit = useDialog('edit-mapping');
  const remove = useDialog('delete-mapping');
  const canChange = useCan('finance:config');
  const found = (id: string): IdentityMapping | undefined =>
    mappings.data?.find((mapping) => mapping.id === id);
  const columns: readonly Column<IdentityMapping>[] = [
    { title: 'Name', cell: ({ name }) => name },
    { title: 'Position', right: true, cell: ({ position }) => position },
    {
      title: 'If',
      cell: ({ conditions }) =>
        conditions.map(({ field, operator, value }) => (
          <div key={`${field}${operator}${value}`} className="small">
            {wordFor(field)} {operator} <code>{value}</code>
          </div>
        )),
    },
    {
      title: 'Then',
      cell: ({ owner, service }) => [owner, service].filter((part) => part !== undefined).join(' · '),
    },
    { title: 'Calls from', cell: ({ effective_from: at }) => <Moment at={at} /> },
  ];
  const actionsOf = ({ id, name }: IdentityMapping): readonly RowAction[] => [
    { label: 'Edit', subject: name, run: () => edit.open(id) },
    { label: 'Delete', subject: name, isDanger: true, run: () => remove.open(id) },
  ];
  return (
    <Page
      title="Identity mappings"
      lead="The first rule whose conditions all match decides. A dry run shows what a change would do before it is saved."
      actions={
        canChange ? (
          <button type="button" className="button primary" onClick={() => create.open()}>
            Create a mapping
          </button>
        ) : (
          <NotPermitted scope="finance:config" to="create and change mappings" />
        )
      }
    >
      <ReprocessingState />
      <Card title="Mappings in their order">
        <Loaded of={mappings} height={360}>
          {(rows) =>
            rows.length === 0 ? (
              <Empty title="No mapping yet">
                Map what your events carry, such as a namespace, a key name or an e-mail domain, to the owner
                who answers for it.
              </Empty>
            ) : (
              <Table
                label="Mappings"
                columns={columns}
                rows={rows}
                keyOf={({ id }) => id}
                actions={canChange ? actionsOf : undefined}
              />
            )
          }
        </Loaded>
      </Card>
      <MappingDialog of={create} mapping={undefined} />
      {found(edit.subject) !== undefined && <MappingDialog of={edit} mapping={found(edit.subject)} />}
      <DeleteDialog
        of={remove}
        name={found(remove.subject)?.name ?? 'the mapping'}
        send={deleteIdentityMapping}
      >
        New calls are attributed without it. Existing records change only when they are reprocessed.
      </DeleteDialog>
    </Page>
  );
};
