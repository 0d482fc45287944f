import { describe, expect, it } from 'vitest';
import { countDataPoints } from '../../../functions/ingest/otlp/metrics.ts';
import { encodeBytes, encodeText, encodeVarint } from '../../../functions/platform/http/protobufFields.ts';
import { ProblemError } from '../../../functions/platform/shared/problem.ts';

/** A `Metric` with data points of the kind in `field`. */
const metric = (field: number, points: number): Buffer =>
  Buffer.concat([
    encodeText(1, 'gen_ai.client.token.usage'),
    encodeBytes(
      field,
      Buffer.concat(Array.from({ length: points }, () => encodeBytes(1, encodeVarint(4, 7)))),
    ),
  ]);
const exportOf = (...metrics: Buffer[]): Buffer =>
  encodeBytes(1, encodeBytes(2, Buffer.concat(metrics.map((item) => encodeBytes(2, item)))));
const inJson = (value: object) => countDataPoints(Buffer.from(JSON.stringify(value)), 'application/json');
const points = (length: number) => ({ dataPoints: Array.from({ length }, () => ({ asInt: '7' })) });

describe('the data points of a metrics export', () => {
  it('of all kinds are counted, in both encodings', () => {
    const protobuf = exportOf(
      metric(5, 1),
      metric(7, 2),
      metric(9, 3),
      metric(10, 4),
      metric(11, 5),
      metric(12, 9),
    );
    const metrics = [
      { name: 'a', gauge: points(1), sum: null },
      { name: 'b', sum: points(2), unit: '1' },
      { histogram: points(3) },
      { exponentialHistogram: points(4) },
      { summary: points(5) },
      { unknownKind: points(9) },
    ];

    expect(countDataPoints(protobuf, 'application/x-protobuf')).toEqual({ dataPoints: 15 });
    expect(inJson({ resourceMetrics: [{ scopeMetrics: [{ metrics }] }] })).toEqual({ dataPoints: 15 });
  });

  it.each([
    ['an empty body', ''],
    ['no resource', '{}'],
    ['a resource without metrics', '{"resourceMetrics":[{}]}'],
  ])('of %s are 0', (_, body) => {
    expect(countDataPoints(Buffer.from(body), 'application/json')).toEqual({ dataPoints: 0 });
  });

  it.each([
    ['protobuf', 'application/x-protobuf', '{'],
    ['JSON', 'application/json', '{"resourceMetrics":1}'],
  ])('of a body that is no %s export are refused', (_, mediaType, body) => {
    expect(() => countDataPoints(Buffer.from(body), mediaType)).toThrow(ProblemError);
  });
});
