import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimal, toDecimalString } from '../../../functions/platform/shared/decimal.ts';
import { type AnswerState, AttributionRecord } from '../../../schemas/attribution/attributionRecord.ts';
import { formatCarbon, formatEnergy, formatMoney } from '../../../tools/sample/formatFigures.ts';
import { renderSummary } from '../../../tools/sample/render.ts';
import { summarise } from '../../../tools/sample/summary.ts';

const unassigned = {
  state: 'unassigned',
  confidence: 0,
  probability: null,
  evidence_basis: 'none',
  chargeback: 'unassigned',
  candidates: [],
};

interface RecordFields {
  service?: string | null;
  owner?: string | null;
  cost_usd?: string | null;
  energy_wh?: string | null;
  carbon_gco2e?: string | null;
  state?: AnswerState;
  occurred_at?: string;
}

const record = ({ state = 'confirmed', ...given }: RecordFields): AttributionRecord =>
  AttributionRecord.parse({
    id: 'att_x',
    tenant_id: 'a',
    invocation_id: 'inv_x',
    event_id: 'x',
    version: 1,
    occurred_at: '2026-06-14T10:00:00.000Z',
    created_at: '2026-06-14T10:00:00.000Z',
    as_of: '2026-06-14T10:00:00.000Z',
    provider: 'openai',
    requested_model: 'gpt-5',
    served_model: 'gpt-5',
    service: 'search',
    owner: 'team',
    end_user: null,
    cost_usd: '1',
    energy_wh: '1',
    carbon_gco2e: '1',
    input_tokens: 1,
    cached_input_tokens: null,
    cache_write_tokens: null,
    output_tokens: 1,
    reasoning_tokens: null,
    latency_ms: null,
    trace_id: null,
    ingestion_layer: 'gateway',
    region: null,
    residency: null,
    pathway_category: 'unknown',
    status: 'ok',
    tags: [],
    output_state: 'unresolved',
    coper: 0.9,
    interpretation: {
      stage_origin: 'stage_a',
      confidence: 0.9,
      confidence_band: 'chargeback_ready',
      evidence_basis: 'none',
      model_version: 'test',
      degradation_state: 'none',
      freshness: 'fresh',
      export_eligibility: 'eligible',
      answers: { owner: { ...unassigned, state }, service: unassigned },
    },
    ...given,
  });

const amount = fc.bigInt({ min: 0n, max: 10n ** 15n }).map((units) => {
  const digits = units.toString().padStart(13, '0');
  return `${digits.slice(0, -12)}.${digits.slice(-12)}`;
});
const known = fc.option(amount, { nil: null });
const records = fc.array(
  fc
    .record({
      service: fc.constantFrom(null, ...'abcdefghijklm'),
      owner: fc.constantFrom(null, 'x', 'y'),
      cost_usd: known,
      energy_wh: known,
      carbon_gco2e: known,
    })
    .map(record),
  { maxLength: 40 },
);

describe('summarise', () => {
  it('sums decimals exactly', () => {
    const { totals } = summarise(['0.1', '0.2', '0.000000000001'].map((cost_usd) => record({ cost_usd })));

    expect(totals.cost_usd).toEqual({ known: '0.300000000001', unknown: 0 });
  });

  it('keeps unknown, zero and known amounts apart', () => {
    const { services } = summarise([
      record({ service: 'nothing known', cost_usd: null }),
      record({ service: 'free', cost_usd: '0' }),
      record({ service: 'partly known', cost_usd: '2' }),
      record({ service: 'partly known', cost_usd: null }),
    ]);

    expect(services.top.map(({ name, cost_usd }) => [name, cost_usd.known, cost_usd.unknown])).toEqual([
      ['partly known', '2', 1],
      ['free', '0', 0],
      ['nothing known', null, 1],
    ]);
  });

  it('returns groups by service, owner and state that add up to the totals', () => {
    fc.assert(
      fc.property(records, (given) => {
        const { totals, services, owners, states } = summarise(given);

        for (const { top, rest } of [services, owners]) {
          const parts = [...top, ...(rest === null ? [] : [rest.totals])];
          for (const quantity of ['cost_usd', 'energy_wh', 'carbon_gco2e'] as const) {
            const sum = parts.reduce(
              (subtotal, part) => subtotal.plus(part[quantity].known ?? '0'),
              decimal('0'),
            );
            expect(toDecimalString(sum)).toBe(totals[quantity].known ?? '0');
            const unknown = parts.reduce((subtotal, part) => subtotal + part[quantity].unknown, 0);
            expect(unknown).toBe(totals[quantity].unknown);
          }
          expect(parts.reduce((subtotal, part) => subtotal + part.records, 0)).toBe(given.length);
        }
        for (const shares of [states.owner, states.service]) {
          expect(shares.reduce((subtotal, { records: count }) => subtotal + count, 0)).toBe(given.length);
        }
      }),
    );
  });

  it('ranks services by cost and merges the cheapest into a rest group', () => {
    const given = Array.from({ length: 12 }, (_, index) =>
      record({ service: `s${index}`, cost_usd: String(index) }),
    );

    const { services } = summarise(given);

    expect(services.top.map(({ name }) => name)).toEqual(['s11', 's10', 's9', 's8', 's7', 's6', 's5', 's4']);
    expect(services.rest).toMatchObject({ groups: 4, totals: { cost_usd: { known: '6' } } });
  });

  it('shows a single remaining service by name', () => {
    const given = Array.from({ length: 9 }, (_, index) => record({ service: `s${index}` }));

    expect(summarise(given).services).toMatchObject({ top: { length: 9 }, rest: null });
  });

  it('keeps a service named "(no service named)" apart from calls without a service', () => {
    const { services } = summarise([record({ service: null }), record({ service: '(no service named)' })]);

    expect(services.top).toHaveLength(2);
  });

  it('returns the share of each state of the owners', () => {
    const given = [...Array.from({ length: 3 }, () => record({})), record({ state: 'provisional' })];

    expect(summarise(given).states.owner).toEqual([
      { state: 'confirmed', records: 3, share: 0.75 },
      { state: 'provisional', records: 1, share: 0.25 },
      { state: 'allocated', records: 0, share: 0 },
      { state: 'unassigned', records: 0, share: 0 },
    ]);
  });
});

describe('renderSummary', () => {
  it('fits into 100 columns for any names and figures', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc
            .record({
              service: fc.option(fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 256 })),
              cost_usd: known,
              energy_wh: known,
            })
            .map(record),
          { maxLength: 15 },
        ),
        (given) => {
          const widths = renderSummary(summarise(given))
            .split('\n')
            .map((line) => line.length);

          expect(Math.max(...widths)).toBeLessThanOrEqual(100);
        },
      ),
    );
  });

  it('prints unknown amounts as unknown and never as 0', () => {
    const text = renderSummary(
      summarise([
        record({ service: 'in-house', cost_usd: null, energy_wh: null, carbon_gco2e: null }),
        record({ service: 'search', cost_usd: '1.5' }),
      ]),
    );

    expect(text).toMatch(/in-house +1 +unknown +unknown +unknown +1\n/);
    expect(text).toMatch(/search +1 +1\.5000 +1\.0 Wh +1\.0 g\n/);
    expect(text).toContain('cost of 1 · energy of 1 · carbon of 1 calls');
  });

  it('aligns its columns', () => {
    const lines = renderSummary(
      summarise([record({ service: 'a', cost_usd: '1234.5' }), record({ service: 'b', cost_usd: null })]),
    ).split('\n');
    const ends = lines
      .map((line) => /(?:1,234\.5000|unknown|Cost USD)/.exec(line))
      .filter((match) => match !== null)
      .map((match) => match.index + match[0].length);

    expect(ends.length).toBeGreaterThan(4);
    expect(new Set(ends.slice(0, -1)).size).toBe(1);
  });

  it('prints "No calls." when there are no records', () => {
    expect(renderSummary(summarise([]))).toBe('  No calls.\n');
  });
});

describe('formatFigures', () => {
  const total = (value: string | null) => ({ known: value, unknown: 0 });

  it.each([
    ['0', '0 Wh'],
    ['0.00123456', '0.0012 Wh'],
    ['0.995', '1.0 Wh'],
    ['9.96', '10 Wh'],
    ['123.4', '120 Wh'],
    ['994.9', '990 Wh'],
    ['999.6', '1.0 kWh'],
    ['12345.6', '12 kWh'],
    ['1234567890', '1,200,000 kWh'],
    [null, 'unknown'],
  ])('formats %s Wh as "%s"', (value, text) => {
    expect(formatEnergy(total(value))).toBe(text);
  });

  it('formats carbon in grams and kilograms', () => {
    expect([formatCarbon(total('410.2')), formatCarbon(total('1049'))]).toEqual(['410 g', '1.0 kg']);
  });

  it.each([
    ['0', '0.0000'],
    ['0.00000001', '<0.0001'],
    ['0.00015', '0.0002'],
    ['1234567.1', '1,234,567.1000'],
    [null, 'unknown'],
  ])('formats %s USD as "%s"', (value, text) => {
    expect(formatMoney(total(value))).toBe(text);
  });
});
