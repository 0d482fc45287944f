import { expect, it } from 'vitest';
import { noInference } from '../../../functions/attribution/engine/inference.ts';
import { callRecognizer } from '../../../functions/attribution/engine/sameCall/recognizeCall.ts';
import { noMappings } from '../../../functions/attribution/mappings/mappingRules.ts';
import type { ObservedUse, ObserverKind } from '../../../functions/ledger/records/sameCall/observedUse.ts';
import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { anEvent, aTenant, noFactors } from './events.ts';

const NOW = Date.parse('2026-11-01T12:00:00.000Z');

/** What an observer reports, one call each minute. */
type Observer = Partial<InvocationEvent>;
const span = (source_system: string, more: Observer = {}): Observer => ({
  ingestion_layer: 'otlp',
  source_system,
  id_basis: 'observation',
  ...more,
});
const uncounted = { input_tokens: undefined, output_tokens: undefined };
const traced = { trace_id: 't'.repeat(32) };
const gateway: Observer = {
  ingestion_layer: 'gateway',
  source_system: 'litellm',
  id_basis: 'response.chatcmpl',
};

const nothing = async (): Promise<void> => undefined;

/** Rows that are written and read when each observer has reported, and then reports one more call. */
const costOf = async (observers: readonly Observer[]) => {
  const kinds = new Map<string, ObserverKind>();
  const rows: ObservedUse[] = [];
  let reads = 0;
  let time = NOW;
  const recognize = callRecognizer(
    {
      observed: {
        noteKind: async (_, kind) => {
          const key = JSON.stringify([kind.kind, kind.isWeak, kind.isTraced, kind.isUncounted]);
          if (!kinds.has(key)) kinds.set(key, kind);
        },
        kinds: async () => [...kinds.values()],
        put: async (_tenant, _usage, use) => {
          rows.push(use);
        },
        uses: async () => {
          reads += 1;
          return [];
        },
      },
      recordsAround: async () => [],
      count: () => undefined,
      clock: () => time,
    },
    { join: nothing, joinUncounted: nothing, separate: nothing },
  );
  const context = { factors: noFactors, mappings: noMappings, infer: noInference };
  const report = async (): Promise<void> => {
    for (const [index, observer] of observers.entries()) {
      time += 60_000;
      const event = anEvent({
        occurred_at: new Date(time).toISOString(),
        input_tokens: 100 + index,
        ...observer,
      });
      await recognize({ event, ulid: `01J${index}`, lane: null, tenant: aTenant(), context });
    }
  };
  await report();
  rows.length = 0;
  reads = 0;
  time += 3_600_000;
  await report();
  return { rows: rows.length, reads };
};

it.each<[string, readonly Observer[], number]>([
  ['one SDK', [span('sdk', traced)], 0],
  [
    'several coding agents, whose log events are in no trace',
    ['claude', 'codex', 'gemini'].map((one) => span(one)),
    0,
  ],
  ['spans of an SDK and log events of an agent', [span('sdk', traced), span('codex')], 0],
  ['two gateways that know the ids of responses', [gateway, { ...gateway, source_system: 'apim' }], 0],
  ['two instrumentations whose spans share traces', [span('sdk', traced), span('framework', traced)], 2],
  [
    'calls without counts of one SDK only',
    [span('sdk', traced), span('sdk', { ...traced, ...uncounted })],
    0,
  ],
  [
    'calls without counts, and those of a framework, by trace only',
    [
      span('sdk', { ...traced, ...uncounted }),
      span('framework', { ...traced, id_basis: 'response.chatcmpl' }),
    ],
    2,
  ],
  ['calls without counts in no trace', [span('sdk', uncounted), span('framework')], 0],
  ['an agent and its gateway', [span('codex'), gateway], 2],
  [
    'an agent and its own session files',
    [span('codex'), span('codex', { ingestion_layer: 'session_file' })],
    2,
  ],
  ['a gateway and an SDK under one scope', [span('ai', { attributed_service: 'ai-gateway' }), span('ai')], 2],
  [
    'an SDK that knows the ids of responses, and an agent',
    [span('sdk', { id_basis: 'response.chatcmpl' }), span('codex')],
    0,
  ],
])(
  'a row is written and read only for calls that another kind of observer can see: %s',
  async (_, observers, calls) => {
    expect(await costOf(observers)).toEqual({ rows: calls, reads: calls });
  },
);
