import * as z from 'zod';
import type { DegradationChange } from '../../schemas/events.ts';
import type { Model } from '../../schemas/models.ts';

/** What serves a tenant's predictions, and how well. */
export const ServingState = z.object({
  /** The model; null where none is validated. */
  active: z.string().nullable(),
  /** The training whose heuristic answers where no model does; null before the first. */
  heuristic: z.string().nullable(),
  degradation: z.enum(['none', 'degraded_serving', 'model_recalled']),
  /** When that state began. */
  since: z.iso.datetime(),
});
export type ServingState = z.infer<typeof ServingState>;

/** How a tenant begins, before anything was trained. */
export const UNTRAINED: ServingState = {
  active: null,
  heuristic: null,
  degradation: 'none',
  since: '1970-01-01T00:00:00.000Z',
};

/** What the registry becomes by one act: the models that change, and what serves from then on. */
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
 * What a finished training brings about: a model that passed the gate serves at once, in place of the one before, and
 * ends whatever was wrong. Of one that did not, the heuristic serves, unless a validated model does.
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
      serving: serving.active === null ? { ...serving, heuristic: model.version } : serving,
    };
  }
  const next = { ...serving, active: model.version, heuristic: model.version };
  return {
    models: [
      { ...model, state: 'active', activated_at: at },
      ...(active === null ? [] : [{ ...active, state: 'validated' as const }]),
    ],
    serving: withDegradation(next, 'none', at),
  };
};

/**
 * What a recall brings about. `others` are the tenant's other models, the newest first: the first validated one serves
 * again. The heuristic stays, since it claims nothing that could be charged.
 */
export const applyRecall = (
  serving: ServingState,
  model: Model,
  others: readonly Model[],
  by: { readonly principal: string; readonly reason: string; readonly at: string },
): RegistryUpdate => {
  const withdrawn: Model = {
    ...model,
    state: 'recalled',
    recalled_at: by.at,
    recalled_by: by.principal,
    recall_reason: by.reason,
  };
  if (serving.active !== model.version) return { models: [withdrawn], serving };
  const prior = others.find(({ state }) => state === 'validated') ?? null;
  const next = {
    ...serving,
    active: prior?.version ?? null,
    heuristic: prior?.version ?? serving.heuristic,
  };
  return {
    models: [withdrawn, ...(prior === null ? [] : [{ ...prior, state: 'active' as const }])],
    serving: withDegradation(next, 'model_recalled', by.at),
  };
};

/** How long a fallback stands at least before it is called over, in milliseconds: an unsteady model is told of once. */
const FALLBACK_MINIMUM_MILLISECONDS = 30_000;

/**
 * The state after the fallback was needed or not, null where nothing moves. A recall outlasts both: only a validated
 * model ends it.
 */
export const nextServingState = (
  serving: ServingState,
  isFallback: boolean,
  at: number,
): ServingState | null => {
  const instant = new Date(at).toISOString();
  if (isFallback && serving.degradation === 'none')
    return withDegradation(serving, 'degraded_serving', instant);
  const isOver = at - Date.parse(serving.since) >= FALLBACK_MINIMUM_MILLISECONDS;
  if (!isFallback && serving.degradation === 'degraded_serving' && isOver) {
    return withDegradation(serving, 'none', instant);
  }
  return null;
};

/** What to tell of a change; null where the state stayed. */
export const degradationChangeOf = (
  before: DegradationChange['previous'],
  after: DegradationChange['state'],
  reason: DegradationChange['reason'],
  modelVersion: string | null,
): DegradationChange | null =>
  before === after ? null : { previous: before, state: after, reason, model_version: modelVersion };
