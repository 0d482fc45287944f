import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ReceivedRequest, requestEvent } from '../../../local/http/requestEvent.ts';

const REQUEST: ReceivedRequest = {
  method: 'GET',
  rawPath: '/items/7',
  rawQuery: '',
  rawHeaders: ['Host', 'localhost:3000'],
  body: Buffer.alloc(0),
  sourceIp: '127.0.0.1',
  httpVersion: '1.1',
  host: 'localhost:3000',
};
const ORIGIN = {
  apiId: 'abc',
  routeKey: 'GET /items/{id}',
  parameters: { id: '7' },
  requestId: '7a3f0a52-0000-4000-8000-123456789abc',
  epochMs: Date.UTC(2020, 2, 12, 19, 3, 58),
};

const event = (change: Partial<ReceivedRequest>) => requestEvent({ ...REQUEST, ...change }, ORIGIN);
const withBody = (body: Buffer | string, type?: string) =>
  event({ body: Buffer.from(body), rawHeaders: type ? ['Content-Type', type] : [] });

describe('requestEvent', () => {
  test('contains route, path, caller and time', () => {
    expect(event({ rawHeaders: ['User-Agent', 'curl/8'] })).toMatchObject({
      version: '2.0',
      routeKey: 'GET /items/{id}',
      rawPath: '/items/7',
      rawQueryString: '',
      pathParameters: { id: '7' },
      isBase64Encoded: false,
      requestContext: {
        accountId: '000000000000',
        apiId: 'abc',
        stage: '$default',
        routeKey: 'GET /items/{id}',
        requestId: ORIGIN.requestId,
        time: '12/Mar/2020:19:03:58 +0000',
        timeEpoch: ORIGIN.epochMs,
        http: {
          method: 'GET',
          path: '/items/7',
          protocol: 'HTTP/1.1',
          sourceIp: '127.0.0.1',
          userAgent: 'curl/8',
        },
      },
    });
  });

  test('leaves out fields that the request does not have', () => {
    const bare = requestEvent(REQUEST, { ...ORIGIN, parameters: {} });
    expect(Object.keys(bare)).not.toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^(body|cookies|pathParameters|queryStringParameters)$/),
      ]),
    );
  });

  test('lower-cases header names, joins repeated headers and separates cookies', () => {
    const rawHeaders = ['X-A', '1', 'x-a', '2', 'Cookie', 'a=1; b=2', 'cookie', 'c=3'];
    expect(event({ rawHeaders })).toMatchObject({
      headers: { 'x-a': '1,2' },
      cookies: ['a=1', 'b=2', 'c=3'],
    });
    expect(event({ rawHeaders })).not.toHaveProperty('headers.cookie');
  });

  test('decodes and joins query parameters, and keeps the raw query', () => {
    expect(event({ rawQuery: 'a=1&a=2&b=x%20y+z' })).toMatchObject({
      rawQueryString: 'a=1&a=2&b=x%20y+z',
      queryStringParameters: { a: '1,2', b: 'x y z' },
    });
  });

  test('decodes the path', () => {
    expect(event({ rawPath: '/items/a%20b' })).toMatchObject({
      rawPath: '/items/a b',
      requestContext: { http: { path: '/items/a b' } },
    });
  });

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'text/plain',
    'TEXT/CSV',
    'application/xml',
  ])('encodes a body of type %s as text', (type) => {
    expect(withBody('{"a":"é"}', type)).toMatchObject({ body: '{"a":"é"}', isBase64Encoded: false });
  });

  test.each([
    'application/octet-stream',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    undefined,
  ])('encodes a body of type %s as base64', (type) => {
    expect(withBody('a=1', type)).toMatchObject({ body: 'YT0x', isBase64Encoded: true });
  });

  test('encodes JSON that is not UTF-8 as base64', () => {
    const bytes = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]);
    expect(withBody(bytes, 'application/json')).toMatchObject({
      body: bytes.toString('base64'),
      isBase64Encoded: true,
    });
  });

  test('preserves the bytes of any body', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1 }), (bytes) => {
        const result = withBody(Buffer.from(bytes), 'application/json');
        const { body, isBase64Encoded } = Object.assign({ body: '', isBase64Encoded: false }, result);
        expect(Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8')).toEqual(Buffer.from(bytes));
      }),
    );
  });
});
