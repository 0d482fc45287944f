import { type AttributionContext, attribute } from '../functions/attribution/attribute.ts';
import { reattribute } from '../functions/attribution/reattribute.ts';
import { loadFactors } from '../functions/impact/factors.ts';
import { fromLedgerItem, toLedgerItem } from '../functions/ledger/ledgerItem.ts';
import { decodeArtefact } from '../functions/prediction/artefact.ts';
import { observationOf } from '../functions/prediction/observation.ts';
import { predictor } from '../functions/prediction/predictor.ts';
import type { Tenant } from '../functions/tenancy/tenant.ts';
import { patternMappings, usualMappings } from './benchMappings.ts';
import { type BenchModel, inferWith, LABELS } from './benchModel.ts';
import type { CallByCaller } from './callers.ts';
import { cpuMicrosOf, cpuSecondsOf } from './processCpu.ts';
import { median, percentile } from './statistics.ts';
import { goal, type Row, type Table, table } from './table.ts';

const TENANT: Tenant = {
  tenant_id: 'bench',
  name: 'Bench',
  tag: 'abcdefgh',
  plan: 'enterprise',
  limits: {},
  residency: [],
  key_lifetime_days: 365,
  stage_b: 'enabled',
  allocation: { method: 'proportional' },
  shards: [{ from: 0, count: 1 }],
  created_at: '2026-01-01T00:00:00.000Z',
};

/** Microseconds of CPU for an event, and of a prediction. */
const GOAL_EVENT_MICROS = 500;
const GOAL_PREDICTION_MICROS = 1_000;

const itemAt = <Item>(items: readonly Item[], index: number): Item => {
  const item = items[index % items.length];
  if (item === undefined) throw new RangeError('there are no calls');
  return item;
};

/** CPU of the pure engine for one event, warm, over calls that all differ. */
const engineTable = async ({ artefact, calls }: BenchModel, times: number): Promise<Table> => {
  const factors = await loadFactors();
  const infer = await inferWith(artefact, TENANT);
  const patterns = patternMappings();
  const attributed = ({ event, at }: CallByCaller, context: AttributionContext = {}) =>
    attribute(event, { occurredAt: at, receivedAt: at, residency: null }, TENANT, factors, context);
  const identified = calls.map(({ event, caller, at }): CallByCaller => {
    const { owner, service } = caller;
    return { event: { ...event, attributed_identity: owner, attributed_service: service }, caller, at };
  });
  const attributions = calls.map((call) => attributed(call));
  const items = attributions.map(toLedgerItem);
  const again = (index: number) =>
    reattribute(itemAt(attributions, index), TENANT, factors, { infer }, Date.now());
  if (calls.some((call) => attributed(call, { infer }).explanation.prediction === undefined)) {
    throw new Error('the model is not asked about every call');
  }

  const row = (step: string, work: (index: number) => unknown, most?: number): Row => {
    const micros = cpuMicrosOf(times, work);
    return { step, µs: micros, goal: most === undefined ? '' : goal(micros, most) };
  };
  const of = (all: readonly CallByCaller[], context?: AttributionContext) => (index: number) =>
    attributed(itemAt(all, index), context);
  return table(
    'CPU of the attribution engine for one event, warm',
    [
      row('rules, caller told', of(identified), GOAL_EVENT_MICROS),
      row('rules, only a key told', of(calls), GOAL_EVENT_MICROS),
      row('rules and 500 mappings', of(calls, { mappings: usualMappings() }), GOAL_EVENT_MICROS),
      row('rules and 500 patterns', of(calls, { mappings: patterns }), GOAL_EVENT_MICROS),
      row(`rules and a model of ${LABELS} labels`, of(calls, { infer }), GOAL_EVENT_MICROS),
      row('rules, 500 patterns and the model', of(calls, { mappings: patterns, infer }), GOAL_EVENT_MICROS),
      row('compress a record to its item', (index) => toLedgerItem(itemAt(attributions, index))),
      row('read an item', (index) => fromLedgerItem(itemAt(items, index), TENANT.tenant_id)),
      row('judge a record anew, by the model', again),
      row('a stored item judged anew and stored', (index) => {
        const current = fromLedgerItem(itemAt(items, index), TENANT.tenant_id);
        const next = reattribute(current, TENANT, factors, { infer }, Date.now());
        return next === null ? null : toLedgerItem(next);
      }),
    ],
    'The model is asked about every event that tells no more than its provider key. The usual mappings place most of them,',
    'the patterns none, though each is held against every event.',
  );
};

/** The model by itself: what it takes to make, to load and to ask. */
const modelTable = ({ artefact, calls, examples, trainingCpuSeconds }: BenchModel): Table => {
  const loaded = cpuSecondsOf(() => predictor(decodeArtefact(artefact)));
  const micros = calls.map(({ event, at }) => {
    const observation = observationOf(event, at);
    const began = performance.now();
    loaded.result.predict(observation);
    return (performance.now() - began) * 1_000;
  });
  const p99 = percentile(micros, 0.99);
  return table(`A model of ${LABELS} labels`, [
    { measure: 'prediction, p50', value: median(micros), unit: 'µs', goal: '' },
    { measure: 'prediction, p99', value: p99, unit: 'µs', goal: goal(p99, GOAL_PREDICTION_MICROS) },
    { measure: `training on ${examples} examples`, value: trainingCpuSeconds, unit: 's CPU', goal: '' },
    { measure: 'artefact', value: artefact.length, unit: 'bytes', goal: '' },
    { measure: 'loading it, cold', value: loaded.seconds * 1_000, unit: 'ms CPU', goal: '' },
  ]);
};

/** What judging one event takes of a processor, and what the model behind it does. */
export const benchAttributionEngine = async (model: BenchModel, times: number): Promise<Table[]> => [
  // The model first: its loading is to be cold.
  modelTable(model),
  await engineTable(model, times),
];
