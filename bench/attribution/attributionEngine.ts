import { type AttributionContext, attribute } from '../../functions/attribution/engine/attribute.ts';
import { reattribute } from '../../functions/attribution/engine/reprocessing/reattribute.ts';
import { decodeArtefact } from '../../functions/attribution/training/prediction/artefact.ts';
import { observationOf } from '../../functions/attribution/training/prediction/observation.ts';
import { predictor } from '../../functions/attribution/training/prediction/predictor.ts';
import { loadFactors } from '../../functions/impact/factors.ts';
import { fromLedgerItem, toLedgerItem } from '../../functions/ledger/records/ledgerItem.ts';
import type { Tenant } from '../../functions/platform/tenancy/tenant.ts';
import { cpuMicrosOf, cpuSecondsOf } from '../support/processCpu.ts';
import { median, percentile } from '../support/statistics.ts';
import { goal, type Row, type Table, table } from '../support/table.ts';
import { patternMappings, typicalMappings } from './benchMappings.ts';
import { type BenchModel, inferWith, LABELS } from './benchModel.ts';
import type { CallByCaller } from './callers.ts';

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
  cost_allocation_tags: [],
  created_at: '2026-01-01T00:00:00.000Z',
};

const GOAL_EVENT_CPU_MICROS = 500;
const GOAL_PREDICTION_MICROS = 1_000;

const itemAt = <Item>(items: readonly Item[], index: number): Item => {
  const item = items[index % items.length];
  if (item === undefined) throw new RangeError('no calls were generated');
  return item;
};

/** CPU time of the pure engine per event. The engine is warm and every call differs. */
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
  const reattributeAt = (index: number) =>
    reattribute(itemAt(attributions, index), TENANT, factors, { infer }, Date.now());
  if (calls.some((call) => attributed(call, { infer }).explanation.prediction === undefined)) {
    throw new Error('at least one call was attributed without a model prediction');
  }

  const row = (step: string, work: (index: number) => unknown, limit?: number): Row => {
    const micros = cpuMicrosOf(times, work);
    return { step, µs: micros, goal: limit === undefined ? '' : goal(micros, limit) };
  };
  const attributeFrom = (all: readonly CallByCaller[], context?: AttributionContext) => (index: number) =>
    attributed(itemAt(all, index), context);
  return table(
    'Attribution engine: CPU time per event, warm',
    [
      row('rules, identity in the event', attributeFrom(identified), GOAL_EVENT_CPU_MICROS),
      row('rules, provider key only', attributeFrom(calls), GOAL_EVENT_CPU_MICROS),
      row(
        'rules and 500 mappings',
        attributeFrom(calls, { mappings: typicalMappings() }),
        GOAL_EVENT_CPU_MICROS,
      ),
      row('rules and 500 patterns', attributeFrom(calls, { mappings: patterns }), GOAL_EVENT_CPU_MICROS),
      row(`rules and a model of ${LABELS} labels`, attributeFrom(calls, { infer }), GOAL_EVENT_CPU_MICROS),
      row(
        'rules, 500 patterns and the model',
        attributeFrom(calls, { mappings: patterns, infer }),
        GOAL_EVENT_CPU_MICROS,
      ),
      row('compress a record to a ledger item', (index) => toLedgerItem(itemAt(attributions, index))),
      row('decompress a ledger item', (index) => fromLedgerItem(itemAt(items, index), TENANT.tenant_id)),
      row('reattribute a record with the model', reattributeAt),
      row('read, reattribute and write a ledger item', (index) => {
        const current = fromLedgerItem(itemAt(items, index), TENANT.tenant_id);
        const next = reattribute(current, TENANT, factors, { infer }, Date.now());
        return next === null ? null : toLedgerItem(next);
      }),
    ],
    'The model runs for every event that has only its provider key. The typical mappings match most of these events.',
    'The patterns match none, but the engine tests each pattern against every event.',
  );
};

/** Cost of the model alone: training, artefact size, loading and prediction. */
const modelTable = ({ artefact, calls, examples, trainingCpuSeconds }: BenchModel): Table => {
  const loaded = cpuSecondsOf(() => predictor(decodeArtefact(artefact)));
  const micros = calls.map(({ event, at }) => {
    const observation = observationOf(event, at);
    const startedAt = performance.now();
    loaded.result.predict(observation);
    return (performance.now() - startedAt) * 1_000;
  });
  const p99 = percentile(micros, 0.99);
  return table(`A model of ${LABELS} labels`, [
    { measure: 'prediction, p50', value: median(micros), unit: 'µs', goal: '' },
    { measure: 'prediction, p99', value: p99, unit: 'µs', goal: goal(p99, GOAL_PREDICTION_MICROS) },
    { measure: `training on ${examples} examples`, value: trainingCpuSeconds, unit: 's CPU', goal: '' },
    { measure: 'artefact', value: artefact.length, unit: 'bytes', goal: '' },
    { measure: 'cold load', value: loaded.seconds * 1_000, unit: 'ms CPU', goal: '' },
  ]);
};

/** CPU time of attributing one event, and of the model it uses. */
export const benchAttributionEngine = async (model: BenchModel, times: number): Promise<Table[]> => [
  // The model table runs first so that loading the artefact is measured cold.
  modelTable(model),
  await engineTable(model, times),
];
