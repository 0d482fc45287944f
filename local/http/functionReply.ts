import * as z from 'zod';

const HeaderValue = z.union([z.string(), z.number(), z.boolean()]).transform(String);

const ProxyReply = z.object({
  statusCode: z.coerce.number().int().min(100).max(599),
  headers: z.record(z.string(), HeaderValue).nullish(),
  cookies: z.array(z.string()).nullish(),
  body: z.string().nullish(),
  isBase64Encoded: z.boolean().nullish(),
});

export interface HttpReply {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer | string;
}

/**
 * API Gateway renames this header of functions, because it may send one of its own
 * (https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html).
 */
const RENAMED_HEADERS: Readonly<Record<string, string>> = {
  'www-authenticate': 'x-amzn-remapped-www-authenticate',
};

/** The name under which a header of a function reaches the client. */
const sentName = (name: string): string => RENAMED_HEADERS[name.toLowerCase()] ?? name.toLowerCase();

/**
 * Parses the JSON result of a function by payload format 2.0. A value without a status code becomes the body of a 200
 * response. Undefined for a reply that the gateway cannot send.
 */
export function parseFunctionReply(payload: string): HttpReply | undefined {
  const value: unknown = JSON.parse(payload);
  if (typeof value !== 'object' || value === null || !('statusCode' in value)) {
    const body = typeof value === 'string' ? value : payload;
    return { status: 200, headers: { 'content-type': 'application/json' }, body };
  }
  const reply = ProxyReply.safeParse(value);
  if (!reply.success) return undefined;
  const { statusCode, headers, cookies, body, isBase64Encoded } = reply.data;
  const lowered = Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, item]) => [sentName(name), item]),
  );
  return {
    status: statusCode,
    headers: {
      ...(body && { 'content-type': 'text/plain; charset=utf-8' }),
      ...lowered,
      ...(cookies && cookies.length > 0 && { 'set-cookie': cookies }),
    },
    body: isBase64Encoded ? Buffer.from(body ?? '', 'base64') : (body ?? ''),
  };
}
