import { numbersOfCsv } from '../../../../../sdk/shared/metricCsv.ts';
import { deleteBusinessMetric, postBusinessMetric } from '../../../../../sdk/typescript/src/operations.ts';
import { DeleteDialog } from '../../../forms/DeleteDialog.tsx';
import { TextArea, TextField } from '../../../forms/Field.tsx';
import { FormDialog } from '../../../forms/FormDialog.tsx';
import type { DialogState } from '../../../forms/useDialog.ts';

export const SendNumbersDialog = ({ of }: { of: DialogState }) => (
  <FormDialog
    of={of}
    title="Send numbers of a business metric"
    submit="Send"
    send={async (client, entries, options) => {
      const { numbers, fault } = numbersOfCsv(entries.text('numbers'));
      if (fault !== null) throw new Error(`Numbers: ${fault}`);
      return postBusinessMetric(
        client,
        { name: entries.text('name'), numbers, ...entries.optional('owner'), ...entries.optional('service') },
        options,
      );
    }}
  >
    <TextField name="name" label="Name" required maxLength={64} placeholder="tickets_solved" />
    <div className="pair">
      <TextField name="owner" label="Owner" hint="Empty: the cost of all" />
      <TextField name="service" label="Service" hint="Empty: the cost of all" />
    </div>
    <TextArea
      name="numbers"
      label="Numbers, one day a line"
      hint="CSV, such as 2026-11-01,412. A number replaces the earlier one of its day"
      required
    />
  </FormDialog>
);

export const DeleteMetricDialog = ({ of, name }: { of: DialogState; name: string }) => (
  <DeleteDialog of={of} name={name} send={deleteBusinessMetric}>
    Its numbers are deleted. Spend and records stay as they are.
  </DeleteDialog>
);
