import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { type MetricName, metricNames, metrics } from '../../schemas/platform/metrics.ts';

/** A line in the Embedded Metric Format: each metric is a member with a number or a list of numbers. */
const MetricLine = z.looseObject({ _aws: z.object({ Timestamp: z.number() }) });
const Values = z.union([z.number().transform((value) => [value]), z.array(z.number())]);

/** The values of one metric. */
export interface MetricSummary {
  readonly metric: MetricName;
  readonly sum: number;
  /** The nearest-rank percentiles of the values in milliseconds. Null for counts. */
  readonly p50: number | null;
  readonly p99: number | null;
  readonly holds: string;
}

const percentile = (ascending: readonly number[], share: number): number =>
  ascending[Math.max(0, Math.ceil(share * ascending.length) - 1)] ?? 0;

const parseLine = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
};

/** The metrics in the log lines of functions. Other lines are ignored. */
export const summarizeMetrics = (lines: Iterable<string>): MetricSummary[] => {
  const values = new Map<MetricName, number[]>();
  for (const line of lines) {
    if (!line.includes('"_aws"')) continue;
    const { data } = MetricLine.safeParse(parseLine(line));
    if (data === undefined) continue;
    for (const name of metricNames) {
      const found = Values.safeParse(data[name]);
      if (found.success) values.set(name, [...(values.get(name) ?? []), ...found.data]);
    }
  }
  return metricNames.flatMap((metric) => {
    const ascending = values.get(metric)?.sort((one, other) => one - other);
    if (ascending === undefined) return [];
    const { unit, holds } = metrics[metric];
    const isTime = unit === 'Milliseconds';
    return [
      {
        metric,
        sum: Math.round(ascending.reduce((total, value) => total + value, 0)),
        p50: isTime ? percentile(ascending, 0.5) : null,
        p99: isTime ? percentile(ascending, 0.99) : null,
        holds,
      },
    ];
  });
};

/** The metrics of a local instance since its logs began. Throws an Error if the folder holds no logs of an instance. */
export const localMetrics = (dataDir: string): MetricSummary[] => {
  const paths = globSync('logs/*.log', { cwd: dataDir });
  if (paths.length === 0)
    throw new Error(`No instance has logged in ${dataDir}. Name its folder with --data-dir.`);
  return summarizeMetrics(paths.flatMap((path) => readFileSync(join(dataDir, path), 'utf8').split('\n')));
};
