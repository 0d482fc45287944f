import { decideAttribution, measuredTrace } from '../../functions/attribution/engine/decideAttribution.ts';
import { buildInterpretation } from '../../functions/attribution/engine/interpretation.ts';
import { type Resolution, resolve } from '../../functions/attribution/engine/rules/resolution.ts';
import { noMappings } from '../../functions/attribution/mappings/mappingRules.ts';
import { inferrer } from '../../functions/attribution/training/models/inferrer.ts';
import {
  applyTraining,
  type ServingState,
  UNTRAINED,
} from '../../functions/attribution/training/models/servingState.ts';
import { encodeArtefact } from '../../functions/attribution/training/prediction/artefact.ts';
import { encodeHeuristic } from '../../functions/attribution/training/prediction/heuristicTable.ts';
import type { Example, Observation } from '../../functions/attribution/training/prediction/observation.ts';
import type { TrainingResult } from '../../functions/attribution/training/prediction/training/train.ts';
import { answersOf } from '../../functions/ledger/records/answers.ts';
import { toIso } from '../../functions/platform/shared/time/toIso.ts';
import { Tenant } from '../../functions/platform/tenancy/tenant.ts';
import type { Model } from '../../schemas/attribution/models.ts';
import type { InvocationEvent } from '../../schemas/ingest/invocationEvent.ts';
import type { ProtocolCall } from './protocols.ts';

/** A call as its record would show it. */
export interface ServedRecord {
  readonly owner: string | null;
  /** The measured probability that the owner is right, or the confidence of the rule that named it. */
  readonly probability: number;
  /** Whether the owner can be charged. */
  readonly isCharged: boolean;
}

const TENANT = Tenant.parse({
  tenant_id: 'evaluated',
  name: 'Evaluated trace',
  tag: 'evaluate',
  plan: 'enterprise',
  limits: {},
  residency: [],
  key_lifetime_days: 1,
  shards: [{ from: 0, count: 1 }],
  created_at: toIso(0),
});

const EVENT_ID = '00000000-0000-4000-8000-000000000000';
const toEvent = ({ occurredAt, ...observed }: Observation): InvocationEvent => ({
  ...observed,
  event_id: EVENT_ID,
  occurred_at: toIso(occurredAt),
  ingestion_timestamp: toIso(occurredAt),
});

const toModel = (version: string, { gate }: TrainingResult, at: number): Model => ({
  version,
  state: 'rejected',
  trained_at: toIso(at),
  window: { from: toIso(at), to: toIso(at) },
  examples: 0,
  labelled: 0,
  labels: 0,
  gate,
  activated_at: null,
  recalled_at: null,
  recalled_by: null,
  recall_reason: null,
});

/** What the deterministic rules name of a call that names no owner itself. */
const resolveCall = ({
  observation,
  tracedOwner,
}: Pick<ProtocolCall, 'observation' | 'tracedOwner'>): Resolution =>
  resolve(observation, {
    mappings: noMappings,
    occurredAt: observation.occurredAt,
    trace:
      tracedOwner === null
        ? null
        : {
            source: { relation: 'trace', span_id: null, evidence: { attributed_identity: tracedOwner } },
            repeatsUsage: false,
          },
  });

/** The example of a call that training reads from its record. `record`: that of a call that names no owner itself. */
export const exampleOf = (call: ProtocolCall, record?: ServedRecord): Example => {
  const { observation, truth, tracedOwner, tracedStranger, isLabelled, isTraced } = call;
  const { confidence } = resolveCall(call);
  const stranger = resolveCall({ observation, tracedOwner: tracedStranger }).confidence;
  // Training learns what rules or traces confirmed, and nothing from predictions.
  const confirmed = isLabelled ? truth : record?.isCharged ? tracedOwner : null;
  const name = tracedOwner === null ? null : { confidence, isRight: isLabelled && tracedOwner === truth };
  return {
    observation,
    label: confirmed === null ? null : JSON.stringify([confirmed, null]),
    ...(isTraced && {
      traced: { isNamed: isLabelled, name, stranger: tracedStranger === null ? null : stranger },
    }),
  };
};

/**
 * The code of the service from a stored model to a record, over a registry in memory: publication gate, serving state,
 * stored artefacts, inference and the decision between the stages.
 */
export const servedPredictions = () => {
  const artefacts = new Map<string, Uint8Array>();
  const heuristics = new Map<string, Buffer>();
  let serving: ServingState = UNTRAINED;
  let now = 0;
  const infererOf = inferrer({
    serving: {
      serving: async () => serving,
      heuristic: async (_, version) => heuristics.get(version) ?? null,
    },
    artefacts: {
      read: async (_, version) => {
        const stored = artefacts.get(version);
        if (stored === undefined) throw new Error(`no artefact of ${version}`);
        return stored;
      },
    },
    transitionDegradation: async () => false,
    clock: () => now,
    stopwatch: { now: () => 0 },
  });

  return {
    /** Registers a training at `at` (epoch milliseconds). */
    register: (version: string, result: TrainingResult, at: number): void => {
      artefacts.clear();
      artefacts.set(version, encodeArtefact(result.artefact));
      heuristics.clear();
      heuristics.set(version, encodeHeuristic(result.heuristic));
      serving = applyTraining(serving, toModel(version, result, at), null, toIso(at)).serving;
    },
    /** Attributes calls that are made at or after `at`. */
    recorderAt: async (at: number): Promise<(call: ProtocolCall, isAgain?: boolean) => ServedRecord> => {
      now = at;
      const infer = await infererOf(TENANT);
      return (call, isAgain) => {
        const event = toEvent(call.observation);
        const { occurredAt } = call.observation;
        const resolution = resolveCall(call);
        const decision = decideAttribution(
          event,
          { occurredAt, residency: null },
          resolution,
          '',
          infer,
          isAgain,
        );
        const facts = { cost: '1', unknown: undefined, occurredAt, receivedAt: occurredAt };
        const interpretation = buildInterpretation(decision.stageResult, facts);
        const traced = measuredTrace(resolution, infer);
        const { owner } = answersOf(
          { ...decision, interpretation },
          {
            rules: resolution.rules,
            ...(decision.prediction !== null && { prediction: decision.prediction }),
            ...(traced !== null && { trace_probability: traced.probability }),
            ...(traced?.advisory && { trace_advisory: true }),
          },
        );
        return {
          owner: decision.owner,
          probability: owner.probability ?? owner.confidence,
          isCharged: owner.chargeback === 'ready',
        };
      };
    },
  };
};
