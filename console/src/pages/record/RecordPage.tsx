import { Link, useParams } from 'wouter';
import { getAttribution } from '../../../../sdk/typescript/src/operations.ts';
import { useRead } from '../../api/useRead.ts';
import { Callout } from '../../components/Callout.tsx';
import { Card } from '../../components/Card.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Page } from '../../components/Page.tsx';
import { Loaded } from '../../components/reading/Loaded.tsx';
import { NotPermitted } from '../../components/reading/NotPermitted.tsx';
import { formatUsd } from '../../format/amount.ts';
import { formatMoment } from '../../format/time.ts';
import { useDialog } from '../../forms/useDialog.ts';
import { useCan } from '../../session/session.ts';
import { AllocationCard } from './AllocationCard.tsx';
import { CallFacts } from './CallFacts.tsx';
import { ConfirmCostDialog, DisputeDialog, OverrideDialog } from './CorrectionDialogs.tsx';
import { CostCard } from './CostCard.tsx';
import { Evidence } from './Evidence.tsx';
import { FootprintCard } from './FootprintCard.tsx';
import { carbonFacts, energyFacts } from './footprintFacts.ts';
import { History } from './History.tsx';
import { PredictionCard } from './PredictionCard.tsx';
import { Rules } from './Rules.tsx';
import './record.css';

/** One call: why this owner, why this price, how certain both are, and how to correct it. */
export const RecordPage = () => {
  const { id = '' } = useParams<{ id: string }>();
  const record = useRead(['record', id], (client, options) => getAttribution(client, id, options));
  const override = useDialog('override');
  const dispute = useDialog('dispute');
  const confirmation = useDialog('confirm-cost');
  const canConfirm = useCan('finance:config');
  const canCorrect = useCan('admin:config');
  const data = record.data?.id === id ? record.data : undefined;
  return (
    <Page
      title={data === undefined ? 'Call' : `${data.served_model} for ${data.owner ?? 'nobody named'}`}
      lead={
        data === undefined
          ? 'One call, with its evidence'
          : `${formatMoment(data.occurred_at)} · ${data.provider} · version ${data.version}`
      }
      back={
        <Link href="/records">
          <Icon name="back" size={14} /> Records
        </Link>
      }
      actions={
        canCorrect ? (
          data !== undefined && (
            <>
              <button type="button" className="button" onClick={() => dispute.open(id)}>
                Dispute
              </button>
              <button type="button" className="button" onClick={() => override.open(id)}>
                Override
              </button>
            </>
          )
        ) : (
          <NotPermitted scope="admin:config" to="dispute and override the attribution" />
        )
      }
    >
      <Loaded of={{ ...record, data }} height={720}>
        {(found) => (
          <>
            {found.dispute?.status === 'open' && (
              <Callout>
                <strong>Disputed.</strong> {found.dispute.reason}
              </Callout>
            )}
            {found.interpretation.unknown?.cost === 'implausible_cost' && (
              <Callout
                action={
                  canConfirm ? (
                    <button type="button" className="button" onClick={() => confirmation.open(id)}>
                      Confirm the cost
                    </button>
                  ) : (
                    <NotPermitted scope="finance:config" to="confirm it" />
                  )
                }
              >
                <strong>
                  The call would cost {formatUsd(found.explanation.reported_cost?.usd ?? null)} by what was
                  reported.
                </strong>{' '}
                It is far above what its usage explains, or above the limit for one call, so nothing counts it
                until somebody confirms it.
              </Callout>
            )}
            <div className="two">
              <div className="stack">
                <Card title="Evidence">
                  <Evidence record={found} />
                </Card>
                <Card title="Rules that were tried">
                  <Rules record={found} />
                </Card>
                <CostCard cost={found.explanation.cost} unknown={found.interpretation.unknown?.cost} />
              </div>
              <div className="stack">
                <Card title="The call">
                  <CallFacts record={found} />
                </Card>
                <FootprintCard
                  measure="energy"
                  estimate={found.explanation.energy}
                  unknown={found.interpretation.unknown?.energy}
                  facts={energyFacts(found.explanation)}
                />
                <FootprintCard
                  measure="carbon"
                  estimate={found.explanation.carbon}
                  unknown={found.interpretation.unknown?.carbon}
                  facts={carbonFacts(found.explanation.carbon)}
                />
              </div>
            </div>
            {found.explanation.prediction !== undefined && (
              <PredictionCard prediction={found.explanation.prediction} />
            )}
            {found.explanation.allocation !== undefined && (
              <AllocationCard allocation={found.explanation.allocation} />
            )}
            <Card title="History">
              <History id={found.id} />
            </Card>
          </>
        )}
      </Loaded>
      <OverrideDialog of={override} />
      <ConfirmCostDialog of={confirmation} usd={data?.explanation.reported_cost?.usd} />
      <DisputeDialog of={dispute} />
    </Page>
  );
};
