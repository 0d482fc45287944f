import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import * as z from 'zod';

const lines: string[] = [];

beforeEach(() => {
  vi.resetModules();
  vi.stubEnv('METRICS_NAMESPACE', 'InferenceAttribution/local');
  lines.length = 0;
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const load = () => import('../../../functions/platform/shared/metrics.ts');
const Line = z.looseObject({
  _aws: z.looseObject({
    CloudWatchMetrics: z.array(
      z.looseObject({
        Namespace: z.string(),
        Dimensions: z.array(z.array(z.string())),
        Metrics: z.array(z.unknown()),
      }),
    ),
  }),
});
const published = () =>
  lines.filter((text) => text.includes('"_aws"')).map((text) => Line.parse(JSON.parse(text)));

it('writes one EMF line for each invocation, with all values and the annotation', async () => {
  const { annotate, measure, withMetrics } = await load();
  const handler = withMetrics(async (events: number) => {
    for (let index = 0; index < events; index += 1) measure('recorded');
    measure('recordLatency', 12, 34);
    annotate('code', 'RATE_LIMITED');
    return 'done';
  });

  expect(await handler(3)).toBe('done');

  expect(published()).toEqual([
    expect.objectContaining({ recorded: [1, 1, 1], recordLatency: [12, 34], code: 'RATE_LIMITED' }),
  ]);
  expect(published()[0]?._aws.CloudWatchMetrics).toEqual([
    {
      Namespace: 'InferenceAttribution/local',
      // A dimension for each tenant or code would be a metric of its own, and cost as much as the others together.
      Dimensions: [['service']],
      Metrics: [
        { Name: 'recorded', Unit: 'Count' },
        { Name: 'recordLatency', Unit: 'Milliseconds' },
      ],
    },
  ]);
});

it('writes the metrics of an invocation that throws', async () => {
  const { measure, withMetrics } = await load();
  const handler = withMetrics(async () => {
    measure('setAside', 2);
    throw new Error('table unavailable');
  });

  await expect(handler()).rejects.toThrow('table unavailable');

  expect(published()).toEqual([expect.objectContaining({ setAside: 2 })]);
});

it('writes nothing for an invocation without metrics, and loses no value of a large batch', async () => {
  const { measure, withMetrics } = await load();

  await withMetrics(async () => undefined)();
  expect(published()).toEqual([]);

  await withMetrics(async () => {
    for (let index = 0; index < 250; index += 1) measure('recorded');
  })();
  expect(published().flatMap((line) => z.array(z.number()).parse(line['recorded']))).toHaveLength(250);
});

it('measures nothing without a namespace', async () => {
  vi.stubEnv('METRICS_NAMESPACE', undefined);
  const { measure, withMetrics } = await load();

  await withMetrics(async () => measure('recorded'))();

  expect(published()).toEqual([]);
});
