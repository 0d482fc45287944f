import * as z from 'zod';
import { PROTOBUF, parseExport, refuseMalformed } from './decodeExport.ts';
import { readExport } from './protobuf/export.ts';
import type { WireReader } from './protobuf/wire.ts';
import { MalformedExportError } from './telemetry.ts';

/** The kinds of data of a `Metric`, by field number (opentelemetry-proto 1.x). Each has its data points in field 1. */
const KINDS: Readonly<Record<number, string>> = {
  5: 'gauge',
  7: 'sum',
  9: 'histogram',
  10: 'exponentialHistogram',
  11: 'summary',
};

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

const Data = z.object({ dataPoints: z.array(z.unknown()).nullish() }).nullish();
const Metric = z.object(Object.fromEntries(Object.values(KINDS).map((kind) => [kind, Data])));
const ScopeMetrics = z.object({ metrics: z.array(Metric).nullish() });
const ResourceMetrics = z.object({ scopeMetrics: z.array(ScopeMetrics).nullish() });
const MetricExport = z.object({ resourceMetrics: z.array(ResourceMetrics).nullish() });

const countInJson = (value: unknown): number => {
  const parsed = MetricExport.safeParse(value).data;
  if (parsed === undefined) throw new MalformedExportError('The JSON is not an OTLP export.');
  const metrics = (parsed.resourceMetrics ?? [])
    .flatMap(({ scopeMetrics }) => scopeMetrics ?? [])
    .flatMap((scope) => scope.metrics ?? []);
  return metrics
    .flatMap((metric) => Object.values(metric))
    .reduce((sum, data) => sum + (data?.dataPoints?.length ?? 0), 0);
};

/** Counts the data points of an `ExportMetricsServiceRequest`, without reading them. Throws INVALID_REQUEST. */
export const countDataPoints = (bytes: Buffer, mediaType: string): { readonly dataPoints: number } => {
  if (bytes.byteLength === 0) return { dataPoints: 0 };
  const dataPoints = refuseMalformed(() =>
    mediaType === PROTOBUF
      ? readExport(bytes, { content: new Set() }, countInProtobuf).reduce((sum, count) => sum + count, 0)
      : countInJson(parseExport(bytes)),
  );
  return { dataPoints };
};
