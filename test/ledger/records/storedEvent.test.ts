import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type AttributionContext, attribute } from '../../../functions/attribution/engine/attribute.ts';
import { reattribute } from '../../../functions/attribution/engine/reprocessing/reattribute.ts';
import { compileMappings } from '../../../functions/attribution/mappings/mappingRules.ts';
import { loadFactors } from '../../../functions/impact/factors.ts';
import { contentHash } from '../../../functions/ingest/events/contentHash.ts';
import { fromLedgerItem, toLedgerItem } from '../../../functions/ledger/records/ledgerItem.ts';
import {
  StoredEvent,
  toInvocationEvent,
  toStoredEvent,
} from '../../../functions/ledger/records/storedEvent.ts';
import { AttributionRecord } from '../../../schemas/attribution/attributionRecord.ts';
import { INVOCATION_EVENT_FIELDS, InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { anEvent, anyEvent, aTenant } from '../../attribution/engine/events.ts';
import { anyTraceEvidence, inferFromInput } from '../../attribution/engine/inferenceStubs.ts';
import { aMapping, condition } from '../../attribution/mappings/mappings.ts';

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

const factors = await loadFactors();

const span = fc.record(
  { span_id: fc.constantFrom('s', 'null'), parent_span_id: fc.constantFrom('p', '__proto__') },
  { requiredKeys: [] },
);
/** Half of them have no evidence, so that stage B is called. */
const eventWithSpan = fc.tuple(anyEvent, span, fc.boolean()).map(([event, ids, isUnidentified]) => {
  const { attributed_identity, attributed_service, spiffe_id, k8s_workload, ...unidentified } = event;
  return InvocationEvent.parse({ ...(isUnidentified ? unidentified : event), ...ids });
});

it('reattributes any stored event to the same record, for any trace, mappings and stage B', () => {
  fc.assert(
    fc.property(eventWithSpan, anyTraceEvidence, fc.boolean(), (event, trace, isTraceOnly) => {
      const context: AttributionContext = isTraceOnly
        ? { trace }
        : { mappings, trace, infer: inferFromInput };
      const attribution = attribute(event, arrived, aTenant(), factors, context);

      const stored = fromLedgerItem(toLedgerItem(attribution), 'acme');

      const { trace: _trace, ...withoutTrace } = context;
      expect(reattribute(stored, aTenant(), factors, context, AT)).toBeNull();
      expect(reattribute(stored, aTenant(), factors, withoutTrace, AT)).toBeNull();
    }),
    { numRuns: 200 },
  );
});

it('gives stage B the same input at reattribution as at the first attribution', () => {
  const inputs: string[] = [];
  const infer = (event: object) => {
    const {
      ingestion_timestamp: _ingestedAt,
      occurred_at: _occurredAt,
      ...input
    } = { ...anEvent(), ...event };
    inputs.push(JSON.stringify(Object.entries(input).sort()));
    return { degradation: 'none', prediction: null } as const;
  };
  const attribution = attribute(anEvent(), arrived, aTenant(), factors, { infer });

  reattribute(fromLedgerItem(toLedgerItem(attribution), 'acme'), aTenant(), factors, { infer }, AT);

  expect(inputs).toHaveLength(2);
  expect(inputs[1]).toBe(inputs[0]);
});

it('restores the whole content of any event from its record and stored event', () => {
  fc.assert(
    fc.property(eventWithSpan, (event) => {
      const { record, storedEvent } = attribute(event, arrived, aTenant(), factors);

      const restored = toInvocationEvent(record, storedEvent);

      // The record contains defaults for members that the producer left out.
      const { served_model, pathway_category, status, tags } = record;
      const normalized = InvocationEvent.parse({ ...event, served_model, pathway_category, status, tags });
      expect(contentHash(restored)).toBe(contentHash(normalized));
    }),
  );
});

it('stores every event member in either the record or the stored event', () => {
  const inRecord = new Set(Object.keys(AttributionRecord.shape));
  const inStoredEvent = new Set(Object.keys(StoredEvent.shape));
  const twice = [...inStoredEvent].filter((name) => inRecord.has(name));

  // The record has the times of the dedup claim instead. A retrieval never makes a record.
  const unstored = new Set(['ingestion_timestamp', 'occurred_at', 'retrieval']);
  const lost = [...INVOCATION_EVENT_FIELDS].filter(
    (name) => !inRecord.has(name) && !inStoredEvent.has(name) && !unstored.has(name),
  );
  // A record shows other values under these names: the assessed impact, and the end user of the trace.
  const differs = ['energy_wh', 'carbon_gco2e', 'end_user'];
  expect({ twice: twice.filter((name) => !differs.includes(name)), lost }).toEqual({
    twice: [],
    lost: [],
  });
});

it('is empty when the record contains all members of the event', () => {
  expect(toStoredEvent(anEvent({ region: 'us-east-1', tags: ['blue'] }), {})).toEqual({});
});
