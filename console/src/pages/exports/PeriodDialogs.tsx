import { closePeriod, reopenPeriod } from '../../../../sdk/typescript/src/operations.ts';
import { TextArea } from '../../forms/Field.tsx';
import { FormDialog } from '../../forms/FormDialog.tsx';
import type { DialogState } from '../../forms/useDialog.ts';
import { monthText } from './periodState.ts';

/** As long as the audit log keeps it. */
const REASON_LENGTH = 500;

export const ClosePeriodDialog = ({ of }: { of: DialogState }) => (
  <FormDialog
    of={of}
    title={of.isOpen ? `Close ${monthText(of.subject)}?` : ''}
    submit="Close the month"
    send={(client, _, options) => closePeriod(client, of.subject, options)}
  >
    <p>
      Its exports stay the same from then on. What changes later is in the exports of the next open month, as
      corrections. Close a month when its bill is compared and finance has booked it.
    </p>
  </FormDialog>
);

export const ReopenPeriodDialog = ({ of }: { of: DialogState }) => (
  <FormDialog
    of={of}
    title={of.isOpen ? `Reopen ${monthText(of.subject)}?` : ''}
    submit="Reopen the month"
    isDanger
    send={(client, entries, options) =>
      reopenPeriod(client, of.subject, { reason: entries.text('reason') }, options)
    }
  >
    <p>Its exports follow the records again, and can differ from what finance has booked.</p>
    <TextArea name="reason" label="Reason" hint="For the audit log" required maxLength={REASON_LENGTH} />
  </FormDialog>
);
