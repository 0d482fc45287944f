import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attribute } from '../../../functions/attribution/engine/attribute.ts';
import { loadFactors } from '../../../functions/impact/factors.ts';
import { AttributionRecord } from '../../../schemas/attribution/attributionRecord.ts';
import { Explanation } from '../../../schemas/attribution/explanation.ts';
import { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { anEvent, anyEvent, aTenant } from './events.ts';

const occurredAt = Date.parse('2026-07-15T12:00:00.250Z');
const instants = { occurredAt, receivedAt: occurredAt + 750, residency: null };
const anyInstants = fc
  .tuple(
    fc.integer({ min: Date.parse('2025-01-01'), max: Date.parse('2027-06-30') }),
    fc.nat({ max: 10 ** 10 }),
  )
  .map(([at, delay]) => ({ occurredAt: at, receivedAt: at + delay, residency: null }));

const factors = await loadFactors();

it('returns the same bytes for the same event and times, regardless of member order', () => {
  fc.assert(
    fc.property(anyEvent, anyInstants, (event, at) => {
      const shuffled = InvocationEvent.parse(Object.fromEntries(Object.entries(event).reverse()));

      const [once, again] = [event, shuffled].map((sent) => attribute(sent, at, aTenant(), factors));

      expect(JSON.stringify(again)).toBe(JSON.stringify(once));
    }),
  );
});

it('uses the times of the dedup claim, not those of a retry', () => {
  const retried = anEvent({
    ingestion_timestamp: '2026-07-16T08:00:00Z',
    occurred_at: '2026-07-16T08:00:00Z',
  });

  const [first, retry] = [anEvent(), retried].map((event) => attribute(event, instants, aTenant(), factors));

  expect(JSON.stringify(retry)).toBe(JSON.stringify(first));
});

it('returns a record and explanation that match their schemas for any event', () => {
  fc.assert(
    fc.property(anyEvent, anyInstants, (event, at) => {
      const { record, explanation } = attribute(event, at, aTenant(), factors);

      expect(AttributionRecord.strict().parse(record)).toEqual(record);
      expect(Explanation.strict().parse(explanation)).toEqual(explanation);
    }),
  );
});

it('gives each quantity either a value or a reason why it is unknown', () => {
  fc.assert(
    fc.property(anyEvent, anyInstants, (event, at) => {
      const { record } = attribute(event, at, aTenant(), factors);
      const { unknown = {} } = record.interpretation;

      expect(record.cost_usd === null).toBe(unknown.cost !== undefined);
      expect(record.energy_wh === null).toBe(unknown.energy !== undefined);
      expect(record.carbon_gco2e === null).toBe(unknown.carbon !== undefined);
    }),
  );
});

describe('unknown quantities and names', () => {
  it('has a null cost with a reason when no price is known', () => {
    const event = anEvent({ provider: 'nobody', requested_model: 'nothing', attributed_identity: 'team' });

    const { record, explanation } = attribute(event, instants, aTenant(), factors);

    expect(record.cost_usd).toBeNull();
    expect(explanation.cost).toBeNull();
    expect(record.interpretation).toMatchObject({
      export_eligibility: 'unpriced',
      unknown: { cost: 'price_not_found' },
    });
  });

  it('has a null cost when the event has no usage, and 0 when the producer states 0', () => {
    const { input_tokens: _in, output_tokens: _out, ...withoutUsage } = anEvent();

    const [unknown, free] = [withoutUsage, { ...withoutUsage, estimated_cost_usd: '0' }].map(
      (event) => attribute(event, instants, aTenant(), factors).record,
    );

    expect(unknown).toMatchObject({ cost_usd: null, input_tokens: null, output_tokens: null });
    expect(free?.cost_usd).toBe('0');
  });

  it('leaves owner and service null when no rule matches', () => {
    const { record } = attribute(anEvent(), instants, aTenant(), factors);

    expect(record).toMatchObject({ owner: null, service: null, output_state: 'unresolved', coper: 0 });
    expect(record.interpretation).toMatchObject({
      evidence_basis: 'none',
      export_eligibility: 'below_floor',
    });
  });
});

describe('the record', () => {
  it('prices the served model, not the requested one', () => {
    const event = anEvent({ requested_model: 'gpt-4o-mini', served_model: 'gpt-4o' });

    const { record } = attribute(event, instants, aTenant(), factors);

    // 1,000 × $2.50 and 200 × $10 a million.
    expect(record).toMatchObject({
      requested_model: 'gpt-4o-mini',
      served_model: 'gpt-4o',
      cost_usd: '0.0045',
    });
  });

  it('has the time of the call, of its creation and of its validity', () => {
    const { record } = attribute(anEvent(), instants, aTenant(), factors);

    expect(record).toMatchObject({
      occurred_at: '2026-07-15T12:00:00.250Z',
      created_at: '2026-07-15T12:00:01.000Z',
      as_of: '2026-07-15T12:00:01.000Z',
      version: 1,
    });
  });

  it('has the id tag of its tenant and the lane of its event', () => {
    const tenant = aTenant({ tenant_id: 'globex', tag: 'zyxwvuts' });

    const [own, other] = [tenant, aTenant()].map(
      (one) => attribute(anEvent(), { ...instants, residency: 'eu' }, one, factors).record,
    );

    expect(own).toMatchObject({ tenant_id: 'globex', residency: 'eu' });
    expect(own?.id).toMatch(/^att_zyxwvuts/);
    expect(own?.invocation_id).toMatch(/^inv_zyxwvuts/);
    expect(own?.id.slice(12)).not.toBe(other?.id.slice(12));
  });

  it.each([
    ['application', 'application_direct'],
    ['gateway', 'gateway_mediated'],
    ['proxy', 'proxy_observed'],
    ['agent', 'agent_workflow'],
    ['batch', 'batch_pipeline'],
    ['saas', 'embedded_saas'],
    ['sidecar', 'unknown'],
    ['constructor', 'unknown'],
  ])('maps the layer %s to the pathway %s unless the event states a pathway', (ingestion_layer, pathway) => {
    const events = [
      anEvent({ ingestion_layer }),
      anEvent({ ingestion_layer, pathway_category: 'batch_pipeline' }),
    ];

    const records = events.map((event) => attribute(event, instants, aTenant(), factors).record);

    expect(records.map(({ pathway_category }) => pathway_category)).toEqual([pathway, 'batch_pipeline']);
  });
});
