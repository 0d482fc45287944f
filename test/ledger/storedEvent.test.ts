import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { type AttributionContext, attribute } from '../../functions/attribution/attribute.ts';
import { compileMappings } from '../../functions/attribution/mappings/mappingRules.ts';
import { reattribute } from '../../functions/attribution/reattribute.ts';
import { type Factors, loadFactors } from '../../functions/impact/factors.ts';
import { contentHash } from '../../functions/ingestion/event.ts';
import { fromLedgerItem, toLedgerItem } from '../../functions/ledger/ledgerItem.ts';
import { StoredEvent, toInvocationEvent, toStoredEvent } from '../../functions/ledger/storedEvent.ts';
import { AttributionRecord } from '../../schemas/attribution/attributionRecord.ts';
import { INVOCATION_EVENT_FIELDS, InvocationEvent } from '../../schemas/ingestion/invocationEvent.ts';
import { anEvent, anyEvent, aTenant } from '../attribution/events.ts';
import { anyTraceEvidence, inferFromInput } from '../attribution/inferenceStubs.ts';
import { aMapping, condition } from '../identity/mappings.ts';

const arrived = {
  occurredAt: Date.parse('2026-07-15T12:00:00Z'),
  receivedAt: Date.parse('2026-07-15T12:00:01Z'),
  residency: null,
};
const AT = Date.parse('2026-07-20T08:00:00Z');
const mappings = compileMappings([
  aMapping(1, { conditions: [condition('identity', 'c', 'prefix')] }),
  aMapping(2, { conditions: [condition('tag', '*', 'glob')], service: 'tagged' }),
]);

let factors: Factors;

beforeAll(async () => {
  factors = await loadFactors();
});

const span = fc.record(
  { span_id: fc.constantFrom('s', 'null'), parent_span_id: fc.constantFrom('p', '__proto__') },
  { requiredKeys: [] },
);
/** Half of them name nobody, so that stage B is asked. */
const spanned = fc.tuple(anyEvent, span, fc.boolean()).map(([event, ids, isSilent]) => {
  const { attributed_identity, attributed_service, spiffe_id, k8s_workload, ...silent } = event;
  return InvocationEvent.parse({ ...(isSilent ? silent : event), ...ids });
});

it('makes the same record of what was kept of any event, whatever its trace, mappings and model say', () => {
  fc.assert(
    fc.property(spanned, anyTraceEvidence, fc.boolean(), (event, trace, isBare) => {
      const context: AttributionContext = isBare ? { trace } : { mappings, trace, infer: inferFromInput };
      const attribution = attribute(event, arrived, aTenant(), factors, context);

      const stored = fromLedgerItem(toLedgerItem(attribution), 'acme');

      const { trace: _told, ...untold } = context;
      expect(reattribute(stored, aTenant(), factors, context, AT)).toBeNull();
      expect(reattribute(stored, aTenant(), factors, untold, AT)).toBeNull();
    }),
    { numRuns: 200 },
  );
});

it('shows stage B the same call at first and ever after', () => {
  const seen: string[] = [];
  const infer = (event: object) => {
    const { ingestion_timestamp: _seen, occurred_at: _said, ...told } = { ...anEvent(), ...event };
    seen.push(JSON.stringify(Object.entries(told).sort()));
    return { degradation: 'none', prediction: null } as const;
  };
  const attribution = attribute(anEvent(), arrived, aTenant(), factors, { infer });

  reattribute(fromLedgerItem(toLedgerItem(attribution), 'acme'), aTenant(), factors, { infer }, AT);

  expect(seen).toHaveLength(2);
  expect(seen[1]).toBe(seen[0]);
});

it('keeps of any event all its content, apart from what the record tells by itself', () => {
  fc.assert(
    fc.property(spanned, (event) => {
      const { record, storedEvent } = attribute(event, arrived, aTenant(), factors);

      const back = toInvocationEvent(record, storedEvent);

      // What a producer leaves out is told as what it means.
      const { served_model, pathway_category, status, tags } = record;
      const told = InvocationEvent.parse({ ...event, served_model, pathway_category, status, tags });
      expect(contentHash(back)).toBe(contentHash(told));
    }),
  );
});

it('keeps each member in one place only, and every member in one', () => {
  const inRecord = new Set(Object.keys(AttributionRecord.shape));
  const inKept = new Set(Object.keys(StoredEvent.shape));
  const twice = [...inKept].filter((name) => inRecord.has(name));

  // Its times are those that won, and are the record's.
  const times = new Set(['ingestion_timestamp', 'occurred_at']);
  const lost = [...INVOCATION_EVENT_FIELDS].filter(
    (name) => !inRecord.has(name) && !inKept.has(name) && !times.has(name),
  );
  expect({ twice: twice.filter((name) => !['energy_wh', 'carbon_gco2e'].includes(name)), lost }).toEqual({
    twice: [],
    lost: [],
  });
});

it('keeps nothing beside the record of an event that says no more', () => {
  expect(toStoredEvent(anEvent({ region: 'us-east-1', tags: ['blue'] }), null)).toEqual({});
});
