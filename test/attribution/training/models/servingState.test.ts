import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyRecall,
  applyTraining,
  degradationChangeOf,
  nextServingState,
  type ServingState,
  servedModel,
  UNTRAINED,
} from '../../../../functions/attribution/training/models/servingState.ts';
import type { Model } from '../../../../schemas/attribution/models.ts';
import type { DegradationChange } from '../../../../schemas/delivery/events.ts';
import { aModel, versionAt } from './modelFixtures.ts';

const NOON = Date.parse('2026-05-01T12:00:00Z');
const STEADY = 30_000;
const [FIRST, SECOND] = [versionAt(1), versionAt(2)];
const at = new Date(NOON).toISOString();
const by = { principal: 'key_1', reason: 'mislabelled', at };

const serving = (members: Partial<ServingState> = {}): ServingState => ({ ...UNTRAINED, ...members });
const active = (version: string): Model => aModel(version, true, { state: 'active', activated_at: at });
const validated = (version: string): Model => aModel(version, true, { state: 'validated' });

it.each([
  ['the next model tries all records again after a recall without another model', [], null],
  ['the prior model goes on after a recall', [validated(SECOND)], at],
] as const)('%s', (_, others, expected) => {
  const before = serving({ active: FIRST, heuristic: FIRST, retried_to: at });

  expect(applyRecall(before, active(FIRST), others, by).serving.retried_to).toBe(expected);
});

describe('applyTraining', () => {
  it('activates a model that passed, with its heuristic', () => {
    const act = applyTraining(serving(), aModel(FIRST), null, at);

    expect(act.models).toEqual([active(FIRST)]);
    expect(act.serving).toEqual(serving({ active: FIRST, heuristic: FIRST }));
  });

  it('replaces the active model, which becomes validated', () => {
    const act = applyTraining(
      serving({ active: FIRST, heuristic: FIRST }),
      aModel(SECOND),
      active(FIRST),
      at,
    );

    expect(act.models.map(({ version, state }) => [version, state])).toEqual([
      [SECOND, 'active'],
      [FIRST, 'validated'],
    ]);
    expect(act.serving).toMatchObject({ active: SECOND, heuristic: SECOND });
  });

  it.each(['degraded_serving', 'model_recalled'] as const)('ends %s when the model passed', (degradation) => {
    const { serving: next } = applyTraining(serving({ degradation }), aModel(FIRST), null, at);

    expect(next).toMatchObject({ degradation: 'none', since: at });
  });

  it('uses the heuristic of a rejected model when no model is active', () => {
    const act = applyTraining(serving({ degradation: 'model_recalled' }), aModel(FIRST, false), null, at);

    expect(act.models).toEqual([aModel(FIRST, false)]);
    expect(act.serving).toEqual(serving({ heuristic: FIRST, degradation: 'model_recalled' }));
  });

  it('keeps the active model after a rejected one, but serves advice only', () => {
    const before = serving({ active: FIRST, heuristic: FIRST, degradation: 'degraded_serving' });

    const act = applyTraining(before, aModel(SECOND, false), active(FIRST), at);

    expect(act).toEqual({
      models: [aModel(SECOND, false)],
      serving: { ...before, heuristic: SECOND, candidate: null },
    });
    expect(servedModel(act.serving)).toBeNull();
  });

  it('serves a rejected model as advice when it predicts at least as well as the heuristic', () => {
    const criterion = { criterion: 'accuracy_over_heuristic', value: 0.1, at_least: 0, passed: true };
    const rejected = aModel(SECOND, false);
    const model = { ...rejected, gate: { ...rejected.gate, criteria: [criterion] } };

    const { serving: next } = applyTraining(
      serving({ active: FIRST, heuristic: FIRST }),
      model,
      active(FIRST),
      at,
    );

    expect(servedModel(next)).toEqual({ version: SECOND, advisory: true });
    const after = applyTraining(next, aModel(versionAt(3)), active(FIRST), at).serving;
    expect(servedModel(after)).toEqual({ version: versionAt(3), advisory: false });
  });
});

describe('applyRecall', () => {
  it('activates the newest validated model and sets model_recalled', () => {
    const before = serving({ active: versionAt(4), heuristic: versionAt(4) });
    const others = [
      aModel(versionAt(5), false),
      aModel(versionAt(3), true, { state: 'recalled' }),
      validated(SECOND),
      validated(FIRST),
    ];

    const act = applyRecall(before, active(versionAt(4)), others, by);

    expect(act.models).toEqual([
      {
        ...active(versionAt(4)),
        state: 'recalled',
        recalled_at: at,
        recalled_by: 'key_1',
        recall_reason: 'mislabelled',
      },
      { ...validated(SECOND), state: 'active' },
    ]);
    expect(act.serving).toEqual({
      active: SECOND,
      candidate: null,
      retried_to: null,
      heuristic: SECOND,
      degradation: 'model_recalled',
      since: at,
    });
  });

  it('keeps the heuristic when no other model is validated', () => {
    const act = applyRecall(serving({ active: FIRST, heuristic: FIRST }), active(FIRST), [], by);

    expect(act.serving).toMatchObject({ active: null, heuristic: FIRST, degradation: 'model_recalled' });
  });

  it('changes only the recalled model when it is not active', () => {
    const before = serving({ active: SECOND, heuristic: SECOND });

    const act = applyRecall(before, validated(FIRST), [active(SECOND)], by);

    expect(act.models).toMatchObject([{ version: FIRST, state: 'recalled' }]);
    expect(act.serving).toEqual(before);
  });
});

describe('nextServingState', () => {
  it('sets degraded_serving at once when the fallback is needed', () => {
    expect(nextServingState(serving({ active: FIRST, since: at }), true, NOON)).toEqual(
      serving({ active: FIRST, degradation: 'degraded_serving', since: at }),
    );
  });

  it.each([
    [STEADY - 1, null],
    [STEADY, 'none'],
  ])('after a fallback of %d ms returns %s', (lasted, state) => {
    const degraded = serving({ active: FIRST, degradation: 'degraded_serving', since: at });

    expect(nextServingState(degraded, false, NOON + lasted)?.degradation ?? null).toBe(state);
  });

  it.each([
    ['none', false],
    ['degraded_serving', true],
    ['model_recalled', true],
    ['model_recalled', false],
  ] as const)('returns null in state %s with fallback needed: %s', (degradation, isFallback) => {
    expect(nextServingState(serving({ degradation }), isFallback, NOON)).toBeNull();
  });
});

it('degradationChangeOf returns null when the state did not change', () => {
  expect(degradationChangeOf('none', 'none', 'model_validated', FIRST)).toBeNull();
  expect(degradationChangeOf('none', 'model_recalled', 'model_recalled', FIRST)).toEqual({
    previous: 'none',
    state: 'model_recalled',
    reason: 'model_recalled',
    model_version: FIRST,
  });
});

type Happening =
  | { readonly kind: 'train'; readonly passed: boolean }
  | { readonly kind: 'recall'; readonly pick: number }
  | { readonly kind: 'fallback'; readonly isNeeded: boolean };

const happenings: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({ kind: fc.constant('train' as const), passed: fc.boolean() }),
  fc.record({ kind: fc.constant('recall' as const), pick: fc.nat() }),
  fc.record({ kind: fc.constant('fallback' as const), isNeeded: fc.boolean() }),
);

/** A model of a tenant's registry, with the degradation changes in order. */
const registry = () => {
  const models = new Map<string, Model>();
  const raisedChanges: DegradationChange[] = [];
  let now = NOON;
  let current = UNTRAINED;

  const apply = (
    next: ServingState,
    changed: readonly Model[],
    reason: DegradationChange['reason'],
  ): void => {
    const change = degradationChangeOf(current.degradation, next.degradation, reason, next.active);
    if (change !== null) raisedChanges.push(change);
    for (const model of changed) models.set(model.version, model);
    current = next;
  };
  const newestFirst = () => [...models.values()].toReversed();

  return {
    models,
    raisedChanges,
    serving: () => current,
    run: (happening: Happening, wait: number): void => {
      now += wait;
      const instant = new Date(now).toISOString();
      if (happening.kind === 'train') {
        const model = aModel(versionAt(models.size), happening.passed);
        const act = applyTraining(current, model, models.get(current.active ?? '') ?? null, instant);
        apply(act.serving, act.models, 'model_validated');
      } else if (happening.kind === 'recall') {
        // The route refuses models that never served or are recalled already.
        const able = newestFirst().filter(({ state }) => state === 'active' || state === 'validated');
        const model = able[happening.pick % Math.max(1, able.length)];
        if (model === undefined) return;
        const others = newestFirst().filter(({ version }) => version !== model.version);
        const act = applyRecall(current, model, others, { ...by, at: instant });
        apply(act.serving, act.models, 'model_recalled');
      } else {
        const next = nextServingState(current, happening.isNeeded, now);
        if (next !== null) apply(next, [], happening.isNeeded ? 'model_unavailable' : 'model_available');
      }
    },
  };
};

it('keeps the invariants of serving for any sequence of trainings, recalls and fallbacks', () => {
  const histories = fc.array(fc.tuple(happenings, fc.constantFrom(0, 1_000, STEADY)), { maxLength: 40 });

  fc.assert(
    fc.property(histories, (history) => {
      const tenant = registry();
      for (const [happening, wait] of history) {
        const before = tenant.serving();
        const raisedBefore = tenant.raisedChanges.length;
        tenant.run(happening, wait);
        const now = tenant.serving();
        const models = [...tenant.models.values()];

        // The serving state names the only active model.
        expect(models.filter(({ state }) => state === 'active').map(({ version }) => version)).toEqual(
          now.active === null ? [] : [now.active],
        );
        // No validated model exists while no model is active.
        expect(now.active !== null || models.every(({ state }) => state !== 'validated')).toBe(true);
        // Each change of the degradation state raises one event.
        expect(
          tenant.raisedChanges.slice(raisedBefore).map(({ previous, state }) => [previous, state]),
        ).toEqual(before.degradation === now.degradation ? [] : [[before.degradation, now.degradation]]);
        if (before.degradation === now.degradation) expect(now.since).toBe(before.since);
        // Only a validated model ends a recall.
        const isValidated = happening.kind === 'train' && happening.passed;
        if (before.degradation === 'model_recalled') {
          expect(now.degradation).toBe(isValidated ? 'none' : 'model_recalled');
        }
        if (isValidated) expect(now.degradation).toBe('none');
        // After a recall the newest remaining model is active.
        if (happening.kind === 'recall' && before.active !== now.active) {
          const able = models.filter(({ state }) => state === 'active' || state === 'validated');
          expect(now.active).toBe(able.at(-1)?.version ?? null);
          expect(now.degradation).toBe('model_recalled');
        }
      }
    }),
  );
});
