import { useRef } from 'react';
import {
  createIdentityMapping,
  reprocessRecords,
  updateIdentityMapping,
} from '../../../../sdk/typescript/src/operations.ts';
import type { IdentityMapping, IdentityMappingRequest } from '../../../../sdk/typescript/src/types.ts';
import { DAY_MS, isoDay } from '../../format/time.ts';
import { ChoicesField, TextField } from '../../forms/Field.tsx';
import { FormDialog } from '../../forms/FormDialog.tsx';
import type { DialogState } from '../../forms/useDialog.ts';
import { ConditionRows } from './ConditionRows.tsx';
import { DryRun } from './DryRun.tsx';
import { mappingRequestOf } from './mappingRequest.ts';

/** A new mapping applies to recent calls too, so that its dry run has calls to try. */
const DAYS_BACK = 30;

/** What a new mapping is filled in with. */
export type MappingDraft = Pick<IdentityMappingRequest, 'name' | 'conditions' | 'owner'>;

interface MappingDialogProps {
  readonly of: DialogState;
  readonly mapping: IdentityMapping | undefined;
  readonly draft?: MappingDraft | undefined;
}

const REPROCESS = 'reprocess';

/** The form of a mapping, with a dry run beside it. */
export const MappingDialog = ({ of, mapping, draft }: MappingDialogProps) => {
  const fields = useRef<HTMLDivElement>(null);
  const initial = mapping ?? draft;
  return (
    <FormDialog
      of={of}
      title={mapping === undefined ? 'Create a mapping' : `Edit ${mapping.name}`}
      submit={mapping === undefined ? 'Create' : 'Save'}
      isWide
      send={async (client, entries, options) => {
        const request = mappingRequestOf(entries, mapping);
        const saved =
          mapping === undefined
            ? await createIdentityMapping(client, request, options)
            : await updateIdentityMapping(
                client,
                mapping.id,
                { ...request, owner: request.owner ?? null, service: request.service ?? null },
                options,
              );
        if (entries.all(REPROCESS).length > 0)
          // A retry of the form repeats both requests, so the second one has a key of its own that follows from the first.
          await reprocessRecords(
            client,
            { from: saved.effective_from },
            { ...options, idempotencyKey: `${options.idempotencyKey}-${REPROCESS}` },
          );
        return saved;
      }}
    >
      <div className="halves">
        <div className="stack" ref={fields}>
          <div className="pair">
            <TextField name="name" label="Name" required defaultValue={initial?.name ?? ''} />
            <TextField
              name="position"
              label="Position"
              type="number"
              hint="Lower first"
              defaultValue={mapping?.position ?? ''}
            />
          </div>
          <ConditionRows conditions={initial?.conditions ?? []} />
          <div className="pair">
            <TextField name="owner" label="Then the owner is" defaultValue={initial?.owner ?? ''} />
            <TextField name="service" label="and the service is" defaultValue={mapping?.service ?? ''} />
          </div>
          <TextField
            name="effective_from"
            label="For calls from (UTC)"
            type="date"
            required
            defaultValue={mapping?.effective_from.slice(0, 10) ?? isoDay(Date.now() - DAYS_BACK * DAY_MS)}
          />
          <ChoicesField
            name={REPROCESS}
            label="Recorded calls"
            hint="They change only when they are reprocessed. Reports follow within minutes"
            options={[{ value: 'yes', label: 'Apply it to recorded calls of this time too' }]}
            defaultValues={draft === undefined ? [] : ['yes']}
          />
        </div>
        <DryRun fields={fields} replaced={mapping} />
      </div>
    </FormDialog>
  );
};
