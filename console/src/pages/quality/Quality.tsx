import { listModels } from '../../../../sdk/typescript/src/operations.ts';
import { everyRow, useRead } from '../../api/useRead.ts';
import { Card } from '../../components/Card.tsx';
import { Page } from '../../components/Page.tsx';
import { Empty } from '../../components/reading/Empty.tsx';
import { Loaded } from '../../components/reading/Loaded.tsx';
import { NotPermitted } from '../../components/reading/NotPermitted.tsx';
import { useDialog } from '../../forms/useDialog.ts';
import { useCan } from '../../session/session.ts';
import { DisputesCard } from './DisputesCard.tsx';
import { Gate } from './Gate.tsx';
import { RecallDialog, TrainDialog } from './ModelDialogs.tsx';
import { Reliability } from './Reliability.tsx';
import { StateShares } from './StateShares.tsx';
import { Versions } from './Versions.tsx';

/** Whether the attribution can be trusted: shares by state, the publication gate, and the versions of the model. */
export const Quality = () => {
  const models = useRead(['models'], (client, options) => everyRow(listModels(client, {}, options)));
  const train = useDialog('train-model');
  const recall = useDialog('recall-model');
  const canChange = useCan('admin:config');
  const canReadRecords = useCan('read:attribution');
  return (
    <Page
      title="Attribution quality"
      lead="Rules decide first. Where they cannot, a model predicts, and only a model that passes its tests may serve."
      actions={
        canChange ? (
          <button type="button" className="button" onClick={() => train.open()}>
            Train now
          </button>
        ) : (
          <NotPermitted scope="admin:config" to="train and recall models" />
        )
      }
    >
      <StateShares />
      <Loaded of={models} height={360}>
        {(rows) => {
          const [newest] = rows;
          const shown = rows.find(({ state }) => state === 'active') ?? newest;
          return shown === undefined ? (
            <Card title="Tests before a model may serve">
              <Empty title="No model yet">
                A model is trained once enough calls have an owner by a rule. Until then, a heuristic
                predicts, and its predictions are never charged.
              </Empty>
            </Card>
          ) : (
            <>
              <Gate model={shown} />
              <Reliability model={shown} />
              <Versions models={rows} recall={canChange ? recall.open : undefined} />
            </>
          );
        }}
      </Loaded>
      {canReadRecords && <DisputesCard />}
      <TrainDialog of={train} />
      <RecallDialog of={recall} />
    </Page>
  );
};
