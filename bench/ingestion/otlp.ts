import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { tracesInJson, tracesInProtobuf } from '../../test/ingest/otlp/messages.ts';
import { consumptionOf, isIngestion } from '../cost/consumption.ts';
import { costRows, totalOf } from '../cost/costModel.ts';
import type { MeasuredService } from '../support/service.ts';
import { latencies } from '../support/statistics.ts';
import { type Table, table } from '../support/table.ts';
import type { TimedResponse } from '../support/traffic.ts';
import { filterUsage, totalWork } from '../support/usage.ts';
import { ingest } from './ingestion.ts';
import type { IngestMode, Send } from './ingestModes.ts';

/** How spans are exported. */
interface ExportMode extends IngestMode {
  readonly encoding: 'protobuf' | 'json';
  /** Bytes of prompt and answer in each span. The service skips them. */
  readonly contentBytes: number;
}

const mode = (batch: number, encoding: ExportMode['encoding'], contentBytes: number): ExportMode => ({
  name: `${encoding}, ${batch} spans${contentBytes > 0 ? ` with ${contentBytes / 1_000} kB of content` : ''}`,
  kind: 'otlp',
  batch,
  concurrency: 4,
  traced: 1,
  encoding,
  contentBytes,
});

const MODES = [mode(64, 'protobuf', 0), mode(64, 'json', 0), mode(64, 'protobuf', 8_000)];

const bodyOf = ({ batch, encoding, contentBytes }: ExportMode): Buffer => {
  const start = `${BigInt(Date.now()) * 1_000_000n}`;
  const items = Array.from({ length: batch }, () => ({
    traceId: randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    start,
    end: start,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.response.id': `chatcmpl-${randomBytes(12).toString('hex')}`,
      'gen_ai.usage.input_tokens': 1_200,
      'gen_ai.usage.output_tokens': 350,
      'enduser.id': 'team-search',
      ...(contentBytes > 0 && { 'gen_ai.input.messages': randomBytes(contentBytes / 2).toString('hex') }),
    },
  }));
  const groups = [{ resource: { 'service.name': 'ranking' }, items }];
  return gzipSync(encoding === 'protobuf' ? tracesInProtobuf(groups) : JSON.stringify(tracesInJson(groups)));
};

const senderOf =
  ({ runtime, sender }: MeasuredService, exported: ExportMode): Send =>
  async (): Promise<TimedResponse> => {
    const body = new Uint8Array(bodyOf(exported));
    const startedAt = performance.now();
    const response = await fetch(`${runtime.baseUrl}/api/v1/otlp/v1/traces`, {
      method: 'POST',
      body,
      headers: {
        'x-api-key': sender.api_keys.ingest,
        'content-type': exported.encoding === 'protobuf' ? 'application/x-protobuf' : 'application/json',
        'content-encoding': 'gzip',
      },
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`unexpected status ${response.status}`);
    return { text, milliseconds: performance.now() - startedAt };
  };

/** Throughput, CPU time and cost of OpenTelemetry exports, until every span is a record. */
export const benchOtlp = async (service: MeasuredService, quick: boolean): Promise<Table> => {
  const rows = [];
  for (const exported of MODES) {
    const result = await ingest(service, exported, quick ? 640 : 6_400, senderOf(service, exported));
    const { used, traffic, memory, seconds, drainSeconds, latenciesMs } = result;
    const microsOf = (functions: RegExp): number =>
      (totalWork(filterUsage(used, functions)).cpuSeconds * 1e6) / traffic.events;
    rows.push({
      export: exported.name,
      spans: traffic.events,
      'accepted/s': Math.round(traffic.events / seconds),
      'recorded/s': Math.round(traffic.events / (seconds + drainSeconds)),
      'CPU µs/span, receiver': microsOf(isIngestion),
      'CPU µs/span, worker': microsOf(/^WorkersAttribution/),
      'USD per million': totalOf(costRows(consumptionOf(used, traffic, memory))).toFixed(3),
      ...latencies(latenciesMs),
    });
  }
  return table('OpenTelemetry: exports of traced spans, compressed with gzip', rows);
};
