import type { Explanation } from '../../../../sdk/typescript/src/types.ts';
import { Card } from '../../components/Card.tsx';
import { formatShare } from '../../format/amount.ts';
import { wordFor } from '../../format/words.ts';

type Prediction = NonNullable<Explanation['prediction']>;

const nameOf = (owner: string | null, service: string | null): string =>
  [owner, service].filter((part) => part !== null).join(' · ') || 'nobody';

/** What the model predicted where the rules left something open, and what else it held possible. */
export const PredictionCard = ({ prediction }: { prediction: Prediction }) => (
  <Card title="Prediction" aside={<p className="mono">{prediction.model_version}</p>}>
    <div className="stack">
      <p className="small">
        {wordFor(prediction.basis)}: {nameOf(prediction.owner, prediction.service)}, confidence{' '}
        {formatShare(prediction.confidence)}.
        {prediction.novel &&
          ' The call has names that are not in the training data, so the confidence is at most 50 %.'}
        {prediction.advisory && ' The prediction is advisory: it is a suggestion, and names nobody.'}
      </p>
      <ul className="waterfall">
        {prediction.alternatives.map(({ owner, service, probability }) => (
          <li key={nameOf(owner, service)}>
            <span>{nameOf(owner, service)}</span>
            <svg height="14" width="100%" aria-hidden="true">
              <rect width="100%" height="14" rx="2" fill="var(--sunken)" />
              <rect width={`${probability * 100}%`} height="14" rx="2" fill="var(--accent)" />
            </svg>
            <span className="right num">{formatShare(probability)}</span>
          </li>
        ))}
      </ul>
    </div>
  </Card>
);
