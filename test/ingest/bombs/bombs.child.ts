/**
 * Sends bombs through the middlewares in a process with the heap of a small function, and prints one JSON line for each. A
 * decoder that makes objects of what it did not count ends the process.
 */
import { constants, gzipSync } from 'node:zlib';
import * as z from 'zod';
import { decodeCallLogs } from '../../../functions/ingest/callLogs/decodeCallLogs.ts';
import { decodeLogs, decodeTraces } from '../../../functions/ingest/otlp/decodeExport.ts';
import { countDataPoints } from '../../../functions/ingest/otlp/metrics.ts';
import type { BodyDecoder } from '../../../functions/platform/http/exchange.ts';
import { reply } from '../../../functions/platform/http/reply.ts';
import { scopeNames } from '../../../schemas/identity/scopes.ts';
import { routes } from '../../../schemas/routes/index.ts';
import type { BodyShape, RouteShape } from '../../../schemas/routes/route.ts';
import { caller, serve } from '../../platform/http/harness.ts';
import { type Bomb, callLogs, jsonBody, otlpJson, otlpProtobuf } from './shapes.ts';

const authenticator = async () => ({
  ...caller,
  signedInAt: Number.MAX_SAFE_INTEGER,
  scopes: new Set(scopeNames),
});

/** Traces, logs and metrics share their readers of groups and attributes, so traces alone have every bomb. */
const decoders: Readonly<Record<string, { readonly decode: BodyDecoder; readonly bombs: readonly Bomb[] }>> =
  {
    postTraces: {
      decode: decodeTraces,
      bombs: [...otlpJson('resourceSpans', 'scopeSpans', 'spans'), ...otlpProtobuf(9)],
    },
    postLogs: {
      decode: decodeLogs,
      bombs: [
        ...otlpJson('resourceLogs', 'scopeLogs', 'logRecords').slice(0, 6),
        ...otlpProtobuf(6).slice(0, 7),
      ],
    },
    postMetrics: {
      decode: countDataPoints,
      bombs: [
        ...otlpJson('resourceMetrics', 'scopeMetrics', 'metrics').slice(0, 6),
        ...otlpProtobuf(9).slice(-5),
      ],
    },
    postCallLogs: { decode: decodeCallLogs, bombs: callLogs },
  };

/** The names of the members of a body. */
const membersOf = (schema: z.ZodType): string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];

const bombsOf = (route: RouteShape, body: BodyShape): readonly Bomb[] =>
  decoders[route.operation]?.bombs ?? (body.kind === 'json' ? jsonBody(membersOf(body.schema)) : []);

const TOO_LARGE = 413;

const send = async (
  route: RouteShape,
  body: BodyShape,
  { name, contentType, headers, content }: Bomb,
  size: number,
): Promise<number> => {
  const bytes = content(size);
  const decode = decoders[route.operation]?.decode;
  const isCompressed = body.maxDecompressedBytes !== undefined;
  const sent = isCompressed ? gzipSync(bytes, { level: constants.Z_BEST_SPEED }) : bytes;
  // What building a large bomb left is not the decoder's.
  if (isCompressed) globalThis.gc?.();
  const { status } = await serve(
    route,
    () => reply(202, {}),
    {
      headers: {
        'x-api-key': 'ask_good',
        'idempotency-key': 'once',
        'content-type': contentType,
        ...(isCompressed && { 'content-encoding': 'gzip' }),
        ...headers,
      },
      body: sent,
    },
    { authenticator, ...(decode !== undefined && { decode }) },
  );
  process.stdout.write(
    `${JSON.stringify({ bomb: `${route.operation}, ${name.slice(0, 80)}`, size, status })}\n`,
  );
  return status;
};

const SIZE_MINIMUM = 256;

for (const route of routes) {
  const { body } = route;
  if (body === undefined) continue;
  for (const bomb of bombsOf(route, body)) {
    // Then smaller ones, until one is admitted: it costs more than those that are refused.
    let size = body.maxDecompressedBytes ?? body.maxBytes;
    while ((await send(route, body, bomb, size)) === TOO_LARGE && size > SIZE_MINIMUM)
      size = Math.floor(size / 16);
  }
}
