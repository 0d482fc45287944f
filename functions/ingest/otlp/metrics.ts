import { memberAt } from '../formats/values.ts';
import { PROTOBUF, parseExport, refuseMalformed } from './decodeExport.ts';
import { exportBudget } from './exportBudget.ts';
import { type Levels, readJsonExport } from './json.ts';
import { readExport } from './protobuf/export.ts';
import type { WireReader } from './protobuf/wire.ts';

/** The kinds of data of a `Metric`, by field number (opentelemetry-proto 1.x). Each has its data points in field 1. */
const KINDS: Readonly<Record<number, string>> = {
  5: 'gauge',
  7: 'sum',
  9: 'histogram',
  10: 'exponentialHistogram',
  11: 'summary',
};

const LEVELS: Levels = ['resourceMetrics', 'scopeMetrics', 'metrics', 'instrumentationLibraryMetrics'];

const countInProtobuf = (metric: WireReader): number => {
  let points = 0;
  while (metric.next()) {
    if (KINDS[metric.field] === undefined) {
      metric.skip();
      continue;
    }
    const data = metric.message();
    while (data.next()) {
      if (data.field === 1) points += 1;
      data.skip();
    }
  }
  return points;
};

const countInJson = (metric: unknown): number =>
  Object.values(KINDS).reduce((points, kind) => {
    const list = memberAt(metric, kind, 'dataPoints');
    return points + (Array.isArray(list) ? list.length : 0);
  }, 0);

/** Counts the data points of an `ExportMetricsServiceRequest`, without reading them. Throws as decodeTraces. */
export const countDataPoints = (bytes: Buffer, mediaType: string): { readonly dataPoints: number } => {
  if (bytes.byteLength === 0) return { dataPoints: 0 };
  const [budget, skipped] = [exportBudget(), { content: new Set<string>() }];
  const counts = refuseMalformed(() =>
    mediaType === PROTOBUF
      ? readExport(bytes, budget, skipped, countInProtobuf)
      : readJsonExport(parseExport(bytes, budget), LEVELS, budget, skipped, countInJson),
  );
  return { dataPoints: counts.reduce((sum, count) => sum + count, 0) };
};
