import { recallModel, trainModel } from '../../../../sdk/typescript/src/operations.ts';
import { TextArea } from '../../forms/Field.tsx';
import { FormDialog } from '../../forms/FormDialog.tsx';
import type { DialogState } from '../../forms/useDialog.ts';

export const TrainDialog = ({ of }: { of: DialogState }) => (
  <FormDialog
    of={of}
    title="Train a model now?"
    submit="Train"
    send={(client, _, options) => trainModel(client, options)}
    result={({ job_id: id }) => (
      <p>The training has started as job {id}. Its version appears when it is finished.</p>
    )}
  >
    <p>Models are also trained on a schedule. The new version serves only if it passes its tests.</p>
  </FormDialog>
);

export const RecallDialog = ({ of }: { of: DialogState }) => (
  <FormDialog
    of={of}
    title={`Recall ${of.subject}?`}
    submit="Recall"
    isDanger
    send={(client, entries, options) =>
      recallModel(client, of.subject, { reason: entries.text('reason') }, options)
    }
  >
    <p>Its attributions are withdrawn, and the calls are attributed again without it.</p>
    <TextArea name="reason" label="Reason" required />
  </FormDialog>
);
