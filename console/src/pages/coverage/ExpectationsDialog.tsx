import { putCoverageExpectations } from '../../../../sdk/typescript/src/operations.ts';
import type { PathwayCategory, PathwayCoverage } from '../../../../sdk/typescript/src/types.ts';
import { wordFor } from '../../format/words.ts';
import { TextField } from '../../forms/Field.tsx';
import { FormDialog } from '../../forms/FormDialog.tsx';
import type { DialogState } from '../../forms/useDialog.ts';

const PATHWAYS: readonly PathwayCategory[] = [
  'application_direct',
  'gateway_mediated',
  'proxy_observed',
  'agent_workflow',
  'batch_pipeline',
  'embedded_saas',
];

const layersOf = (text: string): string[] =>
  text
    .split(',')
    .map((layer) => layer.trim())
    .filter((layer) => layer !== '');

interface ExpectationsDialogProps {
  readonly of: DialogState;
  readonly pathways: readonly PathwayCoverage[];
}

export const ExpectationsDialog = ({ of, pathways }: ExpectationsDialogProps) => (
  <FormDialog
    of={of}
    title="What must observe the calls"
    submit="Save"
    send={(client, entries, options) =>
      putCoverageExpectations(
        client,
        {
          expectations: PATHWAYS.map((category) => ({
            pathway_category: category,
            layers: layersOf(entries.text(category)),
          })).filter(({ layers }) => layers.length > 0),
        },
        options,
      )
    }
  >
    <p className="quiet small">
      Name what must observe each kind of traffic, separated by commas, such as application, gateway. Without
      an expectation, any of them suffices.
    </p>
    <div className="pair">
      {PATHWAYS.map((category) => (
        <TextField
          key={category}
          name={category}
          label={wordFor(category)}
          defaultValue={
            pathways.find((each) => each.pathway_category === category)?.expected.join(', ') ?? ''
          }
        />
      ))}
    </div>
  </FormDialog>
);
