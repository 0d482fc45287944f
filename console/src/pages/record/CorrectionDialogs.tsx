import {
  confirmCost,
  disputeAttribution,
  overrideAttribution,
} from '../../../../sdk/typescript/src/operations.ts';
import { formatUsd } from '../../format/amount.ts';
import { TextArea, TextField } from '../../forms/Field.tsx';
import { FormDialog } from '../../forms/FormDialog.tsx';
import type { DialogState } from '../../forms/useDialog.ts';

export const OverrideDialog = ({ of }: { of: DialogState }) => (
  <FormDialog
    of={of}
    title="Override the attribution"
    submit="Override"
    send={(client, entries, options) =>
      overrideAttribution(
        client,
        of.subject,
        { ...entries.optional('owner'), ...entries.optional('service'), reason: entries.text('reason') },
        options,
      )
    }
  >
    <p className="quiet small">
      A new version of the record is written. Reports, budgets and exports follow it, and the earlier version
      stays readable.
    </p>
    <div className="pair">
      <TextField name="owner" label="New owner" hint="Empty: unchanged" />
      <TextField name="service" label="New service" hint="Empty: unchanged" />
    </div>
    <TextArea name="reason" label="Reason" required hint="Shown in the history of the record" />
  </FormDialog>
);

export const ConfirmCostDialog = ({ of, usd }: { of: DialogState; usd: string | undefined }) => (
  <FormDialog
    of={of}
    title="Confirm the cost"
    submit="Confirm"
    send={(client, _entries, options) => confirmCost(client, of.subject, options)}
  >
    <p className="quiet small">
      {formatUsd(usd ?? null)} becomes the cost of this call. Reports, budgets and exports count it from then
      on.
    </p>
  </FormDialog>
);

export const DisputeDialog = ({ of }: { of: DialogState }) => (
  <FormDialog
    of={of}
    title="Dispute the attribution"
    submit="Open the dispute"
    send={(client, entries, options) =>
      disputeAttribution(
        client,
        of.subject,
        {
          reason: entries.text('reason'),
          ...entries.optional('proposed_owner'),
          ...entries.optional('proposed_service'),
        },
        options,
      )
    }
  >
    <p className="quiet small">
      The attribution stays as it is until somebody overrides it, which resolves the dispute.
    </p>
    <div className="pair">
      <TextField name="proposed_owner" label="Proposed owner" />
      <TextField name="proposed_service" label="Proposed service" />
    </div>
    <TextArea name="reason" label="Reason" required />
  </FormDialog>
);
