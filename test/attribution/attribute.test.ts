import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { attribute } from '../../functions/attribution/attribute.ts';
import { type Factors, loadFactors } from '../../functions/impact/factors.ts';
import { AttributionRecord } from '../../schemas/attribution/attributionRecord.ts';
import { Explanation } from '../../schemas/attribution/explanation.ts';
import { InvocationEvent } from '../../schemas/ingestion/invocationEvent.ts';
import { anEvent, anyEvent, aTenant } from './events.ts';

const occurredAt = Date.parse('2026-07-15T12:00:00.250Z');
const instants = { occurredAt, receivedAt: occurredAt + 750, residency: null };
const anyInstants = fc
  .tuple(
    fc.integer({ min: Date.parse('2025-01-01'), max: Date.parse('2027-06-30') }),
    fc.nat({ max: 10 ** 10 }),
  )
  .map(([at, delay]) => ({ occurredAt: at, receivedAt: at + delay, residency: null }));

let factors: Factors;

beforeAll(async () => {
  factors = await loadFactors();
});

it('makes the same bytes of the same event and instants, whatever the order of its members', () => {
  fc.assert(
    fc.property(anyEvent, anyInstants, (event, at) => {
      const shuffled = InvocationEvent.parse(Object.fromEntries(Object.entries(event).reverse()));

      const [once, again] = [event, shuffled].map((sent) => attribute(sent, at, aTenant(), factors));

      expect(JSON.stringify(again)).toBe(JSON.stringify(once));
    }),
  );
});

it('follows the instants that won, not the ones a retry carries', () => {
  const retried = anEvent({
    ingestion_timestamp: '2026-07-16T08:00:00Z',
    occurred_at: '2026-07-16T08:00:00Z',
  });

  const [first, retry] = [anEvent(), retried].map((event) => attribute(event, instants, aTenant(), factors));

  expect(JSON.stringify(retry)).toBe(JSON.stringify(first));
});

it('makes records and explanations that conform to the contract, of any event', () => {
  fc.assert(
    fc.property(anyEvent, anyInstants, (event, at) => {
      const { record, explanation } = attribute(event, at, aTenant(), factors);

      expect(AttributionRecord.strict().parse(record)).toEqual(record);
      expect(Explanation.strict().parse(explanation)).toEqual(explanation);
    }),
  );
});

it('gives each quantity a value or a reason, never both and never neither', () => {
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

describe('what is unknown', () => {
  it('stays null with its reason where no price is known', () => {
    const event = anEvent({ provider: 'nobody', requested_model: 'nothing', attributed_identity: 'team' });

    const { record, explanation } = attribute(event, instants, aTenant(), factors);

    expect(record.cost_usd).toBeNull();
    expect(explanation.cost).toBeNull();
    expect(record.interpretation).toMatchObject({
      export_eligibility: 'unpriced',
      unknown: { cost: 'price_not_found' },
    });
  });

  it('stays null where the event brings no usage, and differs from a stated zero', () => {
    const { input_tokens: _in, output_tokens: _out, ...silent } = anEvent();

    const [unknown, free] = [silent, { ...silent, estimated_cost_usd: '0' }].map(
      (event) => attribute(event, instants, aTenant(), factors).record,
    );

    expect(unknown).toMatchObject({ cost_usd: null, input_tokens: null, output_tokens: null });
    expect(free?.cost_usd).toBe('0');
  });

  it('leaves owner and service null where no rule speaks', () => {
    const { record } = attribute(anEvent(), instants, aTenant(), factors);

    expect(record).toMatchObject({ owner: null, service: null, output_state: 'unresolved', coper: 0 });
    expect(record.interpretation).toMatchObject({
      evidence_basis: 'none',
      export_eligibility: 'below_floor',
    });
  });
});

describe('the record', () => {
  it('prices the model that answered, and says so', () => {
    const event = anEvent({ requested_model: 'gpt-4o-mini', served_model: 'gpt-4o' });

    const { record } = attribute(event, instants, aTenant(), factors);

    // 1,000 × $2.50 and 200 × $10 a million.
    expect(record).toMatchObject({
      requested_model: 'gpt-4o-mini',
      served_model: 'gpt-4o',
      cost_usd: '0.0045',
    });
  });

  it('tells when the call was made, when the record came to be and from when it holds', () => {
    const { record } = attribute(anEvent(), instants, aTenant(), factors);

    expect(record).toMatchObject({
      occurred_at: '2026-07-15T12:00:00.250Z',
      created_at: '2026-07-15T12:00:01.000Z',
      as_of: '2026-07-15T12:00:01.000Z',
      version: 1,
    });
  });

  it('belongs to the tenant it was attributed for, in its ids and its lane', () => {
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
  ])('takes the pathway of the layer %s for %s unless the event states one', (ingestion_layer, pathway) => {
    const events = [
      anEvent({ ingestion_layer }),
      anEvent({ ingestion_layer, pathway_category: 'batch_pipeline' }),
    ];

    const records = events.map((event) => attribute(event, instants, aTenant(), factors).record);

    expect(records.map(({ pathway_category }) => pathway_category)).toEqual([pathway, 'batch_pipeline']);
  });
});
