import * as z from 'zod';
import type { Model } from '../../../../schemas/attribution/models.ts';
import type { DegradationChange } from '../../../../schemas/delivery/events.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';

/** The model and the heuristic that serve a tenant's predictions, and the degradation state. */
export const ServingState = z.object({
  /** Version of the last model that passed the gate. Null without one. */
  active: z.string().nullable(),
  /** Version of the newest training whose model did not pass the gate, but predicts at least as well as the heuristic. */
  candidate: z.string().nullable().default(null),
  /**
   * Version of the training whose heuristic is the fallback. Null before the first training. It is newer than the active
   * model while trainings do not pass the gate.
   */
  heuristic: z.string().nullable(),
  /**
   * Up to when open records were given to a model that passed the gate, once more after their first prediction. Null before
   * the first such model, and without an active one.
   */
  retried_to: z.iso.datetime().nullable().default(null),
  degradation: z.enum(['none', 'degraded_serving', 'model_recalled']),
  /** When the degradation state began. */
  since: z.iso.datetime(),
});
export type ServingState = z.infer<typeof ServingState>;

/** The serving state of a tenant before its first training. */
export const UNTRAINED: ServingState = {
  active: null,
  candidate: null,
  heuristic: null,
  retried_to: null,
  degradation: 'none',
  since: '1970-01-01T00:00:00.000Z',
};

/** The model that serves predictions, and whether these are advisory. Null: the heuristic serves. */
export const servedModel = ({
  active,
  candidate,
  heuristic,
}: ServingState): { readonly version: string; readonly advisory: boolean } | null => {
  if (active !== null && active === heuristic) return { version: active, advisory: false };
  return candidate === null ? null : { version: candidate, advisory: true };
};

/** A change of the registry: the models to write, and the new serving state. */
export interface RegistryUpdate {
  readonly models: readonly Model[];
  readonly serving: ServingState;
}

const withDegradation = (
  serving: ServingState,
  degradation: ServingState['degradation'],
  at: string,
): ServingState => (serving.degradation === degradation ? serving : { ...serving, degradation, since: at });

/**
 * Whether a model that did not pass the gate predicts at least as well as the heuristic, so its predictions can be advice.
 */
export const isAdvisable = ({ gate }: Pick<Model, 'gate'>): boolean =>
  gate.criteria.some(({ criterion, passed }) => criterion === 'accuracy_over_heuristic' && passed);

/**
 * The change after a training. A model that passed the gate becomes active at once, replaces the active model, and ends
 * any degradation. A model that did not pass shows that no confidence can be trusted at present, that of the active model
 * included. So until a later training passes, predictions are advisory: those of the new model, or of the heuristic.
 */
export const applyTraining = (
  serving: ServingState,
  model: Model,
  active: Model | null,
  at: string,
): RegistryUpdate => {
  if (!model.gate.passed) {
    return {
      models: [{ ...model, state: 'rejected' }],
      serving: { ...serving, heuristic: model.version, candidate: isAdvisable(model) ? model.version : null },
    };
  }
  const next = { ...serving, active: model.version, candidate: null, heuristic: model.version };
  return {
    models: [
      { ...model, state: 'active', activated_at: at },
      ...(active === null ? [] : [{ ...active, state: 'validated' as const }]),
    ],
    serving: withDegradation(next, 'none', at),
  };
};

/**
 * The change after a recall. `others` are the tenant's other models, newest first. The first validated one becomes active.
 * Without one the heuristic stays, because its predictions are advisory and never charged back.
 */
export const applyRecall = (
  serving: ServingState,
  model: Model,
  others: readonly Model[],
  by: { readonly principal: string; readonly reason: string; readonly at: string },
): RegistryUpdate => {
  const recalled: Model = {
    ...model,
    state: 'recalled',
    recalled_at: by.at,
    recalled_by: by.principal,
    recall_reason: by.reason,
  };
  if (serving.active !== model.version) return { models: [recalled], serving };
  const prior = others.find(({ state }) => state === 'validated') ?? null;
  const next = {
    ...serving,
    active: prior?.version ?? null,
    retried_to: prior === null ? null : serving.retried_to,
    // A newer training that did not pass keeps predictions advisory.
    heuristic:
      serving.heuristic === serving.active ? (prior?.version ?? serving.heuristic) : serving.heuristic,
  };
  return {
    models: [recalled, ...(prior === null ? [] : [{ ...prior, state: 'active' as const }])],
    serving: withDegradation(next, 'model_recalled', by.at),
  };
};

/** Minimum duration of a fallback. It prevents repeated events when a model recovers only for a moment. */
const FALLBACK_MINIMUM_MS = 30_000;

/**
 * The serving state after a batch that did or did not need the fallback, at `at` (epoch milliseconds). Null when nothing
 * changes. The state model_recalled stays until a training passes the gate.
 */
export const nextServingState = (
  serving: ServingState,
  isFallback: boolean,
  at: number,
): ServingState | null => {
  const instant = toIso(at);
  if (isFallback && serving.degradation === 'none')
    return withDegradation(serving, 'degraded_serving', instant);
  const isOver = at - Date.parse(serving.since) >= FALLBACK_MINIMUM_MS;
  if (!isFallback && serving.degradation === 'degraded_serving' && isOver) {
    return withDegradation(serving, 'none', instant);
  }
  return null;
};

/** The data of the degradation event. Null when the state did not change. */
export const degradationChangeOf = (
  before: DegradationChange['previous'],
  after: DegradationChange['state'],
  reason: DegradationChange['reason'],
  modelVersion: string | null,
): DegradationChange | null =>
  before === after ? null : { previous: before, state: after, reason, model_version: modelVersion };
