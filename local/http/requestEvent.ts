import { ACCOUNT } from '../template/names.ts';

export interface ReceivedRequest {
  method: string;
  /** Path and query, unchanged. */
  rawPath: string;
  rawQuery: string;
  /** Alternating names and values, unchanged. */
  rawHeaders: string[];
  body: Buffer;
  sourceIp: string;
  httpVersion: string;
  host: string;
}

export interface RequestOrigin {
  apiId: string;
  routeKey: string;
  parameters: Record<string, string>;
  requestId: string;
  epochMs: number;
}

/**
 * The event of payload format 2.0. As with API Gateway, `rawPath` and `requestContext.http.path` are percent-decoded (an
 * encoded slash becomes a slash) and `rawQueryString` is unchanged. Throws a URIError on an invalid escape.
 */
export function requestEvent(request: ReceivedRequest, origin: RequestOrigin): object {
  const { method, rawQuery, rawHeaders, sourceIp, host } = request;
  const path = decodeURIComponent(request.rawPath);
  const { headers, cookies } = splitHeaders(rawHeaders);
  const query = queryParameters(rawQuery);
  const { requestId, routeKey, epochMs, apiId, parameters } = origin;
  return {
    version: '2.0',
    routeKey,
    rawPath: path,
    rawQueryString: rawQuery,
    ...(cookies.length > 0 && { cookies }),
    headers: {
      ...headers,
      'x-amzn-trace-id': traceId(epochMs, requestId),
      'x-forwarded-for': headers['x-forwarded-for'] ? `${headers['x-forwarded-for']}, ${sourceIp}` : sourceIp,
      'x-forwarded-port': host.split(':')[1] ?? '80',
      'x-forwarded-proto': 'http',
    },
    ...(rawQuery !== '' && { queryStringParameters: query }),
    requestContext: {
      accountId: ACCOUNT,
      apiId,
      domainName: host,
      domainPrefix: apiId,
      http: {
        method,
        path,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId,
      routeKey,
      stage: '$default',
      time: commonLogTime(epochMs),
      timeEpoch: epochMs,
    },
    ...(Object.keys(parameters).length > 0 && { pathParameters: parameters }),
    ...encodeBody(request.body, headers['content-type']),
  };
}

/** Joins the values of repeated names with commas. Uses a Map because a client may send the name `__proto__`. */
function joinRepeated(pairs: Iterable<readonly [string, string]>): Record<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of pairs) {
    const before = values.get(name);
    values.set(name, before === undefined ? value : `${before},${value}`);
  }
  return Object.fromEntries(values);
}

function splitHeaders(rawHeaders: string[]): { headers: Record<string, string>; cookies: string[] } {
  const headers: [string, string][] = [];
  const cookies: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? '';
    const value = rawHeaders[index + 1] ?? '';
    if (name === 'cookie') cookies.push(...value.split(';').map((cookie) => cookie.trim()));
    else headers.push([name, value]);
  }
  return { headers: joinRepeated(headers), cookies };
}

const queryParameters = (rawQuery: string): Record<string, string> =>
  joinRepeated(new URLSearchParams(rawQuery));

/** Content types that an HTTP API passes as text. It encodes all other bodies as base64. */
const TEXT_TYPE = /^(text\/[^;]+|application\/(json|xml|javascript))\s*(;|$)/i;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The body as text if it has a text type and is valid UTF-8. Invalid text is encoded as base64, so that the handler sees
 * the original bytes and can reject them, instead of replacement characters.
 */
function encodeBody(body: Buffer, contentType = ''): { body?: string; isBase64Encoded: boolean } {
  if (body.length === 0) return { isBase64Encoded: false };
  if (!TEXT_TYPE.test(contentType)) return { body: body.toString('base64'), isBase64Encoded: true };
  try {
    return { body: utf8.decode(body), isBase64Encoded: false };
  } catch {
    return { body: body.toString('base64'), isBase64Encoded: true };
  }
}

/** The X-Ray format: version, epoch seconds in hexadecimal, 96 bits. */
function traceId(epochMs: number, requestId: string): string {
  const seconds = Math.floor(epochMs / 1000).toString(16);
  return `Root=1-${seconds}-${requestId.replaceAll('-', '').slice(0, 24)}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The time of the common log format in UTC: `12/Mar/2020:19:03:58 +0000`. */
function commonLogTime(epochMs: number): string {
  const [date = '', time = ''] = new Date(epochMs).toISOString().split('T');
  const [year, month, day] = date.split('-');
  return `${day}/${MONTHS[Number(month) - 1]}/${year}:${time.slice(0, 8)} +0000`;
}
