import { useRef } from 'react';
import { createIdentityMapping, updateIdentityMapping } from '../../../../sdk/typescript/src/operations.ts';
import type { IdentityMapping } from '../../../../sdk/typescript/src/types.ts';
import { DAY_MS, isoDay } from '../../format/time.ts';
import { TextField } from '../../forms/Field.tsx';
import { FormDialog } from '../../forms/FormDialog.tsx';
import type { DialogState } from '../../forms/useDialog.ts';
import { ConditionRows } from './ConditionRows.tsx';
import { DryRun } from './DryRun.tsx';
import { mappingRequestOf } from './mappingRequest.ts';

/** A new mapping applies to recent calls too, so that its dry run has calls to try. */
const DAYS_BACK = 30;

interface MappingDialogProps {
  readonly of: DialogState;
  readonly mapping: IdentityMapping | undefined;
}

/** The form of a mapping, with a dry run beside it. */
export const MappingDialog = ({ of, mapping }: MappingDialogProps) => {
  const fields = useRef<HTMLDivElement>(null);
  return (
    <FormDialog
      of={of}
      title={mapping === undefined ? 'Create a mapping' : `Edit ${mapping.name}`}
      submit={mapping === undefined ? 'Create' : 'Save'}
      isWide
      send={(client, entries, options) => {
        const request = mappingRequestOf(entries, mapping);
        return mapping === undefined
          ? createIdentityMapping(client, request, options)
          : updateIdentityMapping(
              client,
              mapping.id,
              { ...request, owner: request.owner ?? null, service: request.service ?? null },
              options,
            );
      }}
    >
      <div className="halves">
        <div className="stack" ref={fields}>
          <div className="pair">
            <TextField name="name" label="Name" required defaultValue={mapping?.name ?? ''} />
            <TextField
              name="position"
              label="Position"
              type="number"
              hint="Lower first"
              defaultValue={mapping?.position ?? ''}
            />
          </div>
          <ConditionRows conditions={mapping?.conditions ?? []} />
          <div className="pair">
            <TextField name="owner" label="Then the owner is" defaultValue={mapping?.owner ?? ''} />
            <TextField name="service" label="and the service is" defaultValue={mapping?.service ?? ''} />
          </div>
          <TextField
            name="effective_from"
            label="For calls from (UTC)"
            type="date"
            required
            hint="Recorded calls change only when they are reprocessed"
            defaultValue={mapping?.effective_from.slice(0, 10) ?? isoDay(Date.now() - DAYS_BACK * DAY_MS)}
          />
        </div>
        <DryRun fields={fields} replaced={mapping} />
      </div>
    </FormDialog>
  );
};
