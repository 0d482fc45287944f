import { Link } from 'wouter';
import type { AttributionDetail } from '../../../../sdk/typescript/src/types.ts';
import { formatShare } from '../../format/amount.ts';
import { wordFor } from '../../format/words.ts';
import { ownersLink } from '../owners/ownersState.ts';
import { AnswerPill } from '../records/RecordTable.tsx';

/** From this confidence on, a call may be charged. */
const CHARGEBACK_FLOOR = 0.8;

type Interpretation = AttributionDetail['interpretation'];
type Who = keyof Interpretation['answers'];

const nobody: Readonly<Record<Who, string>> = { owner: 'nobody named', service: 'none named' };

const freshness: Readonly<Record<Interpretation['freshness'], string>> = {
  fresh: 'Complete',
  index_stale: 'An index is behind: a newer version may follow',
  source_stale: 'A source is behind: later evidence may change it',
};

/** Who owns the call and which service made it: two answers, each with its own evidence. */
export const Evidence = ({ record }: { record: AttributionDetail }) => {
  const { interpretation, output_state: state } = record;
  return (
    <div className="stack">
      <div className="halves">
        <Verdict record={record} who="owner" />
        <Verdict record={record} who="service" />
      </div>
      <dl className="facts">
        <dt>State of the record</dt>
        <dd>{wordFor(state)}</dd>
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

const Verdict = ({ record, who }: { record: AttributionDetail; who: Who }) => {
  const { answers } = record.interpretation;
  const { confidence, probability, evidence_basis: basis, candidates } = answers[who];
  const name = record[who];
  return (
    <section className="stack" aria-label={wordFor(who)}>
      <div>
        <span className="sub">{wordFor(who)}</span>
        <strong className="big">
          {name === null ? (
            <span className="unknown">{nobody[who]}</span>
          ) : (
            <Link href={`/records?${who}=${encodeURIComponent(name)}`}>{name}</Link>
          )}
        </strong>
      </div>
      <AnswerPill answers={answers} who={who} />
      <Gauge confidence={confidence} />
      {probability !== null && (
        <span className="sub">Measured: {formatShare(probability)} of such names are right</span>
      )}
      {basis !== 'none' && <span className="sub">By {wordFor(basis).toLowerCase()}</span>}
      {who === 'owner' && answers.owner.state !== 'confirmed' && (
        <Link href={ownersLink(record.service === null ? {} : { service: record.service })}>
          Say who pays for these calls
        </Link>
      )}
      {candidates.length > 0 && (
        <span className="sub">
          Suggested:{' '}
          {candidates
            .map(
              (one) =>
                `${one.name} (${wordFor(one.evidence_basis).toLowerCase()}, ${formatShare(one.confidence)})`,
            )
            .join(', ')}
        </span>
      )}
    </section>
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
