import type { Problem } from '../../../schemas/problems.ts';
import { type Exchange, headerOf } from './exchange.ts';
import { encodeText, encodeVarint } from './protobufFields.ts';
import type { Reply } from './reply.ts';

/** Codes of `google.rpc.Code` for the statuses of the service. Others are UNKNOWN (2). */
const CODES: Readonly<Record<number, number>> = {
  400: 3,
  401: 16,
  403: 7,
  404: 5,
  409: 10,
  413: 3,
  415: 3,
  429: 8,
  503: 14,
};

/**
 * The response of a problem in the OpenTelemetry Protocol: a `google.rpc.Status` in the encoding of the request
 * (https://opentelemetry.io/docs/specs/otlp/#failures). In JSON it also has the members of the problem, which receivers
 * ignore as unknown fields.
 */
export const toStatusReply = (
  { status, headers, body }: Reply & { readonly body: Problem },
  exchange: Exchange,
): Reply => {
  const code = CODES[status] ?? 2;
  const isProtobuf = (headerOf(exchange, 'content-type') ?? '')
    .toLowerCase()
    .startsWith('application/x-protobuf');
  return {
    status,
    headers: { ...headers, 'content-type': isProtobuf ? 'application/x-protobuf' : 'application/json' },
    body: isProtobuf
      ? Buffer.concat([encodeVarint(1, code), encodeText(2, body.detail)])
      : { ...body, code, message: body.detail },
  };
};
