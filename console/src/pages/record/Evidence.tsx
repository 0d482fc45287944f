import { Link } from 'wouter';
import type { AttributionDetail } from '../../../../sdk/typescript/src/types.ts';
import { formatShare } from '../../format/amount.ts';
import { wordFor } from '../../format/words.ts';
import { BandPill } from '../records/RecordTable.tsx';

/** From this confidence on, a call may be charged. */
const CHARGEBACK_FLOOR = 0.8;

const eligibility: Readonly<Record<AttributionDetail['interpretation']['export_eligibility'], string>> = {
  eligible: 'Part of a chargeback export',
  below_floor: 'Left out of chargeback: the confidence is below the floor',
  residency_excluded: 'Left out of chargeback: another data-residency lane',
  unpriced: 'Left out of chargeback: the price is unknown',
};

const freshness: Readonly<Record<AttributionDetail['interpretation']['freshness'], string>> = {
  fresh: 'Complete',
  index_stale: 'An index is behind: a newer version may follow',
  source_stale: 'A source is behind: later evidence may change it',
};

/** How the call was attributed, and how certain that is. */
export const Evidence = ({ record }: { record: AttributionDetail }) => {
  const { interpretation, owner, service, output_state: state } = record;
  return (
    <div className="stack">
      <div className="verdict">
        <div>
          <span className="sub">Owner</span>
          <strong className="big">
            {owner === null ? (
              <span className="unknown">nobody named</span>
            ) : (
              <Link href={`/records?owner=${encodeURIComponent(owner)}`}>{owner}</Link>
            )}
          </strong>
        </div>
        <div>
          <span className="sub">Service</span>
          <strong className="big">
            {service === null ? (
              <span className="unknown">none named</span>
            ) : (
              <Link href={`/records?service=${encodeURIComponent(service)}`}>{service}</Link>
            )}
          </strong>
        </div>
        <BandPill interpretation={interpretation} />
      </div>
      <Gauge confidence={interpretation.confidence} />
      <dl className="facts">
        <dt>State</dt>
        <dd>{wordFor(state)}</dd>
        <dt>Basis</dt>
        <dd>{wordFor(interpretation.evidence_basis)}</dd>
        <dt>Chargeback</dt>
        <dd>{eligibility[interpretation.export_eligibility]}</dd>
        <dt>Freshness</dt>
        <dd>{freshness[interpretation.freshness]}</dd>
        {interpretation.degradation_state !== 'none' && (
          <>
            <dt>Degradation</dt>
            <dd className="unknown">{wordFor(interpretation.degradation_state)}</dd>
          </>
        )}
        <dt>Decided by</dt>
        <dd className="mono">{interpretation.model_version}</dd>
      </dl>
    </div>
  );
};

const Gauge = ({ confidence }: { confidence: number }) => (
  <div>
    <svg
      width="100%"
      height="16"
      role="img"
      aria-label={`Confidence ${formatShare(confidence)}. Calls are charged from ${formatShare(CHARGEBACK_FLOOR)} on`}
    >
      <rect y="4" width="100%" height="8" rx="4" fill="var(--sunken)" />
      <rect y="4" width={`${confidence * 100}%`} height="8" rx="4" fill="var(--accent)" />
      <rect x={`${CHARGEBACK_FLOOR * 100}%`} width="2" height="16" fill="var(--ink-2)" />
    </svg>
    <span className="line sub">
      <span>Confidence {formatShare(confidence)}</span>
      <span>charged from {formatShare(CHARGEBACK_FLOOR)} on</span>
    </span>
  </div>
);
