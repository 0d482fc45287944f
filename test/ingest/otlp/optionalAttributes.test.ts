import { describe, expect, it } from 'vitest';
import { checkEvent } from '../../../functions/ingest/events/checkEvent.ts';
import { decodeTraces } from '../../../functions/ingest/otlp/decodeExport.ts';
import { names } from '../../../functions/ingest/spans/attributeNames.ts';
import { expectNoFaults } from '../../support/faults.ts';
import { END, SPAN, START, TRACE } from './messages.ts';

const NOW = Date.parse('2026-11-01T12:00:10.000Z');

/** Attributes that say what a span is. */
const { operation, spanKind, requestType, aiOperation, ...others } = names;

const CALL = {
  'gen_ai.operation.name': { stringValue: 'chat' },
  'gen_ai.provider.name': { stringValue: 'openai' },
  'gen_ai.request.model': { stringValue: 'gpt-4o' },
  'gen_ai.usage.input_tokens': { intValue: '120' },
  'gen_ai.usage.output_tokens': { intValue: '30' },
};

const BAD_VALUES: readonly unknown[] = [
  ...[
    null,
    {},
    { stringValue: null },
    { stringValue: '' },
    { stringValue: 'ann\n' },
    { stringValue: '\ud83d' },
  ],
  ...[
    { stringValue: 'a'.repeat(10_000) },
    { stringValue: `${'a'.repeat(255)}\ud83d\ude00` },
    { intValue: '-1' },
  ],
  ...[
    { intValue: '9223372036854775807' },
    { doubleValue: 'NaN' },
    { doubleValue: 1e300 },
    { boolValue: true },
  ],
  ...[
    { arrayValue: {} },
    { arrayValue: { values: [{ stringValue: 'a\tb' }, { stringValue: 'x'.repeat(300) }] } },
  ],
  ...[{ kvlistValue: { values: [] } }, { bytesValue: 'AA==' }],
];

const checkedOf = (span: object) => {
  const body = { resourceSpans: [{ scopeSpans: [{ scope: { name: 'test' }, spans: [span] }] }] };
  const { events } = decodeTraces(Buffer.from(JSON.stringify(body)), 'application/json', NOW);
  return events.map((event) => checkEvent(event, NOW));
};
const spanOf = (attributes: object, members: object = {}) => ({
  traceId: TRACE,
  spanId: SPAN,
  kind: 3,
  startTimeUnixNano: START,
  endTimeUnixNano: END,
  attributes: Object.entries(attributes).map(([key, value]) => ({ key, value })),
  ...members,
});

describe('a span of a call', () => {
  it('is kept whatever value one of its other attributes has', async () => {
    await expectNoFaults(
      [...new Set(Object.values(others).flat())].flatMap((name) =>
        BAD_VALUES.map((value) => ({ name, value })),
      ),
      ({ name, value }) => `${name} = ${JSON.stringify(value)?.slice(0, 60)}`,
      ({ name, value }) => {
        const checked = checkedOf(spanOf({ ...CALL, [name]: value }));
        return checked.length === 1 && checked[0]?.errors === null ? [] : ['loses its call'];
      },
    );
  });

  it.each([
    ['of 26 hours', { endTimeUnixNano: String(BigInt(START) + 26n * 3_600_000_000_000n) }],
    ['of a clock that is an hour ahead', { startTimeUnixNano: String(BigInt(START) + 3_600_000_000_000n) }],
    ['without times', { startTimeUnixNano: null, endTimeUnixNano: '' }],
    ['with an unknown kind and status', { kind: 'SPAN_KIND_OTHER', status: { code: 'x' } }],
    ['that ends before it starts', { startTimeUnixNano: END, endTimeUnixNano: START }],
  ])('%s is kept', (_, members) => {
    expect(checkedOf(spanOf(CALL, members))).toMatchObject([{ errors: null, event: { input_tokens: 120 } }]);
  });

  it.each([
    ['seconds', 10n ** 9n],
    ['milliseconds', 10n ** 6n],
    ['microseconds', 10n ** 3n],
  ])('in %s has the time that was meant', (_, nanoseconds) => {
    const [startTimeUnixNano, endTimeUnixNano] = [START, END].map((time) =>
      String(BigInt(time) / nanoseconds),
    );

    expect(checkedOf(spanOf(CALL, { startTimeUnixNano, endTimeUnixNano }))).toMatchObject([
      { event: { occurred_at: '2026-11-01T12:00:00.000Z', latency_ms: 2_000 } },
    ]);
  });
});
