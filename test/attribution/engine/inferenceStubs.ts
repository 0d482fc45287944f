import fc from 'fast-check';
import type { Infer } from '../../../functions/attribution/engine/inference.ts';
import type { TraceEvidence } from '../../../functions/ledger/records/trace/traceSpan.ts';
import { sha256Of } from '../../../functions/platform/shared/hash.ts';
import type { PredictionTrace } from '../../../schemas/attribution/explanation.ts';

/** A prediction of stage B. */
export const aPrediction = (members: Partial<PredictionTrace> = {}): PredictionTrace => ({
  model_version: 'mdl_1',
  basis: 'model_inferred',
  owner: 'team-inferred',
  service: 'service-inferred',
  confidence: 0.9,
  novel: false,
  advisory: false,
  alternatives: [{ owner: 'team-other', service: null, probability: 0.05 }],
  ...members,
});

/** Stage B with a constant prediction. */
export const inferFixed =
  (members: Partial<PredictionTrace> = {}): Infer =>
  () => ({ degradation: 'none', prediction: aPrediction(members) });

/** Stage B whose prediction depends on all of its input, so that different calls get different predictions. */
export const inferFromInput: Infer = (
  { ingestion_timestamp: _ingestedAt, occurred_at: _occurredAt, ...event },
  occurredAt,
) => {
  // A member that was dropped is undefined in the event, and not in the stored one.
  const members = Object.entries(event).filter(([, value]) => value !== undefined);
  const digest = sha256Of('input', JSON.stringify(members.sort()), String(occurredAt));
  const confidence = digest.readUInt16BE() / 65_536;
  return {
    degradation: 'none',
    prediction: aPrediction({ owner: digest.toString('hex').slice(0, 12), confidence }),
  };
};

const anyEvidence = fc.record(
  {
    attributed_identity: fc.constantFrom('team-a', 'ann'),
    attributed_service: fc.constantFrom('checkout', 'search/ranker'),
    attribution_confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    k8s_workload: fc.constantFrom('ranker', 'other'),
    api_key_name: fc.constant('key'),
    tags: fc.array(fc.constantFrom('blue', 'green'), { maxLength: 2 }),
  },
  { requiredKeys: [] },
);

/** Any trace evidence; null for a call without a trace. */
export const anyTraceEvidence: fc.Arbitrary<TraceEvidence | null> = fc.option(
  fc.record({
    source: fc.option(
      fc.record({
        relation: fc.constantFrom('ancestor', 'trace'),
        span_id: fc.option(fc.constantFrom('s', 'constructor')),
        evidence: anyEvidence,
      }),
    ),
    repeatsUsage: fc.boolean(),
  }),
);
